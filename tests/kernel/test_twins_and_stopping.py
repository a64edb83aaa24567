"""Twins are known before they cost anything; a run that has done enough ends well."""

from __future__ import annotations

import pytest
from tests.kernel.scripted import (
    ScriptedDomain,
    Stage,
    ambitious,
    breed,
    config_of,
    looked_at,
    of_type,
    payloads,
    thing,
    value_of,
    vary,
)
from tests.support.rows import check_rows

from mendel.adapters.memory.clock import ManualClock
from mendel.contracts.run_config import StopConditions
from mendel.contracts.verdicts import Reason
from mendel.contracts.work import Answer
from mendel.kernel.moves import Drop


class WithTwins(ScriptedDomain):
    """Candidates of one whole number are twins; a twin is dropped."""

    def __init__(self, **given):
        super().__init__(route=dropping_twins, handlers={"scripted.vary": stepping}, **given)

    def fingerprint(self, content):
        return str(int(value_of(content)))


def dropping_twins(dossier):
    if dossier.twin is None:
        return looked_at(dossier)
    return (Drop(reason=Reason(code="twin", message=dossier.twin)),)


async def stepping(work):
    return Answer(traits=thing(float(work.entropy.below(4, "value"))))


@check_rows("pace", ["birth", "arrival", "generational"])
async def test_a_twin_of_an_earlier_result_is_dropped_before_it_costs_anything(pace):
    state, events = await breed(config_of(pace=pace, caps={"max_generations": 6}), WithTwins())
    twins = {event.candidate_id for event in of_type(events, "candidate_invalidated")}
    looked = {
        event.candidate_id
        for event in of_type(events, "operation.started")
        if event.payload.operation.step == "scripted.look"
    }
    assert twins
    assert not twins & looked
    for event in of_type(events, "candidate_invalidated"):
        first, second = state.candidates[event.payload.reason], state.candidates[event.candidate_id]
        assert int(value_of(first.content)) == int(value_of(second.content))
        assert first.candidate.birth < second.candidate.birth or pace == "arrival"


async def test_twins_are_the_same_after_a_resume():
    config = config_of(pace="birth", caps={"max_generations": 6})
    whole, _ = await breed(config, WithTwins())
    stage = Stage(WithTwins())
    await stage.configure(config)
    while (resumed := await stage.interrupt_after(23)) is None:
        pass
    ends = [{key: each.status for key, each in state.candidates.items()} for state in (resumed, whole)]
    assert ends[0] == ends[1]


async def test_a_domain_without_fingerprints_has_no_twins():
    _, events = await breed(config_of(caps={"max_generations": 4}))
    assert not of_type(events, "candidate_invalidated")


# --- stopping ------------------------------------------------------------------------------------------------------


async def never_better(work):
    return Answer(traits=thing(-1.0))


async def test_stagnation_ends_a_run_well():
    domain = ScriptedDomain(handlers={"scripted.vary": never_better})
    config = config_of(pace="birth", caps={"max_generations": 1_000}, stop=StopConditions(stagnation=12))
    state, events = await breed(config, domain)
    assert state.status == "completed"
    assert "births in a row brought nothing fitter" in payloads(events, "run.completing")[0].reason
    assert 12 <= state.births.decided <= 12 + 4 + config.pace.window


async def test_the_target_counts_once_a_champion_reaches_it():
    async def better(work):
        return Answer(traits=thing(value_of(work.material.parents[0]) + 1.0))

    domain = ScriptedDomain(route=ambitious, handlers={"scripted.vary": better})
    config = config_of(pace="birth", caps={"max_generations": 1_000}, stop=StopConditions(target=3.0))
    state, events = await breed(config, domain)
    assert state.status == "completed"
    assert "reaches the target 3" in payloads(events, "run.completing")[0].reason
    assert state.candidates[state.niche.champion_id].score.total >= 3.0


async def test_time_ends_breeding_but_not_what_stands_before_the_gate():
    clock = ManualClock()

    async def slow_vary(work):
        clock.advance(1.0)
        return await vary(work)

    domain = ScriptedDomain(route=ambitious, handlers={"scripted.vary": slow_vary})
    config = config_of(
        pace="arrival",
        caps={"max_generations": 100_000, "wall_clock_ms": 10**9, "max_spawn_depth": 10**6, "energy_budget": 10**12},
        stop=StopConditions(seconds=10.0),
    )
    state, events = await breed(config, domain, clock=clock)
    assert state.status == "completed"
    assert payloads(events, "run.completing")[0].reason == "stopped after 10 s"
    assert state.niche.champion_id is not None


def test_conditions_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="greater than 0"):
        StopConditions(seconds=0.0)
    with pytest.raises(ValueError, match="greater than or equal to 1"):
        StopConditions(stagnation=0)
