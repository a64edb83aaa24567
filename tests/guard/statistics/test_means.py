"""Student's bounds against scipy's, and bounds round values that are all alike."""

from math import exp, log

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from tests.support.rows import check_rows

from mendel.guard.statistics.means import checked, constant, degenerate, log_ratio, standard_error, student, widened
from mendel.guard.statistics.samples import Bounds

values = st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30)
alphas = st.sampled_from([0.001, 0.025, 0.05, 0.2])


@given(values, alphas)
def test_student_is_scipys_paired_interval(sample, alpha):
    array = np.array(sample)
    assume(np.ptp(array) > 1e-3)
    bounds = student(sample, alpha)
    theirs = stats.ttest_rel(array, np.zeros(array.size)).confidence_interval(1.0 - 2.0 * alpha)
    assert bounds.estimate == pytest.approx(array.mean())
    assert (bounds.lower, bounds.upper) == pytest.approx((theirs.low, theirs.high), rel=1e-7, abs=1e-7)


@given(st.lists(st.tuples(st.floats(0.01, 100.0), st.floats(0.01, 100.0)), min_size=2, max_size=20), alphas)
def test_a_log_ratio_is_student_on_logarithms(pairs, alpha):
    left, right = np.array(pairs).T
    logs = np.log(right / left)
    assume(np.ptp(logs) > 1e-3)
    bounds = log_ratio(left, right, alpha)
    theirs = stats.ttest_rel(np.log(right), np.log(left)).confidence_interval(1.0 - 2.0 * alpha)
    assert bounds.estimate == pytest.approx(stats.gmean(right / left))
    assume(max(-theirs.low, theirs.high) < 700.0)
    assert np.log(bounds[1:]) == pytest.approx((theirs.low, theirs.high), rel=1e-6, abs=1e-6)


def test_a_ratio_turned_round_has_its_bounds_turned_round():
    left, right = [1.0, 1.1, 0.9, 1.3], [2.0, 2.5, 1.7, 2.4]
    there, back = log_ratio(left, right, 0.05), log_ratio(right, left, 0.05)
    assert (1.0 / back.estimate, 1.0 / back.upper, 1.0 / back.lower) == pytest.approx(there)


def test_a_ratio_beyond_all_numbers_is_infinite():
    assert log_ratio([1.0, 1.0], [1.0, 1e300], 0.001) == pytest.approx((1e150, 0.0, float("inf")))


def test_equal_ratios_still_have_a_width():
    bounds = log_ratio([1.0, 2.0, 4.0], [2.0, 4.0, 8.0], 0.05)
    half = (1.0 - 0.05 ** (1 / 3)) * (1.0 + log(2.0))
    assert bounds == pytest.approx((2.0, 2.0 * exp(-half), 2.0 * exp(half)))


@check_rows("n", [1, 2, 30, 1000])
def test_round_zero_the_half_width_is_what_n_misses_leave_open(n):
    bounds = degenerate([0.0] * n, 0.05, 2.5)
    half = (1.0 - 0.05 ** (1.0 / n)) * 2.5
    assert bounds == pytest.approx((0.0, -half, half))
    assert student([0.0] * n, 0.05, 2.5) == bounds


@given(st.sampled_from([-1.0, -0.5, 0.0, 1.0]), st.floats(0.0, 1.0), st.sampled_from([-1.0, 1.0]), alphas)
def test_degenerate_bounds_ever_miss_with_alpha_at_most(seen, rate, other, alpha):
    truth = rate * other + (1.0 - rate) * seen
    missing = [n for n in range(1, 60) if not _holds(degenerate([seen] * n, alpha, 1.0), truth)]
    still_alike = max(((1.0 - rate) ** n for n in missing), default=0.0)  # the earliest miss contains the later ones
    assert still_alike <= alpha * (1.0 + 1e-9)


def _holds(bounds, truth):
    return bounds.lower <= truth <= bounds.upper


def test_degenerate_bounds_are_not_wider_than_they_must_be():
    rate = 1.0 - 0.05 ** (1.0 / 20)
    assert _holds(degenerate([0.0] * 20, 0.05, 1.0), rate - 1e-9)
    assert not _holds(degenerate([0.0] * 20, 0.05, 1.0), rate + 1e-9)


def test_one_value_is_alike():
    assert student([1.0], 0.05) == degenerate([1.0], 0.05, 1.0) == pytest.approx((1.0, -0.9, 2.9))


def test_what_differs_by_rounding_is_alike():
    assert constant(np.array([0.1 + 0.2, 0.3]))
    assert student([0.1 + 0.2, 0.3, 0.3], 0.05) == degenerate([0.1 + 0.2, 0.3, 0.3], 0.05, 1.0)
    assert not constant(np.array([0.3, 0.3 + 1e-9]))
    assert constant(np.zeros(3))


@given(st.lists(st.floats(-10.0, 10.0), min_size=1, max_size=8), alphas)
def test_bounds_are_never_of_zero_width(sample, alpha):
    bounds = student(sample, alpha)
    assert bounds.lower < bounds.estimate < bounds.upper


def test_bounds_in_the_same_place_but_for_rounding_are_widened():
    values = np.array([-1.0, 2.0])
    wide, none = Bounds(0.5, 0.5, 0.6), Bounds(0.3, 0.3, 0.1 + 0.2)
    assert widened(wide, values, 0.05, 1.0) == wide
    assert widened(none, values, 0.05, 1.0) == degenerate(values, 0.05, 1.0)


def test_the_standard_error_is_scipys():
    sample = np.array([1.0, 2.0, 4.0, 8.5])
    assert standard_error(sample) == pytest.approx(stats.sem(sample))


@check_rows("bad", [[], [float("nan")], [1.0, float("inf")], [[1.0, 2.0]]])
def test_what_is_no_sample_is_refused(bad):
    with pytest.raises(ValueError, match="a sample must be a one-dimensional"):
        checked(bad)


@check_rows("alpha", [0.0, 0.5, -0.1, float("nan")])
def test_what_is_no_alpha_is_refused(alpha):
    with pytest.raises(ValueError, match="alpha must be in"):
        student([1.0, 2.0], alpha)
    with pytest.raises(ValueError, match="alpha must be in"):
        degenerate([1.0], alpha, 1.0)


@check_rows("scale", [0.0, -1.0, float("inf"), float("nan")])
def test_what_is_no_scale_is_refused(scale):
    with pytest.raises(ValueError, match="a scale must be positive"):
        degenerate([1.0], 0.05, scale)


def test_timings_are_positive_and_come_in_pairs():
    with pytest.raises(ValueError, match="in pairs, not 1 and 2"):
        log_ratio([1.0], [1.0, 2.0], 0.05)
    with pytest.raises(ValueError, match="every timing must be positive"):
        log_ratio([1.0, 0.0], [1.0, 2.0], 0.05)
