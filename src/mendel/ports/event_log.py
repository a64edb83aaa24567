"""Port ``EventLog``: the source of truth for every run. Append-only, one writer per run, gapless, hash-chained."""

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

_SETTLES_S = 5.0  # how long a conductor that ends waits for commits in flight


class Guarantees(Contract):
    """Optional guarantees of an implementation; a weaker one sets the ones that it lacks to False."""

    durable: bool = True
    ids_unique_across_runs: bool = True
    followed_across_processes: bool = True


class Glimpse(NamedTuple):
    """A summary of one run, read without the rest of it: first and last record, last change of status."""

    first: Record
    last: Record
    milestone: str | None


class Damaged(NamedTuple):
    """A run that a store cannot summarise because it is damaged."""

    run_id: str
    damage: str


class _Lane:
    """The append state of one run in this process."""

    def __init__(self, commit: Callable[[Sequence[Record]], Awaitable[None]]) -> None:
        self.order = asyncio.Lock()
        self.tip: Tip | None = None
        self.commits = CommitLane(commit)


class EventLog(ABC):
    """Append-only storage of events. Everything that callers read has been checked against the hash chain.

    Callers use ``append``, ``conduct``, ``read``, ``follow``, ``runs`` and the commands. An implementation provides the
    underscored methods and must guarantee:

    - ``_commit`` makes consecutive records of a run durable, all or none of them. It succeeds only if the first follows
      the stored head exactly (sequence and ``prev_hash``) and no event id is in the log already. It may be called
      concurrently for different runs, and by several processes; the store decides which commit comes first.
    - ``_commit`` waits out an outage and logs it. When a commit with a lost acknowledgement is retried, it is
      recognised as done.
    - ``_records`` yields the stored records in stored order, unchecked.
    - ``_niche_marks`` yields the records for which ``is_mark`` is true, of every run that has the niche, run by run and
      in order. It finds them through an index, so that starting a run takes no longer in a large log than in a small
      one.
    - ``_traces`` yields the records of a run for which ``is_trace`` is true, newest first. The default reads the whole
      run; a store that can read backwards overrides it.
    - ``_hold`` is exclusive among living processes and ends with the process that holds it, even if that process is
      killed.
    - ``_watch`` wakes its caller after every commit and command of the run, from any process, without polling.
    - Nothing updates or deletes records; the interface has no method for it.
    """

    guarantees: Guarantees = Guarantees()
    outages: tuple[type[MendelError], ...] = (DatabaseUnavailable,)
    """Errors that a follower waits out: the end of an outage wakes it like any other change."""

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
        """Wait for commits in flight and release the store."""
        for lane in list(self._lanes.values()):
            await lane.commits.idle()
        self._lanes.clear()

    # --- writing ---------------------------------------------------------------------------------------------

    async def append(self, run_id: str, drafts: Sequence[EventDraft], *, expected: int) -> tuple[Event, ...]:
        """Store ``drafts`` as the events ``expected``, ``expected + 1``, … of the run, and return the stored events.

        Calls may overlap: a batch may be appended before the previous one is durable. If the events at ``expected``
        already have the ids of this batch, it is a retry after a lost acknowledgement, and the call succeeds.

        Raises:
            ContractError: a draft may not be stored; nothing of the batch was stored.
            BlobMissing: a draft refers to a blob that is not stored.
            SequenceConflict: another event is at ``expected``, or an event before it is missing.
            DuplicateEventId: an id is already used elsewhere in the log.
        """
        return await self._place(run_id, await self._sealed(run_id, drafts), expected)

    @asynccontextmanager
    async def conduct(
        self, run_id: str, *, conductor: str, check: Callable[[], Awaitable[None]] | None = None
    ) -> AsyncIterator[RunWriter]:
        """Become the run's only writer and fence off the previous one.

        ``check`` is awaited while the run is held, before the takeover is recorded: if it raises, the log stays
        unchanged.

        Raises:
            RunBusy: a living conductor holds the run.
            RunNotFound: the run has no events.
            LogIntegrityError: the log ends before the last event that its checkpoint has seen.
        """
        async with self._hold(run_id):
            self._lanes.pop(run_id, None)  # another process may have appended since this one did
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
        """Hold ``name``, which has the form of a run id, exclusively among living processes.

        Several processes may be asked to start the same run at once, before it has an id. The claim lets one of them
        start it.

        Raises:
            RunBusy: another process holds the name.
        """
        _require_known_form(name)
        return self._hold(name)

    async def import_records(self, run_id: str, records: Sequence[Record]) -> None:
        """Store records unchanged. For imports, which have checked them.

        Raises:
            SequenceConflict: they do not follow the stored records.
        """
        self._lanes.pop(run_id, None)  # the lane does not see that the import moves the tip
        await self._commit_and_remember(run_id, records)

    # --- reading ---------------------------------------------------------------------------------------------

    async def tip(self, run_id: str) -> Tip:
        """Return the position of the run's next event; a run without events starts at 0.

        Raises:
            RunNotFound: ``run_id`` does not have the form of a run id.
        """
        _require_known_form(run_id)
        return await self._load_tip(run_id)

    async def records(self, run_id: str, start: int = 0) -> AsyncIterator[Sequence[Record]]:
        """Yield checked records from ``start`` on, in chunks.

        Raises:
            LogIntegrityError: at the first record that differs from the one written.
        """
        _require_known_form(run_id)
        checker = ChainChecker(start)
        async for chunk in self._records(run_id, start):
            checker.check_all(chunk)
            yield chunk

    async def read(self, run_id: str, start: int = 0) -> AsyncGenerator[Event, None]:
        """Yield the run's events from ``start`` on, each checked against the chain. It never sorts and never skips.

        Raises:
            LogIntegrityError: with the reason ``gap``, ``out_of_order``, ``schema_too_new``, ``altered``,
                ``chain_broken`` or ``unreadable``.
        """
        async for chunk in self.records(run_id, start):
            for record in chunk:
                yield event_of(record)

    async def follow(self, run_id: str, start: int = 0) -> AsyncGenerator[Event, None]:
        """Yield the run's events from ``start`` on, then new ones as they arrive; it ends when the caller stops.

        An outage of the database is waited out: its end wakes the follower like any other change.
        """
        async with self._watch(run_id) as changed:  # before the first read, so that no commit is missed
            while True:
                with suppress(*self.outages):
                    async for event in self.read(run_id, start):
                        yield event
                        start = event.sequence + 1  # after an outage, continue behind the last event that was yielded
                await changed()

    async def runs(self) -> tuple[RunOverview, ...]:
        """Return every run of the log, newest first (ids sort by time). A damaged run is listed with its damage."""
        overviews = [_overview(glimpse) async for glimpse in self._glimpses()]
        return tuple(sorted(overviews, key=lambda run: run.run_id, reverse=True))

    async def runs_in(self, niche: str) -> tuple[NicheRun, ...]:
        """Return the runs that have ``niche``, oldest first, with their state in it. No run is read whole."""
        return niche_runs(niche, [record async for chunk in self._niche_marks(niche) for record in chunk])

    async def newest_looks(self, run_id: str, most: int) -> tuple[SeenCandidate, ...]:
        """Return at most ``most`` candidates of the run that have recorded vectors, newest first.

        A damaged run counts as far as it can be read from its end.
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
        """Yield the records as they are stored, without any check; for verification."""
        _require_known_form(run_id)
        async for chunk in self._records(run_id, 0):
            yield chunk

    # --- commands --------------------------------------------------------------------------------------------

    async def submit(self, command: NewCommand) -> Command:
        """Leave a command for the run's conductor. Submitting it again is a no-op.

        Raises:
            RunNotFound: there is no such run.
            ContractError: its payload may not be stored.
        """
        await self._existing_tip(command.run_id)
        return await self._store_command(command, self._sealer.object(command.payload), self._clock())

    @abstractmethod
    async def commands(self, run_id: str, after: int = 0) -> tuple[Command, ...]:
        """Return the run's commands at positions above ``after``, in order."""

    async def follow_commands(self, run_id: str, after: int = 0) -> AsyncGenerator[Command, None]:
        """Yield the run's commands at positions above ``after``, then new ones as they arrive."""
        async with self._watch_commands(run_id) as changed:
            while True:
                with suppress(*self.outages):
                    for command in await self.commands(run_id, after):
                        yield command
                        after = command.position
                await changed()

    # --- what an implementation provides ---------------------------------------------------------------------

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
        """Like ``_watch``; a store that can tell commands from commits may skip wake-ups for commits."""
        return self._watch(run_id)

    @abstractmethod
    async def _store_command(self, command: NewCommand, payload: bytes, issued_at: datetime) -> Command: ...

    # --- how a batch gets its sequence numbers ---------------------------------------------------------------

    async def _place(self, run_id: str, batch: Sequence[Sealed], expected: int) -> tuple[Event, ...]:
        if not batch:
            return ()
        lane = self._lane(run_id)
        async with lane.order:
            # Another handle may have appended, so let our own commits land before reading the stored tip.
            if lane.tip is None or lane.tip.next != expected:
                await lane.commits.idle()
                lane.tip = await self._load_tip(run_id)
            if lane.tip.next != expected:
                return await self._already_there(run_id, batch, expected)
            # Chained in memory, so that the next batch need not wait until this one is durable.
            records, lane.tip = chain(run_id, batch, lane.tip, self._clock())
            durable = lane.commits.submit(records)
        try:
            await durable  # cancelling the caller here drops the acknowledgement, not the batch
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
        """Wait for the commits of a cancelled caller, so that they cannot collide with the next conductor.

        An outage is not waited out: the caller may be ending because of it.
        """
        if run_id in self._lanes:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._lanes[run_id].commits.idle(), _SETTLES_S)

    async def _commit_and_remember(self, run_id: str, records: Sequence[Record]) -> None:
        await self._commit(run_id, records)
        last = records[-1]
        await self.checkpoints.put(run_id, Head(sequence=last.sequence, hash=last.hash))

    async def _already_there(self, run_id: str, batch: Sequence[Sealed], expected: int) -> tuple[Event, ...]:
        """Return the stored events if ``batch`` is already stored at ``expected``."""
        stop = expected + len(batch)
        stored = [record async for chunk in self._records(run_id, expected, stop) for record in chunk]
        if [record.event_id for record in stored] == [sealed.draft.id for sealed in batch]:
            return tuple(event_of(record) for record in stored)
        tip = await self._load_tip(run_id)
        self._lanes.pop(run_id, None)
        raise SequenceConflict(f"run {run_id} continues at sequence {tip.next}, not at {expected}; read on and retry")

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
                "tail_cut", tip.next, f"the log ends before sequence {seen.sequence}, which its checkpoint has seen"
            )


class RunWriter:
    """The right to append to one run, until another writer takes the run over.

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

        If a draft breaks a contract, it is refused and the writer stays usable. After any other failure the writer has
        ended: the batches in flight behind the failed one were refused too, and the run must be conducted again.

        Raises:
            WriterFenced: the run was taken over, or an earlier append of this writer failed.
        """
        async with self._order:
            if self._ended is not None:
                raise WriterFenced(f"this writer of run {self.run_id} has ended: {self._ended}") from self._ended
            batch = await self._log._sealed(self.run_id, drafts)
            # Reserved before the batch is durable, so that appends may overlap.
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
    """Refuse an id that could not be used for reading, so that nothing is stored under it."""
    try:
        known = parse_run_id(run_id) == run_id
    except ValueError:
        known = False
    if not known:
        raise InvalidPayload(f"{run_id!r} is not the id of a run, which is a UUID in lower case")


def _beginning(first: Record) -> tuple[Payload | None, str | None]:
    """Return the payload of the run's first event, or a description of the damage."""
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
