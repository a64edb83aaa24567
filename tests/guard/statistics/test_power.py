"""Power and sample sizes: against the true chance, summed over every table, and each other."""

from fractions import Fraction
from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import gammaln, xlogy
from tests.support.rows import check_rows

from mendel.guard.statistics.paired import tango, tango_z
from mendel.guard.statistics.power import (
    absolute_sample_size,
    cases_for_mismatch_bound,
    discordance,
    equivalence_power,
    equivalence_sample_size,
    minimum_detectable_effect,
    power,
    sample_size,
)
from mendel.guard.statistics.samples import Paired
from mendel.guard.statistics.special import normal_cdf, normal_critical

rates = st.floats(0.0, 1.0)
inner = st.floats(0.05, 0.95)
correlations = st.floats(-1.0, 1.0)
margins = st.floats(-0.3, 0.3)
alphas = st.floats(0.001, 0.3)


def true_power(n, up, down, margin, alpha):
    """The chance of every table that Tango's test rejects, without any approximation."""
    z = normal_critical(alpha)
    tables = [(one, other) for one in range(n + 1) for other in range(n + 1 - one)]
    rejected = [(one, other) for one, other in tables if tango_z(Paired(n - one - other, one, other, 0), margin) > z]
    ones, others = np.array(rejected).T
    rest = n - ones - others
    ways = gammaln(n + 1) - gammaln(ones + 1) - gammaln(others + 1) - gammaln(rest + 1)
    return float(np.exp(ways + xlogy(ones, up) + xlogy(others, down) + xlogy(rest, 1 - up - down)).sum())


# --- discordance ---------------------------------------------------------------------------------------------------


@given(rates, rates, correlations)
def test_discordant_shares_have_the_rates_and_are_possible(baseline, candidate, correlation):
    up, down = discordance(baseline, candidate, correlation)
    assert up >= 0.0
    assert down >= 0.0
    assert up + down <= 1.0 + 1e-12
    assert up - down == pytest.approx(candidate - baseline, abs=1e-12)


@given(inner, inner, st.floats(-0.02, 0.02))
def test_discordant_shares_have_the_correlation(baseline, candidate, correlation):
    up, _ = discordance(baseline, candidate, correlation)
    covariance = candidate - up - baseline * candidate
    spread = sqrt(baseline * (1 - baseline) * candidate * (1 - candidate))
    assert covariance / spread == pytest.approx(correlation, abs=1e-9)


def test_a_correlation_that_cannot_be_is_the_nearest_that_can():
    assert discordance(0.8, 0.9, 1.0) == pytest.approx((0.1, 0.0))
    assert discordance(0.8, 0.9, -1.0) == pytest.approx((0.2, 0.1))


@check_rows("odd", [(-0.1, 0.5, 0.0), (0.5, 1.1, 0.0), (0.5, 0.5, 2.0)])
def test_discordance_takes_rates_and_a_correlation(odd):
    with pytest.raises(ValueError, match="rates must be in"):
        discordance(*odd)


# --- the paired test -----------------------------------------------------------------------------------------------


@check_rows(
    ("n", "baseline", "candidate", "correlation", "margin", "alpha"),
    [
        (150, 0.8, 0.8, 0.5, -0.1, 0.05),
        (200, 0.7, 0.8, 0.3, 0.0, 0.025),
        (120, 0.5, 0.55, 0.0, -0.1, 0.05),
        (200, 0.6, 0.75, 0.4, 0.05, 0.1),
    ],
)
def test_power_is_near_the_true_chance(n, baseline, candidate, correlation, margin, alpha):
    up, down = discordance(baseline, candidate, correlation)
    exact = true_power(n, up, down, margin, alpha)
    assert power(n, baseline, candidate, correlation, margin, alpha) == pytest.approx(exact, abs=0.02)


def test_power_for_equal_rates_is_the_textbooks():
    """At no difference and a margin of zero, the classic formula of the sign test's approximation."""
    up, down = discordance(0.6, 0.7, 0.2)
    z, psi, gap = normal_critical(0.05), up + down, up - down
    expected = normal_cdf((sqrt(300) * gap - z * sqrt(psi)) / sqrt(psi - gap**2))
    assert power(300, 0.6, 0.7, 0.2, 0.0, 0.05) == pytest.approx(expected)


