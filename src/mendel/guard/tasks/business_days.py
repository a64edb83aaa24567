"""``solve(start, days, holidays)``: the date that is ``days`` business days after ``start``, before it if negative.

Business days are Monday to Friday, except holidays. ``start`` itself does not count; for 0 days the result is
``start``. Holidays come in any order, may occur more than once, and may be at a weekend.
"""

from __future__ import annotations

import datetime as dt
import random
from typing import Any, Final

from mendel.guard.generators import Generator, arguments, dates, integers, lists, one_of
from mendel.guard.registry import task
from mendel.guard.spec import Args, MetamorphicRelation, Property, TaskSpec

_FIRST, _LAST = dt.date(1995, 1, 1), dt.date(2035, 12, 31)
_FARTHEST: Final = 1_000
_FOUR_WEEKS: Final = dt.timedelta(weeks=4)  # whole weeks: a shift keeps weekdays
_ONE_DAY: Final = dt.timedelta(days=1)
_SATURDAY: Final = 5

Holidays = list[dt.date]


@task("business_days")
def business_days() -> TaskSpec:
    """Build the task; its holidays are near the start, since distant ones would not affect the result."""
    return TaskSpec(
        name="business_days",
        gen_inputs=arguments(dates(_FIRST, _LAST), _distances(), lists(_distances(), 80)).map(_near),
        properties=(
            Property(_works, "a business day, unless it is the start"),
            Property(_right_way, "later than the start, earlier if the days are negative"),
            Property(_far_enough, "at least as many days away"),
        ),
        relations=(
            MetamorphicRelation("holidays shuffled and repeated", _shuffled, accepts_rng=True, category="permutation"),
            MetamorphicRelation("holidays at weekends", _with_weekends, category="noise"),
            MetamorphicRelation("four weeks later", _later, _four_weeks_later, category="shift"),
            MetamorphicRelation("another holiday", _another_holiday, "properties_hold", category="extension"),
        ),
        fmt_in=_shown_input,
        fmt_out=_shown_output,
        valid=_valid,
    )


def _distances() -> Generator[int]:
    return one_of(integers(-12, 12), integers(-_FARTHEST, _FARTHEST))


def _near(drawn: tuple[Any, ...]) -> Args:
    start, days, offsets = drawn
    return start, days, [start + _ONE_DAY * offset for offset in offsets]


def _valid(*args: Any) -> bool:  # noqa: ANN401 - shrinking tries anything
    if len(args) != 3:
        return False
    start, days, holidays = args
    return (
        isinstance(holidays, list)
        and all(type(day) is dt.date and 1900 <= day.year <= 2200 for day in (start, *holidays))
        and type(days) is int
        and abs(days) <= 2 * _FARTHEST
    )


def _works(output: dt.date, start: dt.date, days: int, holidays: Holidays) -> bool:
    return output == start if days == 0 else output.weekday() < _SATURDAY and output not in holidays


def _right_way(output: dt.date, start: dt.date, days: int, _holidays: Holidays) -> bool:
    return days == 0 or (output > start) == (days > 0)


def _far_enough(output: dt.date, start: dt.date, days: int, _holidays: Holidays) -> bool:
    return abs((output - start).days) >= abs(days) + 2 * ((abs(days) - 1) // 5)  # a weekend after every five


def _shuffled(start: dt.date, days: int, holidays: Holidays, *, rng: random.Random) -> Args:
    again = [*holidays, *holidays[::2]]
    rng.shuffle(again)
    return start, days, again


def _with_weekends(start: dt.date, days: int, holidays: Holidays) -> Args:
    saturday = start + _ONE_DAY * (_SATURDAY - start.weekday())
    weekends = [saturday + _ONE_DAY * (7 * week + day) for week in range(-3, 4) for day in (0, 1)]
    return start, days, [*holidays, *weekends]


def _later(start: dt.date, days: int, holidays: Holidays) -> Args:
    return start + _FOUR_WEEKS, days, [day + _FOUR_WEEKS for day in holidays]


def _four_weeks_later(before: dt.date, after: dt.date) -> bool:
    return after - before == _FOUR_WEEKS


def _another_holiday(start: dt.date, days: int, holidays: Holidays) -> Args:
    return start, days, [*holidays, start + _ONE_DAY * days]


def _shown_input(args: Args) -> str:
    start, days, holidays = args
    return f"{_shown_output(start)} {days:+} business days, holidays {', '.join(map(str, sorted(holidays))) or 'none'}"


def _shown_output(output: object) -> str:
    return f"{output:%a %Y-%m-%d}" if isinstance(output, dt.date) else repr(output)
