"""Computes all quantiles from one sorted copy."""


def solve(values, shares):
    ordered = sorted(values)
    last = len(ordered) - 1
    found = []
    for share in shares:
        place = share * last
        lower = int(place)
        part = place - lower
        upper = lower + 1 if lower < last else last
        found.append(ordered[lower] * (1.0 - part) + ordered[upper] * part)
    return found
