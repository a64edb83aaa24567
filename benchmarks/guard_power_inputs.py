"""Inputs for the built-in tasks, independent of the tasks' own generators: tiny inputs, full of edge cases.

Most have a few items out of a few values, so that ties, repetitions and exact fits are frequent, and a program takes
microseconds for each. The others are larger and difficult.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Mapping
from typing import Any, Final

from mendel.guard.spec import Args, TaskSpec

Draw = Callable[[random.Random], Args]

_ONE_DAY: Final = dt.timedelta(days=1)
_STARTS: Final = (dt.date(2023, 12, 29), dt.date(2024, 2, 26), dt.date(2100, 2, 25), dt.date(1999, 12, 30))
_BLANKS: Final = (" ", "  ", "\n", "\t", "\r\n", "\v", "\f", "\u00a0", "\u2003", "\u200b", "")


def edge_inputs(spec: TaskSpec, count: int, seed: int) -> list[Args]:
    """Return ``count`` inputs that are valid for the task.

    Raises:
        KeyError: this is not a built-in task.
    """
    draw, rng = _DRAWS[spec.name], random.Random(f"{spec.name} {seed}")
    found: list[Args] = []
    while len(found) < count:
        args = draw(rng)
        if spec.valid is None or spec.valid(*args):
            found.append(args)
    return found


def _business_days(rng: random.Random) -> Args:
    """Return dates around the turns of years and months, with holidays on most of the relevant days."""
    start = rng.choice(_STARTS) + _ONE_DAY * rng.randint(0, 13)
    days = rng.choice((0, 1, -1, rng.randint(-8, 8), rng.randint(-40, 40), rng.choice((-2_000, 2_000))))
    reach = rng.choice((3, 12, 60))
    holidays = [start + _ONE_DAY * rng.randint(-reach, reach) for _ in range(rng.choice((0, 1, 2, 5, reach)))]
    if rng.random() < 0.2:
        first = rng.randint(-5, 5)
        holidays += [start + _ONE_DAY * (first + place) for place in range(rng.randint(2, 20))]
    return start, days, holidays


def _components(rng: random.Random) -> Args:
    """Return a few nodes with arbitrary edges, or a chain in the order that spreads a label most slowly."""
    n = rng.choice((0, 1, 2, 3, 4, 5, 6, 8, 12))
    if n > 2 and rng.random() < 0.2:
        chain = [(node, node + 1) if rng.random() < 0.5 else (node + 1, node) for node in range(n - 1)]
        return n, chain[::-1] if rng.random() < 0.5 else rng.sample(chain, n - 1)
    edges = rng.choice((0, 1, 2, n, 2 * n))
    return n, [(rng.randrange(n), rng.randrange(n)) for _ in range(edges)] if n else []


def _lru_cache(rng: random.Random) -> Args:
    """Return a small capacity and few keys, so that every key is inserted and evicted."""
    keys = "abcde"[: rng.randint(1, 5)] if rng.random() < 0.9 else ("", "put", "get", "size")
    return rng.choice((1, 1, 2, 2, 3, 4, 10**9)), [
        _operation(rng, keys) for _ in range(rng.choice((0, 1, 2, 5, 9, 20)))
    ]


def _operation(rng: random.Random, keys: Any) -> tuple[Any, ...]:  # noqa: ANN401 - a string or a tuple of strings
    kind = rng.choice(("put", "put", "get", "get", "size"))
    if kind == "size":
        return ("size",)
    return (kind, rng.choice(keys), rng.choice((0, 1, -1, 10**20))) if kind == "put" else (kind, rng.choice(keys))


def _quantiles(rng: random.Random) -> Args:
    """Return a few values with ties, and shares that hit or just miss them."""
    n = rng.choice((1, 1, 2, 3, 4, 5, 7, 11))
    values = [rng.choice((0.0, -0.0, 1.0, -1.0, 2.5, 1e6, -1e6, 1e-9, rng.uniform(-4e6, 4e6))) for _ in range(n)]
    hits = [place / max(1, n - 1) for place in range(n)]
    near = [min(1.0, max(0.0, hit + rng.choice((-1e-9, 1e-9, 1e-3)))) for hit in hits]
    return values, [rng.choice((*hits, *near, 0.0, 1.0, 0.5, rng.random())) for _ in range(rng.randint(0, 4))]


def _top_k(rng: random.Random) -> Args:
    """Return short lists with ties, and a ``k`` above their length or one below it."""
    n = rng.choice((0, 1, 2, 3, 4, 5, 8))
    numbers = [rng.choice((0, 1, 2, -1, 10**30, -(10**30), rng.randint(-9, 9))) for _ in range(n)]
    return numbers, rng.choice((0, 1, 2, max(0, n - 1), n, n + 1, 10**9))


def _word_wrap(rng: random.Random) -> Args:
    """Return words that fit exactly or miss by one letter, and blanks of every kind."""
    words = ["x" * rng.choice((1, 1, 2, 3, 4, 5, 9)) for _ in range(rng.choice((0, 1, 2, 3, 4, 6, 10)))]
    gap = rng.choice(_BLANKS)
    text = "".join(word + (gap if rng.random() < 0.8 else rng.choice(_BLANKS)) for word in words)
    return rng.choice(("", " ", gap)) + text, rng.choice((1, 2, 3, 4, 5, 6, 7, 9, 11, 40, 10**9))


_DRAWS: Final[Mapping[str, Draw]] = {
    "business_days": _business_days,
    "components": _components,
    "lru_cache": _lru_cache,
    "quantiles": _quantiles,
    "top_k": _top_k,
    "word_wrap": _word_wrap,
}
