"""The edge rules of seed 003 and of the domain interface, each by name."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from tests.kernel.scripted import (
    CROSS,
    FREE,
    NUDGE,
    ONE,
    ScriptedDomain,
    Stage,
    WatchedClock,
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
    until,
    value_of,
)
from tests.kernel.test_nearness import looks_of
from tests.support.rows import check_rows

from mendel.adapters.memory.clock import ManualClock
from mendel.contracts.commands import CommandKind
from mendel.contracts.energy import Usage
from mendel.contracts.errors import HandlerFailed, RunRefused
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.operation import OperationCompleted, OperationStarted
from mendel.contracts.evidence_refs import EvidenceRef
from mendel.contracts.ids import derived
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.statuses import CandidateStatus, GenerationStatus, GenomeStatus, RunStatus
from mendel.contracts.work import Answer, Work
from mendel.kernel.conductor import Options
from mendel.kernel.digest import state_digest
from mendel.kernel.domain import Expression, Step
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Challenge, Examine, Move, Repair, Score, Vary, Wait
from mendel.selection.operators import Operator

PACES = check_rows("pace", ["generational", "birth", "arrival"])


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


@check_rows(("share", "survives"), [(0.0, True), (0.5, True), (0.51, False), (1.0, False)])
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


async def test_a_generation_that_stays_in_one_state_for_too_long_fails() -> None:
    clock = WatchedClock()
    stage = Stage(ScriptedDomain(handlers={"scripted.look": never}), clock=clock)
    await stage.configure(config_of(state_deadline_ms=1_000, slots=8))
    seen: list[str] = []
    conducting = asyncio.create_task(stage.conduct(Options(listen=lambda event: seen.append(event.type))))
    await until(lambda: seen.count("operation.started") == 4)
    await clock.let_pass(0.9)
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
    waiting: set[str] = set()

    def listen(event: Event) -> None:
        """Which operations wait: only then does time pass, however busy the machine is with the rest."""
        payload = event.payload
        if isinstance(payload, OperationStarted) and payload.operation.kind == "wait":
            waiting.add(payload.operation.id)
        elif isinstance(payload, OperationCompleted):
            waiting.discard(payload.operation_id)

    conducting = asyncio.create_task(stage.conduct(Options(listen=listen)))
    while not conducting.done():
        await asyncio.sleep(0.001)
        clock.advance(0.01 if waiting else 0)
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


@PACES
async def test_an_operator_without_weight_varies_what_a_route_wishes_for_and_nothing_else(pace: str) -> None:
    mend = Operator(name="mend", step="scripted.vary", weight=0.0)

    def route(dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "verifying" and dossier.subject_id.startswith("candidate-1."):
            return (Vary(operator="mend"), out("broken"))
        return looked_at(dossier)

    state, events = await breed(config_of(pace=pace), ScriptedDomain(route=route, operators=(mend, NUDGE)))
    begun = [each.operation for each in payloads(events, "operation.started") if each.operation.kind == "vary"]
    assert [each.parents for each in begun if each.operator == "mend"] == [(state.births.genome_of[1],)]
    assert len(begun) > 5


async def test_with_operators_of_no_weight_alone_nothing_is_bred_and_the_run_ends() -> None:
    def one(*_: object) -> Sequence[DomainPayload]:
        return [thing(1.0)]

    mend = Operator(name="mend", step="scripted.vary", weight=0.0)
    state, events = await breed(config_of(), ScriptedDomain(operators=(mend, CROSS), founders=one))
    assert state.status is RunStatus.COMPLETED
    assert not [each for each in payloads(events, "operation.started") if each.operation.kind == "vary"]


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
    assert "a Vary without a Drop" in events[-1].payload.reason


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


@check_rows("move", [Score(components={}), out(), Challenge(step="scripted.gate")])
async def test_a_generation_can_only_be_examined_or_waited_for(move: Move) -> None:
    state, events = await breed(
        config_of(), ScriptedDomain(route=lambda d: (move,) if d.phase == "generation" else looked_at(d))
    )
    assert state.status is RunStatus.FAILED
    assert "the moves allowed there are Examine without other and Wait" in events[-1].payload.reason


# --- waiting -------------------------------------------------------------------------------------------------


async def test_a_wait_ends_when_its_time_has_come_and_takes_no_slot() -> None:
    clock = WatchedClock()
    stage = Stage(ScriptedDomain(founders=several(3), route=waiting_then(looked_at, 60_000)), clock=clock)
    await stage.configure(config_of(caps=ONE, slots=1))
    seen: list[str] = []
    conducting = asyncio.create_task(stage.conduct(Options(listen=lambda event: seen.append(event.type))))
    await until(lambda: seen.count("operation.started") == 3)
    assert "operation.completed" not in seen
    await clock.let_pass(59.9)
    assert "operation.completed" not in seen
    clock.advance(0.2)
    state = await conducting
    assert state.status is RunStatus.COMPLETED
    assert state.waiting == 0


async def test_a_wait_outlives_its_conductor_and_is_not_begun_again() -> None:
    clock = WatchedClock()
    stage = Stage(ScriptedDomain(founders=several(2), route=waiting_then(looked_at, 60_000)), clock=clock)
    await stage.configure(config_of(caps=ONE))
    started: list[str] = []

    def both_wait(event) -> bool:
        started.extend([event.type] if event.type == "operation.started" else [])
        return len(started) == 2

    await stage.interrupt(both_wait)
    clock.advance(40)
    conducting = asyncio.create_task(stage.conduct())
    await clock.let_pass(19.9)
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


@check_rows("answer", [Answer(), Answer(traits=thing(1.0)), Answer(findings=thing(1.0))])
async def test_an_expression_without_contents_is_refused(answer: Answer) -> None:
    async def express(work: Work) -> Answer:
        return answer

    domain = ScriptedDomain(express=expressed_by_a_step, handlers={"scripted.express": express})
    state, events = await breed(config_of(), domain)
    assert {each.error_code for each in payloads(events, "operation.failed")} == {"bad_answer"}
    assert {each.status for each in state.genomes.values()} == {GenomeStatus.FAILED}


@check_rows(
    ("usage", "said"),
    [
        (Usage(tool_calls=3), "used tool_calls 3 of 0 (15 energy, 3 reserved)"),
        (Usage(tool_calls=2, tokens_in=70), "used tool_calls 2 of 0, tokens 70 of 10 (11 energy, 3 reserved)"),
        (Usage(cpu_ms=5_000), "used cpu_ms 5,000 of 150 (50 energy, 3 reserved)"),
        (Usage(cpu_ms=160), None),
    ],
)
async def test_what_is_above_an_allowance_is_named_with_the_step_that_says_it(usage: Usage, said: str | None) -> None:
    async def look(work: Work) -> Answer:
        return Answer(findings=thing(1.0), usage=usage)

    allowed = Usage(cpu_ms=150, tokens_in=10)
    domain = ScriptedDomain(handlers={"scripted.look": look}, steps={"scripted.look": Step(allowed)})
    _, events = await breed(config_of(caps=ONE), domain)
    messages = {each.message for each in payloads(events, "operation.failed")}
    how = "; raise the worst case of the step scripted.look: Step(allowance=Usage(…))"
    assert all(said in each and each.endswith(how) for each in messages)
    assert bool(messages) == (said is not None)


@check_rows(
    ("answer", "taken"),
    [
        (Answer(), False),
        (Answer(degraded=True, summary="seen"), False),
        (Answer(findings=thing(1.0)), True),
        (Answer(looks=looks_of(1.0)), True),
        (Answer(refs=(EvidenceRef(kind="other", label="a note"),)), True),
    ],
)
async def test_an_examination_that_found_nothing_at_all_has_failed(answer: Answer, taken: bool) -> None:
    async def look(work: Work) -> Answer:
        return answer

    domain = ScriptedDomain(handlers={"scripted.look": look})
    _, events = await breed(config_of(caps=ONE), domain)
    failed = payloads(events, "operation.failed")
    assert {each.error_code for each in failed} == (set() if taken else {"bad_answer"})
    assert all("an examination must return findings" in each.message for each in failed)


async def test_a_domain_refuses_a_run_that_would_be_in_vain_before_it_is_recorded():
    class Wary(ScriptedDomain):
        def refusal(self, config):
            return "too little for a challenge" if config.caps.max_candidates < 3 else None

    stage = Stage(Wary())
    with pytest.raises(RunRefused, match="too little for a challenge"):
        await stage.configure(config_of(caps={"max_candidates": 2}))
    assert not await stage.log.runs()
    await stage.configure(config_of(caps={"max_candidates": 3}))
