"""Critical values of planned looks against published tables, scipy's multivariate normal and simulation."""

from itertools import pairwise
from math import e, inf, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.support.rows import check_rows

from mendel.guard.statistics.spending import boundaries, obrien_fleming, pocock

FIFTHS = (0.2, 0.4, 0.6, 0.8, 1.0)
both = pytest.mark.parametrize("spending", [pocock, obrien_fleming])


def crossing(fractions, critical):
    """The chance that the first looks exceed their values, by the multivariate normal distribution."""
    times = np.array(fractions)
    covariance = np.sqrt(np.minimum.outer(times, times) / np.maximum.outer(times, times))
    finite = np.minimum(np.array(critical), 12.0)
    if len(times) == 1:
        return stats.norm.sf(finite[0])
    normal = stats.multivariate_normal(np.zeros(len(times)), covariance, seed=5, abseps=1e-6, releps=1e-6)
    return 1.0 - normal.cdf(finite)


@pytest.mark.parametrize(
    ("spending", "published"),
    [
        (obrien_fleming, (4.8769, 3.3569, 2.6803, 2.2898, 2.0310)),
        (pocock, (2.4380, 2.4268, 2.4101, 2.3966, 2.3859)),
    ],
)
def test_five_equal_looks_have_the_published_critical_values(spending, published):
    assert boundaries(FIFTHS, 0.025, spending) == pytest.approx(published, abs=1.5e-4)


@both
@pytest.mark.parametrize("alpha", [0.005, 0.025, 0.1])
@pytest.mark.parametrize(
    "fractions", [(0.5, 1.0), (0.3, 0.5, 0.9), (0.05, 0.06, 1.0), (0.5, 0.5002, 1.0), (0.25, 0.5, 0.75, 1.0)]
)
def test_each_look_has_spent_what_it_may(fractions, alpha, spending):
    critical = boundaries(fractions, alpha, spending)
    for looks in range(1, len(fractions) + 1):
        spent = crossing(fractions[:looks], critical[:looks])
        assert spent == pytest.approx(spending(fractions[looks - 1], alpha), abs=5e-6)


@both
def test_a_simulated_walk_crosses_with_alpha(spending):
    critical = np.array(boundaries(FIFTHS, 0.05, spending))
    walks = np.random.default_rng(11).normal(size=(200_000, 5)).cumsum(axis=1) / np.sqrt(np.arange(1, 6))
    assert (walks > critical).any(axis=1).mean() == pytest.approx(0.05, abs=0.0016)


def test_pococks_own_looks_are_all_as_critical_where_each_spends_what_he_does():
    shares = [crossing(FIFTHS[:k], (2.41318,) * k) for k in range(1, 6)]  # his constant for a two-sided 0.05
    assert shares[-1] == pytest.approx(0.025, abs=1e-4)
    found = boundaries(FIFTHS, 0.025, lambda fraction, alpha: shares[round(fraction * 5) - 1])
    assert found == pytest.approx((2.41318,) * 5, abs=2e-4)


@both
@pytest.mark.parametrize("alpha", [0.001, 0.025, 0.2])
def test_one_look_at_the_end_is_the_plain_test(spending, alpha):
    assert boundaries((1.0,), alpha, spending) == pytest.approx((stats.norm.isf(alpha),), abs=1e-9)


@both
@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=6).map(sorted), st.floats(0.001, 0.4))
def test_what_is_spent_starts_at_nothing_never_shrinks_and_ends_at_alpha(spending, fractions, alpha):
    assert spending(0.0, alpha) == 0.0
    assert spending(1.0, alpha) == pytest.approx(alpha)
    assert all(spending(a, alpha) <= spending(b, alpha) + 1e-15 for a, b in pairwise(fractions))


def test_the_spending_functions_are_lan_and_demets():
    assert pocock(0.3, 0.05) == pytest.approx(0.05 * log(1.0 + (e - 1.0) * 0.3))
    assert obrien_fleming(0.3, 0.05) == pytest.approx(2.0 * stats.norm.sf(stats.norm.isf(0.025) / 0.3**0.5))


def test_early_looks_are_harder_for_obrien_and_fleming():
    ours, theirs = boundaries(FIFTHS, 0.025, obrien_fleming), boundaries(FIFTHS, 0.025, pocock)
    assert ours[0] > theirs[0]
    assert ours[-1] < theirs[-1]


def test_a_look_that_may_spend_nothing_cannot_be_passed_and_costs_nothing():
    def late(fraction, alpha):
        return alpha if fraction == 1.0 else 0.0

    assert boundaries((0.3, 0.6, 1.0), 0.05, late) == pytest.approx((inf, inf, stats.norm.isf(0.05)), abs=1e-6)


def test_a_look_of_next_to_no_information_spends_next_to_nothing():
    first, second = boundaries((0.001, 1.0), 0.05, obrien_fleming)
    assert first > 8.0
    assert second == pytest.approx(stats.norm.isf(0.05), abs=1e-6)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 50), min_size=1, max_size=5, unique=True).map(sorted), st.sampled_from([0.01, 0.05]))
def test_more_looks_never_make_the_last_one_easier_than_a_plain_test(places, alpha):
    critical = boundaries(tuple(place / 50 for place in places), alpha, pocock)
    assert len(critical) == len(places)
    assert all(z > stats.norm.isf(alpha) - 1e-6 for z in critical)


@check_rows("fractions", [(), (0.0, 1.0), (0.5, 0.5), (0.6, 0.4), (0.5, 1.1), (float("nan"),)])
def test_looks_that_are_none_are_refused(fractions):
    with pytest.raises(ValueError, match="looks must be at increasing fractions"):
        boundaries(fractions, 0.05, pocock)


@both
def test_what_is_no_fraction_or_alpha_is_refused(spending):
    for fraction in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="a fraction of the information"):
            spending(fraction, 0.05)
    with pytest.raises(ValueError, match="alpha must be in"):
        boundaries((1.0,), 0.5, spending)
