"""The end of the sorted list, turned round; but the last 0 numbers are written like all of them."""


def solve(L, k):
    return sorted(L)[-k:][::-1]
