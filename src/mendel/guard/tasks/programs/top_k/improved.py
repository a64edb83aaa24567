"""The k largest numbers: a heap for a few of many, a sort for many."""

import heapq


def solve(L, k):
    if 8 * k < len(L):
        return heapq.nlargest(k, L)
    return sorted(L, reverse=True)[:k]
