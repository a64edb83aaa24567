"""PostgreSQL goes away under a living conductor: the run pauses, says so, and finishes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Literal

from tests.chaos.full_disk import FullDisk, Way
from tests.chaos.homes import Home, kill
from tests.chaos.kernel_kills import counted
from tests.chaos.kernel_scene import ConductorProcess, KernelScene, Plan, Staged
from tests.chaos.ledger import require
from tests.chaos.marks import ACKNOWLEDGED, END, PAUSED, RESUMED, seen

Restart = Literal["fast shutdown", "SIGKILL, all processes", "SIGKILL, postmaster alone"]

_SOONEST, _LATEST = 3, 15


class Outages:
    """One run under one conductor that lives from beginning to end, while its server does not."""

    def __init__(self, scene: KernelScene, draws: random.Random) -> None:
        self._scene = scene
        self._draws = draws

    def restart(self, plan: Plan, ways: Sequence[Restart]) -> None:
        """A run during which PostgreSQL is restarted in these ways."""
        staged, conductor = self._begun(plan)
        for way in ways:
            self._go_on(conductor)
            self._restart_once(conductor, way)
        self._end(staged, conductor)

    def fill(self, plan: Plan, disk: Path, ways: Sequence[Way]) -> None:
        """A run during which the disk is full in these ways."""
        staged, conductor = self._begun(plan)
        full = FullDisk(self._scene, disk, self._draws)
        for way in ways:
            self._go_on(conductor)
            full.fill_once(conductor, way)
        self._end(staged, conductor)

    def _begun(self, plan: Plan) -> tuple[Staged, ConductorProcess]:
        staged = self._scene.stage(plan)
        conductor = self._scene.conduct(staged.run_id, plan.slots)
        conductor.await_acknowledgement()
        return staged, conductor

    def _go_on(self, conductor: ConductorProcess) -> None:
        commits = self._draws.randint(_SOONEST, _LATEST)
        conductor.await_marks("going on", counted(END, commits), conductor.marks.count())

    def _restart_once(self, conductor: ConductorProcess, way: Restart) -> None:
        since, said = conductor.marks.count(), conductor.said("log_writer_paused")
        _RESTARTS[way](self._scene.home)
        conductor.await_marks("pausing and going on", seen(PAUSED, RESUMED, ACKNOWLEDGED), since)
        require(conductor.said("log_writer_paused") > said, f"{way}: the run paused without a word")
        self._scene.tally.outages[f"PostgreSQL restarted: {way}"] += 1

    def _end(self, staged: Staged, conductor: ConductorProcess) -> None:
        conductor.ended_well()
        self._scene.finish(staged, self._scene.conduct(staged.twin_id, staged.plan.twin_slots))
        require(staged.witness.take_overs == 1, f"the run was taken over {staged.witness.take_overs} times")


def _shut_down(home: Home) -> None:
    home.server.stop()


def _kill_all(home: Home) -> None:
    kill(home.processes())


def _kill_first(home: Home) -> None:
    kill(home.processes()[:1])


_RESTARTS: Final[dict[Restart, Callable[[Home], object]]] = {
    "fast shutdown": _shut_down,
    "SIGKILL, all processes": _kill_all,
    "SIGKILL, postmaster alone": _kill_first,
}
RESTARTS: Final[tuple[Restart, ...]] = tuple(_RESTARTS)
