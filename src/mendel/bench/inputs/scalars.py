"""Single values: numbers, texts, dates and times."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import Final

from mendel.bench.inputs.hand import DISTINCT, TIMED, Hand
from mendel.bench.inputs.kinds import FloatKind, IntKind, LiteralKind, MomentKind, PlainKind
from mendel.contracts.value_json import from_json

USUAL: Final = 1_000
RARE: Final = 1_000_000
HUGE: Final = 2**70  # beyond 64 bits
SPECIALS: Final = (math.nan, math.nan, math.inf, -math.inf, -0.0)
_FIRST_DAY: Final = dt.date(1970, 1, 1).toordinal()
_LAST_DAY: Final = dt.date(2100, 12, 31).toordinal()
_DAY_S: Final = 86_400


def integer(kind: IntKind, hand: Hand, reach: int = USUAL) -> int:
    """Draw a whole number: if unbounded, usually of up to a thousand in amount, and sometimes a larger one."""
    dice = hand.dice
    if hand.shape == "huge" and kind.high is None:
        bits = dice.between(1, HUGE.bit_length() - 1)
        value = dice.pick((HUGE, HUGE - dice.below(4), dice.below(1 << bits)))
        return value if kind.low is not None or dice.chance(0.5) else -value
    if hand.shape == "negative" and kind.low is None:
        return -dice.between(1, reach)
    if kind.low is None and kind.high is None:
        wide = RARE if dice.chance(0.02) else reach
        return dice.between(-wide, wide)
    return dice.between(*bounds(kind, reach))


def bounds(kind: IntKind, reach: int) -> tuple[int, int]:
    """Return the range of a number that has at least one bound."""
    low = kind.low if kind.low is not None else min(-reach, (kind.high or 0) - reach)
    high = kind.high if kind.high is not None else max(reach, low + reach)
    return low, max(low, high)


def counting(kind: IntKind, hand: Hand) -> int:
    """Draw a number that makes the input large: at most the size, and not negative except in the negative shape."""
    dice, size = hand.dice, hand.wanted
    if hand.shape == "negative" and kind.low is None:
        return -dice.between(1, max(1, size))
    low = kind.low if kind.low is not None and kind.low > 0 else 0
    high = max(low, size if kind.high is None else min(size, kind.high))
    if hand.shape in ("empty", "single", "equal"):
        return high
    if hand.shape in (TIMED, DISTINCT):
        return dice.between(max(low, high - high // 10 - 1), high)
    return dice.between(low, min(high, low + 3)) if dice.chance(0.1) else dice.between(low, high)


def number(kind: FloatKind, hand: Hand) -> float:
    """Draw a number with few or many digits, of up to a thousand in amount if unbounded."""
    dice = hand.dice
    free = kind.low is None and kind.high is None
    if hand.shape == "nan" and free and dice.chance(0.3):
        return dice.pick(SPECIALS)
    if hand.shape == "huge" and kind.high is None:
        value = (1 + dice.unit()) * 10.0 ** dice.between(12, 300)
        return value if kind.low is not None or dice.chance(0.5) else -value
    low = kind.low if kind.low is not None else min(-float(USUAL), (kind.high or 0.0) - USUAL)
    high = kind.high if kind.high is not None else max(float(USUAL), low + USUAL)
    if hand.shape == "negative" and kind.low is None:
        high = min(high, -0.001)
    value = low + (high - low) * dice.unit()
    shortened = round(value, dice.below(3)) if dice.chance(0.4) else value  # short decimals occur more than once
    return min(max(shortened, low), high)


def plain(kind: PlainKind, hand: Hand) -> object:
    """Draw None, a truth value, a complex number or a decimal."""
    dice = hand.dice
    if kind.kind == "none":
        return None
    if kind.kind == "bool":
        return dice.chance(0.5)
    if kind.kind == "complex":
        return complex(number(FloatKind(), hand), number(FloatKind(), hand))
    return Decimal(integer(IntKind(), hand, RARE)).scaleb(-dice.below(4))


def moment(kind: MomentKind, hand: Hand) -> object:
    """Draw a date, a date with time, a time of day or a time span."""
    dice = hand.dice
    day = dt.date.fromordinal(dice.between(_FIRST_DAY, _LAST_DAY))
    second = dt.timedelta(seconds=dice.below(_DAY_S))
    midnight = dt.datetime(day.year, day.month, day.day)
    if kind.kind == "date":
        return day
    if kind.kind == "datetime":
        return midnight + second
    if kind.kind == "time":
        return (midnight + second).time()
    return dt.timedelta(days=dice.between(-USUAL, USUAL)) + second


def literal(kind: LiteralKind, hand: Hand) -> object:
    """Draw one of the values."""
    return from_json(hand.dice.pick(kind.values))
