"""Distributions: normal, beta, Student's t, binomial; accurate to about ten digits in both tails."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import erfc, exp, expm1, inf, isinf, lgamma, log, log1p, nan, pi, sqrt
from statistics import NormalDist
from typing import Final

_NORMAL: Final = NormalDist()
_ROOT_HALF: Final = sqrt(0.5)
_HALF_LOG_TAU: Final = 0.5 * log(2.0 * pi)
_EPSILON: Final = 2.0**-53
_TINY: Final = 1e-300
_LOG_SMALLEST: Final = -745.0
"""The logarithm of the smallest positive float, about."""


def normal_quantile(p: float) -> float:
    """Return the ``p`` quantile of the standard normal distribution; infinite at 0 and 1.

    Raises:
        ValueError: ``p`` is not in [0, 1].
    """
    if p == 0.0 or p == 1.0:
        return inf if p else -inf
    return _NORMAL.inv_cdf(p)


def normal_critical(alpha: float) -> float:
    """Return the upper ``alpha`` quantile of the standard normal distribution, for a bound of that error.

    Raises:
        ValueError: ``alpha`` is not in (0, 0.5); a bound of a larger error would lie beyond its estimate.
    """
    if not 0.0 < alpha < 0.5:
        raise ValueError(f"the error of a bound must be in (0, 0.5), not {alpha}")
    return -_NORMAL.inv_cdf(alpha)


def normal_cdf(z: float) -> float:
    """Return the probability of at most ``z`` under the standard normal distribution."""
    return 0.5 * erfc(-z * _ROOT_HALF)


def normal_sf(z: float) -> float:
    """Return the probability of more than ``z`` under the standard normal distribution."""
    return 0.5 * erfc(z * _ROOT_HALF)


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the probability of at most ``x`` under a beta distribution: the regularised incomplete beta function.

    Raises:
        ValueError: ``a`` or ``b`` is not positive and finite.
    """
    _check_shape(a, b)
    return _incomplete_beta(x, 1.0 - x, a, b)


def beta_quantile(p: float, a: float, b: float) -> float:
    """Return the ``p`` quantile of the beta distribution.

    Raises:
        ValueError: ``a`` or ``b`` is not positive and finite, or ``p`` is not in [0, 1].
    """
    _check_shape(a, b)
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"a probability must be in [0, 1], not {p}")
    if p == 0.0 or p == 1.0:
        return p
    return exp(_log_beta_quantile(p, a, b))


def student_cdf(t: float, df: float) -> float:
    """Return the probability of at most ``t`` under Student's distribution; normal where ``df`` is infinite.

    Raises:
        ValueError: ``df`` is not positive.
    """
    if not df > 0.0:
        raise ValueError(f"degrees of freedom must be positive, not {df}")
    if isinf(df):
        return normal_cdf(t)
    if isinf(t):
        return 0.0 if t < 0.0 else 1.0
    square = t * t
    tail = 0.5 * _incomplete_beta(df / (df + square), square / (df + square), 0.5 * df, 0.5)
    return tail if t < 0.0 else 1.0 - tail


def student_quantile(p: float, df: float) -> float:
    """Return the ``p`` quantile of Student's distribution with ``df`` degrees of freedom; infinite at 0 and 1.

    Raises:
        ValueError: ``df`` is not positive, or ``p`` is not in [0, 1].
    """
    if not df > 0.0 or not 0.0 <= p <= 1.0:
        raise ValueError(f"degrees of freedom must be positive and a probability in [0, 1], not {df} and {p}")
    if p > 0.5:
        return -student_quantile(1.0 - p, df)
    if p == 0.0 or p == 0.5 or isinf(df):
        return 0.0 if p == 0.5 else normal_quantile(p)
    if p > 0.25:
        small = beta_quantile(1.0 - 2.0 * p, 0.5, 0.5 * df)
        t = -sqrt(df * small / (1.0 - small))
    else:
        # expm1 of the logarithm keeps the digits that 1 - x would lose where df is large
        t = -sqrt(df * expm1(-_log_beta_quantile(2.0 * p, 0.5 * df, 0.5)))
    return t - (student_cdf(t, df) - p) / _student_density(t, df)  # one Newton step for the last digits


def binomial_tail(k: int, n: int, p: float) -> float:
    """Return the probability of at least ``k`` successes in ``n`` trials with success probability ``p``."""
    if k <= 0 or k > n:
        return 1.0 if k <= 0 else 0.0
    return beta_cdf(p, k, n - k + 1)


