"""Export and import: a run with its blobs as one file, transferred without changing a byte."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

import orjson

from mendel.contracts.canonical import check_shape, check_size
from mendel.contracts.errors import (
    ContractError,
    ImportRefused,
    LogIntegrityError,
    RunFileError,
    RunNotFound,
    StorageError,
)
from mendel.contracts.log_views import Head
from mendel.contracts.scrub import Scrubber
from mendel.ports.blobs import hash_of
from mendel.ports.event_log import EventLog
from mendel.ports.progress import Progress, no_progress
from mendel.ports.records import ChainChecker, Record, blob_hashes, event_of
from mendel.ports.run_file import (
    MAX_LINE_BYTES,
    Blob,
    End,
    Header,
    Line,
    blob_line,
    end_line,
    event_line,
    header_line,
    parse_line,
)

_BATCH = 500  # events per commit of an import


class Transferred(NamedTuple):
    """The result of an export or import. ``added`` is 0 when an import found everything in the log already."""

    run_id: str
    events: int
    blobs: int
    head: Head
    added: int


async def export_run(log: EventLog, run_id: str, target: BinaryIO, progress: Progress = no_progress) -> Transferred:
    """Write the run to ``target``, from the log alone.

    Raises:
        RunNotFound: there is no such run.
        LogIntegrityError, BlobMissing, BlobAltered: the log differs from what was written, so it is not exported.
    """
    target.write(header_line(run_id))
    known: set[str] = set()
    last: Record | None = None
    async for chunk in log.records(run_id):
        for record in chunk:
            await _export_blobs(log, record, known, target)
            target.write(event_line(record))
        last = chunk[-1]
        progress(last.sequence + 1)
    if last is None:
        raise RunNotFound(f"there is no run {run_id} in this log; `mendel runs` lists those there are")
    await _refuse_cut_tail(log, run_id, last)
    head = Head(sequence=last.sequence, hash=last.hash)
    target.write(end_line(head))
    return Transferred(run_id, last.sequence + 1, len(known), head, last.sequence + 1)


async def _refuse_cut_tail(log: EventLog, run_id: str, last: Record) -> None:
    """Refuse to export a run with a cut end: the end line would make it look complete."""
    seen = await log.checkpoints.get(run_id)
    if seen is not None and seen.sequence > last.sequence:
        detail = f"the log ends here, but its checkpoint saw events up to sequence {seen.sequence}"
        raise LogIntegrityError("tail_cut", last.sequence + 1, detail)


async def _export_blobs(log: EventLog, record: Record, known: set[str], target: BinaryIO) -> None:
    for name in blob_hashes(record.payload):
        if name not in known:
            known.add(name)
            target.write(blob_line(name, await log.blobs.get(name)))


async def import_run(
    log: EventLog,
    source: Path,
    scrubber: Scrubber,
    progress: Progress = no_progress,
    checked: Transferred | None = None,
) -> Transferred:
    """Import a run file into the log. The whole file is checked before its first byte is stored.

    Importing the same run again succeeds; a run that is in the log in part is completed. A caller that has already
    called ``check_run_file`` passes its result as ``checked``.

    Raises:
        RunFileError: the file is truncated, reordered or not a run file.
        ImportRefused: the log has a different run with that id, or the file contains data that may not enter a log.
    """
    checked = checked or check_run_file(source, scrubber)
    known = await _common_prefix(log, source, checked)
    batch: list[Record] = []
    for line in _lines(source):
        if isinstance(line, Blob):
            await log.blobs.restore(line.name, line.data)
        elif isinstance(line, Record) and line.sequence >= known:
            batch.append(line)
        if len(batch) == _BATCH:
            await log.import_records(checked.run_id, batch)
            progress(batch[-1].sequence + 1)
            batch = []
    if batch:
        await log.import_records(checked.run_id, batch)
    return checked._replace(added=max(0, checked.events - known))  # the log may have more events than the file


def check_run_file(source: Path, scrubber: Scrubber | None = None, progress: Progress = no_progress) -> Transferred:
    """Read a whole run file and check all that can be checked without a log.

    Raises:
        RunFileError: it is truncated, reordered, altered or not a run file.
        ImportRefused: it contains a secret that ``scrubber`` detects, or an event above the size limit.
    """
    state = _FileChecker(source, scrubber or Scrubber())
    for number, line in enumerate(_lines(source)):
        try:
            state.take(line)
        except (RunFileError, ImportRefused) as error:
            raise type(error)(f"{error} (line {number + 1})") from error
        if number % _BATCH == 0:
            progress(number)
    return state.finish()


class _FileChecker:
    """Takes the lines of a run file one by one and refuses the first one that is out of place."""

    def __init__(self, source: Path, scrubber: Scrubber) -> None:
        self._source = source
        self._scrubber = scrubber
        self._chain = ChainChecker()
        self._run_id: str | None = None
        self._blobs: set[str] = set()
        self._fresh: list[str] = []  # blobs since the last event
        self._ids: set[str] = set()
        self._head: Head | None = None
        self._ended = False

    def take(self, line: Line) -> None:
        if (self._run_id is None) != isinstance(line, Header):
            raise RunFileError(f"{self._source}: not a run file: the first line, and only that one, must name the run")
        self._ended = isinstance(line, End)
        match line:
            case Header(run_id):
                self._run_id = run_id
            case Blob():
                self._take_blob(line)
            case Record():
                self._take_record(line)
            case End(head):
                if head != self._head or self._fresh:
                    raise RunFileError(f"{self._source}: events are missing before an end line: truncated or reordered")

    def _take_blob(self, blob: Blob) -> None:
        if hash_of(blob.data) != blob.name:
            raise RunFileError(f"{self._source}: the blob {blob.name} was altered")
        if self._scrubber.bytes(blob.data) != blob.data:
            raise ImportRefused(f"{self._source}: the blob {blob.name} contains a secret and may not enter a log")
        self._fresh.append(blob.name)

    def _take_record(self, record: Record) -> None:
        try:
            self._chain.check(record)
            event_of(record)
        except LogIntegrityError as error:
            raise RunFileError(f"{self._source}: {error}") from error
        if record.run_id != self._run_id:
            raise RunFileError(f"{self._source}: event {record.sequence} belongs to the run {record.run_id}")
        if record.event_id in self._ids:
            raise RunFileError(f"{self._source}: event {record.sequence} repeats the id {record.event_id}")
        self._ids.add(record.event_id)
        self._check_blobs(record)
        self._check_content(record)
        self._head = Head(sequence=record.sequence, hash=record.hash)

    def _check_content(self, record: Record) -> None:
        """Apply the checks that ``append`` would have applied to the event."""
        value = orjson.loads(record.payload)
        try:
            check_shape(value)
            check_size(record.payload, f"payload of event {record.sequence}")
        except ContractError as error:
            raise ImportRefused(f"{self._source}: {error}") from error
        secret = self._scrubber.suspects(record.payload) and self._scrubber.value(value) != value
        texts = (record.correlation_id, record.trace_id, record.observation_id)
        ids = (record.generation_id, record.genome_id, record.candidate_id, record.operation_id)
        if secret or any(text is not None and self._scrubber.text(text) != text for text in (*texts, *ids)):
            raise ImportRefused(f"{self._source}: event {record.sequence} contains a secret and may not enter a log")

    def _check_blobs(self, record: Record) -> None:
        """Check that each blob is right before the first event that refers to it, and nowhere else."""
        wanted = [name for name in dict.fromkeys(blob_hashes(record.payload)) if name not in self._blobs]
        if absent := set(wanted) - set(self._fresh):
            raise RunFileError(f"{self._source}: event {record.sequence} refers to {min(absent)}, which is missing")
        if wanted != self._fresh:
            raise RunFileError(f"{self._source}: event {record.sequence} does not refer to the blob before it")
        self._blobs.update(wanted)
        self._fresh = []

    def finish(self) -> Transferred:
        if self._run_id is None or self._head is None:
            raise RunFileError(f"{self._source}: contains no events")
        if not self._ended:
            raise RunFileError(
                f"{self._source}: has no end line: it was cut off, or its run is still being written "
                "(`mendel log export` makes a complete file of it)"
            )
        return Transferred(self._run_id, self._head.sequence + 1, len(self._blobs), self._head, 0)


async def _common_prefix(log: EventLog, source: Path, checked: Transferred) -> int:
    """Return how many events of the file are already in the log.

    Raises:
        ImportRefused: the log has a different run with that id.
    """
    stored = (await log.tip(checked.run_id)).next
    if stored == 0:
        return 0
    ours = _hashes(log, checked.run_id)  # both are in order, so one pass suffices
    for line in _lines(source):
        if not isinstance(line, Record) or line.sequence >= stored:
            continue
        if await anext(ours) != line.hash:
            raise ImportRefused(
                f"the log has another run {checked.run_id}: it differs from {source} at sequence {line.sequence}"
            )
    return stored


async def _hashes(log: EventLog, run_id: str) -> AsyncIterator[str]:
    async for chunk in log.records(run_id):
        for record in chunk:
            yield record.hash


def _parsed(source: Path, line: bytes, number: int) -> Line:
    try:
        return parse_line(line, number)
    except RunFileError as error:
        raise RunFileError(f"{source}: {error}") from error


def _lines(source: Path) -> Iterator[Line]:
    try:
        with source.open("rb") as stream:
            number = 0
            while line := stream.readline(MAX_LINE_BYTES):
                number += 1
                yield _parsed(source, line, number)
    except OSError as error:
        raise StorageError(f"{source} cannot be read: {error.strerror}") from error
