"""Union-find that links nodes instead of their roots, and so loses earlier links."""


def solve(n, edges):
    parent = list(range(n))
    for left, right in edges:
        if left != right:
            parent[max(left, right)] = min(left, right)
    parts = {}
    for node in range(n):
        root = node
        while parent[root] != root:
            root = parent[root]
        parts.setdefault(root, []).append(node)
    return [tuple(part) for part in parts.values()]