@given(st.integers(1, 5_000), inner, correlations, margins, alphas)
def test_at_the_margin_power_is_the_error(n, baseline, correlation, margin, alpha):
    candidate = baseline + margin
    assume(0.01 <= candidate <= 0.99)
    up, down = discordance(baseline, candidate, correlation)
    assume(up + down - (up - down) ** 2 > 1e-3)
    assert power(n, baseline, candidate, correlation, margin, alpha) == pytest.approx(alpha, abs=1e-5)


def test_pairs_that_never_differ_decide_for_sure():
    """Without discordant pairs the test rejects from a certain number on, and never before."""
    n = sample_size(0.9, 0.9, 1.0, -0.02, 0.05, 0.8)
    assert n is not None
    z = normal_critical(0.05)
    assert tango_z(Paired(n, 0, 0, 0), -0.02) > z >= tango_z(Paired(n - 1, 0, 0, 0), -0.02)
    assert power(n, 0.9, 0.9, 1.0, -0.02, 0.05) == 1.0
    assert power(n - 1, 0.9, 0.9, 1.0, -0.02, 0.05) == 0.0


@given(inner, inner, correlations, margins, alphas, st.floats(0.5, 0.99))
def test_a_sample_size_is_the_first_that_is_enough(baseline, candidate, correlation, margin, alpha, target):
    assume(candidate - baseline - margin > 1e-3)
    truth = (baseline, candidate, correlation, margin, alpha)
    n = sample_size(*truth, target)
    assert n is not None
    assert power(n, *truth) >= target
    assert n == 1 or power(n - 1, *truth) < target


def test_no_number_shows_what_is_not_so():
    assert sample_size(0.8, 0.7, 0.5, -0.1 + 1e-12, 0.05, 0.8) is None
    assert sample_size(0.8, 0.7, 0.5, 0.0, 0.05, 0.8) is None


@given(st.integers(20, 3_000), inner, st.floats(-0.5, 0.9), margins, alphas, st.floats(0.5, 0.95))
def test_a_detectable_effect_is_just_detected(n, baseline, correlation, margin, alpha, target):
    effect = minimum_detectable_effect(n, baseline, correlation, margin, alpha, target)
    truth = (correlation, margin, alpha)
    if effect == inf:
        assert power(n, baseline, 1.0, *truth) < target
    else:
        assert power(n, baseline, min(max(baseline + effect, 0.0), 1.0), *truth) >= target
        if effect > max(margin, -baseline):
            assert power(n, baseline, max(baseline + effect - 1e-6, 0.0), *truth) < target + 1e-6


def test_more_pairs_detect_less():
    effects = [minimum_detectable_effect(n, 0.7, 0.4, 0.0, 0.05, 0.8) for n in (5, 50, 500, 5_000)]
    assert effects == sorted(effects, reverse=True)
    assert effects[-1] < 0.03 < effects[1] < 0.3


def test_a_baseline_below_the_margin_shows_itself():
    """No candidate is more than the margin worse than a baseline that hardly ever passes."""
    assert minimum_detectable_effect(5_000, 0.01, 0.0, -0.2, 0.05, 0.8) == -0.01


@check_rows("margin", [-1.0, 1.0, float("nan")])
def test_a_margin_is_a_possible_difference(margin):
    with pytest.raises(ValueError, match="margin"):
        power(10, 0.5, 0.5, 0.0, margin, 0.05)


@pytest.mark.parametrize("alpha", [0.0, 0.5])
def test_an_error_is_below_one_half(alpha):
    with pytest.raises(ValueError, match="error of a bound"):
        power(10, 0.5, 0.5, 0.0, 0.0, alpha)


# --- single rates --------------------------------------------------------------------------------------------------


@given(st.integers(1, 900), st.integers(1, 900))
def test_cases_for_a_bound_are_the_first_that_are_enough(thousandths, ten_thousandths):
    margin, alpha = thousandths / 1000, ten_thousandths / 10_000
    n = cases_for_mismatch_bound(margin, alpha)
    left = 1 - Fraction(thousandths, 1000)
    assert left**n <= Fraction(ten_thousandths, 10_000)
    assert left ** (n - 1) > Fraction(ten_thousandths, 10_000)


def test_the_rule_of_three():
    assert cases_for_mismatch_bound(0.01, 0.05) == 299
    assert cases_for_mismatch_bound(0.1, 0.81) == 2
    assert cases_for_mismatch_bound(0.001, 0.999) == 1
    assert cases_for_mismatch_bound(1.0, 0.05) == 1