def _check_shape(a: float, b: float) -> None:
    if not (0.0 < a < inf and 0.0 < b < inf):
        raise ValueError(f"a beta distribution needs two positive finite parameters, not {a} and {b}")


def _incomplete_beta(x: float, y: float, a: float, b: float) -> float:
    """Return the incomplete beta function at ``x``; ``y`` is 1 - x at full precision."""
    if x <= 0.0 or y <= 0.0:
        return 0.0 if x <= 0.0 else 1.0
    if x * (a + b + 2.0) > a + 1.0:  # beyond it the continued fraction converges faster for the complement
        return 1.0 - exp(_log_power(y, x, b, a)) / (b * _fraction(y, b, a))
    return exp(_log_power(x, y, a, b)) / (a * _fraction(x, a, b))


def _log_power(x: float, y: float, a: float, b: float) -> float:
    """Return the logarithm of ``x**a * y**b / B(a, b)`` without cancellation.

    The gamma functions of B(a, b) may be huge, so that their differences would lose all digits; instead, the leading
    terms of Stirling's formula are cancelled analytically.
    """
    n = a + b
    peak = 0.5 * log(a * (b / n)) - _HALF_LOG_TAU
    powers = a * _log_ratio(x, y, a, b) + b * _log_ratio(y, x, b, a)
    return peak + powers + _stirling_rest(n) - _stirling_rest(a) - _stirling_rest(b)


def _log_ratio(x: float, y: float, a: float, b: float) -> float:
    """Return the logarithm of ``x (a + b) / a``, that is, of ``x`` over the mean of the distribution."""
    excess = (x * b - y * a) / a
    return log1p(excess) if abs(excess) < 0.5 else log(x) + log1p(b / a)


def _stirling_rest(a: float) -> float:
    """Return the remainder of Stirling's formula for the logarithm of the gamma function at ``a``."""
    if a < 16.0:
        return lgamma(a) - (a - 0.5) * log(a) + a - _HALF_LOG_TAU
    s = 1.0 / (a * a)
    return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - s * 691 / 360360))))) / a


def _fraction(x: float, a: float, b: float) -> float:
    """Evaluate the continued fraction of the incomplete beta function by Lentz's method."""
    value = ahead = 1.0
    behind = 0.0
    for term in _terms(x, a, b):
        behind = 1.0 / ((1.0 + term * behind) or _TINY)  # avoids a division by zero, as in Lentz's method
        ahead = (1.0 + term / ahead) or _TINY
        value *= ahead * behind
        if abs(ahead * behind - 1.0) <= 2.0 * _EPSILON:
            break
    return value


def _terms(x: float, a: float, b: float) -> Iterator[float]:
    for m in count():
        place = a + 2 * m
        yield -(a + m) * (a + b + m) * x / (place * (place + 1.0))
        yield (m + 1) * (b - m - 1) * x / ((place + 1.0) * (place + 2.0))


def _log_beta_quantile(p: float, a: float, b: float) -> float:
    """Find the logarithm of the quantile by Newton's method on logarithms, within a bracket that only shrinks.

    The equation uses the smaller tail, since the larger one has too few digits to distinguish quantiles.
    """
    low, high = _LOG_SMALLEST, 0.0
    if beta_cdf(exp(low), a, b) >= p:
        return -inf
    lower = p <= 0.5
    target = p if lower else 1.0 - p
    u = min(max(_power_law(p, a, b), low), -_EPSILON) if lower else -log1p(b / a)
    for _ in range(200):
        x, y = exp(u), -expm1(u)
        share = _incomplete_beta(x, y, a, b) if lower else _incomplete_beta(y, x, b, a)
        low, high = (u, high) if (share < target) is lower else (low, u)
        slope = exp(_log_power(x, y, a, b)) / (share * y) if share > 0.0 else 0.0
        step = log(share / target) / slope if slope > 0.0 else nan
        u, last = (u - step if lower else u + step), u
        if abs(u - last) <= 4.0 * _EPSILON * max(_EPSILON, abs(u)):
            break
        if not low < u < high:  # bisect where Newton leaves the bracket
            u = 0.5 * (low + high)
    return min(u, 0.0)


def _power_law(p: float, a: float, b: float) -> float:
    """Return a first guess of the quantile's logarithm, from the power law of the distribution near 0."""
    return (log(p) + log(a) + lgamma(a) + lgamma(b) - lgamma(a + b)) / a


def _student_density(t: float, df: float) -> float:
    scale = lgamma(0.5 * (df + 1.0)) - lgamma(0.5 * df) - 0.5 * log(pi * df)
    return exp(scale - 0.5 * (df + 1.0) * log1p(t * t / df))
