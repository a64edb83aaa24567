"""What a domain's launch form has to say, and what becomes of one that says too little or fails."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from pydantic import BaseModel, ConfigDict

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.api.conductors import Conductors
from mendel.api.launch_schemas import RunRequest
from mendel.api.launching import Launcher
from mendel.api.problems import Refused
from mendel.api.registration import LaunchForm, Plan, ServedDomain, Workshop
from mendel.contracts.caps import RunCaps
from mendel.contracts.errors import BrokenPlugin, DomainFailed
from mendel.contracts.run_config import RunConfig
from mendel.contracts.scrub import Scrubber
from mendel.ports.registration import DomainRegistration, FoundDomain
from mendel.ports.registry import Plugin
from mendel.settings import Settings
from mendel.wiring.domains import served_domain

CEILING = RunCaps(max_generations=50)


class Inputs(BaseModel):
    """What is asked for."""

    model_config = ConfigDict(extra="forbid")

    rows: int = 3


class Least(Plan):
    """A plan that says what it has to."""

    def __init__(self, request: RunRequest, seed: int, _workshop: Workshop) -> None:
        self.rows, self.seed = Inputs.model_validate(request.inputs or {}).rows, seed

    def draft(self) -> RunConfig:
        """A run with a generation for each row."""
        return RunConfig(
            domain="rows", problem="rows", rng_seed=self.seed, caps=RunCaps(max_generations=self.rows, energy_budget=9)
        )


class Untold:
    """A plan that derives from nothing and lacks half."""

    def __init__(self, *_: object) -> None:
        pass

    def draft(self) -> None:
        """None."""


class Failing(Least):
    """A plan whose look at things fails, with a text that no client may read."""

    async def measured(self, fabric: object) -> RunConfig:
        """Never."""
        raise KeyError("a secret")


class Formless(Least):
    """A plan whose draft is none."""

    def draft(self) -> Any:
        """None."""
        return None


@asynccontextmanager
async def _no_fabric(*, commands: bool) -> AsyncIterator[None]:
    yield


def launcher(planner: Any) -> Launcher:
    form = LaunchForm(inputs=Inputs, plan=planner)
    domain = ServedDomain("rows", "Rows", "Rows.", open_form=lambda: form)
    workshop = Workshop(Scrubber(), fabric=cast("Any", _no_fabric))
    return Launcher(MemoryEventLog(), cast("Conductors", None), workshop, domains=(domain,), ceiling=CEILING)


async def test_a_plan_that_says_its_draft_alone_is_enough_and_the_request_s_caps_are_laid_over_it():
    asked = RunRequest.model_validate({"domain": "rows", "caps": {"wall_clock_ms": 5_000}})
    told = await launcher(Least).estimate(asked)
    assert (told.energy, told.wall_clock_ms) == (9, 5_000)


async def test_inputs_are_checked_before_the_planner_sees_them():
    seen: list[object] = []
    with pytest.raises(Refused) as refused:
        await launcher(lambda *asked: seen.append(asked)).estimate(RunRequest(domain="rows", inputs={"row": 3}))
    assert [each.where for each in refused.value.fields] == ["inputs.row"]
    assert (refused.value.status, seen) == (422, [])


@pytest.mark.parametrize(
    ("planner", "words"),
    [
        (Untold, 'the planner of the domain "rows" returns a Untold, which has no commands'),
        (lambda request: None, 'the planner of the domain "rows" raised TypeError'),
        (Formless, 'the planner of the domain "rows" returns a NoneType, not a RunConfig'),
        (Failing, 'the planner of the domain "rows" raised KeyError'),
    ],
)
async def test_what_a_planner_does_wrong_is_its_domain_s_failure(planner, words):
    with pytest.raises(DomainFailed) as broken:
        await launcher(planner).launch(RunRequest(domain="rows"), "a-key")
    assert words in str(broken.value)
    assert "secret" not in str(broken.value)


FORM = LaunchForm(inputs=cast("Any", dict), plan=Least)


def odd_form(_settings: Settings) -> LaunchForm:
    """One that asks for no model's fields."""
    return FORM


def test_a_form_whose_inputs_are_no_model_is_refused_where_it_is_loaded():
    registration = DomainRegistration(
        name="odd", title="Odd", summary="", domain="x:y", launch=f"{__name__}:{odd_form.__name__}"
    )
    found = FoundDomain(Plugin("mendel.domains", "odd", "x:y", "odd", "1", ""), registration, None)
    with pytest.raises(BrokenPlugin, match=r"its inputs are <class 'dict'>, not a pydantic model"):
        _ = served_domain(found, Settings()).form
