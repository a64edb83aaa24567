"""From a task to a run's configuration: what a run of texts is compared with."""

from __future__ import annotations

from mendel.contracts.run_config import OFFLINE
from mendel.domains.texts.domain import task_of
from mendel.domains.texts.models import TextTask
from mendel.domains.texts.planning import TextSearch, best_of_n, planned

TASK = TextTask(path="s.awk", files={"s.awk": ""}, editable=("s.awk",), language="AWK", run="awk", objective="speed")


def test_best_of_n_asks_no_models_so_that_nothing_is_paid_for_twice():
    beside = best_of_n(planned(TASK, 7, TextSearch(models=True)), 70, 30.0)
    assert (beside.model_profile, beside.models, beside.model_route_overrides) == (OFFLINE, None, {})
    assert (task_of(beside).asks_models, task_of(beside).contends) == (False, False)
