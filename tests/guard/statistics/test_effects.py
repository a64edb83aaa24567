"""Effect sizes: published and statsmodels' ratios, closed cases, and definitions spelled out."""

from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import xlogy
from statsmodels.stats.proportion import _confint_riskratio_paired_nam, proportion_effectsize
from tests.support.rows import check_rows

from mendel.guard.statistics.effects import cliffs_delta, cohens_d, cohens_h, odds_ratio, risk_ratio
from mendel.guard.statistics.samples import Paired
from mendel.guard.statistics.special import binomial_tail, normal_critical

RATIOS = pytest.mark.parametrize("ratio", [risk_ratio, odds_ratio])

cells = st.integers(0, 40)
tables = st.builds(Paired, cells, cells, cells, cells)
alphas = st.floats(1e-6, 0.45)
values = st.lists(st.integers(-20, 20).map(float), min_size=1, max_size=30)


def swapped(paired):
    return Paired(paired.both, paired.only_baseline, paired.only_candidate, paired.neither)


def inverse(ratio):
    return 1 / ratio if ratio else inf


def searched_ratio_z(paired, ratio):
    """The score of a ratio, at rates that a search finds likeliest among those that have it."""
    both, up, down, neither = paired
    passed = 1 - neither / paired.n
    low, high = max(0.0, (1 - ratio) * passed), passed / (1 + ratio)

    def badness(rate):
        up_rate = max(((ratio - 1) * passed + rate) / ratio, 0.0)
        both_rate = max((passed - (1 + ratio) * rate) / ratio, 0.0)
        return -float(xlogy(both, both_rate) + xlogy(up, up_rate) + xlogy(down, rate))

    found = minimize_scalar(badness, bounds=(low, high), method="bounded", options={"xatol": 1e-13})
    rate = min((low, high, float(found.x)), key=badness)
    variance = paired.n * ((ratio - 1) * passed + (1 + ratio) * rate)
    return (paired.candidate_passes - ratio * paired.baseline_passes) / sqrt(variance)


# --- ratios --------------------------------------------------------------------------------------------------------


def test_the_risk_ratio_of_airway_hyper_responsiveness():
    """Fagerland, Lydersen and Laake (2014), the interval of Nam and Blackwelder."""
    assert risk_ratio(Paired(1, 1, 7, 12), 0.025) == pytest.approx((0.25, 0.065, 0.907), abs=6e-4)


@check_rows(
    "paired",
    [Paired(59, 6, 16, 80), Paired(1, 1, 7, 12), Paired(100, 20, 5, 40), Paired(43, 0, 1, 0), Paired(5, 2, 0, 1)],
)
@check_rows("alpha", [0.001, 0.025, 0.2])
def test_risk_ratios_are_those_of_statsmodels(paired, alpha):
    grid = [[paired.both, paired.only_candidate], [paired.only_baseline, paired.neither]]
    reference = _confint_riskratio_paired_nam(grid, alpha=2 * alpha).confint
    assert risk_ratio(paired, alpha)[1:] == pytest.approx(tuple(map(float, reference)), rel=1e-6)


@given(tables, alphas)
def test_a_risk_ratios_bound_is_where_the_searched_score_says(paired, alpha):
    assume(paired.both and paired.only_candidate and paired.only_baseline)
    z, (_, lower, upper) = normal_critical(alpha), risk_ratio(paired, alpha)
    assert searched_ratio_z(paired, lower) == pytest.approx(z, rel=1e-3, abs=1e-3)
    assert searched_ratio_z(paired, upper) == pytest.approx(-z, rel=1e-3, abs=1e-3)


@RATIOS
@given(tables, alphas)
def test_an_estimate_lies_between_bounds_that_differ(ratio, paired, alpha):
    estimate, lower, upper = ratio(paired, alpha)
    assert 0.0 <= lower <= estimate <= upper
    assert lower < upper


