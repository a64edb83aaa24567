"""Group-sequential tests: how much of alpha each planned look may spend, and the critical values that spend it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import e, erfc, inf, log, pi, sqrt
from typing import Final, TypeAlias

import numpy as np

from mendel.guard.statistics.draws import Floats
from mendel.guard.statistics.means import check_alpha
from mendel.guard.statistics.special import normal_quantile, normal_sf

Spending: TypeAlias = Callable[[float, float], float]
"""The alpha spent at (fraction of the information, alpha): 0 at fraction 0, alpha at 1, never decreasing."""

_FAR: Final = 9.0
"""Standard deviations beyond which the density is negligible."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
_PANELS: Final = 200
"""Maximum number of panels: enough for looks at least 0.001 of the information apart; closer looks are less exact."""
_HALVINGS: Final = 60


def pocock(fraction: float, alpha: float) -> float:
    """Spend like Pocock (Lan and DeMets): about the same critical value at every look."""
    return alpha * log(1.0 + (e - 1.0) * _information(fraction))


def obrien_fleming(fraction: float, alpha: float) -> float:
    """Spend like O'Brien and Fleming (Lan and DeMets): hardly any alpha early, nearly all of it at the end."""
    if _information(fraction) == 0.0:
        return 0.0
    return 2.0 * normal_sf(-normal_quantile(0.5 * alpha) / sqrt(fraction))


@lru_cache(maxsize=256)
def boundaries(fractions: tuple[float, ...], alpha: float, spending: Spending) -> tuple[float, ...]:
    """Return the critical z values of looks at these fractions of the planned information, accurate to about 1e-5.

    Under the null hypothesis, the probability of exceeding one of the first k values is the alpha spent by the k-th
    look. The method is the recursion of Armitage, McPherson and Rowe over the density of the score of tests that have
    not stopped. A look that may spend nothing has an infinite critical value.

    Raises:
        ValueError: there is no look, the fractions do not increase within (0, 1], or ``alpha`` is not in (0, 0.5).
    """
    check_alpha(alpha)
    starts = (0.0, *fractions[:-1])
    if not fractions or fractions[-1] > 1.0 or not all(a < b for a, b in zip(starts, fractions, strict=True)):
        raise ValueError(f"looks must be at increasing fractions in (0, 1], not {fractions}")
    steps = [sqrt(b - a) for a, b in zip(starts, fractions, strict=True)]
    found: list[float] = []
    score, mass, spent = np.zeros(1), np.ones(1), 0.0
    for now, step, following in zip(fractions, steps, (*steps[1:], 1.0), strict=True):
        due = spending(now, alpha)
        critical = _critical(score, mass, step, due - spent)
        found.append(critical / sqrt(now))  # the score has the variance `now`
        nodes, weights = _nodes(sqrt(now), critical, following)
        score, mass = nodes, weights * _density(score, mass, step, nodes)
        spent = max(spent, due)  # never falls, not even by rounding
    return tuple(found)


def _information(fraction: float) -> float:
    if not 0.0 <= fraction <= 1.0:
        raise ValueError(f"a fraction of the information must be in [0, 1], not {fraction}")
    return fraction


def _critical(score: Floats, mass: Floats, step: float, share: float) -> float:
    """Find, by bisection, the score that one more step from the current mass exceeds with probability ``share``."""
    if share <= 0.0:
        return inf
    low, high = -_FAR, 4.0 * _FAR
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        tails = [0.5 * erfc(z) for z in ((middle - score) / (step * sqrt(2.0))).tolist()]
        low, high = (middle, high) if float(mass @ tails) > share else (low, middle)
    return 0.5 * (low + high)


def _nodes(deviation: float, critical: float, following: float) -> tuple[Floats, Floats]:
    """Return quadrature nodes and weights for the density of a score that did not exceed its critical value.

    The nodes are closer together than the width of the ``following`` step, which sets the scale of the integrand.
    """
    low, high = -_FAR * deviation, min(critical, _FAR * deviation)
    panels = min(_PANELS, max(24, int((high - low) / (2.0 * following))))
    half = 0.5 * (high - low) / panels
    edges = low + 2.0 * half * np.arange(panels)
    return (edges[:, None] + half * (1.0 + _NODES)).ravel(), np.tile(half * _WEIGHTS, panels)


def _density(score: Floats, mass: Floats, step: float, at: Floats) -> Floats:
    """Return the density of the score ``at`` these points, one normal step after the current mass."""
    kernel = np.exp(-0.5 * ((at[:, None] - score) / step) ** 2)
    return np.asarray(kernel @ mass / (step * sqrt(2.0 * pi)))
