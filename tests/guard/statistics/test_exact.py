"""The exact interval: probabilities summed table by table, and coverage over every table there is."""

from functools import cache
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln, xlogy
from tests.support.rows import check_rows

from mendel.guard.statistics.exact import exact_difference, exact_p_value
from mendel.guard.statistics.paired import mcnemar_better, tango, tango_z
from mendel.guard.statistics.proportions import clopper_pearson
from mendel.guard.statistics.samples import Paired

cells = st.integers(0, 5)
tables = st.builds(Paired, cells, cells, cells, cells).filter(lambda paired: paired.n > 0)


def swapped(paired):
    return Paired(paired.both, paired.only_baseline, paired.only_candidate, paired.neither)


@cache
def every_table(n):
    return [(up, down) for up in range(n + 1) for down in range(n + 1 - up)]


@cache
def log_ways(n):
    up, down = np.array(every_table(n)).T
    return gammaln(n + 1) - gammaln(up + 1) - gammaln(down + 1) - gammaln(n - up - down + 1)


def chances(n, up_rate, down_rate):
    """The probability of each table of ``every_table``, for rates that may be arrays."""
    up, down = np.array(every_table(n)).T[:, :, None]
    others = np.maximum(1.0 - up_rate - down_rate, 0.0)
    return np.exp(log_ways(n)[:, None] + xlogy(up, up_rate) + xlogy(down, down_rate) + xlogy(n - up - down, others))


def rates(difference, points):
    """Rates of the two kinds of discordant pairs with this difference, from the fewest pairs to all."""
    fewer = (1.0 - abs(difference)) / 2 * np.sin(np.linspace(0.0, np.pi / 2, points)) ** 2
    return fewer + max(difference, 0.0), fewer - min(difference, 0.0)


def summed_p_value(paired, difference):
    far = tango_z(paired, difference) - 1e-9
    n = paired.n
    held = np.array([tango_z(Paired(n - up - down, up, down, 0), difference) >= far for up, down in every_table(n)])
    return float(chances(n, *rates(difference, 4_001))[held].sum(axis=0).max())


@cache
def every_lower(n, alpha):
    """The lower bound of each table of ``every_table``; those of swapped tables are upper bounds turned round."""
    found = {}
    for up, down in every_table(n):
        if up <= down:
            bounds = exact_difference(Paired(n - up - down, up, down, 0), alpha)
            found[down, up] = -bounds.upper
            found[up, down] = bounds.lower
    return np.array([found[table] for table in every_table(n)])


