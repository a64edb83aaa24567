"""Towns for slow_shortest.py: type hints cannot express that roads lead to places and lengths are not negative."""

import random

timing_size = 120
held_sizes = (160, 200)


def generate(rng: random.Random, size: int) -> tuple[dict[str, dict[str, int]], str]:
    """Return a town with ``size`` places and about three roads from each, and a start."""
    places = [f"p{number}" for number in range(max(1, size))]
    roads: dict[str, dict[str, int]] = {}
    for place in places:
        ends = rng.sample(places, min(len(places), rng.randint(0, 6)))
        roads[place] = {end: rng.randint(1, 99) for end in ends if end != place}
    return roads, rng.choice(places)


examples = [({}, "p0"), ({"p0": {"p0": 5}}, "p0"), ({"p0": {"p1": 0}, "p1": {"p2": 0}}, "p0")]
