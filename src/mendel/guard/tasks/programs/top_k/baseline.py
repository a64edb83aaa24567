"""Finds the k largest numbers one after the other."""


def solve(L, k):
    rest = list(L)
    largest = []
    while rest and len(largest) < k:
        best = max(rest)
        rest.remove(best)
        largest.append(best)
    return largest
