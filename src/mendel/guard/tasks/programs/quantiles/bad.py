"""Computes quantiles from one sorted copy, but as if n values had n gaps between them instead of n - 1."""


def solve(values, shares):
    ordered = sorted(values)
    last = len(ordered) - 1
    found = []
    for share in shares:
        place = min(share * len(ordered), float(last))
        lower = int(place)
        upper = min(lower + 1, last)
        found.append(ordered[lower] + (ordered[upper] - ordered[lower]) * (place - lower))
    return found
