"""The edge rules of seed 003 and of the domain interface, each by name."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from math import pi

import pytest
from tests.kernel.scripted import (
    CROSS,
    FREE,
    NUDGE,
    ScriptedDomain,
    Stage,
    ambitious,
    breed,
    config_of,
    failing,
    looked_at,
    mended,
    never,
    notes_of,
    of_type,
    out,
    payloads,
    scored_at_once,
    several,
    thing,
    value_of,
    verdict,
)

from mendel.adapters.memory.clock import ManualClock
from mendel.contracts.commands import CommandKind
from mendel.contracts.energy import EnergyCosts, Usage
from mendel.contracts.errors import HandlerFailed
from mendel.contracts.statuses import CandidateStatus, GenerationStatus, GenomeStatus, RunStatus
from mendel.contracts.verdicts import Challenge as Budget
from mendel.contracts.verdicts import Decision
from mendel.contracts.work import Answer, Work
from mendel.kernel.beginning import continued
from mendel.kernel.conductor import Options
from mendel.kernel.digest import state_digest
from mendel.kernel.domain import Expression, Refused, Step
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Adopt, Challenge, Confirm, Examine, Move, Repair, Revoke, Score, Vary, Wait
from mendel.kernel.names import derived

PACES = pytest.mark.parametrize("pace", ["generational", "birth", "arrival"])


def dropping(*subjects: str):
    """A route that drops candidates whose birth starts with one of ``subjects``."""

    def route(dossier: Dossier) -> Sequence[Move]:
        unwanted = dossier.subject_id.startswith(tuple(f"candidate-{each}" for each in subjects))
        if dossier.phase == "verifying" and unwanted and dossier.observations:
            return (out(),)
        return looked_at(dossier)

    return route


# --- zero survivors ------------------------------------------------------------------------------------------


@PACES
async def test_a_generation_without_survivors_completes_without_offspring_and_the_run_fails(pace: str) -> None:
    state, events = await breed(config_of(pace=pace), ScriptedDomain(route=dropping("")))
    completed = payloads(events, "generation.completed")
    assert [(each.survivors, each.offspring) for each in completed] == [(0, 0)]
    assert state.status is RunStatus.FAILED
    assert "no candidate was ever scored" in events[-1].payload.reason


async def test_a_later_generation_without_survivors_of_its_own_does_not_undo_what_was_scored() -> None:
    state, events = await breed(config_of(), ScriptedDomain(founders=several(2), route=dropping("2", "3", "4", "5")))
    assert state.status is RunStatus.COMPLETED
    assert events[-1].payload.final_candidate_id == state.best[1]
    assert events[-1].payload.summary.scored == state.scored


async def test_a_run_whose_last_survivors_can_have_no_offspring_completes_with_the_best() -> None:
    state, _ = await breed(config_of(caps={"max_spawn_depth": 1}), ScriptedDomain())
    assert state.status is RunStatus.COMPLETED
    assert state.deepest == 1


# --- partial failure -----------------------------------------------------------------------------------------


def expressed_by_a_step(genome, config) -> Expression:
    return Expression(step="scripted.express")


def barren(*births: int):
    """An expression handler that fails for these births."""

    async def express(work: Work) -> Answer:
        if int(work.operation.subject_ids[0].split("-")[1]) in births:
            raise HandlerFailed("barren", "nothing comes of it")
        return Answer(contents=(work.material.traits,))

    return {"scripted.express": express}


async def test_a_generation_goes_on_degraded_and_says_which_genomes_failed() -> None:
    domain = ScriptedDomain(express=expressed_by_a_step, handlers=barren(1, 3))
    state, events = await breed(config_of(caps={"max_generations": 1}), domain)
    (failure,) = payloads(events, "generation.partial_failure")
    failed = {each.genome.id for each in state.genomes.values() if each.status is GenomeStatus.FAILED}
    assert set(failure.failed_genome_ids) == failed
    assert {state.genomes[each].genome.birth for each in failed} == {1, 3}
    (degraded,) = payloads(events, "generation.degraded")
    assert (degraded.survivors, degraded.population) == (2, 4)
    order = [event.type for event in events if event.type.startswith("generation")]
    assert order[:4] == [
        "generation.started",
        "generation.partial_failure",
        "generation.degraded",
        "generation.verifying",
    ]
    assert state.status is RunStatus.COMPLETED


@pytest.mark.parametrize(("share", "survives"), [(0.0, True), (0.5, True), (0.51, False), (1.0, False)])
async def test_below_the_share_that_must_survive_the_generation_fails(share: float, survives: bool) -> None:
    domain = ScriptedDomain(express=expressed_by_a_step, handlers=barren(1, 3))
    config = config_of(caps={"max_generations": 1}, min_population_survival=share)
    state, events = await breed(config, domain)
    status = GenerationStatus.COMPLETED if survives else GenerationStatus.FAILED
    assert state.generations[0].status is status
    assert bool(of_type(events, "generation_failed")) is not survives
    assert state.status is RunStatus.COMPLETED  # two candidates were scored all the same, while the run drained


async def test_a_generation_of_which_nobody_expressed_anything_fails_whatever_the_share() -> None:
    state, _ = await breed(config_of(), ScriptedDomain(express=expressed_by_a_step, handlers=barren(0, 1, 2, 3)))
    assert state.generations[0].status is GenerationStatus.FAILED
    assert state.status is RunStatus.FAILED


async def test_a_lost_variation_degrades_the_generation_it_was_for() -> None:
    tries: list[str] = []

    async def vary(work: Work) -> Answer:
        tries.append(work.operation.id)
        if len(tries) == 1:
            raise HandlerFailed("unlucky", "not this time")
        return Answer(traits=work.material.parents[0])

    config = config_of(caps={"max_generations": 2}, slots=1)
    state, events = await breed(config, ScriptedDomain(handlers={"scripted.vary": vary}))
    (degraded,) = of_type(events, "generation.degraded")
    assert degraded.generation_id == state.generations[1].id
    assert state.generations[1].births_lost == 1
    assert not of_type(events, "generation.partial_failure")


async def test_a_generation_of_which_every_variation_failed_is_skipped_and_the_run_keeps_what_it_has() -> None:
    state, _ = await breed(config_of(), ScriptedDomain(handlers={"scripted.vary": failing}))
    assert [each.status for each in state.generations] == [GenerationStatus.COMPLETED, GenerationStatus.SKIPPED]
    assert state.status is RunStatus.COMPLETED


# --- repair --------------------------------------------------------------------------------------------------


def mending(times: int):
    """A route that asks for so many repairs before it looks."""

    def route(dossier: Dossier) -> Sequence[Move]:
        mends = sum(seen.step == "scripted.mend" for seen in dossier.observations)
        if dossier.phase == "verifying" and mends < times:
            return (Repair(step="scripted.mend", reason="malformed"),)
        return looked_at(dossier)

    return route


ONE = {"max_generations": 1}


async def test_a_repaired_candidate_goes_on_with_what_the_repair_made_of_it() -> None:
    state, events = await breed(config_of(caps=ONE), ScriptedDomain(founders=several(1), route=mending(1)))
    statuses = [event.type for event in events if event.candidate_id and not event.type.startswith("operation")]
    assert statuses == [
        "candidate.created",
        "candidate.repair_started",
        "candidate.under_review",
        "candidate.checked",
        "fitness.scored",
    ]
    (known,) = state.candidates.values()
    assert known.repaired
    assert notes_of(known.content) == ("mended",)
    assert notes_of(known.candidate.content) == ()
    (looked,) = [e for e in payloads(events, "operation.completed") if e.step == "scripted.look"]
    assert notes_of(looked.findings) == ("mended",)


async def test_a_second_wish_for_repair_ends_a_candidate_after_one_repair() -> None:
    state, events = await breed(config_of(caps=ONE), ScriptedDomain(founders=several(1), route=mending(2)))
    assert len(of_type(events, "candidate.repair_started")) == 1
    (known,) = state.candidates.values()
    assert known.status in (CandidateStatus.INVALID, CandidateStatus.REJECTED)
    assert len([e for e in payloads(events, "operation.started") if e.operation.kind == "repair"]) == 1


async def test_a_repair_that_fails_makes_the_candidate_invalid() -> None:
    domain = ScriptedDomain(founders=several(1), route=mending(1), handlers={"scripted.mend": failing})
    state, events = await breed(config_of(caps=ONE), domain)
    (known,) = state.candidates.values()
    assert known.status is CandidateStatus.INVALID
    (invalidated,) = payloads(events, "candidate_invalidated")
    assert invalidated.repaired
    assert not of_type(events, "candidate.under_review")


@pytest.mark.parametrize("contents", [(), (thing(1.0), thing(2.0))])
async def test_a_repair_that_answers_with_none_or_two_contents_is_refused(contents: tuple) -> None:
    async def mend(work: Work) -> Answer:
        return Answer(contents=contents)

    domain = ScriptedDomain(founders=several(1), route=mending(1), handlers={"scripted.mend": mend})
    state, events = await breed(config_of(caps=ONE), domain)
    assert payloads(events, "operation.failed")[0].error_code == "bad_answer"
    assert next(iter(state.candidates.values())).status is CandidateStatus.INVALID


async def test_energy_is_charged_for_the_accepted_call_of_a_repair_only() -> None:
    calls: list[str] = []

    async def mend(work: Work) -> Answer:
        calls.append(work.operation.id)
        if len(calls) == 1:
            raise HandlerFailed("unlucky", "not this time", usage=Usage(tokens_in=4_000))
        return await mended(work)

    domain = ScriptedDomain(
        founders=several(2),
        route=mending(1),
        handlers={"scripted.mend": mend},
        steps={"scripted.mend": Step(allowance=Usage(tokens_in=5_000))},
    )
    state, events = await breed(config_of(caps=ONE, slots=1, energy_costs=FREE), domain)
    charged = payloads(events, "energy.spent")
    assert [(each.estimate, each.actual) for each in charged] == [(5, 0)]
    assert state.ledger.spent == 0
    assert state.ledger.used.max_tokens == 4_000


# --- degenerate reproduction ---------------------------------------------------------------------------------


async def test_a_single_survivor_reproduces_by_mutation_only() -> None:
    domain = ScriptedDomain(operators=(NUDGE, CROSS), route=dropping("1", "2", "3"))
    _, events = await breed(config_of(caps={"max_generations": 2}), domain)
    reproduced = payloads(events, "genome.reproduced")
    assert [each.mode for each in reproduced] == ["mutation_only"]
    assert not of_type(events, "genome.fused")
    assert of_type(events, "genome.mutated")


async def test_two_survivors_may_be_crossed() -> None:
    domain = ScriptedDomain(operators=(CROSS,), route=dropping("2", "3"))
    _, events = await breed(config_of(caps={"max_generations": 2}), domain)
    assert {each.mode for each in payloads(events, "genome.fused")} == {"crossover"}
    assert {each.mode for each in payloads(events, "genome.reproduced")} == {"crossover"}


async def test_too_few_parents_for_any_operator_abort_reproduction() -> None:
    domain = ScriptedDomain(operators=(CROSS,), route=dropping("1", "2", "3"))
    state, events = await breed(config_of(), domain)
    (aborted,) = payloads(events, "reproduction_aborted_insufficient_parents")
    assert (aborted.eligible, aborted.needed) == (1, 2)
    assert payloads(events, "generation.completed")[0].offspring == 0
    assert state.status is RunStatus.COMPLETED


async def test_no_survivor_at_all_aborts_reproduction() -> None:
    _, events = await breed(config_of(), ScriptedDomain(route=dropping("")))
    (aborted,) = payloads(events, "reproduction_aborted_insufficient_parents")
    assert aborted.eligible == 0


# --- deadlines -----------------------------------------------------------------------------------------------


async def until(condition) -> None:
    while not condition():
        await asyncio.sleep(0.001)


async def test_a_generation_that_stays_in_one_state_for_too_long_fails() -> None:
    clock = ManualClock()
    stage = Stage(ScriptedDomain(handlers={"scripted.look": never}), clock=clock)
    await stage.configure(config_of(state_deadline_ms=1_000, slots=8))
    seen: list[str] = []
    conducting = asyncio.create_task(stage.conduct(Options(listen=lambda event: seen.append(event.type))))
    await until(lambda: seen.count("operation.started") == 4)
    clock.advance(0.9)
    await asyncio.sleep(0.01)
    assert "generation_failed" not in seen
    clock.advance(0.2)
    await until(lambda: "run.completing" in seen)
    events = await stage.events()
    (failed,) = of_type(events, "generation_failed")
    assert "1000 ms" in failed.payload.reason
    assert "running" in failed.payload.reason or "verifying" in failed.payload.reason
    await stage.submit(CommandKind.KILL)
    state = await conducting
    assert state.status is RunStatus.FAILED


async def test_the_deadline_counts_anew_in_every_state() -> None:
    clock = ManualClock()
    domain = ScriptedDomain(founders=several(1), route=waiting_then(looked_at, 600))
    stage = Stage(domain, clock=clock)
    await stage.configure(config_of(caps={"max_generations": 3}, state_deadline_ms=1_000))
    conducting = asyncio.create_task(stage.conduct())
    while not conducting.done():
        await asyncio.sleep(0.003)
        clock.advance(0.1)
    state = await conducting
    assert state.status is RunStatus.COMPLETED
    assert not of_type(await stage.events(), "generation_failed")


def waiting_then(route, for_ms: int):
    def waits(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "verifying" and not dossier.observations:
            return (Wait(for_ms=for_ms),)
        return route(dossier)

    return waits


# --- spawn clamp ---------------------------------------------------------------------------------------------


async def test_a_genome_that_expresses_more_than_its_birth_kept_room_for_is_clamped() -> None:
    domain = ScriptedDomain(
        founders=several(2),
        express=lambda g, c: Expression(contents=(g.traits,) * 5),
        route=scored_at_once,
        most_candidates=3,
    )
    state, events = await breed(config_of(caps={"max_candidates": 6, "max_generations": 1}), domain)
    assert len(state.candidates) == 6
    clamped = payloads(events, "spawn.clamped")
    assert [(each.wished, each.granted, each.cap) for each in clamped] == [(5, 3, "max_candidates")] * 2


async def test_a_founder_for_whose_candidates_there_is_no_room_is_not_born() -> None:
    domain = ScriptedDomain(
        founders=several(3), express=lambda g, c: Expression(contents=(g.traits,)), most_candidates=4
    )
    state, _ = await breed(config_of(caps={"max_candidates": 9, "max_generations": 1}), domain)
    assert len(state.genomes) == 2


async def test_a_wish_for_children_raises_no_cap() -> None:
    async def vary(work: Work) -> Answer:
        return Answer(traits=work.material.parents[0], spawn_budget=1_000_000)

    state, _ = await breed(config_of(), ScriptedDomain(handlers={"scripted.vary": vary}))
    assert len(state.generations) == 3
    assert all(len(each.genome_ids) <= 6 for each in state.generations)


# --- vary and drop -------------------------------------------------------------------------------------------


def wishing(*births: str):
    """A route by which these births are dropped with a wish for a successor."""

    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "verifying" and dossier.subject_id.startswith(tuple(f"candidate-{b}." for b in births)):
            return (Vary(operator="nudge", inputs=thing(7.0)), out("broken"))
        return looked_at(dossier)

    return route


@PACES
async def test_a_dropped_candidate_with_a_wish_breeds_a_successor_from_its_genome(pace: str) -> None:
    state, events = await breed(config_of(pace=pace), ScriptedDomain(route=wishing("1")))
    (rejected,) = payloads(events, "candidate.rejected")
    assert rejected.wish.operator == "nudge"
    failed = state.births.genome_of[1]
    successors = [
        each.operation
        for each in payloads(events, "operation.started")
        if each.operation.kind == "vary" and each.operation.parents == (failed,)
    ]
    assert len(successors) == 1
    assert successors[0].inputs == thing(7.0)
    assert state.births.bred[successors[0].birth].why.startswith("repair of candidate-1.0")


async def test_a_wish_may_come_before_or_after_the_drop() -> None:
    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "verifying" and dossier.subject_id.startswith("candidate-1."):
            return (out("broken"), Vary(operator="nudge"))
        return looked_at(dossier)

    _, events = await breed(config_of(), ScriptedDomain(route=route))
    assert payloads(events, "candidate.rejected")[0].wish.operator == "nudge"


async def test_a_wish_without_a_drop_fails_the_run() -> None:
    state, events = await breed(config_of(), ScriptedDomain(route=lambda d: (Vary(operator="nudge"),)))
    assert state.status is RunStatus.FAILED
    assert "comes with a Drop" in events[-1].payload.reason


async def test_a_wish_for_an_operator_that_nobody_has_fails_the_run() -> None:
    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "verifying" and dossier.subject_id.startswith("candidate-1."):
            return (Vary(operator="cross"), out("broken"))
        return looked_at(dossier)

    state, events = await breed(config_of(), ScriptedDomain(route=route, operators=(NUDGE, CROSS)))
    assert state.status is RunStatus.FAILED
    assert "no operator 'cross' that varies one parent" in events[-1].payload.reason


@PACES
async def test_where_everybody_is_dropped_with_a_wish_the_successors_are_bred_on_from(pace: str) -> None:
    config = config_of(pace=pace, caps={"max_generations": 3})
    state, _ = await breed(config, ScriptedDomain(route=wishing("0", "1", "2", "3")))
    assert state.status is RunStatus.COMPLETED
    assert state.scored > 4
    assert [each.status for each in state.generations] == [GenerationStatus.COMPLETED] * 3


# --- pairs and generations -----------------------------------------------------------------------------------


def comparing(dossier: Dossier) -> Sequence[Move]:
    """Everybody is compared with the first founder."""
    first = "candidate-0.0"
    if dossier.phase in ("contending", "generation"):
        return ()
    if dossier.observations or dossier.subject_id.startswith(first):
        return (Score(components={"value": value_of(dossier.content)}),)
    return (Examine(step="scripted.look", other=derived(1, "candidate", 0, 0)),)


async def test_a_pair_is_examined_with_both_contents() -> None:
    pairs: list[tuple[float, float]] = []

    async def compare(work: Work) -> Answer:
        pairs.append((value_of(work.material.content), value_of(work.material.other)))
        return Answer(findings=thing(1.0))

    domain = ScriptedDomain(route=comparing, handlers={"scripted.look": compare})
    state, events = await breed(config_of(caps=ONE), domain)
    contents = [value_of(each.content) for each in state.candidates.values()]
    assert sorted(pairs) == sorted((each, contents[0]) for each in contents[1:])
    started = payloads(events, "operation.started")
    assert {(each.operation.subject_kind, len(each.operation.subject_ids)) for each in started} == {("pair", 2)}


async def test_a_pair_with_somebody_unknown_fails_the_run() -> None:
    route = lambda d: (Examine(step="scripted.look", other="candidate-99.0-00000000"),)  # noqa: E731
    state, events = await breed(config_of(), ScriptedDomain(route=route))
    assert state.status is RunStatus.FAILED
    assert "paired with unknown" in events[-1].payload.reason


@PACES
async def test_a_generation_is_examined_as_a_whole_before_it_ends(pace: str) -> None:
    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "generation":
            notes = thing(float(len(dossier.members)), *dossier.members)
            return () if dossier.observations else (Examine(step="scripted.survey", inputs=notes),)
        return looked_at(dossier)

    state, events = await breed(config_of(pace=pace), ScriptedDomain(route=route))
    surveys = [e for e in payloads(events, "operation.completed") if e.step == "scripted.survey"]
    assert len(surveys) == len(state.generations) == 3
    for generation in state.generations:
        (seen,) = generation.steps.observations()
        assert value_of(seen.findings) == len(generation.genome_ids)


@pytest.mark.parametrize("move", [Score(components={}), out(), Challenge(step="scripted.gate")])
async def test_a_generation_can_only_be_examined_or_waited_for(move: Move) -> None:
    state, events = await breed(
        config_of(), ScriptedDomain(route=lambda d: (move,) if d.phase == "generation" else looked_at(d))
    )
    assert state.status is RunStatus.FAILED
    assert "a generation can be examined or waited for" in events[-1].payload.reason


# --- waiting -------------------------------------------------------------------------------------------------


async def test_a_wait_ends_when_its_time_has_come_and_takes_no_slot() -> None:
    clock = ManualClock()
    stage = Stage(ScriptedDomain(founders=several(3), route=waiting_then(looked_at, 60_000)), clock=clock)
    await stage.configure(config_of(caps=ONE, slots=1))
    seen: list[str] = []
    conducting = asyncio.create_task(stage.conduct(Options(listen=lambda event: seen.append(event.type))))
    await until(lambda: seen.count("operation.started") == 3)
    assert "operation.completed" not in seen
    clock.advance(59.9)
    await asyncio.sleep(0.01)
    assert "operation.completed" not in seen
    clock.advance(0.2)
    state = await conducting
    assert state.status is RunStatus.COMPLETED
    assert state.waiting == 0


async def test_a_wait_outlives_its_conductor_and_is_not_begun_again() -> None:
    clock = ManualClock()
    stage = Stage(ScriptedDomain(founders=several(2), route=waiting_then(looked_at, 60_000)), clock=clock)
    await stage.configure(config_of(caps=ONE))
    started: list[str] = []

    def both_wait(event) -> bool:
        started.extend([event.type] if event.type == "operation.started" else [])
        return len(started) == 2

    await stage.interrupt(both_wait)
    clock.advance(40)
    conducting = asyncio.create_task(stage.conduct())
    await asyncio.sleep(0.02)
    clock.advance(19.9)
    await asyncio.sleep(0.01)
    assert not of_type(await stage.events(), "operation.completed")
    clock.advance(0.2)
    state = await conducting
    assert state.status is RunStatus.COMPLETED
    events = await stage.events()
    waits = [e for e in payloads(events, "operation.started") if e.operation.kind == "wait"]
    assert [each.attempt for each in waits] == [1, 1]
    assert state_digest(await stage.folded()) == state_digest(state)


# --- expression by a step ------------------------------------------------------------------------------------


@PACES
async def test_a_step_may_express_several_candidates_of_one_genome(pace: str) -> None:
    async def express(work: Work) -> Answer:
        value = value_of(work.material.traits)
        return Answer(contents=(thing(value), thing(value + 1)), summary="two")

    domain = ScriptedDomain(express=expressed_by_a_step, handlers={"scripted.express": express}, most_candidates=2)
    state, _ = await breed(config_of(pace=pace), domain)
    assert state.status is RunStatus.COMPLETED
    for known in state.genomes.values():
        assert len(known.candidates) == 2
        assert known.best[1] == known.candidates[1]
        assert [state.candidates[each].ordinal for each in known.candidates] == [0, 1]
    assert {each.candidate.summary for each in state.candidates.values()} == {"two"}


async def test_a_genome_is_a_parent_once_although_two_of_its_candidates_were_scored() -> None:
    domain = ScriptedDomain(express=lambda g, c: Expression(contents=(g.traits, g.traits)), most_candidates=2)
    state, events = await breed(config_of(), domain)
    assert len(of_type(events, "genome.eligible")) == len(state.genomes)


@pytest.mark.parametrize("answer", [Answer(), Answer(traits=thing(1.0)), Answer(findings=thing(1.0))])
async def test_an_expression_without_contents_is_refused(answer: Answer) -> None:
    async def express(work: Work) -> Answer:
        return answer

    domain = ScriptedDomain(express=expressed_by_a_step, handlers={"scripted.express": express})
    state, events = await breed(config_of(), domain)
    assert {each.error_code for each in payloads(events, "operation.failed")} == {"bad_answer"}
    assert {each.status for each in state.genomes.values()} == {GenomeStatus.FAILED}


# --- the gate ------------------------------------------------------------------------------------------------


@PACES
async def test_a_challenger_that_the_gate_lets_in_is_adopted_and_confirmed(pace: str) -> None:
    state, events = await breed(config_of(pace=pace), ScriptedDomain(route=ambitious))
    made, confirmed = payloads(events, "adoption.made"), payloads(events, "adoption.confirmed")
    assert made
    assert [each.candidate_id for each in made] == [each.candidate_id for each in confirmed]
    verdicts = {event.id: event.payload.verdict for event in of_type(events, "gate.verdict")}
    assert all(verdicts[each.verdict_event_id] == each.verdict for each in made)
    assert [each.replaces for each in made] == [None, *(each.candidate_id for each in made[:-1])]
    assert state.niche.champion_id == made[-1].candidate_id
    assert events[-1].payload.final_candidate_id == made[-1].candidate_id


@PACES
async def test_challenges_are_numbered_and_spend_what_their_number_leaves_them_one_at_a_time(pace: str) -> None:
    _, events = await breed(config_of(pace=pace, slots=4, alpha=0.1), ScriptedDomain(route=ambitious))
    budgets, open_ones = [], set()
    for event in of_type(events, "operation.started", "operation.completed", "operation.failed"):
        if event.type == "operation.started" and event.payload.operation.kind == "challenge":
            budgets.append(event.payload.operation.challenge)
            assert not open_ones
            open_ones.add(event.operation_id)
        open_ones -= {event.operation_id} if event.type != "operation.started" else set()
    assert [each.k for each in budgets] == list(range(1, len(budgets) + 1))
    assert [each.alpha for each in budgets] == [0.1 * 6 / (pi**2 * k**2) for k in range(1, len(budgets) + 1)]
    assert sum(each.alpha for each in budgets) < 0.1


def revoking(dossier: Dossier) -> Sequence[Move]:
    """The second who is adopted does not hold."""
    if (
        dossier.phase == "contending"
        and dossier.adoption == "made"
        and not dossier.subject_id.startswith("candidate-0")
    ):
        return (Revoke(reason="it did not hold"),)
    return ambitious(dossier)


def rising(config, entropy):
    return [thing(1.0), thing(2.0)]


async def test_a_revoked_adoption_restores_the_champion_before() -> None:
    domain = ScriptedDomain(founders=rising, route=revoking)
    state, events = await breed(config_of(caps=ONE), domain)
    first, second = state.candidates
    (revoked,) = payloads(events, "adoption.revoked")
    assert (revoked.candidate_id, revoked.restores) == (second, first)
    assert state.niche.champion_id == first
    assert state.niche.champion_content == state.candidates[first].content
    assert state.candidates[second].adoption == "revoked"
    assert events[-1].payload.final_candidate_id == first


async def test_a_host_takes_in_and_gives_up_what_it_is_told_by_operations() -> None:
    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "contending" and dossier.adoption == "made":
            return (Revoke(reason="no", step="scripted.evict"),)
        if dossier.phase == "contending" and dossier.decision is Decision.ADOPT and dossier.adoption is None:
            return (Adopt(step="scripted.host"),)
        return ambitious(dossier)

    domain = ScriptedDomain(founders=several(1), route=route)
    state, events = await breed(config_of(caps=ONE), domain)
    kinds = [each.operation.kind for each in payloads(events, "operation.started")]
    assert kinds == ["examine", "challenge", "adopt", "revoke"]
    (known,) = state.candidates.values()
    assert known.adoption == "revoked"
    assert state.niche.champion_id is None


async def test_a_host_that_does_not_take_the_challenger_in_leaves_the_champion_alone() -> None:
    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "contending" and dossier.decision is Decision.ADOPT and dossier.adoption is None:
            return () if dossier.last("scripted.host") else (Adopt(step="scripted.host"),)
        return ambitious(dossier)

    domain = ScriptedDomain(founders=several(1), route=route, handlers={"scripted.host": failing})
    state, events = await breed(config_of(caps=ONE), domain)
    assert not of_type(events, "adoption.made")
    assert state.niche.champion_id is None


@pytest.mark.parametrize(
    "change",
    [
        {"challenge": Budget(niche="scripted:p", k=2, alpha=0.05 * 6 / pi**2)},
        {"challenge": Budget(niche="scripted:p", k=1, alpha=0.05)},
        {"challenge": Budget(niche="another", k=1, alpha=0.05 * 6 / pi**2)},
        {"candidate_id": "candidate-7.7-00000000"},
    ],
    ids=["another k", "another alpha", "another niche", "another candidate"],
)
async def test_a_verdict_on_something_else_than_its_challenge_is_refused(change: dict) -> None:
    async def gate(work: Work) -> Answer:
        return Answer(verdict=verdict(work, Decision.ADOPT, **change))

    domain = ScriptedDomain(founders=several(1), route=ambitious, handlers={"scripted.gate": gate})
    state, events = await breed(config_of(caps=ONE), domain)
    (failed,) = payloads(events, "operation.failed")
    assert failed.error_code == "bad_answer"
    assert not of_type(events, "gate.verdict", "adoption.made")
    assert state.niche.challenges == 1


async def test_a_challenge_without_a_verdict_is_refused() -> None:
    async def gate(work: Work) -> Answer:
        return Answer(findings=thing(1.0))

    domain = ScriptedDomain(founders=several(1), route=ambitious, handlers={"scripted.gate": gate})
    _, events = await breed(config_of(caps=ONE), domain)
    assert payloads(events, "operation.failed")[0].message == "a challenge answers with a verdict"


@pytest.mark.parametrize("decision", [Decision.REJECT, Decision.UNDECIDED, None])
@pytest.mark.parametrize("step", [None, "scripted.host"])
async def test_adopting_without_the_gates_yes_fails_the_run_and_names_the_rule(decision, step) -> None:
    async def gate(work: Work) -> Answer:
        return Answer(verdict=verdict(work, decision))

    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase != "contending" or (decision is not None and dossier.decision is None):
            return ambitious(dossier)
        return (Adopt(step=step),)

    domain = ScriptedDomain(founders=several(1), route=route, handlers={"scripted.gate": gate})
    state, events = await breed(config_of(caps=ONE), domain)
    assert state.status is RunStatus.FAILED
    assert "rule 10" in events[-1].payload.reason
    assert not of_type(events, "adoption.made")
    assert not [each for each in payloads(events, "operation.started") if each.operation.kind == "adopt"]


async def test_an_adoption_is_not_made_twice() -> None:
    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "contending" and dossier.adoption == "made":
            return (Adopt(),)
        return ambitious(dossier)

    state, events = await breed(config_of(caps=ONE), ScriptedDomain(founders=several(1), route=route))
    assert state.status is RunStatus.FAILED
    assert "rule 10" in events[-1].payload.reason
    assert len(of_type(events, "adoption.made")) == 1


async def test_confirming_what_was_never_adopted_fails_the_run() -> None:
    route = lambda d: (Confirm(),) if d.phase == "contending" else looked_at(d)  # noqa: E731
    state, events = await breed(config_of(caps=ONE), ScriptedDomain(route=route))
    assert state.status is RunStatus.FAILED
    assert "no adoption to confirm" in events[-1].payload.reason


async def test_nothing_is_given_up_by_a_host_that_was_never_taken_in() -> None:
    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "contending":
            return (Revoke(reason="no", step="scripted.evict"),)
        return looked_at(dossier)

    state, events = await breed(config_of(caps=ONE), ScriptedDomain(founders=several(1), route=route))
    assert state.status is RunStatus.FAILED
    assert not [each for each in payloads(events, "operation.started") if each.operation.kind == "revoke"]


async def test_a_route_never_sees_why_the_gate_said_what_it_said() -> None:
    shown: list[Dossier] = []

    async def gate(work: Work) -> Answer:
        return Answer(verdict=verdict(work, Decision.REJECT), findings=thing(42.0, "why"))

    def route(dossier: Dossier) -> Sequence[Move]:
        shown.append(dossier)
        return ambitious(dossier)

    domain = ScriptedDomain(founders=several(1), route=route, handlers={"scripted.gate": gate})
    await breed(config_of(caps=ONE), domain)
    told = [seen for dossier in shown for seen in dossier.observations if seen.kind == "challenge"]
    assert told
    assert all(seen.findings is None for seen in told)
    assert shown[-1].decision is Decision.REJECT


# --- continued runs ------------------------------------------------------------------------------------------


async def test_a_continued_run_counts_its_challenges_on_and_starts_from_the_champion() -> None:
    before, _ = await breed(config_of(), ScriptedDomain(route=ambitious))
    config = continued(before, config_of(rng_seed=2))
    shown: list[Dossier] = []

    def route(dossier: Dossier) -> Sequence[Move]:
        shown.append(dossier)
        return ambitious(dossier)

    state, events = await breed(config, ScriptedDomain(route=route))
    ks = [e.operation.challenge.k for e in payloads(events, "operation.started") if e.operation.kind == "challenge"]
    assert ks == list(range(before.niche.challenges + 1, before.niche.challenges + 1 + len(ks)))
    first = next(each for each in shown if each.phase == "contending")
    assert first.champion.candidate_id == before.niche.champion_id
    assert state.genomes[state.births.genome_of[0]].genome.traits == config.ancestors[0].traits


# --- commands ------------------------------------------------------------------------------------------------


def admitting(proposal, config):
    value = proposal.get("value")
    return thing(value) if isinstance(value, float) else Refused("a proposal has a value")


async def conducted_with(stage: Stage, *wishes: tuple[CommandKind, dict]) -> list:
    """Conduct, with commands that were there before the run began but one, which starts nothing."""
    held = asyncio.Event()
    plain = stage.domain.handlers["scripted.look"]

    async def look(work: Work) -> Answer:
        await held.wait()
        return await plain(work)

    stage.domain.handlers["scripted.look"] = look
    seen: list[str] = []
    conducting = asyncio.create_task(stage.conduct(Options(listen=lambda event: seen.append(event.type))))
    await until(lambda: "operation.started" in seen)
    for kind, payload in wishes:
        await stage.submit(kind, **payload)
    await until(lambda: seen.count("command.accepted") + seen.count("command.refused") == len(wishes))
    held.set()
    await conducting
    return await stage.events()


@PACES
async def test_a_proposal_that_the_domain_admits_is_born_and_one_that_it_refuses_is_not(pace: str) -> None:
    stage = Stage(ScriptedDomain(admit=admitting))
    await stage.configure(config_of(pace=pace))
    events = await conducted_with(
        stage, (CommandKind.PROPOSE, {"value": 123.0}), (CommandKind.PROPOSE, {"value": "many"})
    )
    (refused,) = payloads(events, "command.refused")
    assert refused.reason == "a proposal has a value"
    (accepted,) = payloads(events, "command.accepted")
    (born,) = [event for event in of_type(events, "genome.spawned") if event.correlation_id is not None]
    assert born.correlation_id == accepted.command_id
    assert born.payload.genome.traits == thing(123.0)
    assert born.payload.genome.parents == ()
    assert events[-1].payload.summary.best_fitness >= 123.0


async def test_a_domain_that_takes_no_proposals_refuses_them() -> None:
    stage = Stage(ScriptedDomain())
    await stage.configure(config_of())
    events = await conducted_with(stage, (CommandKind.PROPOSE, {"value": 1.0}))
    assert payloads(events, "command.refused")[0].reason == "scripted takes no proposals"


async def test_a_proposal_costs_the_energy_of_a_birth() -> None:
    stage = Stage(ScriptedDomain(admit=admitting))
    await stage.configure(config_of(energy_costs=EnergyCosts(per_spawn=7)))
    events = await conducted_with(stage, (CommandKind.PROPOSE, {"value": 1.0}))
    born = len(of_type(events, "genome.spawned"))
    assert sum(each.actual for each in payloads(events, "energy.spent")) == 7 * born


@pytest.mark.parametrize("cap", ["max_generations", "energy_budget", "max_tokens", "wall_clock_ms"])
async def test_parameters_lower_a_cap_and_never_raise_one(cap: str) -> None:
    stage = Stage(ScriptedDomain())
    config = config_of()
    await stage.configure(config)
    now = getattr(config.caps, cap)
    events = await conducted_with(
        stage,
        (CommandKind.SET_PARAMETERS, {"caps": {cap: now - 1}}),
        (CommandKind.SET_PARAMETERS, {"caps": {cap: now}}),
        (CommandKind.SET_PARAMETERS, {"caps": {cap: 0}}),
        (CommandKind.SET_PARAMETERS, {"caps": {"max_fun": 1}}),
        (CommandKind.SET_PARAMETERS, {"alpha": 0.5}),
    )
    assert [e.payload.position for e in of_type(events, "command.accepted")] == [1]
    assert [e.payload.position for e in of_type(events, "command.refused")] == [2, 3, 4, 5]
    assert getattr((await stage.folded()).caps, cap) == now - 1


async def test_slots_can_be_set_either_way() -> None:
    stage = Stage(ScriptedDomain())
    await stage.configure(config_of(slots=2))
    await conducted_with(stage, (CommandKind.SET_PARAMETERS, {"slots": 7}), (CommandKind.SET_PARAMETERS, {"slots": 0}))
    assert (await stage.folded()).slots == 7
