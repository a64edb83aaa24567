"""The geometry of drawn intervals: numbers become positions in a drawing.

Horizontal positions are percentages of the width, so that a drawing fits a phone without shrinking its text. Vertical
positions are pixels. Every position is finite, whatever the input.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, inf, isfinite, log10
from typing import Final

from mendel.contracts.verdicts import Interval, Look
from mendel.guard.policy import Band

LEFT: Final = 4.0
RIGHT: Final = 96.0
TOP: Final = 16.0
BOTTOM: Final = 204.0
"""Ends of the vertical axis of looks, in pixels from the top."""

ROOM: Final = 0.08  # margin on either side of the values, as a share of their range
FEW: Final = 7  # ticks on an axis
MOST_LOOKS: Final = 120
"""Maximum number of drawn looks; more are thinned out."""

_TINY, _HUGE = 1e-300, 1e300  # range of drawn sizes: differences within it neither underflow nor overflow
_FLAT = 1e-9


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis that maps the numbers from ``low`` to ``high`` to positions from ``start`` to ``end``."""

    low: float
    high: float
    start: float = LEFT
    end: float = RIGHT

    def at(self, value: float) -> float:
        """Return the position of a number; numbers beyond an end are drawn at that end."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + min(1.0, max(0.0, share)) * (self.end - self.start)


@dataclass(frozen=True, slots=True)
class Mark:
    """A number at its position, with its label."""

    at: float
    value: float
    label: str = ""
    minor: bool = False
    """Whether the label is hidden on narrow screens."""

    @property
    def anchor(self) -> str:
        """The end of the label that is placed at the mark, so that the label stays inside the drawing."""
        third = (RIGHT - LEFT) / 3
        return "start" if self.at < LEFT + third else "end" if self.at > RIGHT - third else "middle"


@dataclass(frozen=True, slots=True)
class Drawn:
    """One interval on its axis; on an unbounded side, the bar from ``start`` to ``end`` runs to the end of the axis."""

    start: float
    end: float
    estimate: float
    lower: float | None
    upper: float | None
    margins: tuple[Mark, ...]
    zone: tuple[float, float] | None
    origin: float | None
    ticks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class DrawnLook:
    """One look: a vertical interval at its number of cases."""

    at: float
    estimate: float
    top: float
    bottom: float
    decision: str


@dataclass(frozen=True, slots=True)
class DrawnLooks:
    """The looks of a sequential test over the number of cases."""

    looks: tuple[DrawnLook, ...]
    across: tuple[Mark, ...]
    upwards: tuple[Mark, ...]
    margins: tuple[Mark, ...]
    origin: float | None


def drawable(value: float | None) -> float | None:
    """Limit a number to the range that can be drawn; None if it is missing or not finite."""
    if value is None or not isfinite(value):
        return None
    return 0.0 if abs(value) < _TINY else max(-_HUGE, min(_HUGE, value))


def axis_over(
    values: Iterable[float | None],
    *,
    within: tuple[float, float] = (-inf, inf),
    start: float = LEFT,
    end: float = RIGHT,
) -> Axis:
    """Return an axis over all values with some margin, but not beyond the possible range ``within``."""
    known = [value for value in map(drawable, values) if value is not None] or [0.0]
    low, high = min(known), max(known)
    flat = high - low <= _FLAT * max(abs(low), abs(high))
    room = (abs(high) / 2 or 1.0) if flat else ROOM * (high - low)
    return Axis(max(low - room, min(low, within[0])), min(high + room, max(high, within[1])), start, end)


def ticks(axis: Axis, *, rate: bool = False, most: int = FEW) -> tuple[Mark, ...]:
    """Return marks at round numbers along an axis, at most ``most`` + 1."""
    step = _step((axis.high - axis.low) / most)
    first, last = ceil(axis.low / step), floor(axis.high / step)
    return tuple(
        Mark(axis.at(place * step), place * step, _tick_label(place * step, step, rate=rate), minor=bool(place % 2))
        for place in range(first, last + 1)
    )


def _step(least: float) -> float:
    size = 10.0 ** floor(log10(least))  # steps are 1, 2 or 5 times a power of ten
    return next((factor * size for factor in (1, 2, 5) if factor * size >= least), 10 * size)


def _tick_label(value: float, step: float, *, rate: bool) -> str:
    shown, by, unit = (100 * value, 100 * step, "%") if rate else (value, step, "")
    size = floor(log10(by) + _FLAT)
    if abs(shown) >= 1e6 or size < -6:
        digits = 1 + floor(log10(max(abs(shown), by)) + _FLAT) - size
        return minus(f"{shown:.{min(digits, 15)}g}{unit}")
    return minus(f"{shown:,.{max(0, -size)}f}{unit}")


def minus(text: str) -> str:
    """Format the text of a number with a proper minus sign, which is as wide as a plus; no negative zero."""
    sign = "\N{MINUS SIGN}" if any(digit in text for digit in "123456789") else ""
    return text.replace("-", sign, 1) if text.startswith("-") else text


def draw_interval(
    interval: Interval,
    band: Band,
    *,
    origin: float | None = None,
    rate: bool = False,
    within: tuple[float, float] = (-inf, inf),
    labels: Sequence[str] = (),
) -> Drawn:
    """Lay out an interval on its own axis, together with the ends of the required band and the origin.

    ``labels`` are the labels of the band's ends, in order.
    """
    axis = axis_over([interval.estimate, interval.lower, interval.upper, origin, *band.ends], within=within)
    lower, upper = _place(axis, interval.lower), _place(axis, interval.upper)
    words = [*labels, *[""] * len(band.ends)]
    return Drawn(
        start=axis.start if lower is None else lower,
        end=axis.end if upper is None else upper,
        estimate=axis.at(drawable(interval.estimate) or 0.0),
        lower=lower,
        upper=upper,
        margins=tuple(Mark(axis.at(end), end, word) for end, word in zip(band.ends, words, strict=False)),
        zone=_zone(axis, band),
        origin=_place(axis, origin),
        ticks=ticks(axis, rate=rate),
    )


def _place(axis: Axis, value: float | None) -> float | None:
    known = drawable(value)
    return None if known is None else axis.at(known)


def _zone(axis: Axis, band: Band) -> tuple[float, float] | None:
    """Return start and width of the part of the axis in which the interval must lie."""
    if not band.ends:
        return None
    start = axis.start if band.low is None else axis.at(band.low)
    end = axis.end if band.high is None else axis.at(band.high)
    return start, max(0.0, end - start)


def draw_looks(
    looks: Sequence[Look], band: Band, *, origin: float | None = None, within: tuple[float, float] = (-inf, inf)
) -> DrawnLooks:
    """Lay out looks at rates or at differences of rates, from left to right."""
    shown = thinned(looks)
    across = Axis(0.0, 1.06 * max(look.n for look in shown), LEFT + 8, RIGHT)
    values = [each for look in shown for each in (look.interval.estimate, look.interval.lower, look.interval.upper)]
    upwards = axis_over([*values, origin, *band.ends], within=within, start=BOTTOM, end=TOP)
    return DrawnLooks(
        looks=tuple(_drawn_look(look, across, upwards) for look in shown),
        across=tuple(tick for tick in ticks(across) if tick.value == int(tick.value)),
        upwards=ticks(upwards, rate=True),
        margins=tuple(Mark(upwards.at(end), end) for end in band.ends),
        origin=_place(upwards, origin),
    )


def _drawn_look(look: Look, across: Axis, upwards: Axis) -> DrawnLook:
    lower, upper = _place(upwards, look.interval.lower), _place(upwards, look.interval.upper)
    return DrawnLook(
        at=across.at(look.n),
        estimate=upwards.at(look.interval.estimate),
        top=upwards.end if upper is None else upper,
        bottom=upwards.start if lower is None else lower,
        decision=look.decision.value,
    )


def thinned(looks: Sequence[Look]) -> Sequence[Look]:
    """Thin out looks to a number that can be told apart; the last look is always kept."""
    stride = ceil(len(looks) / MOST_LOOKS)
    return looks if stride <= 1 else looks[::-1][::stride][::-1]
