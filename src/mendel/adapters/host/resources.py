"""Probes of the resources of this process: Python, limits, disk, memory, home folder, provider keys."""

from __future__ import annotations

import os
import platform
import resource
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from mendel.contracts.diagnostics import Probe

OLDEST_PYTHON: Final = (3, 11)
LEAST_FILES: Final = 1_024
LEAST_PROCESSES: Final = 256
LEAST_DISK: Final = 1 << 30
LEAST_MEMORY: Final = 512 << 20

_LIMITS: Final[Mapping[str, int]] = {
    "open files": resource.RLIMIT_NOFILE,
    "processes": resource.RLIMIT_NPROC,
    "address space": resource.RLIMIT_AS,
    "file size": resource.RLIMIT_FSIZE,
    "CPU seconds": resource.RLIMIT_CPU,
}
_LEAST: Final[Mapping[str, int]] = {"open files": LEAST_FILES, "processes": LEAST_PROCESSES}


def python(version: tuple[int, int, int] = sys.version_info[:3]) -> Probe:
    """Report whether this Python is new enough."""
    enough = version[:2] >= OLDEST_PYTHON
    shown = ".".join(map(str, version))
    return Probe(
        name="python",
        status="ok" if enough else "missing",
        detail=f"{platform.python_implementation()} {shown} at {sys.executable}",
        remedy=None if enough else "install Python 3.11 or newer and run: make setup PYTHON=python3.11",
        needed_for="everything",
    )


def rlimits() -> Probe:
    """Report the limits of this process, and whether they leave room for workers."""
    limits = {name: resource.getrlimit(number) for name, number in _LIMITS.items()}
    tight = [name for name, least in _LEAST.items() if 0 <= limits[name][0] < least]
    shown = ", ".join(f"{name} {_limit(soft)} of {_limit(hard)}" for name, (soft, hard) in limits.items())
    return Probe(
        name="rlimits",
        status="limited" if tight else "ok",
        detail=f"{shown}; too low: {', '.join(tight)}" if tight else shown,
        remedy=f"ulimit -n {LEAST_FILES}; ulimit -u {LEAST_PROCESSES}" if tight else None,
        needed_for="many workers and candidates at once",
    )


def disk(home: Path) -> Probe:
    """Report the free space where Mendel stores its files."""
    name, needed_for = "disk", "the event log and blobs"
    try:
        free = shutil.disk_usage(_existing(home)).free
    except OSError as error:
        return Probe(
            name=name,
            status="missing",
            detail=f"{home}: {error.strerror}",
            remedy="set MENDEL_HOME to a folder of yours",
            needed_for=needed_for,
        )
    enough = free >= LEAST_DISK
    return Probe(
        name=name,
        status="ok" if enough else "limited",
        detail=f"{_size(free)} free for {home}",
        remedy=None if enough else f"free at least {_size(LEAST_DISK)}, or set MENDEL_HOME to another disk",
        needed_for=needed_for,
    )


def memory(meminfo: Path = Path("/proc/meminfo")) -> Probe:
    """Report the available memory."""
    available = _available_memory(meminfo)
    enough = available is not None and available >= LEAST_MEMORY
    return Probe(
        name="memory",
        status="ok" if enough else "limited",
        detail=f"{_size(available)} available" if available is not None else "not known on this system",
        remedy=None if enough else f"end other programs: {_size(LEAST_MEMORY)} should be free",
        needed_for="running candidates side by side",
    )


def home_writable(home: Path) -> Probe:
    """Report whether Mendel's home is writable or can be created; leaves nothing behind."""
    folder = _existing(home)
    try:
        with tempfile.TemporaryFile(dir=folder) as trial:
            trial.write(b"mendel")
    except OSError as error:
        return Probe(
            name="home",
            status="missing",
            detail=f"{folder} cannot be written: {error.strerror}",
            remedy=f"set MENDEL_HOME to a folder of yours, or chown {os.getuid()} {folder}",
            needed_for="every run that is kept",
        )
    detail = f"{home} can be written" if folder == home else f"{home} can be made in {folder}"
    return Probe(name="home", status="ok", detail=detail, needed_for="every run that is kept")


def provider_keys(environ: Mapping[str, str], names: Iterable[str]) -> Probe:
    """Report which model providers have their key variable set, by name only."""
    wanted = tuple(names)
    present = [name for name in wanted if environ.get(name)]
    return Probe(
        name="provider keys",
        status="ok" if present else "missing",
        detail=f"set: {', '.join(present)}" if present else "none is set",
        remedy=None if present else f"export one of {', '.join(wanted)}; see .env.example",
        needed_for="model operators; the offline operators need no key",
    )


def _existing(path: Path) -> Path:
    """Return the path, or its nearest existing parent."""
    for folder in (path, *path.absolute().parents):
        if os.path.lexists(folder):
            return folder
    return Path("/")


def _available_memory(meminfo: Path) -> int | None:
    try:
        lines = meminfo.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    for line in lines:
        words = line.split()
        if len(words) > 1 and words[0] == "MemAvailable:" and words[1].isdigit():
            return int(words[1]) * 1024
    return None


def _limit(value: int) -> str:
    return "unlimited" if value == resource.RLIM_INFINITY else str(value)


def _size(count: int) -> str:
    return f"{count / (1 << 30):.1f} GiB"
