"""The two logs, opened by the writer that is to die and by whoever looks afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.chaos import marks

from mendel.adapters.file.checkpoints import FileCheckpoints
from mendel.adapters.file.event_log import FileEventLog
from mendel.adapters.postgres import schema
from mendel.adapters.postgres.database import Database
from mendel.adapters.postgres.embedded import EmbeddedServer, pidfile
from mendel.adapters.postgres.embedded.places import Places
from mendel.adapters.postgres.event_log import PostgresEventLog
from mendel.conformance.samples import sample_payloads
from mendel.ports.event_log import EventLog
from mendel.ports.records import Record

Backend = Literal["postgres", "file"]


@dataclass(frozen=True)
class Home:
    """A log's folder."""

    backend: Backend
    folder: Path

    @property
    def server(self) -> EmbeddedServer:
        return EmbeddedServer(self.folder)

    @property
    def checkpoints(self) -> FileCheckpoints:
        return FileCheckpoints(self.folder / "checkpoints")

    def prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.backend == "postgres":
            self.server.ensure()
            schema.prepare(self.server.conninfo(), may_log_in=True)

    def open_to_look(self) -> EventLog:
        """A log that starts no server: bringing it back is the writer's business."""
        if self.backend == "file":
            return FileEventLog(self.folder, payloads=sample_payloads())
        database = Database(self.server.conninfo(user="mendel_runtime"))
        return PostgresEventLog(database, checkpoints=self.checkpoints, payloads=sample_payloads())

    def open_to_write(self, descriptor: int) -> EventLog:
        """A log that marks its commits."""
        if self.backend == "file":
            _mark_syncs(descriptor)
            log: EventLog = _MarkedFileLog(self.folder, payloads=sample_payloads())
        else:
            server = self.server
            database = Database(server.conninfo(user="mendel_runtime"), revive=server.ensure)
            log = _MarkedPostgresLog(database, checkpoints=self.checkpoints, payloads=sample_payloads())
        log.descriptor = descriptor  # type: ignore[attr-defined]
        return log

    def processes(self) -> list[int]:
        """The server's processes, the first one first, told by their tag, which other mount namespaces see too."""
        places = Places(self.folder.resolve())
        tag, found = places.tag.encode(), pidfile.read(places.data())
        pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal() and _carries(entry, tag)]
        return sorted(pids, key=lambda pid: (found is None or pid != found.pid, pid))

    def clear(self) -> None:
        """End whatever still runs here, and remove its socket."""
        if self.backend == "file":
            return
        while pids := self.processes():
            kill(pids)
            time.sleep(0.01)
        shutil.rmtree(Places(self.folder.resolve()).socket_dir, ignore_errors=True)


class _MarkedCommits(EventLog):
    descriptor: int

    async def _commit(self, run_id: str, records: Sequence[Record]) -> None:
        marks.send(self.descriptor, marks.BEGIN)
        await super()._commit(run_id, records)  # type: ignore[safe-super]
        marks.send(self.descriptor, marks.END)


class _MarkedPostgresLog(_MarkedCommits, PostgresEventLog):
    pass


class _MarkedFileLog(_MarkedCommits, FileEventLog):
    pass


def _mark_syncs(descriptor: int) -> None:
    sync = os.fdatasync

    def marked(written: int) -> None:
        marks.send(descriptor, marks.SYNC)
        sync(written)

    os.fdatasync = marked


def kill(pids: Sequence[int]) -> int:
    """SIGKILL, as close together as they can be sent; how many still lived."""
    killed = 0
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
        killed += 1
    return killed


def _carries(process: Path, tag: bytes) -> bool:
    try:
        return tag in (process / "cmdline").read_bytes()
    except OSError:
        return False
