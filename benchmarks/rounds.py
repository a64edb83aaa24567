"""Samples of several contenders, taken in turn so that noise affects all of them."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple


class Sample(NamedTuple):
    """A number of events and their time in seconds."""

    events: int
    seconds: float

    @property
    def rate(self) -> float:
        """Return events per second."""
        return self.events / self.seconds


Contender = Callable[[], Awaitable[Sample]]


async def interleave(
    contenders: Mapping[str, Contender], rounds: int, say: Callable[[str], None]
) -> dict[str, list[float]]:
    """Measure events per second of each contender, ``rounds`` times, in the opposite order every other round.

    One warm-up round fills caches, prepared statements and the first pages of the tables.
    """
    rates: dict[str, list[float]] = defaultdict(list)
    for number in range(rounds + 1):
        names = list(contenders)[:: 1 if number % 2 else -1]
        say(f"round {number} of {rounds}: {', '.join(names)}")
        for name in names:
            sample = await contenders[name]()
            if number:  # round 0 is the warm-up
                rates[name].append(round(sample.rate, 1))
    return dict(rates)


def ratio(rates: Mapping[str, list[float]], ours: str, theirs: str) -> float:
    """Return the median over the rounds of ours divided by theirs, each pair from one round."""
    return statistics.median(a / b for a, b in zip(rates[ours], rates[theirs], strict=True))


def medians(rates: Mapping[str, list[float]]) -> dict[str, float]:
    """Return the median rate of each contender."""
    return {name: round(statistics.median(samples)) for name, samples in rates.items()}
