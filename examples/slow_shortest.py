"""Shortest paths through a town.

mendel evolve examples/slow_shortest.py:distances --task examples/slow_shortest_task.py
"""


def distances(roads: dict[str, dict[str, int]], start: str) -> dict[str, int]:
    """Return the distance to every place that can be reached from the start (Dijkstra)."""
    best = {start: 0}
    done: list[str] = []
    while len(done) < len(best):
        # the nearest place that is not done yet
        nearest = ""
        for place in best:
            if place not in done and (nearest == "" or best[place] < best[nearest]):
                nearest = place
        done.append(nearest)
        for neighbour, length in roads.get(nearest, {}).items():
            far = best[nearest] + length
            if neighbour not in best or far < best[neighbour]:
                best[neighbour] = far
    return best
