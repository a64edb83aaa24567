"""Rule 2: the log is the truth. Append-only, one writer per run; everything else can be dropped and rebuilt."""

import asyncio
import copy

import pytest
from tests.rules.attackers import (
    PACES,
    PATIENCE_S,
    USED,
    AttackDomain,
    Scene,
    founders,
    hang,
    prefixes,
    route,
    thing,
)
from tests.support.rows import check_rows

from mendel.adapters.file.event_log import FileEventLog
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.contracts.actors import Actor
from mendel.contracts.errors import (
    IllegalTransition,
    RunBusy,
    SequenceConflict,
    WriterFenced,
)
from mendel.contracts.events.candidate import CandidateChecked, CandidateCreated
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.generation import GenerationCompleted
from mendel.contracts.events.genome import GenomeActivated, GenomeSpawned
from mendel.contracts.events.operation import OperationCompleted
from mendel.contracts.events.run import ConductorTookOver, RunCompleted, RunStarted, RunSummary
from mendel.contracts.verdicts import Reason
from mendel.contracts.work import Answer
from mendel.kernel.conduct import conduct, folded
from mendel.kernel.conductor import Conductor, Options
from mendel.kernel.digest import outcome_digest, state_digest
from mendel.kernel.domain import Expression
from mendel.kernel.fold import check_batch, fold
from mendel.kernel.moves import Drop, Wait
from mendel.kernel.replaying import Replay
from mendel.kernel.state import RunState
from mendel.projections.current_state import StateFold
from mendel.projections.explanation import ExplanationFold
from mendel.projections.health import HealthFold, RunFold
from mendel.projections.leaderboard import LeaderboardFold
from mendel.projections.lineage import LineageFold
from mendel.projections.replay_summary import ReplaySummaryFold

every_pace = pytest.mark.parametrize("pace", PACES.values(), ids=PACES.keys())


@pytest.fixture(params=["memory", "file"])
async def log(request, tmp_path):
    made = MemoryEventLog() if request.param == "memory" else FileEventLog(tmp_path / "runs")
    async with made as log:
        yield log


# --- one writer ----------------------------------------------------------------------------------------------------


FOUNDERS = 3


def in_flight(events):
    """The operations of ``attack.look`` that have begun; they hang."""
    started = (event.payload.operation for event in events if event.type == "operation.started")
    return [operation for operation in started if operation.step == "attack.look"]


async def test_a_second_conductor_of_a_living_one_is_turned_away_and_leaves_no_trace(log):
    scene = Scene(handlers={"attack.look": hang}, log=log)
    run_id = await scene.begin()
    conducting = asyncio.create_task(scene.conduct(run_id))
    async with asyncio.timeout(PATIENCE_S):
        while len(in_flight(before := await scene.events(run_id))) < FOUNDERS:
            await asyncio.sleep(0.005)
    for _ in range(3):
        with pytest.raises(RunBusy):
            await Scene(log=log).conduct(run_id)
    assert await scene.events(run_id) == before
    await scene.ask(run_id, "kill")
    assert (await conducting).status == "failed"


async def test_a_stale_conductor_is_fenced_and_its_effects_stop():
    entered, left = [], []

    async def look(work):
        entered.append(work.operation.id)
        try:
            return await hang(work)
        finally:
            left.append(work.operation.id)

    log = MemoryEventLog()
    stale = Scene(handlers={"attack.look": look}, log=log)
    run_id = await stale.begin()
    conducting = asyncio.create_task(stale.conduct(run_id, heartbeat_s=0.2))
    async with asyncio.timeout(PATIENCE_S):
        while not entered:
            await asyncio.sleep(0.005)
    log._held.discard(run_id)  # its lock is lost, as with a connection; it does not know that yet
    attack = await Scene(log=log).resume(run_id)
    with pytest.raises(WriterFenced):
        await conducting
    assert attack.state.status == "completed"
    assert sorted(left) == sorted(entered)
    events = await stale.events(run_id)
    assert [event.sequence for event in events] == list(range(len(events)))
    assert {event.payload.epoch for event in events if event.type == "conductor_took_over"} == {1, attack.state.epoch}
    assert all(event.payload.epoch == attack.state.epoch for event in events if event.type == "run.heartbeat")


