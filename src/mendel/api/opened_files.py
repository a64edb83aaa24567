"""Runs that somebody opened from a file: read-only, in memory, apart from the log that is served."""

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
    """Where one opened run is kept: a log and rows of its own."""

    log: EventLog
    models: ReadModels


@dataclass(frozen=True)
class OpenedFile:
    """A run that was opened from a file."""

    file_id: str
    digest: str
    run_id: str
    events: int
    blobs: int
    opened_at: datetime
    warnings: Sequence[str]
    source: RunSource


class OpenedFiles(Closing):
    """The files that are open; of more than ``most``, the one that nobody has looked at for longest is closed."""

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
        """What was opened with that idempotency key; none where nothing was, or it is closed again.

        Raises:
            Refused: another file was opened with it.
        """
        known = self._open.get(_id_for(key))
        if known is not None and known.digest != digest:
            told = "another file was opened with this Idempotency-Key; take a new key for another file"
            raise Refused(422, "idempotency_key_reused", told)
        return known

    async def open(self, path: Path, key: str, digest: str) -> OpenedFile:
        """Read the whole file, check it, and keep its run; the file itself is not needed afterwards.

        Raises:
            Refused: it is damaged, or holds what may not be shown; the message says where.
        """
        shelf = self._shelf()
        moved = await asyncio.to_thread(self._read, path, shelf)
        source = RunSource(shelf.log, shelf.models, self._wording)
        row = await source.row(moved.run_id, "runs", moved.run_id)
        over = row is not None and row.values.get("ended") is not None
        warnings = [] if over else ["the run was not over when it was exported: what came after that is not here"]
        opened = OpenedFile(
            _id_for(key), digest, moved.run_id, moved.events, moved.blobs, utc_now(), tuple(warnings), source
        )
        self._open[opened.file_id] = opened
        while len(self._open) > self._most:
            _, oldest = self._open.popitem(last=False)
            await _let_go(oldest)
        return opened

    def list(self) -> list[OpenedFile]:
        """Those that are open, the one looked at last first."""
        return list(reversed(self._open.values()))

    def source(self, file_id: str) -> RunSource:
        """Where the run of a file is read.

        Raises:
            Refused: no such file is open.
        """
        if file_id not in self._open:
            raise Refused(404, "file_not_open", f"no file {file_id[:40]!r} is open; open it again with POST /api/files")
        self._open.move_to_end(file_id)
        return self._open[file_id].source

    async def close(self, file_id: str) -> None:
        """Forget a file; raises as ``source``."""
        self.source(file_id)
        await _let_go(self._open.pop(file_id))

    async def aclose(self) -> None:
        """Forget all of them."""
        files = list(self._open.values())
        self._open.clear()
        for each in files:
            await _let_go(each)

    def _read(self, path: Path, shelf: Shelf) -> Transferred:
        """In a thread: a long file keeps nobody waiting."""
        try:
            checked = check_run_file(path, self._scrubber)
            return asyncio.run(self._kept(path, shelf, checked))
        except (RunFileError, ImportRefused) as error:
            raise Refused(422, "run_file", str(error).replace(str(path), "the file")) from error

    async def _kept(self, path: Path, shelf: Shelf, checked: Transferred) -> Transferred:
        moved = await import_run(shelf.log, path, self._scrubber, checked=checked)
        await Projector(shelf.log, shelf.models, moved.run_id, wording=self._wording).catch_up()
        return moved


def _id_for(key: str) -> str:
    return hashlib.blake2b(key.encode(), digest_size=8, person=b"file").hexdigest()


async def _let_go(opened: OpenedFile) -> None:
    await opened.source.aclose()
    await opened.source.models.aclose()
    await opened.source.log.close()
