"""What the formulas are about: counts of paired outcomes, and bounds on what they estimate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Self


class Bounds(NamedTuple):
    """An estimate between its one-sided bounds. A side that nothing bounds is infinite."""

    estimate: float
    lower: float
    upper: float


class Paired(NamedTuple):
    """How often both sides passed, only one of them did, or neither, on the same inputs.

    The difference that everything is about is candidate minus baseline.
    """

    both: int
    only_candidate: int
    only_baseline: int
    neither: int

    @classmethod
    def of(cls, outcomes: Iterable[tuple[bool, bool]]) -> Self:
        """Count pairs of (candidate passed, baseline passed)."""
        counts = [0, 0, 0, 0]
        for candidate, baseline in outcomes:
            counts[(not candidate) * 2 + (not baseline)] += 1
        return cls(*counts)

    @property
    def n(self) -> int:
        """Pairs in all."""
        return sum(self)

    @property
    def difference(self) -> float:
        """Pass rate of the candidate less that of the baseline."""
        return (self.only_candidate - self.only_baseline) / self.n if self.n else 0.0

    @property
    def candidate_passes(self) -> int:
        """Pairs in which the candidate passed."""
        return self.both + self.only_candidate

    @property
    def baseline_passes(self) -> int:
        """Pairs in which the baseline passed."""
        return self.both + self.only_baseline