async def test_a_stale_conductor_with_a_result_in_hand_records_nothing_of_it():
    release = asyncio.Event()

    async def look(work):
        await release.wait()
        return Answer(findings=thing(who="stale"), usage=USED)

    log = MemoryEventLog()
    stale = Scene(handlers={"attack.look": look}, log=log)
    run_id = await stale.begin()
    reached = asyncio.Event()
    listen = lambda event: reached.set() if event.type == "operation.started" else None  # noqa: E731
    conducting = asyncio.create_task(stale.conduct(run_id, listen=listen))
    await asyncio.wait_for(reached.wait(), PATIENCE_S)
    log._held.discard(run_id)
    async with log.conduct(run_id, conductor="another"):
        release.set()
        with pytest.raises(WriterFenced):
            await conducting
    events = await stale.events(run_id)
    assert events[-1].type == "conductor_took_over"
    assert not any(event.type == "operation.completed" for event in events)


async def test_nobody_appends_beside_the_conductor(log):
    attack = await Scene(log=log).play()
    for expected in (0, 1, attack.state.sequence, attack.state.sequence + 2):
        with pytest.raises(SequenceConflict):
            await log.append(attack.run_id, [EventDraft.of(RunStarted())], expected=expected)
    assert [event async for event in log.read(attack.run_id)] == attack.events


# --- state is only ever a fold -------------------------------------------------------------------------------------


def assert_a_replay_agrees(attack):
    replay = Replay()
    for event in attack.events:
        replay.take(event)
    report = replay.report()
    assert state_digest(attack.state) == state_digest(_fold_of(attack.events))
    assert report.recorded_state_digest is not None
    assert report.agrees


def _fold_of(events):
    state = RunState(events[0].run_id)
    for event in events:
        fold(state, event)
    return state


@every_pace
async def test_what_the_conductor_knows_is_the_fold_of_the_log(pace, log):
    attack = await Scene(log=log).play(pace=pace)
    assert_a_replay_agrees(attack)
    assert state_digest(await folded(log, attack.run_id)) == state_digest(attack.state)


@every_pace
async def test_it_is_so_after_every_batch(pace, monkeypatch):
    record, seen = Conductor._record, []

    async def watched(self, drafts):
        await record(self, drafts)
        seen.append((self.state.sequence, state_digest(self.state), outcome_digest(self.state)))

    monkeypatch.setattr(Conductor, "_record", watched)
    attack = await Scene().play(pace=pace)
    again = {event.sequence: (state_digest(state), outcome_digest(state)) for event, state in prefixes(attack.events)}
    assert len(seen) > 20
    for sequence, *digests in seen:
        assert again[sequence] == tuple(digests)


@check_rows("command", ["kill", "stop"])
@check_rows("when", ["candidate.checked", "operation.started", "fitness.scored"])
async def test_a_run_that_was_ended_from_outside_replays_to_what_it_recorded(command, when):
    scene = Scene()
    run_id = await scene.begin()
    asked = []

    def listen(event):
        if event.type == when and not asked:
            asked.append(asyncio.get_running_loop().create_task(scene.ask(run_id, command)))

    attack = await scene.resume(run_id, listen=listen)
    assert attack.state.status == {"kill": "failed", "stop": "stopped"}[command]
    assert_a_replay_agrees(attack)


@check_rows("method", ["founders", "express", "conditions", "route"])
async def test_a_run_whose_domain_failed_replays_to_what_it_recorded(method):
    attack = await Scene(AttackDomain(**{method: lambda *_: 1 / 0})).play()
    assert attack.state.status == "failed"
    assert_a_replay_agrees(attack)


async def test_a_run_that_was_interrupted_again_and_again_replays_to_what_it_recorded():
    scene = Scene()
    run_id = await scene.begin(caps={"max_tool_calls": 10_000})
    for sequence in (5, 20, 35, 50):
        await scene.interrupt(run_id, lambda event, least=sequence: event.sequence >= least)
    assert_a_replay_agrees(await scene.resume(run_id))


# --- a domain that writes into what it is shown --------------------------------------------------------------------


def _scribble(payload):
    payload.data["value"] = 10**6
    payload.data["scribbled"] = True


def _scribbling_route(dossier):
    for payload in (dossier.traits, dossier.content, *(seen.findings for seen in dossier.observations)):
        if payload is not None:
            _scribble(payload)
    return route(dossier)


def _scribbling_express(genome, config):
    _scribble(genome.traits)
    return Expression(contents=(thing(value=0.1),))


def _scribbling_founders(config, entropy):
    _scribble(config.domain_config)
    return founders(config, entropy)


SCRIBBLERS = {
    "route": {"route": _scribbling_route},
    "express": {"express": _scribbling_express},
    "founders": {"founders": _scribbling_founders},
}


