"""From a task in any language to a run's configuration, and to that of the comparison beside it."""

from __future__ import annotations

import pytest
from tests.domains.texts.making import bench

from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.providers import ModelRoute
from mendel.contracts.run_config import LIVE, OFFLINE
from mendel.domains.texts.domain import task_of
from mendel.domains.texts.planning import TextSearch, best_of_n, planned


@pytest.mark.parametrize("models", [True, False])
def test_best_of_n_asks_no_model_whatever_the_run_asked(models):
    routes = {"mutator": ModelRoute(provider="offline", model_id="programs.mutator")} if models else {}
    run = planned(bench().task, 7, TextSearch(seconds=5.0, models=models, routes=routes))
    run = run.model_copy(update={"models": ModelPlan() if models else None})
    assert (run.model_profile, task_of(run).asks_models) == (LIVE if models else OFFLINE, models)
    beside = best_of_n(run, 12, 4.0)
    assert (beside.model_profile, beside.models, beside.model_route_overrides) == (OFFLINE, None, {})
    assert not task_of(beside).asks_models
    assert not task_of(beside).contends
