"""Runs opened from files: read-only, in memory, and separate from the served log."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from mendel.api.idempotency import OneAtATime
from mendel.api.problems import Refused
from mendel.api.projecting import Projector
from mendel.api.source import RunSource
from mendel.contracts.errors import ImportRefused, RunFileError
from mendel.contracts.scrub import Scrubber
from mendel.contracts.step_words import NO_WORDS, Wording
from mendel.contracts.times import utc_now
from mendel.ports.closing import Closing
from mendel.ports.event_log import EventLog
from mendel.ports.read_models import ReadModels
from mendel.ports.transfer import Transferred, check_run_file, import_run

MOST_FILES: Final = 4
MOST_BYTES: Final = 512 << 20


class Shelf(NamedTuple):
    """The storage of one opened run: its own log and rows."""

    log: EventLog
    models: ReadModels


@dataclass(frozen=True)
class OpenedFile:
    """A run opened from a file."""

    file_id: str
    digest: str
    run_id: str
    events: int
    blobs: int
    opened_at: datetime
    warnings: Sequence[str]
    source: RunSource


class OpenedFiles(Closing):
    """The open files; beyond ``most``, the least recently used file is closed."""

    def __init__(
        self,
        shelf: Callable[[], Shelf],
        scrubber: Scrubber,
        wording: Wording = NO_WORDS,
        *,
        most: int = MOST_FILES,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self.most_bytes = most_bytes
        self.keys = OneAtATime()
        self._shelf = shelf
        self._scrubber = scrubber
        self._wording = wording
        self._most = most
        self._open: OrderedDict[str, OpenedFile] = OrderedDict()

    def opened_with(self, key: str, digest: str) -> OpenedFile | None:
        """Return the file opened with an idempotency key, or None if there is none or it has been closed.

        Raises:
            Refused: another file was opened with this key.
        """
        known = self._open.get(_id_for(key))
        if known is not None and known.digest != digest:
            told = "another file was opened with this Idempotency-Key; use a new key for another file"
            raise Refused(422, "idempotency_key_reused", told)
        return known

    async def open(self, path: Path, key: str, digest: str) -> OpenedFile:
        """Read and check the whole file and keep its run; the file itself is not needed afterwards.

        Raises:
            Refused: the file is damaged or contains a secret; the message gives the location.
        """
        shelf = self._shelf()
        moved = await asyncio.to_thread(self._read, path, shelf)
        source = RunSource(shelf.log, shelf.models, self._wording)
        row = await source.row(moved.run_id, "runs", moved.run_id)
        over = row is not None and row.values.get("ended") is not None
        warnings = [] if over else ["the run was exported before its end: later events are missing"]
        opened = OpenedFile(
            _id_for(key), digest, moved.run_id, moved.events, moved.blobs, utc_now(), tuple(warnings), source
        )
        self._open[opened.file_id] = opened
        while len(self._open) > self._most:
            _, oldest = self._open.popitem(last=False)
            await _let_go(oldest)
        return opened

    def list(self) -> list[OpenedFile]:
        """List the open files, most recently used first."""
        return list(reversed(self._open.values()))

    def source(self, file_id: str) -> RunSource:
        """Return the source that reads the run of a file.

        Raises:
            Refused: the file is not open.
        """
        if file_id not in self._open:
            raise Refused(404, "file_not_open", f"no file {file_id[:40]!r} is open; open it again with POST /api/files")
        self._open.move_to_end(file_id)
        return self._open[file_id].source

    async def close(self, file_id: str) -> None:
        """Close a file; raises like ``source``."""
        self.source(file_id)
        await _let_go(self._open.pop(file_id))

    async def aclose(self) -> None:
        """Close all files."""
        files = list(self._open.values())
        self._open.clear()
        for each in files:
            await _let_go(each)

    def _read(self, path: Path, shelf: Shelf) -> Transferred:
        """Read the file; called in a thread, because a long file would block the event loop."""
        try:
            checked = check_run_file(path, self._scrubber)
            return asyncio.run(self._kept(path, shelf, checked))  # this thread has no event loop
        except (RunFileError, ImportRefused) as error:
            raise Refused(422, "run_file", str(error).replace(str(path), "the file")) from error

    async def _kept(self, path: Path, shelf: Shelf, checked: Transferred) -> Transferred:
        moved = await import_run(shelf.log, path, self._scrubber, checked=checked)
        await Projector(shelf.log, shelf.models, moved.run_id, wording=self._wording).catch_up()
        return moved


def _id_for(key: str) -> str:
    return hashlib.blake2b(key.encode(), digest_size=8, person=b"file").hexdigest()  # as FileName demands


async def _let_go(opened: OpenedFile) -> None:
    await opened.source.aclose()
    await opened.source.models.aclose()
    await opened.source.log.close()
