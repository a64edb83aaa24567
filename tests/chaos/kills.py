"""The kill loops: SIGKILL at random moments and inside commits, to the writer, the server, or both."""

from __future__ import annotations

import random
import time
from typing import Final, Literal

from tests.chaos import marks
from tests.chaos.homes import kill
from tests.chaos.ledger import require
from tests.chaos.marks import ACKNOWLEDGED, BEGIN, END, RESUMED, SYNC, seen
from tests.chaos.scene import HANG_S, Scene, WriterProcess

Victim = Literal["writer", "server, all processes", "server, postmaster alone", "writer and server"]

WRITER: Final = "writer"
TREE: Final = "server, all processes"
POSTMASTER: Final = "server, postmaster alone"
BOTH: Final = "writer and server"

_VICTIMS: dict[Victim, int] = {WRITER: 40, TREE: 25, POSTMASTER: 25, BOTH: 10}
_LONGEST_WAIT_S = 0.2
_WITHIN_S = 0.002
_SOON_S = 0.25
_AT_ONCE_AGAIN = 0.15


class KillLoop:
    """Kills, waits until all goes on, checks; and again.

    Now and then it does not wait, so that take-overs and crash recovery are hit too.
    """

    def __init__(self, scene: Scene, draws: random.Random) -> None:
        self._scene = scene
        self._draws = draws
        self._writer: WriterProcess
        self._since = 0

    def run(self, kills: int) -> None:
        self._replace_writer()
        self._writer.await_acknowledgement()
        for number in range(1, kills + 1):
            time.sleep(self._draws.uniform(0, _LONGEST_WAIT_S))
            self._kill_one()
            if number < kills and self._draws.random() < _AT_ONCE_AGAIN:
                time.sleep(self._draws.uniform(0, _SOON_S))
            else:
                self._await_recovery()
                self._scene.look()
        self._writer.stop()
        self._scene.await_recorded(self._writer)
        self._scene.finish()

    def _kill_one(self) -> None:
        raise NotImplementedError

    def _kill_writer(self, victim: str) -> None:
        self._writer.kill()
        found = self._writer.marks.so_far()
        inside = marks.committing(found)
        self._scene.tally.count_kill(victim, inside=inside)
        self._scene.tally.between_write_and_sync += inside and found[-1].kind == SYNC
        self._scene.await_recorded(self._writer)
        self._replace_writer()

    def _replace_writer(self) -> None:
        self._writer = self._scene.next_writer()
        self._since = 0

    def _aim(self, kind: bytes, within_s: float) -> None:
        """Wait for the mark, if it comes at all (a writer that waits for its server makes none), and a little more."""
        self._writer.marks.wait_for(seen(kind), self._writer.marks.count(), timeout_s=1.0)
        time.sleep(self._draws.uniform(0, within_s))

    def _await_recovery(self) -> None:
        """The new writer, or the old one by itself, has more batches acknowledged."""
        established = seen(END)(self._writer.marks.so_far()[: self._since])
        wanted = (RESUMED, ACKNOWLEDGED) if established else (ACKNOWLEDGED,)
        self._writer.await_marks("going on after the kill", seen(*wanted), self._since)


class FileKillLoop(KillLoop):
    """Only the writer can die; also between writing and syncing."""

    def _kill_one(self) -> None:
        aim = self._draws.choice((None, BEGIN, SYNC))
        if aim is not None:
            self._aim(aim, _WITHIN_S if aim == BEGIN else _WITHIN_S / 10)
        self._kill_writer("writer")


class PostgresKillLoop(KillLoop):
    """The server may be hit too, as a whole or only its first process, which leaves orphans behind."""

    def __init__(self, scene: Scene, draws: random.Random) -> None:
        super().__init__(scene, draws)
        self._unjudged: list[tuple[Victim, int]] = []

    def _kill_one(self) -> None:
        victim = self._draws.choices(list(_VICTIMS), list(_VICTIMS.values()))[0]
        pids = [] if victim == WRITER else self._server_processes()
        if self._draws.random() < 0.5:
            self._aim(BEGIN, _WITHIN_S)
        if victim == WRITER:
            self._kill_writer(victim)
        elif victim == BOTH:
            kill(pids)
            self._kill_writer(victim)
            kill(self._scene.home.processes())
        else:
            self._kill_server(victim, pids)

    def _kill_server(self, victim: Victim, pids: list[int]) -> None:
        home = self._scene.home
        self._since = self._writer.marks.count()
        at_ns = time.monotonic_ns()
        while not kill(pids[:1] if victim == POSTMASTER else pids):
            # They were orphans of an earlier kill, and ended meanwhile.
            pids, at_ns = self._server_processes(), time.monotonic_ns()
        if victim == TREE:
            kill(home.processes())
        self._unjudged.append((victim, at_ns))

    def _server_processes(self) -> list[int]:
        """Its processes; while it starts there may be only one."""
        deadline = time.monotonic() + HANG_S
        while not (pids := self._scene.home.processes()):
            require(time.monotonic() < deadline, "nobody starts the server again")
            time.sleep(0.001)
        return pids

    def _kill_writer(self, victim: str) -> None:
        dying = self._writer
        super()._kill_writer(victim)
        self._judge(dying)

    def _await_recovery(self) -> None:
        super()._await_recovery()
        self._judge(self._writer)

    def _judge(self, writer: WriterProcess) -> None:
        """What a kill of the server hit is known when its writer has gone on, or died."""
        found = writer.marks.so_far()
        for victim, at_ns in self._unjudged:
            judge = marks.committing_at if victim == POSTMASTER else marks.interrupted_at
            self._scene.tally.count_kill(victim, inside=judge(found, at_ns))
        self._unjudged.clear()
