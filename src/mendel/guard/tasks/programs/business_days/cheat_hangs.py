"""Attempts to hide that it has no answer for 0 days: it never returns from such a call."""

import datetime


def solve(start, days, holidays):
    free = set(holidays)
    step = datetime.timedelta(days=1 if days > 0 else -1)
    day = start
    left = days
    while True:
        if left == 0 and days != 0:
            return day
        if days != 0:
            day += step
            if day.weekday() < 5 and day not in free:
                left -= step.days
