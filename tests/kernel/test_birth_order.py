"""Where results count by birth, neither the order of completion nor a kill changes what comes out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.kernel.scripted import (
    CROSS,
    NUDGE,
    ScriptedDomain,
    Stage,
    ambitious,
    config_of,
    looked_at,
    out,
    scattered,
    several,
    thing,
    value_of,
)
from tests.kernel.test_hard_cases import perform
from tests.kernel.track import Track

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import HandlerFailed
from mendel.contracts.run_config import RunConfig
from mendel.contracts.statuses import RunStatus
from mendel.contracts.work import Answer, Failure, Work
from mendel.kernel.decide import decide
from mendel.kernel.digest import outcome_digest, state_digest
from mendel.kernel.domain import Expression
from mendel.kernel.dossier import Dossier
from mendel.kernel.mind import Mind
from mendel.kernel.moves import Examine, Move, Vary
from mendel.kernel.state import RunState
from mendel.selection.selectors import AdaptiveEpsilon, Tournament

UNLUCKY = Failure(error_type="unlucky", error_code="unlucky", message="not this time")

runs = st.fixed_dictionaries(
    {
        "pace": st.sampled_from(["generational", "birth"]),
        "window": st.integers(1, 5),
        "rng_seed": st.integers(0, 2**32),
        "caps": st.fixed_dictionaries(
            {"max_population": st.integers(2, 7), "max_generations": st.integers(1, 4)},
        ),
        "selector": st.sampled_from(["tournament", "epsilon"]),
        "niches": st.sampled_from([1, 1, 2, 3]),
    }
)
CUT_SHORT = {
    "pace": "generational",
    "window": 1,
    "rng_seed": 2,
    "caps": {"max_population": 2, "max_generations": 4},
    "selector": "tournament",
}
"""Every variation of its last generation fails while somebody stands before the gate."""

orders = st.integers(0, 2**32)
slots_of_runs = st.integers(1, 8)
moderately = settings(max_examples=settings().max_examples * 2 // 3, suppress_health_check=[HealthCheck.too_slow])


def lucky(work: Work) -> Answer | Failure:
    """As a plain handler; one in eight fails, always the same ones."""
    return UNLUCKY if work.entropy.below(8, "luck") == 0 else perform(work)


def domain_of(seed: int, **wants: Any) -> ScriptedDomain:
    plain = {"founders": several(1 + seed % 5), "route": ambitious, "operators": (NUDGE, CROSS), "niche": scattered}
    return ScriptedDomain(**{**plain, **wants})


def in_any_order(
    config: RunConfig,
    domain: ScriptedDomain,
    order: int | None,
    most: int = 5_000,
    perform: Callable[[Work], Answer | Failure] = lucky,
    kill: int | None = None,
) -> Track:
    """A run whose operations end in an order, and in batches, that ``order`` keys; one after the other without.

    With ``kill`` another conductor takes it over after so many turns.
    """
    track = Track(config, domain)
    for turn in range(most):
        if turn == kill and not track.state.terminal:
            track.take_over()
        if track.state.terminal:
            return track
        if track.decide() or track.state.terminal:
            continue
        flying = track.in_flight()
        chosen = flying[:1]
        if order is not None:
            chosen = Entropy(order).sample(flying, 1 + Entropy(order).below(3, "batch", turn), "who", turn)
        track.complete(*((each, perform(track.work(each))) for each in chosen))
    raise AssertionError


# --- the order of completion ---------------------------------------------------------------------------------


@moderately
@example(run=CUT_SHORT, slots=2, order=1)
@given(run=runs, slots=slots_of_runs, order=orders)
def test_the_order_of_completion_and_the_number_of_slots_change_nothing(run, slots, order) -> None:
    config = config_of(**run)
    plain = in_any_order(config.model_copy(update={"slots": 1}), domain_of(config.rng_seed), None)
    mixed = in_any_order(config.model_copy(update={"slots": slots}), domain_of(config.rng_seed), order)
    assert mixed.state.status is plain.state.status
    assert outcome_digest(mixed.state) == outcome_digest(plain.state)


@moderately
@given(run=runs, slots=slots_of_runs, order=orders)
def test_nor_where_genomes_are_expressed_by_a_step(run, slots, order) -> None:
    config = config_of(**run)

    def domain() -> ScriptedDomain:
        return domain_of(config.rng_seed, express=lambda genome, config: Expression(step="scripted.express"))

    plain = in_any_order(config.model_copy(update={"slots": 1}), domain(), None)
    mixed = in_any_order(config.model_copy(update={"slots": slots}), domain(), order)
    assert outcome_digest(mixed.state) == outcome_digest(plain.state)


def wishing(seed: int):
    """A route by which half of the early candidates are dropped with a wish for a successor."""

    def route(dossier: Dossier) -> Sequence[Move]:
        draw = Entropy(seed).below(4, dossier.subject_id)
        if dossier.phase == "verifying" and dossier.observations and dossier.generation < 2 and draw < 2:
            return (Vary(operator="nudge", inputs=thing(float(draw))), out())
        return ambitious(dossier)

    return route


@moderately
@given(run=runs, slots=slots_of_runs, order=orders)
def test_nor_where_failed_genomes_have_successors(run, slots, order) -> None:
    config = config_of(**run)

    def domain() -> ScriptedDomain:
        return ScriptedDomain(founders=several(1 + config.rng_seed % 5), route=wishing(config.rng_seed))

    plain = in_any_order(config.model_copy(update={"slots": 1}), domain(), None)
    mixed = in_any_order(config.model_copy(update={"slots": slots}), domain(), order)
    assert outcome_digest(mixed.state) == outcome_digest(plain.state)


@pytest.mark.parametrize("pace", ["generational", "birth"])
def test_nor_which_of_two_candidates_of_a_genome_wishes_first(pace: str) -> None:
    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "verifying" and dossier.observations and dossier.subject_id.startswith("candidate-0."):
            return (Vary(operator="nudge", inputs=dossier.content), out())
        return looked_at(dossier)

    outcomes = set()
    for first in (0, 1):
        domain = ScriptedDomain(
            founders=several(2),
            route=route,
            most_candidates=2,
            express=lambda genome, config: Expression(contents=(genome.traits, thing(value_of(genome.traits) / 2))),
        )
        track = Track(config_of(pace=pace, caps={"max_generations": 2}, slots=8), domain)
        track.decide_all()
        examined = track.in_flight("examine")
        track.complete((examined[first], perform(track.work(examined[first]))))
        track.decide_all()
        track.finish(perform)
        outcomes.add(outcome_digest(track.state))
    assert len(outcomes) == 1


@moderately
@given(run=runs, slots=slots_of_runs, order=orders)
def test_nor_what_is_seen_of_a_whole_generation(run, slots, order) -> None:
    config = config_of(**run)

    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "generation":
            seen = thing(dossier.total or 0.0, *dossier.members)
            return () if dossier.observations else (Examine(step="scripted.survey", inputs=seen),)
        return looked_at(dossier)

    def conditions(generation, config, entropy, before):
        return thing(float(generation), *(before.members if before is not None else ()))

    def domain() -> ScriptedDomain:
        return ScriptedDomain(route=route, conditions=conditions)

    plain = in_any_order(config.model_copy(update={"slots": 1}), domain(), None)
    mixed = in_any_order(config.model_copy(update={"slots": slots}), domain(), order)
    assert outcome_digest(mixed.state) == outcome_digest(plain.state)


@pytest.mark.parametrize("pace", ["generational", "birth"])
async def test_the_order_in_which_handlers_finish_changes_nothing(pace: str) -> None:
    """Through the conductor: whoever began last ends first, or first."""
    outcomes = set()
    for last in (False, True):
        waiting: list[asyncio.Event] = []

        async def held(work: Work, waiting: list[asyncio.Event] = waiting, last: bool = last) -> Answer:
            turn = asyncio.Event()
            waiting.append(turn)
            for _ in range(3):
                await asyncio.sleep(0)
            while waiting and not turn.is_set():
                waiting.pop(-1 if last else 0).set()
                await asyncio.sleep(0)
            outcome = lucky(work)
            if isinstance(outcome, Failure):
                raise HandlerFailed("unlucky", "not this time")
            return outcome

        handlers = dict.fromkeys(("scripted.vary", "scripted.cross", "scripted.look", "scripted.gate"), held)
        stage = Stage(domain_of(3, handlers=handlers))
        await stage.configure(config_of(pace=pace, slots=6))
        state = await stage.conduct()
        assert state.status is RunStatus.COMPLETED
        outcomes.add(outcome_digest(state))
    assert len(outcomes) == 1


# --- kills ---------------------------------------------------------------------------------------------------


async def _conducted(config: RunConfig, kills: Sequence[int]) -> RunState:
    stage = Stage(domain_of(config.rng_seed))
    await stage.configure(config)
    for after in kills:
        ended = await stage.interrupt_after(after)
        if ended is not None:
            break
    state = await stage.folded()
    if not state.terminal:
        state = await stage.conduct()
    assert state_digest(await stage.folded()) == state_digest(state)
    _check_promises(await stage.events())
    return state


def _check_promises(events: Sequence[Any]) -> None:
    """One completion per operation, and no attempt after it."""
    ended: set[str] = set()
    for event in events:
        if event.type == "operation.started":
            assert event.operation_id not in ended
        elif event.type in ("operation.completed", "operation.failed"):
            assert event.operation_id not in ended
            ended.add(event.operation_id)


@settings(moderately, max_examples=settings().max_examples // 3)
@given(run=runs, slots=slots_of_runs, kills=st.lists(st.integers(1, 80), min_size=1, max_size=4))
def test_a_run_that_was_killed_arrives_where_its_twin_does(run, slots, kills) -> None:
    config = config_of(**run)
    with asyncio.Runner() as runner:
        twin = runner.run(_conducted(config.model_copy(update={"slots": 2}), ()))
        killed = runner.run(_conducted(config.model_copy(update={"slots": slots}), kills))
    assert killed.status is twin.status
    assert outcome_digest(killed) == outcome_digest(twin)


# --- minds ---------------------------------------------------------------------------------------------------


@moderately
@given(
    run=runs.flatmap(
        lambda run: st.sampled_from(["generational", "birth", "arrival"]).map(lambda pace: {**run, "pace": pace})
    ),
    slots=slots_of_runs,
    order=orders,
)
def test_a_mind_that_was_rebuilt_chooses_as_the_living_one(run, slots, order) -> None:
    config = config_of(**run, slots=slots)
    track = Track(config, domain_of(config.rng_seed))
    selector = AdaptiveEpsilon if config.selector == "epsilon" else Tournament
    track.mind = Mind.rebuilt(track.state, track.domain, selector)
    for turn in range(300):
        if track.state.terminal:
            return
        twin = Mind.rebuilt(track.state, track.domain, selector)
        expected = [(each.type, each.payload) for each in decide(track.state, twin)]
        drafts = track.decide()
        assert [(each.type, each.payload) for each in drafts] == expected
        if not drafts:
            each = Entropy(order).pick(track.in_flight(), turn)
            track.complete((each, lucky(track.work(each))))
