"""Every node takes over the smallest name among its neighbours, until no name changes."""


def solve(n, edges):
    name = list(range(n))
    changed = True
    while changed:
        changed = False
        for left, right in edges:
            smaller = min(name[left], name[right])
            if name[left] != smaller or name[right] != smaller:
                name[left] = name[right] = smaller
                changed = True
    parts = {}
    for node in range(n):
        parts.setdefault(name[node], []).append(node)
    return [tuple(part) for part in parts.values()]
