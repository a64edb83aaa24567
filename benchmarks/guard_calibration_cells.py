"""The cells in which the gate is measured: pairs of pass rates on a policy's boundary, with their correlation."""

from __future__ import annotations

from math import sqrt
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Correlation = Literal["none", "half", "full"]

CORRELATIONS: Final[tuple[Correlation, ...]] = ("none", "half", "full")
"""Correlations of paired outcomes: none, half of the largest that the two rates allow, and the largest."""

NEGLIGIBLE: Final = 1e-12


class Cell(NamedTuple):
    """One truth: both pass rates, and the probabilities of the four outcomes of a pair."""

    candidate: float
    baseline: float
    correlation: Correlation
    both: float
    only_candidate: float
    only_baseline: float
    neither: float

    @property
    def rate(self) -> float:
        """Return the rate of the better side."""
        return max(self.candidate, self.baseline)

    @property
    def phi(self) -> float:
        """Return the correlation coefficient; 0 if one side's outcome is constant."""
        variance = self.candidate * (1 - self.candidate) * self.baseline * (1 - self.baseline)
        return (self.both - self.candidate * self.baseline) / sqrt(variance) if variance > 0 else 0.0


def cell(candidate: float, baseline: float, correlation: Correlation = "none") -> Cell:
    """Return the truth with these pass rates."""
    share = CORRELATIONS.index(correlation) / 2
    both = (1 - share) * candidate * baseline + share * min(candidate, baseline)
    parts = (both, candidate - both, baseline - both, 1 - candidate - baseline + both)
    # rounding may make differences of equal values slightly negative
    return Cell(candidate, baseline, correlation, *(0.0 if abs(part) < NEGLIGIBLE else part for part in parts))


def boundary(kind: str, margin: float, rate: float) -> list[tuple[float, float]]:
    """Return (candidate, baseline) rates on the policy's boundary, where it must not adopt; ``rate`` is the better."""
    ahead, behind = (rate, rate - margin), (rate - margin, rate)
    match kind:
        case "superiority":
            return [ahead]
        case "noninferiority":
            return [behind]
        case "equivalence":
            return [behind, ahead]
        case _:
            raise ValueError(f"there is no boundary of two rates for the policy {kind!r}")


def alone(rate: float) -> Cell:
    """Return a truth without a baseline, or one that differs from the baseline with probability ``1 - rate``."""
    return Cell(rate, 1.0, "none", rate, 0.0, 1 - rate, 0.0)


def extent(cells: list[Cell], n: int) -> tuple[int, int]:
    """Return counts of pairs passed by one side only that are exceeded with probability below ``NEGLIGIBLE``."""
    return (
        max(_upper(n, each.only_candidate) for each in cells),
        max(_upper(n, each.only_baseline) for each in cells),
    )


def _upper(n: int, chance: float) -> int:
    counts = np.arange(n + 1)
    chances = np.exp(_log_ways(n, counts) + _power(counts, chance) + _power(n - counts, 1 - chance))
    beyond = np.cumsum(chances[::-1])[::-1]
    return int(np.count_nonzero(beyond >= NEGLIGIBLE)) - 1


def pairs(each: Cell, size: int, shape: tuple[int, int]) -> Floats:
    """Return probabilities by [b, c]: ``b`` pairs passed by the candidate only, ``c`` by the baseline only."""
    b, c = np.arange(shape[0])[:, None], np.arange(shape[1])[None, :]
    rest = np.maximum(size - b - c, 0)
    same = each.both + each.neither
    logs = log_factorials(size)
    b_known, c_known = np.minimum(b, size), np.minimum(c, size)
    exponent = logs[size] - logs[b_known] - logs[c_known] - logs[rest]
    exponent = exponent + _power(b, each.only_candidate) + _power(c, each.only_baseline) + _power(rest, same)
    return np.where(b + c <= size, np.exp(exponent), 0.0)


def shares_of_neither(each: Cell, concordant: int) -> Floats:
    """Return the probabilities that 0, 1, 2, … of the concordant pairs are passed by neither side."""
    same = each.both + each.neither
    share = each.neither / same if same > 0 else 0.0
    counts = np.arange(concordant + 1)
    return np.asarray(
        np.exp(_log_ways(concordant, counts) + _power(counts, share) + _power(concordant - counts, 1 - share))
    )


def convolved(one: Floats, other: Floats) -> Floats:
    """Return the distribution of the sum, cut to the shape of the second."""
    shape = [a + b - 1 for a, b in zip(one.shape, other.shape, strict=True)]
    product = np.fft.rfft2(one, shape) * np.fft.rfft2(other, shape)
    whole = np.fft.irfft2(product, shape)[: other.shape[0], : other.shape[1]]
    # rounding errors in place of zeros
    return np.asarray(np.where(whole > 1e-16, whole, 0.0))


def log_factorials(most: int) -> Floats:
    """Return the logarithms of the factorials of 0, 1, 2, …, ``most``."""
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, most + 1)))])


def _log_ways(n: int, counts: NDArray[np.int64]) -> Floats:
    logs = log_factorials(n)
    return np.asarray(logs[n] - logs[counts] - logs[n - counts])


def _power(counts: NDArray[np.int64], chance: float) -> Floats:
    """Return the logarithm of ``chance ** counts``, where zero to the power of zero is one."""
    if chance <= 0.0:
        return np.where(counts > 0, -np.inf, 0.0)
    return np.asarray(counts * np.log(chance))
