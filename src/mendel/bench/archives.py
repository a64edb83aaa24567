"""Archives of programs, as people write them: `speed,size`, `speed:20,age:5`, `memory,size,cvt:64`."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2
from typing import Final, Literal, cast, get_args

from mendel.bench.records import FunctionTask
from mendel.bench.workbench import size_of
from mendel.contracts.errors import ConfigError
from mendel.contracts.run_config import ArchiveConfig, Descriptor

AxisName = Literal["speed", "memory", "size", "age", "opcodes"]

BINS: Final = 10
MOST_BINS: Final = 1_000
MOST_CELLS: Final = 1_024
_CVT: Final = "cvt"
_GAINS: Final = (-2.0, 8.0)
"""Gains in powers of two: with ten bins each is a doubling."""
_MIB: Final = (3.0, 8.0)
"""Memory in powers of two of a mebibyte: an interpreter alone takes more than the low end."""
_DEEP: Final = 20.0
"""Lineages as deep as this are rare."""


@dataclass(frozen=True)
class ArchiveWish:
    """Axes with their bins; with ``cells``, so many centroids instead of a grid."""

    axes: tuple[tuple[AxisName, int], ...]
    cells: int | None = None


def parse_archive(text: str) -> ArchiveWish:
    """What an archive is told apart by.

    Raises:
        ConfigError: it names what there is not, or something twice, or a number that cannot be.
    """
    axes: dict[AxisName, int] = {}
    cells: int | None = None
    for part in text.split(","):
        name, _, number = part.strip().partition(":")
        if name == _CVT:
            cells = _whole(number, part, MOST_CELLS)
        elif name not in get_args(AxisName):
            known = ", ".join(get_args(AxisName))
            raise ConfigError(f"--archive: no descriptor {name!r}; known are {known}, and {_CVT}:CELLS beside them")
        elif name in axes:
            raise ConfigError(f"--archive: the descriptor {name} is named twice")
        else:
            axes[cast("AxisName", name)] = _whole(number, part, MOST_BINS) if number else BINS
    if not axes:
        raise ConfigError(f"--archive: {text!r} names no descriptor; known are {', '.join(get_args(AxisName))}")
    return ArchiveWish(tuple(axes.items()), cells)


def _whole(text: str, part: str, most: int) -> int:
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text[:9]) <= most:
        raise ConfigError(f"--archive: {part.strip()!r}: behind the colon stands a whole number from 1 to {most:,}")
    return int(text)


def archive_for(task: FunctionTask, wish: ArchiveWish) -> ArchiveConfig:
    """The archive of a task's run; the axes are as long as programs like the original need them.

    Raises:
        ConfigError: a descriptor is not measured in such a run.
    """
    descriptors = tuple(_descriptor(task, name, bins) for name, bins in wish.axes)
    if wish.cells is None:
        return ArchiveConfig(descriptors=descriptors)
    return ArchiveConfig(kind="cvt", descriptors=descriptors, cells=wish.cells)


def _descriptor(task: FunctionTask, name: AxisName, bins: int) -> Descriptor:
    _refuse_unmeasured(task, name)
    low, high = {
        "speed": _GAINS,
        "opcodes": _GAINS,
        "memory": (_MIB[0], max(_MIB[1], log2(task.memory_mb))),
        "size": (0.0, 2.0 * size_of(task, task.originals())),
        "age": (0.0, _DEEP),
    }[name]
    return Descriptor(name=name, low=low, high=high, bins=bins)


def _refuse_unmeasured(task: FunctionTask, name: AxisName) -> None:
    counted = "opcodes" in task.objectives
    if name in ("speed", "opcodes") and name not in task.objectives:
        others = "opcodes, size or age" if counted else "memory, size or age"
        raise ConfigError(f"--archive {name}: it is measured with --objective {name} only; use {others}")
    if name == "memory" and counted:
        raise ConfigError("--archive memory: where opcodes count, no meter is read; use opcodes, size or age")
