"""Returns the reversed end of the sorted list; for k = 0 the slice [-0:] returns all numbers."""


def solve(L, k):
    return sorted(L)[-k:][::-1]
