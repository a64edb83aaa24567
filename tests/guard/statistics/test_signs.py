"""The sign test: counted in whole numbers, and right for every distribution by every rank there is."""

from fractions import Fraction
from math import comb, inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from mendel.guard.statistics.signs import MOST_COUNTED, _counted, fewest_heads, median_bounds

ALPHAS = [0.2, 0.05, 0.05 * 6 / 9.869604401089358, 1e-3, 1e-5, 3.0396e-8, 1e-12]
numbers = st.floats(-1e6, 1e6)


def tail(heads, tosses):
    return Fraction(sum(comb(tosses, each) for each in range(heads, tosses + 1)), 2**tosses)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_fewer_heads_would_be_likelier_than_alpha(alpha):
    for tosses in range(121):
        heads = fewest_heads(tosses, alpha)
        assert tail(heads, tosses) <= Fraction(alpha) < tail(heads - 1, tosses)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_of_a_million_tosses_the_heads_are_known_as_well(alpha):
    for tosses in (999_999, 1_000_000, 10_000_000):
        heads = fewest_heads(tosses, alpha)
        assert binom.sf(heads - 1, tosses, 0.5) <= alpha < binom.sf(heads - 2, tosses, 0.5)


@pytest.mark.parametrize("alpha", [*ALPHAS, 1e-300, 5e-324])
def test_what_is_summed_is_what_is_counted(alpha):
    for tosses in (MOST_COUNTED - 1, MOST_COUNTED, MOST_COUNTED + 1, 2 * MOST_COUNTED):
        assert fewest_heads(tosses, alpha) == _counted(tosses, alpha)


def test_at_the_thousandth_challenge_twenty_five_heads_in_a_row_do():
    alpha = 0.05 * 6 / (9.869604401089358 * 1_000**2)
    assert [fewest_heads(n, alpha) for n in (24, 25, 50)] == [25, 25, 44]


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n", [1, 5, 25, 60])
def test_a_bound_lies_beyond_the_median_with_alpha_at_most(n, alpha):
    """Of a distribution with half its values above the median, the number above decides, and it is a coin's."""
    wrong = Fraction(0)
    for above in range(n + 1):
        bounds = median_bounds([1.0] * above + [-1.0] * (n - above), alpha)
        wrong += Fraction(comb(n, above), 2**n) * (bounds.lower > 0)
    assert wrong <= Fraction(alpha)


@given(st.lists(numbers, min_size=1, max_size=40), st.sampled_from(ALPHAS))
def test_bounds_are_the_medians_that_are_not_refuted(values, alpha):
    bounds, heads = median_bounds(values, alpha), fewest_heads(len(values), alpha)
    assert bounds.lower <= bounds.estimate <= bounds.upper
    for at in (*values, bounds.lower):
        assert (sum(each > at for each in values) >= heads) == (bounds.lower > at)
        assert (sum(each < at for each in values) >= heads) == (bounds.upper < at)


def test_a_value_that_equals_a_hypothesis_does_not_speak_against_it():
    assert median_bounds([0.0] * 90 + [1.0] * 10, 0.05).lower == 0.0


def test_too_few_values_bound_nothing():
    assert median_bounds([3.0] * 24, 3e-8) == (3.0, -inf, inf)


@pytest.mark.parametrize("alpha", [0.0, 0.5, -1.0, float("nan")])
def test_what_is_no_alpha_is_refused(alpha):
    with pytest.raises(ValueError, match="alpha must be in"):
        median_bounds([1.0], alpha)


def test_a_coin_is_not_tossed_a_negative_number_of_times():
    with pytest.raises(ValueError, match="-1 times"):
        fewest_heads(-1, 0.05)
