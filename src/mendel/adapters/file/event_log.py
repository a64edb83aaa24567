"""The event log in plain files: each run is one self-contained file that can be copied or mailed."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from datetime import datetime
from itertools import islice
from pathlib import Path
from uuid import UUID

from mendel.adapters.file.blobs import FileBlobs
from mendel.adapters.file.checkpoints import FileCheckpoints
from mendel.adapters.file.commands import CommandFile
from mendel.adapters.file.run_index import RunIndex, type_of
from mendel.adapters.file.storage import FULL, append_durably, locked, make_folder, opened, storage_error, sync_folder
from mendel.adapters.file.watch import watch_folder
from mendel.contracts.commands import Command, NewCommand
from mendel.contracts.errors import (
    DuplicateEventId,
    LogIntegrityError,
    RunBusy,
    RunFileError,
    SequenceConflict,
    StorageError,
)
from mendel.contracts.log_views import Head
from mendel.contracts.payloads import PAYLOADS, PayloadRegistry
from mendel.contracts.scrub import Scrubber
from mendel.contracts.times import utc_now
from mendel.ports.event_log import Changed, Damaged, EventLog, Glimpse, Guarantees
from mendel.ports.niche_runs import has_niche
from mendel.ports.outages import Outage
from mendel.ports.recorded_looks import is_trace
from mendel.ports.records import Record, Tip, blob_hashes
from mendel.ports.run_file import SUFFIX, blob_line, end_line, event_line, header_line, parse_line

_CHUNK = 1_000  # events per read
_BLOCK = 1 << 20  # bytes per read, from the end


class FileEventLog(EventLog):
    """Stores each run in a run file below ``folder``, synced to disk before a commit is acknowledged.

    It needs no server. Event ids are checked for uniqueness within a run, but not across runs: an id that is reused
    in another run is not noticed.
    """

    guarantees = Guarantees(ids_unique_across_runs=False)

    def __init__(
        self,
        folder: Path,
        *,
        checkpoints: FileCheckpoints | None = None,
        scrubber: Scrubber | None = None,
        payloads: PayloadRegistry = PAYLOADS,
        clock: Callable[[], datetime] = utc_now,
        patience_s: float | None = None,
    ) -> None:
        super().__init__(
            blobs=FileBlobs(folder / "blobs", scrubber),
            checkpoints=checkpoints or FileCheckpoints(folder / "checkpoints"),
            scrubber=scrubber,
            payloads=payloads,
            clock=clock,
        )
        self._folder = folder
        self._patience_s = patience_s
        self._indexes: dict[str, RunIndex] = {}
        self._closing = False

    async def close(self) -> None:
        """Wait for commits in flight, unless the disk is full."""
        self._closing = True
        await super().close()

    async def commands(self, run_id: str, after: int = 0) -> tuple[Command, ...]:
        """Return the run's commands with a position above ``after``, in order."""
        return await asyncio.to_thread(self._command_file(run_id).read, after)

    async def _commit(self, run_id: str, records: Sequence[Record]) -> None:
        outage = Outage("the log's disk", self._patience_s)
        lines = b"".join([line async for line in self._lines_of(run_id, records)])
        while True:
            try:
                await asyncio.to_thread(self._write, run_id, records, lines)
            except OSError as error:
                if error.errno not in FULL:
                    raise storage_error(self._path(run_id), error) from error
                await outage.pause(str(error.strerror), StorageError, closing=self._closing)
            else:
                outage.over()
                return

    async def _lines_of(self, run_id: str, records: Sequence[Record]) -> AsyncIterator[bytes]:
        """Yield the lines of the commit; they include the blobs, so that the file is self-contained."""
        known = set((await asyncio.to_thread(self._refreshed, run_id)).blobs)
        for record in records:
            for name in blob_hashes(record.payload):
                if name not in known:
                    known.add(name)
                    yield blob_line(name, await self.blobs.get(name))
            yield event_line(record)
        yield end_line(Head(sequence=records[-1].sequence, hash=records[-1].hash))

    def _write(self, run_id: str, records: Sequence[Record], lines: bytes) -> None:
        make_folder(self._folder)
        with opened(self._path(run_id), os.O_RDWR | os.O_CREAT) as descriptor, locked(descriptor):
            index = self._sound(run_id)  # again, under the lock: another process may have written
            _require_place(index, records)
            if index.size == 0:
                sync_folder(self._folder)  # the file is new: its name must be durable, too
                lines = header_line(run_id) + lines
            # Anything after the last closed commit was never acknowledged: its writer died before finishing it.
            os.ftruncate(descriptor, index.size)
            append_durably(descriptor, lines, index.size)
            index.refresh()

    async def _load_tip(self, run_id: str) -> Tip:
        return (await asyncio.to_thread(self._sound, run_id)).tip

    def _sound(self, run_id: str) -> RunIndex:
        """Return the index of a run that can be appended to.

        Raises:
            LogIntegrityError: the file is inconsistent.
        """
        index = self._refreshed(run_id)
        if index.damage is not None:
            raise index.damage
        return index

    def _refreshed(self, run_id: str) -> RunIndex:
        index = self._indexes.setdefault(run_id, RunIndex(self._path(run_id)))
        try:
            index.refresh()
        except OSError as error:
            raise storage_error(index.path, error) from error
        except LogIntegrityError:
            self._indexes.pop(run_id, None)  # the next call rebuilds it from the start
            raise
        return index

    async def _records(self, run_id: str, start: int, stop: int | None = None) -> AsyncIterator[Sequence[Record]]:
        index = await asyncio.to_thread(self._refreshed, run_id)
        reader = _read(index, start, stop)
        while chunk := await asyncio.to_thread(_take, reader):
            yield chunk

    async def _glimpses(self) -> AsyncIterator[Glimpse | Damaged]:
        for run_id in await asyncio.to_thread(self._run_ids):
            try:
                index = await asyncio.to_thread(self._sound, run_id)
                if index.tip.next:
                    yield _glimpse(index)
            except LogIntegrityError as error:
                yield Damaged(run_id, str(error))

    async def _niche_marks(self, niche: str) -> AsyncIterator[Sequence[Record]]:
        for run_id in await asyncio.to_thread(self._run_ids):
            with suppress(LogIntegrityError):  # readers of the run get the error; its sound part counts here
                if marks := await asyncio.to_thread(self._marks_in, run_id, niche):
                    yield marks

    def _marks_in(self, run_id: str, niche: str) -> list[Record]:
        index = self._refreshed(run_id)
        if not index.marks or not has_niche(_record_at(index, index.marks[0]), niche):
            return []
        return [_record_at(index, offset) for offset in index.marks]

    async def _traces(self, run_id: str) -> AsyncGenerator[Sequence[Record], None]:
        index = await asyncio.to_thread(self._refreshed, run_id)
        reader = _traces_backwards(index)
        while chunk := await asyncio.to_thread(_take, reader):
            yield chunk

    def _run_ids(self) -> list[str]:
        try:
            names = sorted(entry.name for entry in os.scandir(self._folder) if entry.name.endswith(SUFFIX))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise storage_error(self._folder, error) from error
        return [name.removesuffix(SUFFIX) for name in names if _is_uuid(name.removesuffix(SUFFIX))]

    @asynccontextmanager
    async def _hold(self, run_id: str) -> AsyncIterator[None]:
        make_folder(self._folder)
        with opened(self._folder / f"{run_id}.lock", os.O_RDWR | os.O_CREAT) as descriptor:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise RunBusy(f"run {run_id} is being conducted by another living process") from error
            yield

    def _watch(self, run_id: str) -> AbstractAsyncContextManager[Changed]:
        make_folder(self._folder)
        return watch_folder(self._folder, run_id)

    async def _store_command(self, command: NewCommand, payload: bytes, issued_at: datetime) -> Command:
        return await asyncio.to_thread(self._command_file(command.run_id).add, command, payload, issued_at)

    def _path(self, run_id: str) -> Path:
        return self._folder / f"{UUID(run_id)}{SUFFIX}"

    def _command_file(self, run_id: str) -> CommandFile:
        return CommandFile(self._folder / f"{UUID(run_id)}.commands")


