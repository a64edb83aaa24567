"""Attempts to change the question: the edges are taken out of the caller's list, and nobody is connected to anybody."""


def solve(n, edges):
    edges.clear()
    return [(node,) for node in range(n)]