@check_rows("methods", SCRIBBLERS.values())
async def test_a_domain_that_writes_into_what_it_is_shown_does_not_change_what_happened(methods):
    attack = await Scene(AttackDomain(**methods)).play(domain_config=thing(value=1))
    assert attack.state.terminal
    assert_a_replay_agrees(attack)


async def test_a_domain_that_keeps_what_it_answered_and_changes_it_later_does_not_change_what_happened():
    kept = [thing(value=0.5) for _ in range(3)]

    def change(dossier):
        for payload in kept:
            _scribble(payload)
        return route(dossier)

    attack = await Scene(AttackDomain(founders=lambda *_: kept, route=change)).play()
    assert_a_replay_agrees(attack)


async def test_a_proposal_that_a_domain_writes_into_stands_as_it_was_asked():
    def admit(proposal, config):
        proposal["scribbled"] = True
        return thing(value=0.5)

    scene = Scene(AttackDomain(admit=admit))
    run_id = await scene.begin()
    await scene.interrupt(run_id, lambda event: event.type == "run.started")
    await scene.ask(run_id, "propose", value=1)
    attack = await scene.resume(run_id)
    assert attack.payloads("command.accepted")[0].payload == {"value": 1}
    assert_a_replay_agrees(attack)


# --- projections ---------------------------------------------------------------------------------------------------

FOLDS = {
    "run_view": lambda candidate: RunFold(),
    "current_state": lambda candidate: StateFold(),
    "health": lambda candidate: HealthFold(),
    "leaderboard": lambda candidate: LeaderboardFold(),
    "lineage": lambda candidate: LineageFold(),
    "replay_summary": lambda candidate: ReplaySummaryFold(),
    "explanation": ExplanationFold,
}


def _built(fold_, events):
    for event in events:
        fold_.take(event)
    return fold_.view()


async def _eventful(pace, log=None):
    """A run with failures, drops, a stop and a second conductor."""

    async def look(work):
        if work.entropy.below(4, "luck") == 0:
            raise RuntimeError("one of those that fail")
        return Answer(findings=thing(seen=True), usage=USED)

    def picky(dossier):
        seen = dossier.last("attack.look")
        if seen is not None and seen.failed is not None and dossier.phase == "verifying":
            return (Drop(reason=Reason(code="blind", message="nobody saw it")),)
        if not dossier.observations and dossier.phase == "verifying":
            return (*route(dossier), Wait(for_ms=1))
        return route(dossier)

    scene = Scene(AttackDomain(route=picky), {"attack.look": look}, log=log)
    run_id = await scene.begin(pace=pace, caps={"max_generations": 6, "max_tool_calls": 10_000})
    await scene.interrupt(run_id, lambda event: event.sequence >= 60)
    await scene.ask(run_id, "set_parameters", slots=3)
    await scene.ask(run_id, "cancel")
    return await scene.resume(run_id)


@every_pace
@pytest.mark.parametrize("name", FOLDS)
async def test_a_projection_that_was_dropped_is_rebuilt_as_it_was(pace, name):
    attack = await _eventful(pace)
    candidate = next(iter(attack.state.candidates))
    kept = FOLDS[name](candidate)
    for number, event in enumerate(attack.events):
        kept.take(event)
        if number % 25 == 0 or event is attack.events[-1]:
            view = kept.view()
            assert view is None or view.sequence_through == event.sequence
            assert view == _built(FOLDS[name](candidate), attack.events[: number + 1])


@pytest.mark.parametrize("name", FOLDS)
async def test_a_projection_is_the_same_from_the_file_as_from_memory(name, tmp_path):
    async with FileEventLog(tmp_path / "runs") as log:
        attack = await _eventful(PACES["birth"], log)
    candidate = next(iter(attack.state.candidates))
    async with FileEventLog(tmp_path / "runs") as log:
        again = [event async for event in log.read(attack.run_id)]
    assert _built(FOLDS[name](candidate), again) == _built(FOLDS[name](candidate), attack.events)


@every_pace
async def test_projections_and_the_state_of_the_kernel_say_the_same(pace):
    attack = await _eventful(pace)
    state, view = attack.state, _built(RunFold(), attack.events)
    assert (view.status, view.energy_spent, view.best_candidate_id) == (
        state.status,
        state.ledger.spent,
        state.best[1] if state.best else None,
    )
    current = _built(StateFold(), attack.events)
    assert {row.id: row.status for row in current.candidates} == {
        name: known.status for name, known in state.candidates.items()
    }
    assert {row.id: row.status for row in current.genomes} == {
        name: known.status for name, known in state.genomes.items()
    }
    assert current.status == state.status


