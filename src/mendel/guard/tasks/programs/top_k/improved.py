"""Finds the k largest numbers with a heap for small k, else by sorting."""

import heapq


def solve(L, k):
    if 8 * k < len(L):
        return heapq.nlargest(k, L)
    return sorted(L, reverse=True)[:k]
