"""The geometry of the report's pictures.

As on the gate's page, horizontal positions are percentages of the width, and vertical ones are pixels. Paths cannot
use percentages, so each lies in its own box that is ``WIDE`` units wide and stretched to fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Final

from mendel.guard.drawing import BOTTOM, LEFT, RIGHT, TOP, Axis, Mark, axis_over, ticks
from mendel.guard.page import TIMES, number
from mendel.projections.report.claims import front_name, gain_in, times
from mendel.projections.report.models import CurvePoint, EvidenceRow, FrontRow, TaskView

WIDE: Final = 1_000.0
START: Final = LEFT + 8
"""The left edge of the plot in percent; the labels of the vertical axis are left of it."""

_NEAR: Final = 7.0  # least percent of the width between two labels
_SMALLEST: Final = 1e-9  # instead of zero, which has no logarithm
_FEW: Final = 3  # with fewer round marks, take even steps instead
_TENS: Final = 6  # powers of ten along an axis at most, roughly


@dataclass(frozen=True, slots=True)
class Upright:
    """One size: its speed-up with a vertical interval."""

    at: float
    estimate: float
    top: float
    bottom: float
    label: str


@dataclass(frozen=True, slots=True)
class DrawnSizes:
    """Speed-ups over sizes, both on logarithmic axes; ``origin`` is the height of no gain."""

    bars: tuple[Upright, ...]
    across: tuple[Mark, ...]
    upwards: tuple[Mark, ...]
    origin: float
    path: str


@dataclass(frozen=True, slots=True)
class DrawnCurve:
    """The best total so far over the candidates examined, as steps, of one run or of two for comparison."""

    mine: str
    other: str
    across: tuple[Mark, ...]
    upwards: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """One candidate of a front; ``kind`` is one of the page's own CSS classes."""

    at: float
    height: float
    kind: str
    label: str


@dataclass(frozen=True, slots=True)
class DrawnFront:
    """Gains in two objectives, one per axis; the winner is drawn last, so that nothing covers it."""

    points: tuple[Point, ...]
    across: tuple[Mark, ...]
    upwards: tuple[Mark, ...]
    names: tuple[str, str]


def draw_front(rows: Sequence[FrontRow], task: TaskView | None) -> DrawnFront | None:
    """Return the picture of a front with two objectives; None for any other number."""
    if not rows or len(rows[0].gains) != 2:
        return None
    first, second = rows[0].gains
    across = _padded([row.gains[first] for row in rows], START, RIGHT)
    upwards = axis_over([row.gains[second] for row in rows], start=BOTTOM, end=TOP + 14)
    points = [
        Point(across.at(row.gains[first]), upwards.at(row.gains[second]), _kind(row), front_name(row))
        for row in sorted(rows, key=lambda row: row.winner)
    ]
    return DrawnFront(
        points=tuple(points),
        across=tuple(
            _apart(Mark(each.at, each.value, gain_in(first, each.value, task)) for each in ticks(across, most=6))
        ),
        upwards=tuple(Mark(each.at, each.value, gain_in(second, each.value, task)) for each in ticks(upwards)),
        names=(first, second),
    )


def _kind(row: FrontRow) -> str:
    return "winner" if row.winner else "original" if row.original else "dot"


def draw_sizes(sizes: Sequence[EvidenceRow]) -> DrawnSizes | None:
    """Return the picture of an audit, with a size axis if there are sizes; None if it has no measurements."""
    if not sizes:
        return None
    across = _padded([_place(each) for each in sizes], START, RIGHT)
    bounds = [_log(value) for each in sizes for value in (each.lower, each.speedup, each.upper)]
    upwards = axis_over([0.0, *bounds], start=BOTTOM, end=TOP + 14)
    bars = tuple(_upright(each, across, upwards) for each in sizes)
    marks = (
        Mark(bar.at, each.size, number(each.size))
        for bar, each in zip(bars, sizes, strict=True)
        if each.size is not None
    )
    return DrawnSizes(
        bars=bars,
        across=tuple(_apart(marks)),
        upwards=_factors(upwards),
        origin=upwards.at(0.0),
        path=_path((_across_box(bar.at), bar.estimate) for bar in bars),
    )


