"""Limits for a zygote and all its forks together, where control groups are writable."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mendel.adapters.host.cgroups import Group, groups_of

_NUMBERS: Final = itertools.count()
_MEMORY_FILES: Final = {1: "memory.limit_in_bytes", 2: "memory.max"}  # by version of control groups
_OVERHEAD_BYTES: Final = 320 << 20
"""Allowance for the zygote itself, and the areas it shares with its parent."""

_PIDS: Final = 64  # allowance for the zygote itself
_REMOVE_S: Final = 2.0


@dataclass(frozen=True)
class ControlGroup:
    """One group per controller, all with the same name."""

    directories: tuple[Path, ...]

    @property
    def membership_files(self) -> tuple[str, ...]:
        """Return the files to which a process writes its pid to join."""
        return tuple(str(directory / "cgroup.procs") for directory in self.directories)

    def remove(self) -> None:
        """Remove the groups once they are empty; give up after 2 s."""
        deadline = time.monotonic() + _REMOVE_S
        for directory in self.directories:
            while directory.exists():
                try:
                    directory.rmdir()
                except OSError:
                    if time.monotonic() > deadline:
                        return
                    time.sleep(0.01)


def make_group(memory_bytes: int, threads: int, proc: Path = Path("/proc/self")) -> ControlGroup | None:
    """Make a group with limits on memory and, where possible, on processes; None if that is not permitted here."""
    world = _world(proc)
    name = f"mendel-{world}-{os.getpid()}-{next(_NUMBERS)}"
    made: list[Path] = []
    try:
        groups = _groups(proc)
        if "memory" not in groups:
            return None  # no control over memory: a group would be useless
        _sweep({group.directory for group in groups.values()}, world)
        for controller, group in groups.items():
            directory = group.directory / name
            directory.mkdir(exist_ok=group.version == 2)
            made.append(directory)
            if controller == "memory":
                (directory / _MEMORY_FILES[group.version]).write_text(str(memory_bytes + _OVERHEAD_BYTES))
                _without_swap(directory, group.version, memory_bytes + _OVERHEAD_BYTES)
            else:
                (directory / "pids.max").write_text(str(_PIDS + threads))  # threads count as processes here
    except OSError:
        ControlGroup(tuple(made)).remove()
        return None
    return ControlGroup(tuple(dict.fromkeys(made)))


def _world(proc: Path) -> int:
    """Return the inode of the pid namespace in which our pids are valid, 0 if unknown."""
    try:
        return (proc / "ns" / "pid").stat().st_ino
    except OSError:
        return 0


def _sweep(parents: Iterable[Path], world: int) -> None:
    """Remove the groups that killed Mendel processes left behind; a group that is not empty stays."""
    for parent in parents:
        for left in parent.glob(f"mendel-{world}-*-*"):
            owner = left.name.split("-")[2]  # a reused pid only delays the removal
            if owner.isdigit() and not Path("/proc", owner).exists():
                with suppress(OSError):
                    left.rmdir()


def _without_swap(directory: Path, version: int, most: int) -> None:
    with suppress(OSError):  # no swap accounting, or no swap
        if version == 2:
            (directory / "memory.swap.max").write_text("0")
        else:
            (directory / "memory.memsw.limit_in_bytes").write_text(str(most))


def _groups(proc: Path) -> Mapping[str, Group]:
    own = (proc / "cgroup").read_text(encoding="utf-8", errors="replace")
    mounts = (proc / "mountinfo").read_text(encoding="utf-8", errors="replace")
    return groups_of(own, mounts)
