"""Flipped signs against scipy's permutation test and against every pattern of signs written out."""

from itertools import product
from math import inf

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.guard.statistics.means import degenerate, student
from mendel.guard.statistics.permutation import sign_flip, sign_flip_bounds

KEY = Entropy("flip")
LONG = np.random.default_rng(5).normal(0.25, 1.0, 60)
few = st.lists(st.integers(-20, 20), min_size=1, max_size=9).map(lambda sample: [value / 4 for value in sample])


def written_out(sample, margin):
    """The share of sign patterns whose mean is at least the one seen."""
    centred = np.array(sample) - margin
    patterns = np.array(list(product((-1.0, 1.0), repeat=centred.size)))
    return np.mean(patterns @ centred >= centred.sum() - 1e-9)


@settings(deadline=None)
@given(few, st.sampled_from([-1.0, -0.3, 0.0, 0.25, 2.0]))
def test_few_differences_have_the_exact_p_value(sample, margin):
    assert sign_flip(sample, KEY, margin=margin) == pytest.approx(written_out(sample, margin))


@check_rows("n", [5, 12, 14])
def test_the_p_value_is_scipys(n):
    left, right = LONG[:n], np.zeros(n)
    theirs = stats.permutation_test(
        (left, right),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=inf,
        alternative="greater",
    )
    tolerance = 1e-12 if n <= 12 else 0.01
    assert sign_flip(left - right, KEY, 20_000) == pytest.approx(theirs.pvalue, abs=tolerance)


def test_many_differences_have_nearly_students_p_value():
    for margin in (-0.1, 0.0, 0.1, 0.3):
        theirs = stats.ttest_1samp(LONG, margin, alternative="greater").pvalue
        assert sign_flip(LONG, KEY, 20_000, margin) == pytest.approx(theirs, abs=0.015)


@check_rows("sizes", [(1, 2, 3, 4, 5, 6, 7), (1, 1, 1, 1, 1, 1), (0.5, 0, 0, 2, 3, 3)])
def test_of_symmetric_differences_alpha_or_fewer_have_a_p_value_of_alpha_or_less(sizes):
    sizes = np.array(sizes, dtype=float)
    found = [sign_flip(sizes * signs, KEY) for signs in product((-1.0, 1.0), repeat=sizes.size)]
    for alpha in sorted(set(found)):
        assert np.mean(np.array(found) <= alpha) <= alpha + 1e-12


def test_drawn_p_values_are_never_zero_and_rarely_small_by_chance():
    assert sign_flip(np.ones(40), KEY, 99) == pytest.approx(1 / 100)
    samples = np.random.default_rng(7).normal(size=(400, 15))
    small = [sign_flip(sample, KEY.child(place), 99) <= 0.1 for place, sample in enumerate(samples)]
    assert 0.05 < np.mean(small) < 0.14


def test_a_draw_that_flips_nothing_is_as_large_as_the_sample():
    assert sign_flip(np.ones(13), KEY, 400_000) == pytest.approx(2.0**-13, rel=0.4)


def test_ties_count_whatever_rounding_makes_of_them():
    assert sign_flip([0.1, 0.2, 0.3], KEY, margin=0.2) == written_out([1.0, 2.0, 3.0], 2.0) == 6 / 8
    assert sign_flip([1.1, 1.2, 1.3], KEY, margin=1.2) == 6 / 8


@settings(deadline=None)
@given(few, st.sampled_from([0.02, 0.1, 0.25]))
def test_bounds_hold_the_margins_that_are_not_refuted(sample, alpha):
    assume(np.ptp(sample) > 0.0)
    bounds = sign_flip_bounds(sample, alpha, KEY)
    if 2 ** len(sample) * alpha < 1.0:
        assert bounds[1:] == (-inf, inf)
        return
    if bounds == degenerate(sample, alpha, 1.0):
        return
    assert written_out(sample, bounds.lower - 1e-6) <= alpha < written_out(sample, bounds.lower + 1e-6)
    turned = [-value for value in sample]
    assert written_out(turned, -bounds.upper - 1e-6) <= alpha < written_out(turned, -bounds.upper + 1e-6)


@check_rows("alpha", [0.01, 0.05, 0.2])
def test_drawn_bounds_stand_where_the_drawn_p_value_passes_alpha(alpha):
    bounds = sign_flip_bounds(LONG, alpha, KEY, 999)
    assert sign_flip(LONG, KEY, 999, bounds.lower - 1e-6) <= alpha < sign_flip(LONG, KEY, 999, bounds.lower)
    assert sign_flip(-LONG, KEY, 999, -bounds.upper - 1e-6) <= alpha < sign_flip(-LONG, KEY, 999, -bounds.upper)


def test_many_differences_have_nearly_students_bounds():
    ours, theirs = sign_flip_bounds(LONG, 0.05, KEY, 20_000), student(LONG, 0.05)
    assert ours == pytest.approx(theirs, abs=0.1 * stats.sem(LONG))


def test_few_differences_turned_round_have_their_bounds_turned_round():
    sample = np.array([0.3, -0.1, 0.9, 1.4, -0.6, 0.2, 0.8])
    there, back = sign_flip_bounds(sample, 0.05, KEY), sign_flip_bounds(-sample, 0.05, KEY)
    assert (-back.estimate, -back.upper, -back.lower) == pytest.approx(there)


@settings(deadline=None)
@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=14), st.sampled_from([0.05, 0.3, 0.45]))
def test_bounds_are_never_of_zero_width(sample, alpha):
    bounds = sign_flip_bounds(sample, alpha, KEY, 99)
    assert bounds.lower < bounds.upper


def test_alike_differences_are_bounded_by_their_scale():
    assert sign_flip_bounds([0.0] * 20, 0.05, KEY, scale=3.0) == degenerate([0.0] * 20, 0.05, 3.0)


def test_one_key_has_one_answer():
    assert sign_flip(LONG, KEY) == sign_flip(LONG.tolist(), Entropy("flip"))
    assert {type(number) for number in (sign_flip(LONG, KEY), *sign_flip_bounds(LONG, 0.05, KEY))} == {float}
    assert sign_flip_bounds(LONG, 0.05, KEY) != sign_flip_bounds(LONG, 0.05, KEY.child(1))


def test_what_cannot_be_tested_is_refused():
    with pytest.raises(ValueError, match="at least one resample"):
        sign_flip(LONG, KEY, 0)
    with pytest.raises(ValueError, match="a margin must be finite"):
        sign_flip(LONG, KEY, margin=float("nan"))
    with pytest.raises(ValueError, match="a sample must be a one-dimensional"):
        sign_flip([], KEY)
    with pytest.raises(ValueError, match="alpha must be in"):
        sign_flip_bounds(LONG, 0.0, KEY)
