"""Port ``EventLog``: the truth of every run. Append-only, one writer per run, gapless, hash-chained."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, suppress
from datetime import datetime
from functools import partial
from types import TracebackType
from typing import NamedTuple, Self

from mendel.contracts.actors import Actor
from mendel.contracts.base import Contract
from mendel.contracts.commands import Command, NewCommand
from mendel.contracts.errors import (
    BlobMissing,
    DatabaseUnavailable,
    InvalidPayload,
    LogIntegrityError,
    MendelError,
    RunNotFound,
    SequenceConflict,
    WriterFenced,
)
from mendel.contracts.events.envelope import Event, EventDraft
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.run import RUN_STATUS_AFTER, ConductorTookOver, RunConfigured
from mendel.contracts.ids import parse_run_id
from mendel.contracts.log_views import Head, NicheRun, RunOverview, SeenCandidate
from mendel.contracts.payloads import PAYLOADS, PayloadRegistry
from mendel.contracts.scrub import Scrubber
from mendel.contracts.times import utc_now
from mendel.ports.blobs import Blobs
from mendel.ports.checkpoints import Checkpoints
from mendel.ports.commit_lane import CommitLane
from mendel.ports.niche_runs import niche_runs
from mendel.ports.recorded_looks import LooksReader, is_trace
from mendel.ports.records import ChainChecker, Record, Sealed, Sealer, Tip, blob_hashes, chain, event_of

Changed = Callable[[], Awaitable[None]]

_SETTLES_S = 5.0


class Guarantees(Contract):
    """What an implementation keeps beyond its obligations; a weaker one says so here, by name."""

    durable: bool = True
    ids_unique_across_runs: bool = True
    followed_across_processes: bool = True


class Glimpse(NamedTuple):
    """What a store tells about one run without reading it: first and last record, last change of state."""

    first: Record
    last: Record
    milestone: str | None


class Damaged(NamedTuple):
    """A run of which a store can tell no more than that it is there."""

    run_id: str
    damage: str


class _Lane:
    """What this process knows of a run that it appends to."""

    def __init__(self, commit: Callable[[Sequence[Record]], Awaitable[None]]) -> None:
        self.order = asyncio.Lock()
        self.tip: Tip | None = None
        self.commits = CommitLane(commit)


class EventLog(ABC):
    """One boundary in, one checked way out.

    Callers see ``append``, ``conduct``, ``read``, ``follow``, ``runs`` and the commands. An implementation writes
    the underscored methods and owes:

    - ``_commit`` makes a run of consecutive records durable, all or none of them, only if the first follows the
      stored head exactly (sequence and ``prev_hash``), and only if no event id stands in the log already. It may be
      called for different runs at once, and by several processes; the store decides who was first.
    - An outage is waited for inside ``_commit``, with a word about it; a commit whose answer got lost is recognised
      as done when it is tried again.
    - ``_records`` yields what is stored, in the order it is stored, unchecked.
    - ``_niche_marks`` yields, run by run and in order, the records of which ``is_mark`` is true, of every run that has
      the niche; it finds them by an index, so that a run begins as soon in a large log as in a small one.
    - ``_traces`` yields the records of a run of which ``is_trace`` is true, the newest first. The default reads the run
      whole; a store that can read backwards overrides it.
    - ``_hold`` is exclusive among living processes and ends with the process that holds it, however that dies.
    - ``_watch`` wakes its caller after every commit and command of the run, from any process, without polling.
    - Nothing here updates or deletes; there is no method to.
    """

    guarantees: Guarantees = Guarantees()
    outages: tuple[type[MendelError], ...] = (DatabaseUnavailable,)
    """What a follower waits out: its end is a change like any other."""

    def __init__(
        self,
        *,
        blobs: Blobs,
        checkpoints: Checkpoints,
        scrubber: Scrubber | None = None,
        payloads: PayloadRegistry = PAYLOADS,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self.blobs = blobs
        self.checkpoints = checkpoints
        self._sealer = Sealer(scrubber or Scrubber(), payloads)
        self._clock = clock
        self._lanes: dict[str, _Lane] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Wait for what is in flight and let go of the store."""
        for lane in list(self._lanes.values()):
            await lane.commits.idle()
        self._lanes.clear()

    # --- writing ---------------------------------------------------------------------------------------------

    async def append(self, run_id: str, drafts: Sequence[EventDraft], *, expected: int) -> tuple[Event, ...]:
        """Store ``drafts`` as the events ``expected``, ``expected + 1``, … of the run, and return what was stored.

        Calls may overlap: a batch may be appended before the one ahead of it is durable. A batch whose ids already
        stand at its sequence is a success whose answer got lost.

        Raises:
            ContractError: a draft may not be stored; nothing of the batch was.
            BlobMissing: a draft refers to a blob that is not kept.
            SequenceConflict: something else stands at ``expected``, or something before it is missing.
            DuplicateEventId: an id stands elsewhere in the log.
        """
        return await self._place(run_id, await self._sealed(run_id, drafts), expected)

    @asynccontextmanager
    async def conduct(
        self, run_id: str, *, conductor: str, check: Callable[[], Awaitable[None]] | None = None
    ) -> AsyncIterator[RunWriter]:
        """Be the run's one writer: fences off the writer before.

        ``check`` is awaited while the run is held and before its takeover is recorded: what it raises leaves the log
        as it is.

        Raises:
            RunBusy: a living conductor holds the run.
            RunNotFound: the run has no events.
            LogIntegrityError: the log ends before what its checkpoint has seen.
        """
        async with self._hold(run_id):
            self._lanes.pop(run_id, None)
            tip = await self._existing_tip(run_id)
            await self._refuse_cut_tail(run_id, tip)
            if check is not None:
                await check()
            writer = RunWriter(self, run_id, tip.next)
            payload = ConductorTookOver(epoch=tip.next, conductor=conductor)
            try:
                await writer.append([EventDraft.of(payload, actor=Actor.RUNTIME)])
                yield writer
            finally:
                await self._settle(run_id)

    def claimed(self, name: str) -> AbstractAsyncContextManager[None]:
        """Hold ``name``, which has the form of a run's id, exclusively among living processes.

        For what several processes may be asked to begin at once and one of them is to begin: its run has no id yet.

        Raises:
            RunBusy: somebody else holds it.
        """
        _require_known_form(name)
        return self._hold(name)

    async def import_records(self, run_id: str, records: Sequence[Record]) -> None:
        """Store records as they are; for imports, which have checked them.

        Raises:
            SequenceConflict: they do not follow what is stored.
        """
        self._lanes.pop(run_id, None)
        await self._commit_and_remember(run_id, records)

    # --- reading ---------------------------------------------------------------------------------------------

    async def tip(self, run_id: str) -> Tip:
        """Where the next event of the run goes; a run without events starts at 0.

        Raises:
            RunNotFound: ``run_id`` cannot be the id of a run.
        """
        _require_known_form(run_id)
        return await self._load_tip(run_id)

    async def records(self, run_id: str, start: int = 0) -> AsyncIterator[Sequence[Record]]:
        """Checked records from ``start`` on, in chunks.

        Raises:
            LogIntegrityError: at the first record that is not what was written.
        """
        _require_known_form(run_id)
        checker = ChainChecker(start)
        async for chunk in self._records(run_id, start):
            checker.check_all(chunk)
            yield chunk

    async def read(self, run_id: str, start: int = 0) -> AsyncGenerator[Event, None]:
        """The run's events from ``start`` on, each checked against the chain.

        Raises:
            LogIntegrityError: with the reason ``gap``, ``out_of_order``, ``schema_too_new``, ``altered``,
                ``chain_broken`` or ``unreadable``; never sorts, never skips.
        """
        async for chunk in self.records(run_id, start):
            for record in chunk:
                yield event_of(record)

    async def follow(self, run_id: str, start: int = 0) -> AsyncGenerator[Event, None]:
        """The run's events from ``start`` on, and those to come as they come; ends when the caller stops.

        A database that goes away is waited for: its return is a change like any other.
        """
        async with self._watch(run_id) as changed:
            while True:
                with suppress(*self.outages):
                    async for event in self.read(run_id, start):
                        yield event
                        start = event.sequence + 1
                await changed()

    async def runs(self) -> tuple[RunOverview, ...]:
        """Every run of the log, newest first: ids sort by time. A damaged run is listed as that."""
        overviews = [_overview(glimpse) async for glimpse in self._glimpses()]
        return tuple(sorted(overviews, key=lambda run: run.run_id, reverse=True))

    async def runs_in(self, niche: str) -> tuple[NicheRun, ...]:
        """The runs that have ``niche``, the oldest first, and where each stands in it; none of them is read whole."""
        return niche_runs(niche, [record async for chunk in self._niche_marks(niche) for record in chunk])

    async def newest_looks(self, run_id: str, most: int) -> tuple[SeenCandidate, ...]:
        """The newest candidates of the run whose vectors it recorded, at most this many, the newest first.

        A damaged run counts as far as its end can be read.
        """
        reader, found = LooksReader(), list[SeenCandidate]()
        with suppress(LogIntegrityError):
            async with aclosing(self._traces(run_id)) as chunks:
                async for chunk in chunks:
                    for record in chunk:
                        found += reader.take(record)
                        if len(found) >= most:
                            return tuple(found[:most])
        return tuple(found)

    async def unchecked_records(self, run_id: str) -> AsyncIterator[Sequence[Record]]:
        """What is stored, as it is stored; for verification."""
        _require_known_form(run_id)
        async for chunk in self._records(run_id, 0):
            yield chunk

    # --- commands --------------------------------------------------------------------------------------------

    async def submit(self, command: NewCommand) -> Command:
        """Leave a command for the run's conductor; submitting it again changes nothing.

        Raises:
            RunNotFound: there is no such run.
            ContractError: its payload may not be stored.
        """
        await self._existing_tip(command.run_id)
        return await self._store_command(command, self._sealer.object(command.payload), self._clock())

    @abstractmethod
    async def commands(self, run_id: str, after: int = 0) -> tuple[Command, ...]:
        """The run's commands whose position is above ``after``, in order."""

    async def follow_commands(self, run_id: str, after: int = 0) -> AsyncGenerator[Command, None]:
        """The run's commands above ``after``, and those to come as they come."""
        async with self._watch_commands(run_id) as changed:
            while True:
                with suppress(*self.outages):
                    for command in await self.commands(run_id, after):
                        yield command
                        after = command.position
                await changed()

    # --- what an implementation writes -----------------------------------------------------------------------

    @abstractmethod
    async def _commit(self, run_id: str, records: Sequence[Record]) -> None: ...

    @abstractmethod
    async def _load_tip(self, run_id: str) -> Tip: ...

    @abstractmethod
    def _records(self, run_id: str, start: int, stop: int | None = None) -> AsyncIterator[Sequence[Record]]: ...

    @abstractmethod
    def _glimpses(self) -> AsyncIterator[Glimpse | Damaged]: ...

    @abstractmethod
    def _niche_marks(self, niche: str) -> AsyncIterator[Sequence[Record]]: ...

    async def _traces(self, run_id: str) -> AsyncGenerator[Sequence[Record], None]:
        found = [
            each async for chunk in self._records(run_id, 0) for each in chunk if is_trace(each.type, each.payload)
        ]
        yield found[::-1]

    @abstractmethod
    def _hold(self, run_id: str) -> AbstractAsyncContextManager[None]: ...

    @abstractmethod
    def _watch(self, run_id: str) -> AbstractAsyncContextManager[Changed]: ...

    def _watch_commands(self, run_id: str) -> AbstractAsyncContextManager[Changed]:
        """As ``_watch``; whoever can tell commands from commits need not wake a conductor for each of its own."""
        return self._watch(run_id)

    @abstractmethod
    async def _store_command(self, command: NewCommand, payload: bytes, issued_at: datetime) -> Command: ...

    # --- how a batch gets its place --------------------------------------------------------------------------

    async def _place(self, run_id: str, batch: Sequence[Sealed], expected: int) -> tuple[Event, ...]:
        if not batch:
            return ()
        lane = self._lane(run_id)
        async with lane.order:
            if lane.tip is None or lane.tip.next != expected:
                await lane.commits.idle()
                lane.tip = await self._load_tip(run_id)
            if lane.tip.next != expected:
                return await self._already_there(run_id, batch, expected)
            records, lane.tip = chain(run_id, batch, lane.tip, self._clock())
            durable = lane.commits.submit(records)
        try:
            await durable  # a caller that is cancelled here gives up the answer, not the batch
        except SequenceConflict:
            self._forget(run_id, lane)
            return await self._already_there(run_id, batch, expected)
        except MendelError:
            self._forget(run_id, lane)
            raise
        return tuple(event_of(record, sealed.payload) for record, sealed in zip(records, batch, strict=True))

    def _lane(self, run_id: str) -> _Lane:
        lane = self._lanes.get(run_id)
        if lane is None:
            _require_run_id(run_id)
        if lane is None or lane.commits.broken:
            lane = self._lanes[run_id] = _Lane(partial(self._commit_and_remember, run_id))
        return lane

    def _forget(self, run_id: str, lane: _Lane) -> None:
        if self._lanes.get(run_id) is lane:
            del self._lanes[run_id]

    async def _settle(self, run_id: str) -> None:
        """Wait for the commits of a caller that was cancelled: the next conductor must not meet them.

        An outage is not waited for: whoever ends here may be asked to end because of it.
        """
        if run_id in self._lanes:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._lanes[run_id].commits.idle(), _SETTLES_S)

    async def _commit_and_remember(self, run_id: str, records: Sequence[Record]) -> None:
        await self._commit(run_id, records)
        last = records[-1]
        await self.checkpoints.put(run_id, Head(sequence=last.sequence, hash=last.hash))

    async def _already_there(self, run_id: str, batch: Sequence[Sealed], expected: int) -> tuple[Event, ...]:
        """The stored events, if ``batch`` is what stands at ``expected``."""
        stop = expected + len(batch)
        stored = [record async for chunk in self._records(run_id, expected, stop) for record in chunk]
        if [record.event_id for record in stored] == [sealed.draft.id for sealed in batch]:
            return tuple(event_of(record) for record in stored)
        tip = await self._load_tip(run_id)
        self._lanes.pop(run_id, None)
        raise SequenceConflict(f"run {run_id} goes on at sequence {tip.next}, not at {expected}; read on and try again")

    async def _sealed(self, run_id: str, drafts: Sequence[EventDraft]) -> Sequence[Sealed]:
        if run_id in self._lanes:
            await self._lanes[run_id].commits.begun()
        batch = [self._sealer.seal(draft) for draft in drafts]
        await self._require_blobs(batch)
        return batch

    async def _require_blobs(self, batch: Sequence[Sealed]) -> None:
        wanted = {name for sealed in batch for name in blob_hashes(sealed.data)}
        if wanted and (missing := await self.blobs.missing(wanted)):
            raise BlobMissing(f"an event refers to {sorted(missing)[0]}, which is not stored; put the blob first")

    async def _existing_tip(self, run_id: str) -> Tip:
        tip = await self.tip(run_id)
        if tip.next == 0:
            raise RunNotFound(f"there is no run {run_id} in this log; `mendel runs` lists those there are")
        return tip

    async def _refuse_cut_tail(self, run_id: str, tip: Tip) -> None:
        seen = await self.checkpoints.get(run_id)
        if seen is not None and seen.sequence >= tip.next:
            raise LogIntegrityError(
                "tail_cut", tip.next, f"the checkpoint of this run has seen events up to {seen.sequence}"
            )


