"""A few planned looks at growing data: how much of alpha each may spend, and the critical value that spends it."""

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
"""What of alpha is spent when a fraction of the information is there: none at 0, all at 1, never less than before."""

_FAR: Final = 9.0
"""Standard deviations beyond which there is nothing to integrate."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
_PANELS: Final = 200
"""Enough for looks that a thousandth of the information lies between; closer ones are less exact."""
_HALVINGS: Final = 60


def pocock(fraction: float, alpha: float) -> float:
    """Lan and DeMets' spending like Pocock's: about as critical at every look."""
    return alpha * log(1.0 + (e - 1.0) * _information(fraction))


def obrien_fleming(fraction: float, alpha: float) -> float:
    """Lan and DeMets' spending like O'Brien and Fleming's: next to nothing early, nearly all of alpha at the end."""
    if _information(fraction) == 0.0:
        return 0.0
    return 2.0 * normal_sf(-normal_quantile(0.5 * alpha) / sqrt(fraction))


@lru_cache(maxsize=256)
def boundaries(fractions: tuple[float, ...], alpha: float, spending: Spending) -> tuple[float, ...]:
    """The z values to exceed at looks with these fractions of the planned information; right to about 1e-5.

    Without a difference, the chance to exceed one of the first k is what is spent at the k-th look: Armitage,
    McPherson and Rowe's recursion over the density of the score where no look has stopped. A look that may spend
    nothing has an infinite one.

    Raises:
        ValueError: there is no look, the fractions do not increase within (0, 1], or ``alpha`` is not in (0, 0.5).
    """
    check_alpha(alpha)
    starts = (0.0, *fractions[:-1])
    if not fractions or fractions[-1] > 1.0 or not all(a < b for a, b in zip(starts, fractions, strict=True)):
        raise ValueError(f"looks are at increasing fractions in (0, 1], not {fractions}")
    steps = [sqrt(b - a) for a, b in zip(starts, fractions, strict=True)]
    found: list[float] = []
    score, mass, spent = np.zeros(1), np.ones(1), 0.0
    for now, step, following in zip(fractions, steps, (*steps[1:], 1.0), strict=True):
        due = spending(now, alpha)
        critical = _critical(score, mass, step, due - spent)
        found.append(critical / sqrt(now))
        nodes, weights = _nodes(sqrt(now), critical, following)
        score, mass = nodes, weights * _density(score, mass, step, nodes)
        spent = max(spent, due)
    return tuple(found)


def _information(fraction: float) -> float:
    if not 0.0 <= fraction <= 1.0:
        raise ValueError(f"a fraction of the information is in [0, 1], not {fraction}")
    return fraction


def _critical(score: Floats, mass: Floats, step: float, share: float) -> float:
    """The score that is exceeded with chance ``share`` after one more step from where the mass stands."""
    if share <= 0.0:
        return inf
    low, high = -_FAR, 4.0 * _FAR
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        tails = [0.5 * erfc(z) for z in ((middle - score) / (step * sqrt(2.0))).tolist()]
        low, high = (middle, high) if float(mass @ tails) > share else (low, middle)
    return 0.5 * (low + high)


def _nodes(deviation: float, critical: float, following: float) -> tuple[Floats, Floats]:
    """Where to keep the density of a score that did not exceed its critical value, and the weight of each place.

    They lie closer together than the ``following`` step is wide, for that is how fast its integrand changes.
    """
    low, high = -_FAR * deviation, min(critical, _FAR * deviation)
    panels = min(_PANELS, max(24, int((high - low) / (2.0 * following))))
    half = 0.5 * (high - low) / panels
    edges = low + 2.0 * half * np.arange(panels)
    return (edges[:, None] + half * (1.0 + _NODES)).ravel(), np.tile(half * _WEIGHTS, panels)


def _density(score: Floats, mass: Floats, step: float, at: Floats) -> Floats:
    """The density of the score ``at`` these places, one normal step after the mass stood where it stands."""
    kernel = np.exp(-0.5 * ((at[:, None] - score) / step) ** 2)
    return np.asarray(kernel @ mass / (step * sqrt(2.0 * pi)))