# --- the p-value ---------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(tables, st.floats(-0.95, 0.95))
def test_the_p_value_is_the_largest_sum_over_tables(paired, difference):
    assert exact_p_value(paired, difference) == pytest.approx(summed_p_value(paired, difference), rel=1e-5, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(tables, st.floats(-0.9, 0.9))
def test_the_p_value_falls_with_the_candidates_pairs(paired, difference):
    better = paired._replace(only_candidate=paired.only_candidate + 1)
    if paired.both:
        better = better._replace(both=paired.both - 1)
        assert exact_p_value(better, difference) <= exact_p_value(paired, difference) + 1e-9


def test_at_the_ends_there_is_nothing_to_deny_or_no_doubt():
    assert exact_p_value(Paired(3, 1, 1, 2), 1.0) == 1.0
    assert exact_p_value(Paired(3, 1, 1, 2), -1.0) == 0.0
    assert exact_p_value(Paired(0, 0, 4, 0), -1.0) == 1.0
    assert exact_p_value(Paired(0, 0, 0, 0), 0.3) == 1.0


@check_rows("difference", [-1.5, 1.5, float("nan")])
def test_a_difference_of_rates_is_at_most_one(difference):
    with pytest.raises(ValueError, match="difference of rates"):
        exact_p_value(Paired(1, 1, 1, 1), difference)


def test_without_discordant_pairs_only_their_absence_counts():
    """One way to see none of either is that only one kind exists, at the rate of the difference."""
    assert exact_p_value(Paired(5, 0, 0, 1), -0.3) == pytest.approx(0.7**6, rel=1e-9)
    assert exact_p_value(Paired(20, 0, 0, 9), -0.1) >= 0.9**29


def test_unconditional_is_never_surer_than_the_best_conditional_case():
    """At all pairs discordant the test is a sign test, which is one of the cases that are maximised over."""
    paired = Paired(0, 9, 1, 0)
    assert exact_p_value(paired, 0.0) >= sum(comb(10, wins) for wins in (9, 10)) / 2**10 - 1e-12
    assert exact_p_value(Paired(20, 9, 1, 20), 0.0) < mcnemar_better(Paired(20, 9, 1, 20))


# --- the interval --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@check_rows(("n", "alpha"), [(1, 0.05), (4, 0.2), (8, 0.01), (9, 0.05), (13, 0.025)])
def test_bounds_are_never_wrong_more_often_than_they_say(n, alpha):
    """Every table and many truths, also just beside the bounds themselves, where the error is largest."""
    lowers = every_lower(n, alpha)
    beside = np.concatenate([lowers - 1e-6, lowers + 1e-6])
    truths = np.unique(np.concatenate([np.linspace(-0.98, 0.98, 99), beside[np.abs(beside) < 0.999]]))
    errors = [chances(n, *rates(truth, 33))[lowers > truth].sum(axis=0).max() for truth in truths]
    assert max(errors) <= alpha + 1e-4
    assert max(errors) > 0.9 * alpha  # and not by being useless


@settings(max_examples=12, deadline=None)
@given(tables, st.floats(0.001, 0.4))
def test_an_estimate_lies_between_bounds_that_differ(paired, alpha):
    estimate, lower, upper = exact_difference(paired, alpha)
    assert -1.0 <= lower <= estimate <= upper <= 1.0
    assert upper - lower > 1e-3
    assert exact_difference(swapped(paired), alpha) == pytest.approx((-estimate, -upper, -lower), abs=1e-12)


@settings(max_examples=15, deadline=None)
@given(tables, st.floats(0.001, 0.4))
def test_a_bound_is_where_the_test_stops_rejecting(paired, alpha):
    lower = exact_difference(paired, alpha).lower
    rejected = -1.0 + (lower + 1.0) * np.linspace(0.001, 0.99999, 12)
    assert lower == -1.0 or max(exact_p_value(paired, float(at)) for at in rejected) <= alpha + 1e-9
    nearby = lower + np.linspace(1e-8, 1e-6, 4)
    assert lower == -1.0 or max(exact_p_value(paired, float(at)) for at in nearby) > alpha * (1 - 1e-4)


@check_rows(
    ("paired", "accepted", "rejected"),
    [(Paired(5, 16, 4, 0), 0.171, 0.182), (Paired(6, 15, 4, 0), 0.127, 0.148), (Paired(9, 7, 9, 0), -0.3419, -0.341)],
)
def test_a_bound_is_below_every_difference_that_is_accepted(paired, accepted, rejected):
    """A p-value is not monotone in the difference: a search that trusts it to be ends above one that is accepted."""
    assert exact_p_value(paired, rejected) <= 0.05 < exact_p_value(paired, accepted)
    assert exact_difference(paired, 0.05).lower < accepted


@settings(max_examples=12, deadline=None)
@given(tables, st.tuples(st.floats(0.001, 0.4), st.floats(0.001, 0.4)))
def test_a_smaller_error_is_a_wider_interval(paired, pair):
    wide, narrow = (exact_difference(paired, alpha) for alpha in sorted(pair))
    assert wide.lower <= narrow.lower + 1e-7
    assert narrow.upper <= wide.upper + 1e-7


@check_rows("n", [2, 10, 60])
def test_where_all_pairs_speak_for_the_candidate_the_bound_is_clopper_pearsons(n):
    """At most all pairs can be discordant, and then n of n is a proportion on the scale from -1 to 1."""
    bound = exact_difference(Paired(0, n, 0, 0), 0.05).lower
    assert bound == pytest.approx(2 * clopper_pearson(n, n, 0.05).lower - 1, abs=1e-6)


def test_many_pairs_come_near_tangos_interval():
    for paired in (Paired(150, 20, 10, 20), Paired(700, 40, 20, 240)):
        exact, score = exact_difference(paired, 0.025), tango(paired, 0.025)
        assert exact == pytest.approx(score, abs=2e-3)
        assert exact.upper - exact.lower > score.upper - score.lower


def test_a_thousand_pairs_without_a_discordant_one_are_bounded_like_one_proportion():
    """Three in n, about: no table with as few of the baseline's pairs is likelier than at one kind only."""
    bounds = exact_difference(Paired(1_000, 0, 0, 0), 0.05)
    assert 2.5e-3 < bounds.upper < 1 - 0.05 ** (1 / 1_000) + 5e-4
    assert bounds.lower == -bounds.upper


def test_errors_of_a_grid_of_tables_are_ordered():
    lowers = [exact_difference(Paired(20 - wins, wins, 2, 3), 0.05).lower for wins in range(0, 21, 4)]
    assert all(left < right for left, right in pairwise(lowers))


def test_without_pairs_nothing_is_bounded():
    assert exact_difference(Paired(0, 0, 0, 0), 0.05) == (0.0, -1.0, 1.0)


@check_rows("alpha", [0.0, 0.5, 1.0])
def test_an_error_is_below_one_half(alpha):
    with pytest.raises(ValueError, match="error of a bound"):
        exact_difference(Paired(1, 1, 1, 1), alpha)