def _require_place(index: RunIndex, records: Sequence[Record]) -> None:
    first, tip = records[0], index.tip
    if (tip.next, tip.hash) != (first.sequence, first.prev_hash):
        raise SequenceConflict(f"run {first.run_id} continues at sequence {tip.next}, not at {first.sequence}")
    ids = {record.event_id for record in records}
    if len(ids) < len(records) or not ids.isdisjoint(index.event_ids):
        raise DuplicateEventId("the log already contains an event id of the batch")


def _read(index: RunIndex, start: int, stop: int | None) -> Iterator[Record]:
    """Yield the events of closed commits from ``start`` on, in file order."""
    offset, expected = index.offset_of(start), start
    for line in _closed_lines(index, offset):
        try:
            parsed = parse_line(line, 0)
        except RunFileError as error:
            raise LogIntegrityError("unreadable", expected, f"{index.path}: not a line of a run file") from error
        if isinstance(parsed, Record) and parsed.sequence >= start:
            if stop is not None and parsed.sequence >= stop:
                return
            yield parsed
            expected = parsed.sequence + 1
    if index.damage is not None:
        raise index.damage


def _closed_lines(index: RunIndex, offset: int) -> Iterator[bytes]:
    end = index.size  # fixed here: bytes read ahead of a later end may have been replaced since
    if offset >= end:
        return
    with index.path.open("rb") as stream:
        stream.seek(offset)
        for line in stream:
            offset += len(line)
            if offset > end:
                return
            yield line


def _traces_backwards(index: RunIndex) -> Iterator[Record]:
    """Yield the traces in the file, last first; unreadable lines are skipped."""
    for line in _lines_backwards(index):
        if is_trace(type_of(line), line):
            with suppress(RunFileError):
                parsed = parse_line(line, 0)
                if isinstance(parsed, Record):
                    yield parsed


def _lines_backwards(index: RunIndex) -> Iterator[bytes]:
    end, rest = index.size, b""
    if not end:
        return
    with index.path.open("rb") as stream:
        while end:
            start = max(0, end - _BLOCK)
            stream.seek(start)
            rest, *lines = (stream.read(end - start) + rest).splitlines(keepends=True)
            yield from reversed(lines)
            end = start
    yield rest  # the first line of the file


def _take(reader: Iterator[Record]) -> list[Record]:
    return list(islice(reader, _CHUNK))


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def _glimpse(index: RunIndex) -> Glimpse:
    return Glimpse(_record_at(index, index.first_offset), _record_at(index, index.last_offset), index.milestone)


def _record_at(index: RunIndex, offset: int) -> Record:
    with index.path.open("rb") as stream:
        stream.seek(offset)
        line = stream.readline()
    try:
        record = parse_line(line, 0)
    except RunFileError as error:
        raise LogIntegrityError("unreadable", 0, f"{index.path} has no event at byte {offset}") from error
    if not isinstance(record, Record):
        raise LogIntegrityError("unreadable", 0, f"{index.path} has no event at byte {offset}")
    return record
