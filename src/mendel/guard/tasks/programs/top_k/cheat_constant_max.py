"""Attempts to satisfy just the properties and relations: it repeats the largest number as often as required."""


def solve(L, k):
    return [max(L)] * min(k, len(L)) if L else []
