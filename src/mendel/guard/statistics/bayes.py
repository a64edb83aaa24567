"""Bayesian inference from counts: conjugate posteriors of a rate, and of the difference of paired outcomes.

The bounds are credible bounds, not confidence bounds: their error holds on average over the prior, not for every true
rate. The default prior is Jeffreys': half an observation in each cell.
"""

from __future__ import annotations

from math import floor, inf
from typing import Final

import numpy as np

from mendel.contracts.entropy import Entropy
from mendel.guard.statistics.draws import Floats, batches, gammas, uniforms
from mendel.guard.statistics.means import check_alpha
from mendel.guard.statistics.samples import Bounds, Paired
from mendel.guard.statistics.special import beta_quantile, normal_quantile

_LEAST_PRIOR: Final = 0.05
"""Smallest prior: draws from a gamma distribution with a smaller shape may be too small for a float."""


def beta_bounds(successes: int, n: int, alpha: float, prior: tuple[float, float] = (0.5, 0.5)) -> Bounds:
    """Return credible bounds on a success rate under a beta prior; the estimate is the posterior mean.

    Raises:
        ValueError: the successes are not in 0 … ``n``, ``alpha`` is not in (0, 0.5), or the prior is not positive.
    """
    check_alpha(alpha)
    if not 0 <= successes <= n:
        raise ValueError(f"successes must be in 0 … {n}, the number of trials, not {successes}")
    a, b = successes + prior[0], n - successes + prior[1]
    return Bounds(a / (a + b), beta_quantile(alpha, a, b), 1.0 - beta_quantile(alpha, b, a))


def dirichlet_difference(
    paired: Paired, alpha: float, entropy: Entropy, draws: int = 20000, prior: float = 0.5
) -> Bounds:
    """Return credible bounds on the difference under a Dirichlet prior of ``prior`` on each of the four cells.

    The estimate is the exact posterior mean; the bounds are quantiles of ``draws`` draws from the posterior.

    Raises:
        ValueError: ``alpha`` is not in (0, 0.5) or too small for that many draws, or the prior is below 0.05.
    """
    check_alpha(alpha)
    rank = floor(alpha * (draws + 1))
    if not rank:
        raise ValueError(f"{draws} draws are too few for an alpha of {alpha}")
    better, worse, same = _cells(paired, prior)
    ordered = np.sort(_differences(paired, entropy, draws, prior))  # bounds are drawn values, rounded outwards
    return Bounds((better - worse) / (better + worse + same), float(ordered[rank - 1]), float(ordered[draws - rank]))


def probability_above(paired: Paired, margin: float, entropy: Entropy, draws: int = 20000, prior: float = 0.5) -> float:
    """Return the posterior probability that the difference is above ``margin``, as a share of ``draws`` draws."""
    return float(np.mean(_differences(paired, entropy, draws, prior) > margin))


def predictive_adoption(
    paired: Paired,
    future_n: int,
    margin: float,
    alpha: float,
    entropy: Entropy,
    draws: int = 2000,
    prior: float = 0.5,
) -> float:
    """Return the probability, given ``paired``, that ``future_n`` fresh pairs would show more than ``margin``.

    Each of ``draws`` draws takes the rates of better and worse pairs from the posterior under a Dirichlet prior, and
    then ``future_n`` pairs with these rates. It counts if the lower bound from the fresh pairs alone is above the
    margin. This bound is their posterior mean of the difference under the same prior, minus the 1 - ``alpha`` normal
    quantile times their posterior standard deviation. The pairs in ``paired`` only predict; they are not counted again.

    Raises:
        ValueError: ``future_n`` or ``draws`` is not positive, ``alpha`` is not in (0, 0.5), or the prior below 0.05.
    """
    check_alpha(alpha)
    if future_n < 1 or draws < 1:
        raise ValueError(f"a forecast needs at least one pair and one draw, not {future_n} and {draws}")
    better, worse = _future(paired, future_n, entropy, draws, prior)
    size = future_n + 4.0 * prior
    mean = (better - worse) / size
    variance = ((better + worse + 2.0 * prior) / size - mean**2) / (size + 1.0)
    return float(np.mean(mean - normal_quantile(1.0 - alpha) * np.sqrt(variance) > margin))


def _cells(paired: Paired, prior: float) -> tuple[float, float, float]:
    """Return the posterior's parameters for better, worse and same pairs; merged cells add their parameters."""
    if not _LEAST_PRIOR <= prior < inf:
        raise ValueError(f"a prior must be finite and at least {_LEAST_PRIOR}, not {prior}")
    return paired.only_candidate + prior, paired.only_baseline + prior, paired.both + paired.neither + 2.0 * prior


def _rates(paired: Paired, entropy: Entropy, draws: int, prior: float) -> tuple[Floats, Floats]:
    """Draw from the posterior the rates at which only the candidate passes, and only the baseline."""
    labels = ("better", "worse", "same")
    better, worse, same = (
        gammas(entropy, shape, draws, label) for shape, label in zip(_cells(paired, prior), labels, strict=True)
    )
    total = better + worse + same
    return better / total, worse / total


def _differences(paired: Paired, entropy: Entropy, draws: int, prior: float) -> Floats:
    if draws < 1:
        raise ValueError(f"a posterior needs at least one draw, not {draws}")
    better, worse = _rates(paired, entropy, draws, prior)
    return better - worse


def _future(paired: Paired, future_n: int, entropy: Entropy, draws: int, prior: float) -> tuple[Floats, Floats]:
    """Draw how many of ``future_n`` pairs are better and how many worse, for each draw of their rates."""
    better, worse = _rates(paired, entropy, draws, prior)
    counts, start = np.empty((2, draws)), 0
    for number, rows in batches(draws, future_n):
        part = slice(start, start + rows)
        units = uniforms(entropy, rows * future_n, "future", number).reshape(rows, future_n)
        counts[0, part] = (units < better[part, None]).sum(axis=1)
        counts[1, part] = (units >= 1.0 - worse[part, None]).sum(axis=1)  # the other end: no pair counts twice
        start += rows
    return counts[0], counts[1]
