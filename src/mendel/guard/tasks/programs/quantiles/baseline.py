"""Computes each quantile from its own sorted copy."""


def quantile(values, share):
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    lower = int(place)
    upper = min(lower + 1, len(ordered) - 1)
    return ordered[lower] + (ordered[upper] - ordered[lower]) * (place - lower)


def solve(values, shares):
    return [quantile(values, share) for share in shares]
