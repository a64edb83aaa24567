"""Checkpoints as small files, next to the log but not part of it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import structlog

from mendel.adapters.file.storage import make_folder, opened
from mendel.contracts.log_views import Head
from mendel.ports.checkpoints import Checkpoints

_log = structlog.get_logger(__name__)
_RUN_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LINE = re.compile(rb"(\d{20}) ([0-9a-f]{64})\n")  # sequence and hash


class FileCheckpoints(Checkpoints):
    """One file with one line per run.

    The line always has the same length and is written in place by one system call. So a full disk cannot prevent the
    write, and a reader never sees half of it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def put(self, run_id: str, head: Head) -> None:
        """Store ``head``; a failed write is logged and never fails the append."""
        line = b"%020d %b\n" % (head.sequence, head.hash.encode())
        try:
            self._write(run_id, line)
        except OSError as error:
            _log.warning("checkpoint_not_written", run_id=run_id, reason=error.strerror)

    async def get(self, run_id: str) -> Head | None:
        """Return the last head that was stored here."""
        try:
            found = _LINE.fullmatch((self._folder / run_id).read_bytes())
        except OSError:
            return None
        return Head(sequence=int(found[1]), hash=found[2].decode()) if found else None

    async def run_ids(self) -> frozenset[str]:
        """Return the runs with a checkpoint."""
        try:
            return frozenset(entry.name for entry in os.scandir(self._folder) if _RUN_ID.fullmatch(entry.name))
        except OSError:
            return frozenset()

    def _write(self, run_id: str, line: bytes) -> None:
        flags = os.O_WRONLY | os.O_CREAT
        try:
            with opened(self._folder / run_id, flags) as descriptor:
                os.pwrite(descriptor, line, 0)
        except FileNotFoundError:
            make_folder(self._folder)
            with opened(self._folder / run_id, flags) as descriptor:
                os.pwrite(descriptor, line, 0)