class RunWriter:
    """The right to append to one run, until somebody else takes it over.

    Appends may overlap; they are stored in the order of the calls.
    """

    def __init__(self, log: EventLog, run_id: str, next_sequence: int) -> None:
        self.run_id = run_id
        self.epoch = next_sequence
        self._log = log
        self._next = next_sequence
        self._order = asyncio.Lock()
        self._ended: MendelError | None = None

    async def append(self, drafts: Sequence[EventDraft]) -> tuple[Event, ...]:
        """Store ``drafts`` next; raises as ``EventLog.append`` does.

        A draft that breaks a contract is refused and the writer goes on. After any other failure it is over: what
        was in flight behind the failed batch was refused too, and the run must be conducted anew.

        Raises:
            WriterFenced: the run was taken over, or an earlier append of this writer failed.
        """
        async with self._order:
            if self._ended is not None:
                raise WriterFenced(f"this writer of run {self.run_id} ended: {self._ended}") from self._ended
            batch = await self._log._sealed(self.run_id, drafts)
            expected, self._next = self._next, self._next + len(batch)
        try:
            return await self._log._place(self.run_id, batch, expected)
        except SequenceConflict as error:
            self._ended = error
            raise WriterFenced(f"run {self.run_id} was taken over by another writer: {error}") from error
        except MendelError as error:
            self._ended = error
            raise


