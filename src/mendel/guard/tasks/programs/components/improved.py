"""Union-find with path halving."""


def solve(n, edges):
    parent = list(range(n))
    for left, right in edges:
        while parent[left] != left:
            parent[left] = parent[parent[left]]
            left = parent[left]
        while parent[right] != right:
            parent[right] = parent[parent[right]]
            right = parent[right]
        if left < right:
            parent[right] = left
        else:
            parent[left] = right
    parts = {}
    for node in range(n):
        parent[node] = parent[parent[node]]  # a parent is smaller than its child, so it is at its root already
        parts.setdefault(parent[node], []).append(node)
    return [tuple(part) for part in parts.values()]
