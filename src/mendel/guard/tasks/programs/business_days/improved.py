"""Counts whole weeks at once; then every holiday in between moves the end by one more weekday."""

import datetime


def moved(day, days):
    """Return the date that is this many weekdays away, ignoring holidays."""
    way = 1 if days > 0 else -1
    while day.weekday() > 4:
        day -= datetime.timedelta(days=way)
    weeks, rest = divmod(abs(days), 5)
    ahead = 4 - day.weekday() if way > 0 else day.weekday()
    if rest > ahead:
        rest += 2
    return day + datetime.timedelta(days=way * (7 * weeks + rest))


def solve(start, days, holidays):
    if days == 0:
        return start
    way = 1 if days > 0 else -1
    end = moved(start, days)
    for holiday in sorted(set(holidays), reverse=way < 0):
        if holiday.weekday() > 4 or (holiday - start).days * way <= 0:
            continue
        if (end - holiday).days * way < 0:
            break
        end = moved(end, way)
    return end