@RATIOS
@given(tables, alphas)
def test_sides_swapped_have_the_inverse_ratio(ratio, paired, alpha):
    assume(ratio(paired, alpha).estimate not in (1.0, inf, 0.0))
    estimate, lower, upper = ratio(swapped(paired), alpha)
    assert ratio(paired, alpha) == pytest.approx((inverse(estimate), inverse(upper), inverse(lower)), rel=1e-9)


@RATIOS
@given(tables, st.tuples(alphas, alphas))
def test_a_smaller_error_is_a_wider_interval(ratio, paired, pair):
    wide, narrow = (ratio(paired, alpha) for alpha in sorted(pair))
    assert wide.lower <= narrow.lower * (1 + 1e-12)
    assert narrow.upper <= wide.upper * (1 + 1e-12)


def test_a_risk_ratio_without_discordant_pairs():
    z = normal_critical(0.05)
    assert risk_ratio(Paired(10, 0, 0, 7), 0.05) == pytest.approx((1.0, 10 / (10 + z**2), (10 + z**2) / 10))


def test_ratios_to_nothing_are_infinite():
    z = normal_critical(0.05)
    assert risk_ratio(Paired(0, 3, 0, 4), 0.05) == pytest.approx((inf, 3 / z**2, inf))
    assert risk_ratio(Paired(0, 0, 3, 4), 0.05) == pytest.approx((0.0, 0.0, z**2 / 3))
    assert odds_ratio(Paired(5, 3, 0, 4), 0.05).upper == inf


@RATIOS
@pytest.mark.parametrize("paired", [Paired(0, 0, 0, 5), Paired(0, 0, 0, 0)])
def test_where_nothing_speaks_for_a_side_nothing_is_bounded(ratio, paired):
    assert ratio(paired, 0.05) == (1.0, 0.0, inf)


@RATIOS
@pytest.mark.parametrize("alpha", [0.0, 0.5])
def test_an_error_is_below_one_half(ratio, alpha):
    with pytest.raises(ValueError, match="error of a bound"):
        ratio(Paired(0, 0, 0, 0), alpha)


@given(st.integers(1, 40), st.integers(0, 40), alphas)
def test_an_odds_ratio_is_bounded_by_the_sign_test_it_would_just_pass(up, down, alpha):
    _, lower, _ = odds_ratio(Paired(3, up, down, 9), alpha)
    assert binomial_tail(up, up + down, lower / (1 + lower)) == pytest.approx(alpha, rel=1e-6)


# --- standardised effects ------------------------------------------------------------------------------------------


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_cohens_h_is_that_of_statsmodels(first, second):
    assert cohens_h(first, second) == pytest.approx(float(proportion_effectsize(first, second)), abs=1e-12)


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30))
def test_cohens_d_is_the_mean_in_standard_deviations(differences):
    spread = float(np.std(differences, ddof=1))
    assume(spread > 1e-6)
    assert cohens_d(differences) == pytest.approx(float(np.mean(differences)) / spread, rel=1e-6, abs=1e-9)


def test_cohens_d_without_spread():
    assert cohens_d([0.0, 0.0]) == 0.0
    assert cohens_d([0.5, 0.5]) == inf
    assert cohens_d([-0.5, -0.5, -0.5]) == -inf


@pytest.mark.parametrize("differences", [[], [1.0]])
def test_a_spread_takes_two(differences):
    with pytest.raises(ValueError, match="needs at least two"):
        cohens_d(differences)


@given(values, values)
def test_cliffs_delta_counts_who_wins(left, right):
    wins = sum((one > other) - (one < other) for one in left for other in right)
    assert cliffs_delta(left, right) == pytest.approx(wins / (len(left) * len(right)))


@pytest.mark.parametrize(("left", "right"), [([], [1.0]), ([1.0], [])])
def test_cliffs_delta_compares_something(left, right):
    with pytest.raises(ValueError, match="at least one value on each side"):
        cliffs_delta(left, right)