@check_rows(("margin", "alpha"), [(0.0, 0.05), (1.1, 0.05), (0.1, 0.0), (0.1, 1.0)])
def test_cases_are_for_a_real_margin_and_error(margin, alpha):
    with pytest.raises(ValueError, match="a margin must be in"):
        cases_for_mismatch_bound(margin, alpha)


def first_by_trying(rate, min_rate, alpha, target, most):
    """The first number of trials with enough power, each tried in turn with scipy's distribution."""
    for n in range(1, most):
        counts = np.arange(n + 2)
        least = int(counts[stats.binom.sf(counts - 1, n, min_rate) <= alpha * (1 + 1e-12)][0])
        if least <= n and stats.binom.sf(least - 1, n, rate) >= target * (1 - 1e-12):
            return n
    return None


@check_rows(
    ("rate", "min_rate", "alpha", "target"),
    [
        (0.99, 0.95, 0.05, 0.8),
        (0.9, 0.5, 0.05, 0.9),
        (0.7, 0.5, 0.05, 0.8),
        (1.0, 0.99, 0.05, 0.8),
        (0.2, 0.0, 0.05, 0.8),
        (0.3, 0.1, 0.01, 0.95),
        (0.55, 0.5, 0.2, 0.5),
    ],
)
def test_an_absolute_sample_size_is_the_first_that_is_enough(rate, min_rate, alpha, target):
    found = absolute_sample_size(rate, min_rate, alpha, target)
    assert found == first_by_trying(rate, min_rate, alpha, target, 400)


def test_a_large_absolute_sample_size_is_enough_and_near_the_approximation():
    n = absolute_sample_size(0.52, 0.5, 0.05, 0.8)
    assert n is not None
    least = int(stats.binom.isf(0.05, n, 0.5)) + 1
    assert stats.binom.sf(least - 1, n, 0.52) >= 0.8
    assert n == pytest.approx(((1.6449 * 0.5 + 0.8416 * sqrt(0.52 * 0.48)) / 0.02) ** 2, rel=0.04)


@check_rows(("rate", "min_rate"), [(0.81, 0.8), (0.802, 0.8), (0.85, 0.8), (0.95, 0.94), (0.2, 0.19)])
def test_the_approximation_is_enough_for_large_numbers(rate, min_rate):
    n = absolute_sample_size(rate, min_rate, 0.05, 0.8)
    least = int(stats.binom.isf(0.05, n, min_rate)) + 1
    assert stats.binom.sf(least - 1, n, rate) > 0.79


def test_no_number_of_trials_shows_what_is_not_so_or_too_fine():
    assert absolute_sample_size(0.9, 0.9, 0.05, 0.8) is None
    assert absolute_sample_size(0.8, 0.9, 0.05, 0.8) is None
    assert absolute_sample_size(0.5001, 0.5, 0.05, 0.8) is None


@check_rows("odd", [(1.1, 0.5, 0.05, 0.8), (0.9, -0.1, 0.05, 0.8), (0.9, 0.5, 0.05, 1.0)])
def test_an_absolute_sample_size_takes_rates(odd):
    with pytest.raises(ValueError, match="rates must be in"):
        absolute_sample_size(*odd)


@pytest.mark.parametrize(("rate", "correlation", "n"), [(0.95, 0.0, 400), (0.9, 0.5, 300)])
def test_power_for_equivalence_is_what_simulation_finds(rate, correlation, n):
    generator = np.random.default_rng(7)
    ours, theirs = discordance(rate, rate, correlation)
    counts = generator.multinomial(n, [ours, theirs, 1 - ours - theirs], size=2_000)
    within = [
        bounds.lower > -0.05 and bounds.upper < 0.05
        for bounds in (tango(Paired(int(rest), int(won), int(lost), 0), 0.05) for won, lost, rest in counts)
    ]
    assert equivalence_power(n, rate, rate, correlation, 0.05, 0.05) == pytest.approx(np.mean(within), abs=0.04)


def test_the_fewest_pairs_for_equivalence_are_just_enough():
    needed = equivalence_sample_size(0.95, 0.94, 0.3, 0.05, 0.05, 0.8)
    assert needed is not None
    assert equivalence_power(needed, 0.95, 0.94, 0.3, 0.05, 0.05) >= 0.8
    assert equivalence_power(needed - 1, 0.95, 0.94, 0.3, 0.05, 0.05) < 0.8
    assert equivalence_sample_size(0.95, 0.9, 0.3, 0.05, 0.05, 0.8) is None