def _require_known_form(run_id: str) -> None:
    try:
        _require_run_id(run_id)
    except InvalidPayload as error:
        raise RunNotFound(f"{error}; `mendel runs` lists those there are") from error


def _require_run_id(run_id: str) -> None:
    """Nothing is stored under a name that nobody could read it by."""
    try:
        known = parse_run_id(run_id) == run_id
    except ValueError:
        known = False
    if not known:
        raise InvalidPayload(f"{run_id!r} is not the id of a run: a UUID in lower case")


def _beginning(first: Record) -> tuple[Payload | None, str | None]:
    """What a run begins with, or how it is damaged."""
    if first.sequence != 0:
        return None, "gap at sequence 0: the beginning is missing"
    try:
        return event_of(first).payload, None
    except LogIntegrityError as error:
        return None, str(error)


def _overview(glimpse: Glimpse | Damaged) -> RunOverview:
    if isinstance(glimpse, Damaged):
        return RunOverview(run_id=glimpse.run_id, damage=glimpse.damage)
    first, last = glimpse.first, glimpse.last
    payload, damage = _beginning(first)
    config = payload.config if isinstance(payload, RunConfigured) else None
    return RunOverview(
        damage=damage,
        run_id=first.run_id,
        status=RUN_STATUS_AFTER.get(glimpse.milestone or ""),
        domain=config.domain if config else None,
        problem=config.problem if config else None,
        events=last.sequence + 1,
        started_at=first.occurred_at,
        last_event_at=last.occurred_at,
        head=Head(sequence=last.sequence, hash=last.hash),
        follows=config.follows if config else None,
    )
