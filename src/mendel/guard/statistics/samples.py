"""The data of the formulas: counts of paired outcomes, and bounds on an estimate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Self


class Bounds(NamedTuple):
    """An estimate with its one-sided bounds; a missing bound is infinite."""

    estimate: float
    lower: float
    upper: float


class Paired(NamedTuple):
    """Counts of the inputs that both sides passed, only one side, or neither.

    All differences are candidate minus baseline.
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
            counts[(not candidate) * 2 + (not baseline)] += 1  # in the order of the fields
        return cls(*counts)

    @property
    def n(self) -> int:
        """The number of pairs."""
        return sum(self)

    @property
    def difference(self) -> float:
        """The candidate's pass rate minus the baseline's; 0 without pairs."""
        return (self.only_candidate - self.only_baseline) / self.n if self.n else 0.0

    @property
    def candidate_passes(self) -> int:
        """The number of pairs in which the candidate passed."""
        return self.both + self.only_candidate

    @property
    def baseline_passes(self) -> int:
        """The number of pairs in which the baseline passed."""
        return self.both + self.only_baseline
