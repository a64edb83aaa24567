"""Archives of programs in the notation of the command line: `speed,size`, `speed:20,age:5`, `memory,size,cvt:64`."""

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
_CVT: Final = "cvt"  # centroidal Voronoi tessellation: cells around centroids instead of a grid
_GAINS: Final = (-2.0, 8.0)
"""Range of gains in powers of two: with ten bins, each bin is one doubling."""
_MIB: Final = (3.0, 8.0)
"""Range of memory in powers of two of a mebibyte: an interpreter alone takes more than the low end."""
_DEEP: Final = 20.0
"""Lineages deeper than this are rare."""


@dataclass(frozen=True)
class ArchiveWish:
    """Axes with their bins; with ``cells``, that many centroids instead of a grid."""

    axes: tuple[tuple[AxisName, int], ...]
    cells: int | None = None


def parse_archive(text: str) -> ArchiveWish:
    """Parse the descriptors of an archive.

    Raises:
        ConfigError: it names an unknown descriptor, names one twice, or a number is out of range.
    """
    axes: dict[AxisName, int] = {}
    cells: int | None = None
    for part in text.split(","):
        name, _, number = part.strip().partition(":")
        if name == _CVT:
            cells = _whole(number, part, MOST_CELLS)
        elif name not in get_args(AxisName):
            known = ", ".join(get_args(AxisName))
            raise ConfigError(f"--archive: no descriptor {name!r}; known are {known}, and also {_CVT}:CELLS")
        elif name in axes:
            raise ConfigError(f"--archive: the descriptor {name} is named twice")
        else:
            axes[cast("AxisName", name)] = _whole(number, part, MOST_BINS) if number else BINS
    if not axes:
        raise ConfigError(f"--archive: {text!r} names no descriptor; known are {', '.join(get_args(AxisName))}")
    return ArchiveWish(tuple(axes.items()), cells)


def _whole(text: str, part: str, most: int) -> int:
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text[:9]) <= most:  # int() is slow for very long texts
        raise ConfigError(f"--archive: {part.strip()!r}: after the colon, give a whole number from 1 to {most:,}")
    return int(text)


def archive_for(task: FunctionTask, wish: ArchiveWish) -> ArchiveConfig:
    """Return the archive of a task's run; the axes have the lengths that programs like the original need.

    Raises:
        ConfigError: a run of this task does not measure a descriptor.
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
        raise ConfigError(f"--archive {name}: it is only measured with --objective {name}; use {others}")
    if name == "memory" and counted:
        raise ConfigError("--archive memory: memory is not measured if opcodes count; use opcodes, size or age")
