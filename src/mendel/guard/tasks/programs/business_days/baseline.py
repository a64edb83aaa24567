"""Steps day by day and counts the business days."""

import datetime


def solve(start, days, holidays):
    step = datetime.timedelta(days=1 if days > 0 else -1)
    day = start
    left = abs(days)
    while left > 0:
        day += step
        if day.weekday() < 5 and day not in holidays:
            left -= 1
    return day