def _upright(each: EvidenceRow, across: Axis, upwards: Axis) -> Upright:
    top, bottom = upwards.at(_log(each.upper)), upwards.at(_log(each.lower))
    return Upright(across.at(_place(each)), upwards.at(_log(each.speedup)), top, bottom, times(each.speedup))


def _place(each: EvidenceRow) -> float:
    return _log(max(each.size or 0, 0.5))


def draw_curve(
    mine: Sequence[CurvePoint], other: Sequence[CurvePoint], label: Callable[[float], str]
) -> DrawnCurve | None:
    """Return the picture of a search; None if nothing was scored. ``label`` formats a total."""
    if not mine:
        return None
    points = [*mine, *other]
    across = Axis(0.0, 1.04 * max(1, *(point.examined for point in points)), START, RIGHT)
    upwards = axis_over([point.best for point in points], start=BOTTOM, end=TOP)
    whole = tuple(tick for tick in ticks(across, most=6) if tick.value == int(tick.value))
    steps = tuple(Mark(tick.at, tick.value, label(tick.value)) for tick in ticks(upwards))
    return DrawnCurve(_steps(mine, across, upwards), _steps(other, across, upwards), whole, steps)


def _steps(points: Sequence[CurvePoint], across: Axis, upwards: Axis) -> str:
    """Return a path of steps, level until the next improvement."""
    corners: list[tuple[float, float]] = []
    for point in points:
        at, height = _across_box(across.at(point.examined)), upwards.at(point.best)
        if corners:
            corners.append((at, corners[-1][1]))
        corners.append((at, height))
    return _path(corners)


def _path(points: Iterable[tuple[float, float]]) -> str:
    """Return a path through the points, in ``WIDE`` units horizontally and in pixels vertically."""
    told = [f"{at:.1f} {height:.1f}" for at, height in points]
    return f"M{' L'.join(told)}" if told else ""


def _across_box(percent: float) -> float:
    return percent / 100.0 * WIDE


def _log(value: float) -> float:
    return log10(max(value, _SMALLEST))


def _padded(values: Sequence[float], start: float, end: float) -> Axis:
    """Return an axis with room at both ends, so that labels there stay inside the picture."""
    low, high = min(values), max(values)
    room = 0.08 * (high - low) or 0.5
    return Axis(low - room, high + room, start, end)


def _factors(axis: Axis) -> tuple[Mark, ...]:
    """Return marks at round factors along a logarithmic axis: 1, 10, 100; closer ones if there is room."""
    first, last = floor(axis.low), ceil(axis.high)
    every = ceil((last - first) / _TENS)
    between = (1, 2, 5) if axis.high - axis.low < 2.2 else (1,)
    values = [factor * 10.0**power for power in range(first, last + 1, every) for factor in between]
    marks = tuple(
        Mark(axis.at(_log(value)), value, factor_label(value))
        for value in values
        if axis.low <= _log(value) <= axis.high
    )
    return marks if len(marks) >= _FEW else _close_factors(axis)


def _close_factors(axis: Axis) -> tuple[Mark, ...]:
    """Return marks at even steps of the axis, for a range without enough round factors."""
    return tuple(Mark(tick.at, 10.0**tick.value, factor_label(10.0**tick.value)) for tick in ticks(axis, most=4))


def factor_label(value: float) -> str:
    """Format a factor for an axis; whole ones without decimals."""
    whole = 1 <= value < 1e7 and value == int(value)
    return f"{int(value):,}{TIMES}" if whole else times(value)


def _apart(marks: Iterable[Mark]) -> list[Mark]:
    """Drop marks with labels that would overlap the one before."""
    kept: list[Mark] = []
    for mark in marks:
        if not kept or mark.at - kept[-1].at >= _NEAR:
            kept.append(mark)
    return kept
