"""Corners in which caps, the gate and the order of things are easily lost."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.kernel.scripted import (
    FREE,
    ScriptedDomain,
    Stage,
    ambitious,
    breed,
    config_of,
    looked_at,
    of_type,
    out,
    payloads,
    scored_at_once,
    several,
    thing,
    value_of,
    verdict,
)
from tests.kernel.track import Track
from tests.support.rows import check_rows

from mendel.contracts.commands import CommandKind
from mendel.contracts.energy import EnergyCosts, Usage
from mendel.contracts.errors import IllegalTransition
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.generation import GenerationStarted
from mendel.contracts.statuses import GenerationStatus, RunStatus
from mendel.contracts.verdicts import Decision
from mendel.contracts.work import Answer, Failure, Work
from mendel.kernel.digest import outcome_digest
from mendel.kernel.domain import Expression, Step
from mendel.kernel.dossier import Dossier
from mendel.kernel.fold import check_batch
from mendel.kernel.moves import Examine, Move, Vary

UNLUCKY = Failure(error_type="unlucky", error_code="unlucky", message="not this time")


def perform(work: Work) -> Answer | Failure:
    """What a plain handler of each kind answers."""
    material, operation = work.material, work.operation
    match operation.kind:
        case "vary":
            return Answer(traits=thing(value_of(material.parents[0]) + work.entropy.unit("shift") - 0.5))
        case "express":
            return Answer(contents=(material.traits,))
        case "repair":
            return Answer(contents=(material.content,))
        case "challenge":
            better = value_of(material.content) > value_of(material.champion)
            return Answer(verdict=verdict(work, Decision.ADOPT if better else Decision.REJECT))
        case "wait":
            return Answer()
    return Answer(findings=material.content or operation.inputs)


# --- lowered caps --------------------------------------------------------------------------------------------


COSTLY = {"scripted.look": Step(allowance=Usage(tokens_in=10_000))}


def test_an_energy_budget_lowered_to_what_is_reserved_does_not_break_the_log() -> None:
    track = Track(config_of(energy_costs=FREE), ScriptedDomain(steps=COSTLY))
    track.decide_all()
    gone = track.state.ledger.spent + track.state.ledger.reserved
    refused = track.command(CommandKind.SET_PARAMETERS, caps={"energy_budget": gone - 1})
    assert [draft.type for draft in refused] == ["command.refused"]
    track.command(CommandKind.SET_PARAMETERS, caps={"energy_budget": gone})
    usage = Usage(tokens_in=10_000)
    track.complete(*((each, Answer(findings=thing(1.0), usage=usage)) for each in track.in_flight()))
    track.finish(perform)
    assert "energy_budget" in track.state.caps_reached
    assert track.state.ledger.spent == gone


def test_an_energy_budget_lowered_to_what_is_spent_lets_nothing_start() -> None:
    track = Track(config_of(energy_costs=EnergyCosts(per_spawn=50)), ScriptedDomain())
    track.decide_all()
    spent = track.state.ledger.spent
    track.command(CommandKind.SET_PARAMETERS, caps={"energy_budget": spent})
    track.finish(perform)
    assert track.state.ledger.spent == spent


@check_rows("pace", ["generational", "birth", "arrival"])
@check_rows("population", [1, 2, 3, 5])
def test_a_population_lowered_in_the_middle_leaves_a_run_that_ends(pace: str, population: int) -> None:
    track = Track(config_of(pace=pace, caps={"max_population": 6, "max_generations": 6}), ScriptedDomain())
    while track.state.births.decided < 8:
        if not track.decide():
            track.complete((track.in_flight()[0], perform(track.work(track.in_flight()[0]))))
    track.command(CommandKind.SET_PARAMETERS, caps={"max_population": population})
    for generation in track.state.generations:
        assert generation.id
    track.finish(perform)
    assert track.state.status is RunStatus.COMPLETED
    assert len(track.state.generations) <= 6


@check_rows("pace", ["generational", "birth", "arrival"])
def test_no_lineage_grows_deeper_than_a_lowered_cap(pace: str) -> None:
    track = Track(config_of(pace=pace, caps={"max_generations": 8}), ScriptedDomain())
    while track.state.deepest < 2:
        if not track.decide():
            track.complete((track.in_flight()[0], perform(track.work(track.in_flight()[0]))))
    track.command(CommandKind.SET_PARAMETERS, caps={"max_spawn_depth": 1})
    bred = set(track.state.births.bred)
    track.finish(perform)
    depths = [
        track.state.genomes[track.state.births.genome_of[each]].genome.depth
        for each in set(track.state.births.bred) - bred
    ]
    assert max(depths, default=0) <= 1


# --- candidates ----------------------------------------------------------------------------------------------


def by_a_step(genome, config) -> Expression:
    return Expression(step="scripted.express")


TWO = Answer(contents=(thing(1.0), thing(2.0)))


def test_genomes_that_express_after_their_generation_failed_do_not_exceed_the_cap() -> None:
    config = config_of(caps={"max_candidates": 2}, state_deadline_ms=1_000, slots=4)
    track = Track(config, ScriptedDomain(founders=several(2), express=by_a_step))
    track.decide_all()
    track.pass_time(2_000)
    track.decide()
    assert track.state.generations[0].status is GenerationStatus.FAILED
    first, second = track.in_flight("express")
    track.complete((first, TWO))
    track.complete((second, TWO))
    assert len(track.state.candidates) <= 2


def test_what_is_clamped_does_not_depend_on_who_is_recorded_together() -> None:
    def expressed(*batches: Sequence[int]) -> int:
        track = Track(
            config_of(caps={"max_candidates": 4}, slots=4),
            ScriptedDomain(founders=several(2), express=by_a_step, most_candidates=2),
        )
        track.decide_all()
        flying = track.in_flight("express")
        for batch in batches:
            track.complete(*((flying[each], TWO) for each in batch))
        return len(track.state.candidates)

    assert expressed((0, 1)) == expressed((0,), (1,)) == 4


async def test_who_is_clamped_does_not_depend_on_who_expresses_first() -> None:
    def expressed(*order: int) -> list[int]:
        domain = ScriptedDomain(founders=several(2), express=by_a_step, most_candidates=2)
        track = Track(config_of(caps={"max_candidates": 5}, slots=4), domain)
        track.decide_all()
        flying = track.in_flight("express")
        for each in order:
            track.complete((flying[each], TWO))
        return [len(known.candidates) for known in track.state.genomes.values()]

    assert expressed(0, 1) == expressed(1, 0) == [2, 2]


@check_rows("pace", ["generational", "birth"])
@check_rows("most", [7, 8, 9, 11])
async def test_a_cap_on_candidates_leaves_the_outcome_independent_of_slots(pace: str, most: int) -> None:
    outcomes = set()
    for slots in (1, 3, 8):
        config = config_of(pace=pace, caps={"max_candidates": most, "max_generations": 5}, slots=slots)
        state, _ = await breed(config, ScriptedDomain())
        assert len(state.candidates) == most
        outcomes.add(outcome_digest(state))
    assert len(outcomes) == 1


def test_a_birth_never_joins_a_generation_that_is_over() -> None:
    """The last place is taken by a birth of an earlier generation that is lost after the later one was closed."""
    config = config_of(pace="arrival", caps={"max_population": 4, "max_candidates": 6}, window=2, slots=8)
    track = Track(config, ScriptedDomain(founders=several(3)))

    def settle_all_but(birth: str) -> None:
        while flying := [each for each in track.in_flight() if not each.startswith(f"op-vary.{birth}-")]:
            track.complete((flying[0], perform(track.work(flying[0]))))
            track.decide_all()

    track.decide_all()
    settle_all_but("3")
    (late,) = track.in_flight()
    assert len(track.state.candidates) == 5
    track.complete((late, UNLUCKY))
    over = {each.id for each in track.state.generations if each.status is not GenerationStatus.RUNNING}
    before = len(track.events)
    track.finish(perform)
    joined = [e for e in track.events[before:] if e.type == "operation.started" and e.generation_id in over]
    assert [each for each in joined if each.payload.operation.kind == "vary"] == []
    assert len(track.state.candidates) <= 6


# --- proposals -----------------------------------------------------------------------------------------------


@check_rows("pace", ["generational", "birth", "arrival"])
def test_proposals_do_not_make_the_population_larger_than_its_cap(pace: str) -> None:
    domain = ScriptedDomain(founders=several(4), admit=lambda proposal, config: thing(5.0), route=scored_at_once)
    track = Track(config_of(pace=pace, caps={"max_population": 4, "max_generations": 4}, window=1), domain)
    track.decide()
    for _ in range(3):
        track.command(CommandKind.PROPOSE, value=1.0)
    for _ in range(1_000):
        assert track.state.living + track.state.births.unsettled <= 4
        if track.state.terminal:
            return
        if not track.decide() and not track.state.terminal:
            track.complete((track.in_flight()[0], perform(track.work(track.in_flight()[0]))))
    raise AssertionError


async def test_a_proposal_at_which_the_domain_raises_costs_the_proposer_and_not_the_run() -> None:
    def admit(proposal, config):
        return thing(proposal["value"])

    stage = Stage(ScriptedDomain(admit=admit))
    await stage.configure(config_of())

    async def look(work: Work) -> Answer:
        if not sent:
            sent.append(await stage.submit(CommandKind.PROPOSE, nonsense="yes"))
        return Answer(findings=work.material.content)

    sent: list[object] = []
    stage.domain.handlers["scripted.look"] = look
    state = await stage.conduct()
    assert state.status is RunStatus.COMPLETED
    assert len(of_type(await stage.events(), "command.refused")) == 1


# --- wishes --------------------------------------------------------------------------------------------------


def always_wishing(dossier: Dossier) -> Sequence[Move]:
    return (Vary(operator="nudge"), out("broken")) if dossier.phase == "verifying" else looked_at(dossier)


@check_rows("pace", ["generational", "birth", "arrival"])
async def test_no_wish_makes_a_lineage_deeper_than_its_cap(pace: str) -> None:
    config = config_of(pace=pace, caps={"max_spawn_depth": 2, "max_generations": 6})
    state, _ = await breed(config, ScriptedDomain(route=always_wishing))
    assert state.deepest <= 2


@check_rows("pace", ["generational", "birth", "arrival"])
async def test_a_wish_of_a_genome_that_is_culled_at_the_same_moment_is_granted(pace: str) -> None:
    """One of its two candidates is scored worst of all, the other is dropped with a wish."""

    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "verifying" and dossier.subject_id.startswith("candidate-0.1-"):
            return (Vary(operator="nudge"), out("broken"))
        return scored_at_once(dossier)

    domain = ScriptedDomain(
        founders=lambda config, entropy: [thing(float(number)) for number in range(4)],
        express=lambda genome, config: Expression(contents=(genome.traits, genome.traits)),
        route=route,
        most_candidates=2,
    )
    state, _ = await breed(config_of(pace=pace, caps={"max_population": 4}, window=2), domain)
    assert state.status is RunStatus.COMPLETED
    assert [each for each in state.births.bred.values() if each.why.startswith("repair of candidate-0.1-")]


# --- attempts that were lost ---------------------------------------------------------------------------------


async def test_an_attempt_that_is_lost_and_may_not_be_made_again_still_counts_at_its_worst() -> None:
    domain = ScriptedDomain(
        founders=several(1),
        steps={"scripted.look": Step(allowance=Usage(tool_calls=1))},
        route=lambda dossier: (
            (Examine(step="scripted.look"),)
            if dossier.phase == "verifying" and len([s for s in dossier.observations if not s.failed]) < 1
            else looked_at(dossier)
        ),
    )
    stage = Stage(domain)
    await stage.configure(config_of(caps={"max_tool_calls": 1, "max_generations": 1}, energy_costs=FREE))
    await stage.interrupt(lambda event: event.type == "operation.started")
    state = await stage.conduct()
    performed = [e for e in payloads(await stage.events(), "operation.started") if e.operation.kind == "examine"]
    assert len(performed) == 1
    assert state.ledger.used.max_tool_calls == 1


# --- the gate ------------------------------------------------------------------------------------------------


async def rejecting(work: Work) -> Answer:
    return Answer(verdict=verdict(work, Decision.REJECT))


def watching(shown: list[Dossier]):
    def route(dossier: Dossier) -> Sequence[Move]:
        shown.append(dossier)
        return ambitious(dossier)

    return route


@check_rows("pace", ["generational", "birth"])
@check_rows("caps", [{"max_spawn_depth": 1}, {"max_generations": 2}, {"max_candidates": 9}])
async def test_who_is_champion_at_the_end_does_not_depend_on_slots(pace: str, caps: dict[str, int]) -> None:
    champions, outcomes = set(), set()
    for slots in (1, 2, 4, 8):
        state, _ = await breed(config_of(pace=pace, caps=caps, slots=slots), ScriptedDomain(route=ambitious))
        champions.add((state.niche.champion_id, state.niche.challenges))
        outcomes.add(outcome_digest(state))
    assert len(champions) == 1
    assert len(outcomes) == 1


async def test_the_last_generation_stands_before_the_gate_before_a_run_ends_by_its_depth() -> None:
    def rising(config, entropy):
        return [thing(1.0)]

    async def vary(work: Work) -> Answer:
        return Answer(traits=thing(2.0 + work.entropy.unit("more")))

    domain = ScriptedDomain(founders=rising, route=ambitious, handlers={"scripted.vary": vary})
    state, _ = await breed(config_of(caps={"max_spawn_depth": 1}), domain)
    assert state.niche.champion_id == state.best[1]


# --- what is over --------------------------------------------------------------------------------------------


@check_rows("kind", CommandKind)
def test_a_run_that_is_over_refuses_every_command(kind: CommandKind) -> None:
    track = Track(config_of(), ScriptedDomain(admit=lambda proposal, config: thing(1.0)))
    track.decide_all()
    track.command(CommandKind.KILL)
    payload = {"slots": 3} if kind is CommandKind.SET_PARAMETERS else {"value": 1.0}
    assert [draft.type for draft in track.command(kind, **payload)] == ["command.refused"]
    assert track.decide() == []


def test_no_batch_of_events_is_let_into_a_run_that_is_over() -> None:
    track = Track(config_of(), ScriptedDomain())
    track.decide_all()
    flying = track.in_flight()[0]
    track.command(CommandKind.KILL)
    start = GenerationStarted(index=1, population=1)
    with pytest.raises(IllegalTransition):
        check_batch(track.state, [EventDraft.of(start, generation_id="generation-1-00000000")])
    with pytest.raises(IllegalTransition):
        track.complete((flying, Answer(findings=thing(1.0))))


def test_a_genome_counts_once_in_the_population_while_its_second_candidate_is_examined() -> None:
    domain = ScriptedDomain(
        founders=several(2), express=lambda genome, config: Expression(contents=(genome.traits, genome.traits))
    )
    track = Track(config_of(pace="arrival", caps={"max_population": 2}), domain)
    track.decide_all()
    for _ in range(3):
        track.complete((track.in_flight()[0], perform(track.work(track.in_flight()[0]))))
        track.decide_all()
        assert track.state.population <= 2
