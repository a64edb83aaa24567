"""The disk is really full: a small file system of our own, and a ballast that takes all its room.

The mounts are made in a mount namespace of their own, so nobody else sees them and they end with their last process.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import time
from pathlib import Path
from typing import Final, Literal, Protocol

import psycopg
from tests.chaos.homes import Home
from tests.chaos.ledger import require
from tests.chaos.marks import ACKNOWLEDGED, PAUSED, RESUMED, seen
from tests.chaos.scene import HANG_S, Scene, WriterProcess

Way = Literal["data", "wal"]

SIZES: Final = {"postgres": "192m", "file": "96m"}
_NAMESPACES: Final = (("--user", "--map-root-user", "--mount"), ("--mount",))
_ROOM_FOR_NO_SEGMENT: Final = 6 << 20
_BLOCK: Final = 4096
_HOLD_S: Final = (0.2, 1.5)


def namespace() -> list[str] | None:
    """The command before a command that gives it a mount namespace; None where none can be had."""
    for kinds in _NAMESPACES:
        command = ["unshare", *kinds]
        probe = [*command, "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", "/mnt"]
        if shutil.which("unshare") and subprocess.run(probe, capture_output=True, check=False).returncode == 0:
            return command
    return None


def mount(folder: Path, size: str) -> None:
    """A file system of that size; for a process in its own mount namespace."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", str(folder)], check=True)


class Ballast:
    """A file that takes room away."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "ballast"
        self._folder = folder

    def fill(self, leave: int = 0) -> None:
        """Take all room but ``leave`` bytes; what is freed meanwhile is taken too."""
        with self._path.open("ab", buffering=0) as stream:
            while (room := self._room() - leave) >= _BLOCK:
                try:
                    os.posix_fallocate(stream.fileno(), stream.seek(0, os.SEEK_END), room - room % _BLOCK)
                except OSError:
                    continue  # somebody else was faster; what is left now is less

    def remove(self) -> None:
        self._path.unlink()

    def _room(self) -> int:
        figures = os.statvfs(self._folder)
        return figures.f_bavail * figures.f_frsize


class Fills(Protocol):
    """What counts how often the disk was full."""

    def count_full(self, way: str) -> None: ...


class Stage(Protocol):
    """Where the disk is filled."""

    @property
    def home(self) -> Home: ...

    @property
    def tally(self) -> Fills: ...

    def look(self) -> None: ...


class FullDisk:
    """Fills the disk under a living writer, and makes room again."""

    def __init__(self, scene: Stage, disk: Path, draws: random.Random) -> None:
        self._scene = scene
        self._ballast = Ballast(disk)
        self._draws = draws
        self._rounds = 0

    def run(self, scene: Scene, ways: list[Way]) -> None:
        """All rounds with one writer of ``scene``."""
        writer = scene.next_writer()
        writer.await_acknowledgement()
        for way in ways:
            self.fill_once(writer, way)
        writer.stop()
        scene.await_recorded(writer)
        scene.finish()

    def fill_once(self, writer: WriterProcess, way: Way) -> None:
        """Fill it until the writer says that it pauses, and see it go on once there is room."""
        since = writer.marks.count()
        if way == "wal":
            self._exhaust_wal()
        else:
            self._ballast.fill()
        writer.await_marks("saying that it pauses", seen(PAUSED), since)
        self._hold()
        if way == "wal":
            require(self._scene.home.server.status().state != "running", "the server runs on without WAL")
        paused = writer.marks.count()
        self._ballast.remove()
        writer.await_marks("going on once there is room", seen(RESUMED, ACKNOWLEDGED), paused)
        self._rounds += 1
        require(writer.said("log_writer_paused") >= self._rounds, "the writer paused without a word")
        self._scene.look()
        self._scene.tally.count_full(self._name(way))

    def _name(self, way: Way) -> str:
        if self._scene.home.backend == "file":
            return "the run file"
        return "data (the statement fails)" if way == "data" else "WAL (the server panics)"

    def _hold(self) -> None:
        """Stay full for a while, so that attempts fail and restarts do."""
        deadline = time.monotonic() + self._draws.uniform(*_HOLD_S)
        while time.monotonic() < deadline:
            self._ballast.fill()
            time.sleep(0.05)

    def _exhaust_wal(self) -> None:
        """Leave room for data but not for a segment of the WAL, and ask for segments until the server is down."""
        self._ballast.fill(leave=_ROOM_FOR_NO_SEGMENT)
        deadline = time.monotonic() + HANG_S
        while self._switch_segment():
            require(time.monotonic() < deadline, "the WAL does not fill up")
            self._ballast.fill(leave=_ROOM_FOR_NO_SEGMENT)
        self._ballast.fill()

    def _switch_segment(self) -> bool:
        """Whether the server survived it."""
        try:
            with psycopg.connect(self._scene.home.server.conninfo(dbname="postgres"), autocommit=True) as conn:
                conn.execute("SELECT pg_logical_emit_message(false, 'chaos', 'x')")
                conn.execute("SELECT pg_switch_wal()")
        except psycopg.errors.DiskFull:
            return True
        except psycopg.OperationalError:
            return False
        return True
