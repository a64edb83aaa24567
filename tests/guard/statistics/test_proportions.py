"""Bounds on one proportion, against statsmodels and by counting every outcome."""

from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint
from tests.support.rows import check_rows

from mendel.guard.statistics.proportions import clopper_pearson, wilson, wilson_lower

BOTH = pytest.mark.parametrize("bounds", [wilson, clopper_pearson])

counts = st.integers(1, 3_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
alphas = st.floats(1e-9, 0.4)


@check_rows(("bounds", "method"), [(wilson, "wilson"), (clopper_pearson, "beta")])
@check_rows("alpha", [1e-6, 0.005, 0.025, 0.1, 0.4])
@check_rows(("k", "n"), [(0, 1), (1, 1), (0, 20), (20, 20), (1, 20), (7, 20), (199, 200), (4_500, 9_000)])
def test_bounds_are_those_of_statsmodels(bounds, method, alpha, k, n):
    reference = proportion_confint(k, n, alpha=2 * alpha, method=method)
    assert bounds(k, n, alpha) == pytest.approx((k / n, *reference), rel=1e-9, abs=1e-13)


@BOTH
@given(counts, alphas)
def test_an_estimate_lies_between_bounds_that_differ(bounds, count, alpha):
    estimate, lower, upper = bounds(*count, alpha)
    assert 0.0 <= lower <= estimate <= upper <= 1.0
    assert lower < upper


@BOTH
@given(counts, alphas)
def test_failures_are_successes_turned_round(bounds, count, alpha):
    k, n = count
    turned = bounds(n - k, n, alpha)
    assert bounds(k, n, alpha) == pytest.approx((1 - turned.estimate, 1 - turned.upper, 1 - turned.lower), abs=1e-12)


@BOTH
@given(counts, st.tuples(alphas, alphas))
def test_a_smaller_error_is_a_wider_interval(bounds, count, pair):
    small, large = sorted(pair)
    wide, narrow = bounds(*count, small), bounds(*count, large)
    assert wide.lower <= narrow.lower
    assert narrow.upper <= wide.upper


@BOTH
def test_extremes_are_closed(bounds):
    assert bounds(0, 9, 0.05).lower == 0.0
    assert bounds(9, 9, 0.05).upper == 1.0


@BOTH
def test_without_trials_nothing_is_bounded(bounds):
    assert bounds(0, 0, 0.05) == (0.5, 0.0, 1.0)


@BOTH
@pytest.mark.parametrize(("k", "n"), [(-1, 5), (6, 5), (0, -1)])
def test_successes_are_some_of_the_trials(bounds, k, n):
    with pytest.raises(ValueError, match="successes must be in"):
        bounds(k, n, 0.05)


@BOTH
@pytest.mark.parametrize("alpha", [0.0, 0.5, inf])
def test_an_error_is_below_one_half(bounds, alpha):
    with pytest.raises(ValueError, match="error of a bound"):
        bounds(1, 5, alpha)


@given(counts, st.floats(0.1, 6.0))
def test_wilsons_bound_is_as_many_standard_errors_away_as_asked(count, z):
    k, n = count
    rate = wilson_lower(k, n, z)
    if k:
        assert (k / n - rate) / sqrt(rate * (1 - rate) / n) == pytest.approx(z, rel=1e-6)


@check_rows("n", [1, 4, 15, 40])
@check_rows("alpha", [0.01, 0.05, 0.3])
def test_exact_bounds_are_never_wrong_more_often_than_they_say(n, alpha):
    every = [clopper_pearson(k, n, alpha) for k in range(n + 1)]
    worst = 0.0
    for rate in np.linspace(0.001, 0.999, 333):
        chances = stats.binom.pmf(np.arange(n + 1), n, rate)
        above = sum(chance for chance, bounds in zip(chances, every, strict=True) if bounds.lower > rate)
        below = sum(chance for chance, bounds in zip(chances, every, strict=True) if bounds.upper < rate)
        worst = max(worst, above, below)
    assert worst <= alpha + 1e-12
    assert worst > alpha / 2 or n == 1  # and not by being useless


def test_wilsons_bounds_are_sometimes_wrong_more_often():
    """Why the exact ones exist: a rare success makes the lower bound too bold."""
    n, rate, alpha = 20, 0.004, 0.05
    chances = stats.binom.pmf(np.arange(n + 1), n, rate)
    assert sum(chances[k] for k in range(n + 1) if wilson(k, n, alpha).lower > rate) > alpha
