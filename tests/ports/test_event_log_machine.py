"""Two logs side by side, driven at random, against a model that is too simple to be wrong."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.ports.runs import exported, memory_log, ticking_clock

from mendel.adapters.file.event_log import FileEventLog
from mendel.conformance import samples
from mendel.contracts.commands import CommandKind, NewCommand
from mendel.contracts.errors import (
    ContractError,
    DuplicateEventId,
    MendelError,
    RunBusy,
    RunNotFound,
    SequenceConflict,
    WriterFenced,
)
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.run import RUN_STATUS_AFTER, ConductorTookOver
from mendel.contracts.ids import new_run_id
from mendel.contracts.scrub import Scrubber
from mendel.ports.event_log import EventLog, RunWriter
from mendel.ports.verification import verify

SECRET = "correct horse battery"
TOOK_OVER = EventDraft.of(ConductorTookOver(epoch=0, conductor="c"))
"""Stands in the model for the event by which each log noted a takeover, under an id of its own."""

good_drafts = st.one_of(
    st.builds(samples.started),
    st.builds(samples.completed),
    st.builds(samples.finding, st.integers(0, 9)),
    st.builds(samples.finding, st.integers(0, 9), st.fixed_dictionaries({"note": st.just(f"it is {SECRET}")})),
)
bad_drafts = st.sampled_from([{"text": "\x00"}, {"n": float("nan")}, {"n": 2**70}]).map(
    lambda data: samples.unchecked(1, data)
)
batches = st.lists(good_drafts, min_size=1, max_size=3)


class Model:
    """What a log is: for each run the ids and types of its events, and its commands."""

    def __init__(self) -> None:
        self.events: dict[str, list[EventDraft]] = {}
        self.commands: dict[str, list[str]] = {}

    def append(self, run_id: str, batch: list[EventDraft], expected: int) -> type[MendelError] | None:
        stored = self.events.get(run_id, [])
        ids = [draft.id for draft in batch]
        if expected != len(stored):
            there = [draft.id for draft in stored[expected : expected + len(batch)]] if expected >= 0 else []
            return None if there == ids else SequenceConflict
        if len(set(ids)) < len(ids) or {draft.id for draft in stored} & set(ids):
            return DuplicateEventId
        self.events[run_id] = [*stored, *batch]
        return None


@dataclass
class Hand:
    """What the model knows of a writer on each log: where it goes on, and whether it is over."""

    run_id: str
    writers: list[RunWriter]
    next: int
    ended: bool = False


class Logs(RuleBasedStateMachine):
    runs = Bundle("runs")
    used = Bundle("used")

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = Path(tempfile.mkdtemp(prefix="mendel-machine-"))
        self.model = Model()
        self.memory = memory_log(Scrubber([SECRET]))
        self.clock = ticking_clock()
        self.files = self.open_files()
        self.held = AsyncExitStack()
        self.conducting: Hand | None = None
        self.stale: list[Hand] = []

    def open_files(self) -> FileEventLog:
        return FileEventLog(
            self.folder, payloads=samples.sample_payloads(), scrubber=Scrubber([SECRET]), clock=self.clock
        )

    @property
    def logs(self) -> tuple[EventLog, EventLog]:
        return self.memory, self.files

    def both(self, act, expected: type[MendelError] | None):
        """Do ``act`` to both logs; each must end as ``expected``."""
        results = []
        for log in self.logs:
            raised = None
            try:
                results.append(self.runner.run(act(log)))
            except MendelError as error:
                raised = error
            outcome = None if raised is None else type(raised)
            assert outcome is expected, f"{type(log).__name__}: {raised!r} where the model says {expected}"
        return results

    # --- what may happen -----------------------------------------------------------------------------------------

    @initialize(target=runs)
    def first_run(self):
        return self.start()

    @rule(target=runs)
    def start(self):
        run_id, draft = new_run_id(), samples.configured()
        assert self.model.append(run_id, [draft], 0) is None
        self.both(lambda log: log.append(run_id, [draft], expected=0), None)
        return run_id

    @rule(target=used, run_id=runs, batch=batches, off=st.sampled_from([0, 0, 0, 0, -1, 1, 5]))
    def append(self, run_id, batch, off):
        expected = max(0, len(self.model.events[run_id]) + off)
        outcome = self.model.append(run_id, batch, expected)
        results = self.both(lambda log: log.append(run_id, batch, expected=expected), outcome)
        if outcome is None:
            assert [[event.id for event in events] for events in results] == [[draft.id for draft in batch]] * 2
            assert all(SECRET not in event.model_dump_json() for events in results for event in events)
        return run_id, batch, expected

    @rule(again=used)
    def repeat_a_batch(self, again):
        run_id, batch, expected = again
        outcome = self.model.append(run_id, batch, expected)
        self.both(lambda log: log.append(run_id, batch, expected=expected), outcome)

    @rule(again=used, fresh=good_drafts)
    def repeat_an_id(self, again, fresh):
        run_id, batch, _ = again
        expected = len(self.model.events[run_id])
        mixed = [fresh, batch[0]]
        outcome = self.model.append(run_id, mixed, expected)
        self.both(lambda log: log.append(run_id, mixed, expected=expected), outcome)

    @rule(run_id=runs, draft=good_drafts)
    def repeat_an_id_within_a_batch(self, run_id, draft):
        expected = len(self.model.events[run_id])
        self.both(lambda log: log.append(run_id, [draft, draft], expected=expected), DuplicateEventId)

    @rule(run_id=runs, before=batches, bad=bad_drafts)
    def append_what_may_not_be_stored(self, run_id, before, bad):
        expected = len(self.model.events[run_id])
        for log in self.logs:
            try:
                self.runner.run(log.append(run_id, [*before, bad], expected=expected))
            except ContractError:
                continue
            raise AssertionError(f"{type(log).__name__} stored what may not be stored")

    @rule(run_id=runs, counts=st.lists(st.integers(1, 3), min_size=2, max_size=4))
    def append_at_once(self, run_id, counts):
        start = len(self.model.events[run_id])
        batch_list = [samples.findings(size) for size in counts]
        places = [start + sum(counts[:number]) for number in range(len(counts))]

        async def act(log):
            calls = zip(batch_list, places, strict=True)
            await asyncio.gather(*(log.append(run_id, batch, expected=place) for batch, place in calls))

        self.both(act, None)
        for batch, place in zip(batch_list, places, strict=True):
            assert self.model.append(run_id, batch, place) is None

    # --- conducting ----------------------------------------------------------------------------------------------

    @precondition(lambda self: self.conducting is None)
    @rule(run_id=runs)
    def take_over(self, run_id):
        self.held = AsyncExitStack()
        writers = self.both(lambda log: self.held.enter_async_context(log.conduct(run_id, conductor="c")), None)
        epoch = len(self.model.events[run_id])
        assert [writer.epoch for writer in writers] == [epoch, epoch]
        self.model.events[run_id].append(TOOK_OVER)
        self.conducting = Hand(run_id, writers, epoch + 1)

    @precondition(lambda self: self.conducting is not None)
    @rule(batch=batches)
    def write(self, batch):
        self.write_by(self.conducting, batch)

    def write_by(self, hand: Hand, batch: list[EventDraft]) -> None:
        """Once something else was written in its place, a writer is over for good."""
        hand.ended = hand.ended or self.model.append(hand.run_id, batch, hand.next) is not None
        hand.next += len(batch)
        by_log = dict(zip(self.logs, hand.writers, strict=True))
        self.both(lambda log: by_log[log].append(batch), WriterFenced if hand.ended else None)

    @precondition(lambda self: self.conducting is not None)
    @rule()
    def nobody_else_conducts_it(self):
        run_id = self.conducting.run_id

        async def act(log):
            async with log.conduct(run_id, conductor="d"):
                pass

        self.both(act, RunBusy)

    @precondition(lambda self: self.conducting is not None)
    @rule()
    def release(self):
        self.runner.run(self.held.aclose())
        self.stale.append(self.conducting)
        self.conducting = None

    @precondition(lambda self: self.stale)
    @rule(data=st.data(), batch=batches)
    def a_stale_writer_writes(self, data, batch):
        self.write_by(data.draw(st.sampled_from(self.stale)), batch)

    # --- commands, and the process coming and going ----------------------------------------------------------------

    @rule(run_id=runs, kind=st.sampled_from(CommandKind), twice=st.booleans())
    def command(self, run_id, kind, twice):
        command = NewCommand(run_id=run_id, kind=kind, payload={"note": SECRET})
        self.model.commands.setdefault(run_id, []).append(command.id)
        for _ in range(1 + twice):
            stored = self.both(lambda log: log.submit(command), None)
        assert [found.position for found in stored] == [len(self.model.commands[run_id])] * 2
        assert all(SECRET not in found.model_dump_json() for found in stored)

    @rule()
    def command_a_run_that_is_not_there(self):
        command = NewCommand(run_id=new_run_id(), kind=CommandKind.STOP)
        self.both(lambda log: log.submit(command), RunNotFound)

    @precondition(lambda self: self.conducting is None)
    @rule()
    def reopen(self):
        """The process ends and another one begins; only the file log has anything to remember."""
        self.runner.run(self.files.close())
        self.files = self.open_files()
        self.stale.clear()

    # --- what must always hold -------------------------------------------------------------------------------------

    @invariant()
    def they_hold_what_the_model_holds(self):
        for run_id, drafts in self.model.events.items():
            for log in self.logs:
                events = self.runner.run(_events(log, run_id))
                assert [event.sequence for event in events] == list(range(len(drafts)))
                assert [event.type for event in events] == [draft.type for draft in drafts]
                pairs = zip(events, drafts, strict=True)
                assert all(event.id == draft.id or draft is TOOK_OVER for event, draft in pairs)
                assert self.runner.run(log.tip(run_id)).next == len(drafts)

    @invariant()
    def they_hold_the_commands(self):
        for run_id in self.model.events:
            for log in self.logs:
                found = self.runner.run(log.commands(run_id))
                assert [command.id for command in found] == self.model.commands.get(run_id, [])
                assert [command.position for command in found] == list(range(1, len(found) + 1))

    @invariant()
    def they_list_the_same_runs(self):
        for log in self.logs:
            listed = {run.run_id: run for run in self.runner.run(log.runs())}
            assert set(listed) == set(self.model.events)
            for run_id, drafts in self.model.events.items():
                milestones = [draft.type for draft in drafts if draft.type in RUN_STATUS_AFTER]
                assert listed[run_id].status == RUN_STATUS_AFTER[milestones[-1]]
                assert listed[run_id].events == len(drafts)

    def teardown(self):
        if self.conducting:
            self.release()
        for run_id in self.model.events:
            for log in self.logs:
                report = self.runner.run(verify(log, run_id))
                assert report.ok, report
                assert report.checkpoint == "matches"
                assert SECRET.encode() not in self.runner.run(exported(log, run_id))
        self.runner.run(self.files.close())
        self.runner.run(self.memory.close())
        self.runner.close()
        shutil.rmtree(self.folder)


async def _events(log, run_id):
    return [event async for event in log.read(run_id)]


TestLogs = Logs.TestCase
TestLogs.settings = settings(
    max_examples=15, stateful_step_count=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