# --- what may not happen does not reach the log --------------------------------------------------------------------


def _illegal(state):
    """Batches that break a state machine of a run that is going on."""
    candidate = next(iter(state.candidates.values()))
    genome = state.genomes[candidate.candidate.genome_id]
    generation = state.generations[0]
    of_candidate = {
        "generation_id": generation.id,
        "genome_id": genome.genome.id,
        "candidate_id": candidate.candidate.id,
    }
    flown = next(iter(state.in_flight.values())).operation
    completed = OperationCompleted(operation_id=flown.id, step=flown.step)
    unknown = OperationCompleted(operation_id="op-nobody", step="attack.look")
    return {
        "a run that starts twice": [EventDraft.of(RunStarted())],
        "a run that completes at once": [EventDraft.of(RunCompleted(summary=RunSummary()))],
        "a generation that skips its states": [
            EventDraft.of(GenerationCompleted(survivors=0, offspring=0), generation_id=generation.id)
        ],
        "a genome born twice": [EventDraft.of(GenomeSpawned(genome=genome.genome), generation_id=generation.id)],
        "a genome that is expressed twice": [EventDraft.of(GenomeActivated(), genome_id=genome.genome.id)],
        "a candidate made twice": [EventDraft.of(CandidateCreated(candidate=candidate.candidate), **of_candidate)],
        "a candidate checked twice": [EventDraft.of(CandidateChecked(), **of_candidate)] * 2,
        "a completion without its marker": [EventDraft.of(unknown, operation_id="op-nobody")],
        "two completions of one marker": [EventDraft.of(completed, operation_id=flown.id)] * 2,
    }


async def _going_on():
    scene = Scene(handlers={"attack.look": hang})
    run_id = await scene.begin()
    await scene.interrupt(run_id, lambda event: event.type == "operation.started")
    return scene, run_id


BATCHES = [
    "a run that starts twice",
    "a run that completes at once",
    "a generation that skips its states",
    "a genome born twice",
    "a genome that is expressed twice",
    "a candidate made twice",
    "a candidate checked twice",
    "a completion without its marker",
    "two completions of one marker",
]


@check_rows("what", BATCHES)
async def test_an_illegal_batch_is_refused_before_it_is_appended(what):
    scene, run_id = await _going_on()
    state = await folded(scene.log, run_id)
    before = state_digest(state)
    batch = _illegal(state)[what]
    with pytest.raises(IllegalTransition):
        check_batch(state, batch)
    assert state_digest(state) == before, "looking changes nothing"


@pytest.mark.parametrize("what", BATCHES)
async def test_a_conductor_that_wants_it_recorded_is_stopped_there(what, monkeypatch):
    scene, run_id = await _going_on()
    before = await scene.events(run_id)
    wanted = _illegal(await folded(scene.log, run_id))[what]
    monkeypatch.setattr("mendel.kernel.conductor.decide", lambda state, mind: copy.copy(wanted))
    with pytest.raises(IllegalTransition):
        await scene.conduct(run_id)
    after = await scene.events(run_id)
    assert after[: len(before)] == before
    assert {event.type for event in after[len(before) :]} <= {"conductor_took_over", "operation.started"}
    await folded(scene.log, run_id)


async def test_a_log_that_holds_what_cannot_have_happened_is_not_folded():
    attack = await Scene().play()
    log = MemoryEventLog()
    first, *rest = attack.events
    await log.append(attack.run_id, [EventDraft.of(first.payload, actor=Actor.OPERATOR)], expected=0)
    await log.append(attack.run_id, [EventDraft.of(event.payload) for event in rest[3:6]], expected=1)
    with pytest.raises(IllegalTransition):
        await folded(log, attack.run_id)
    async with Scene().fabric() as fabric:
        with pytest.raises(IllegalTransition):
            await conduct(attack.run_id, log=log, fabric=fabric, clock=Scene().clock, options=Options())


async def test_an_epoch_that_does_not_stand_where_it_says_is_not_folded():
    scene, run_id = await _going_on()
    tip = await scene.log.tip(run_id)
    draft = EventDraft.of(ConductorTookOver(epoch=tip.next + 7, conductor="liar"))
    await scene.log.append(run_id, [draft], expected=tip.next)
    with pytest.raises(IllegalTransition, match="epoch"):
        await folded(scene.log, run_id)
