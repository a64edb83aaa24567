"""Paired differences: published examples, a likelihood maximised by brute force, and what bounds have to satisfy."""

from itertools import pairwise
from math import comb, inf, log, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize_scalar
from scipy.special import xlogy
from statsmodels.stats.contingency_tables import mcnemar as two_sided_mcnemar
from tests.support.rows import check_rows

from mendel.guard.statistics.paired import mcnemar, mcnemar_better, newcombe, null_variance, tango, tango_z
from mendel.guard.statistics.proportions import wilson
from mendel.guard.statistics.samples import Paired
from mendel.guard.statistics.special import normal_critical

INTERVALS = pytest.mark.parametrize("interval", [tango, newcombe])
EDGES = [
    Paired(10, 0, 0, 0),
    Paired(0, 0, 0, 10),
    Paired(6, 0, 0, 4),
    Paired(0, 10, 0, 0),
    Paired(0, 0, 10, 0),
    Paired(0, 4, 6, 0),
    Paired(5, 5, 0, 0),
    Paired(5, 0, 5, 0),
    Paired(0, 1, 0, 9),
    Paired(0, 1, 0, 0),
    Paired(1, 0, 0, 0),
    Paired(2_000, 1, 1, 2_000),
]

cells = st.integers(0, 40)
tables = st.builds(Paired, cells, cells, cells, cells).filter(lambda paired: paired.n > 0)
alphas = st.floats(1e-9, 0.45)


def swapped(paired):
    return Paired(paired.both, paired.only_baseline, paired.only_candidate, paired.neither)


def likeliest(paired, difference):
    """The rate of the baseline's pairs at the maximum of the likelihood under the constraint, by search."""

    def badness(rate):
        others = max(1.0 - 2.0 * rate - difference, 0.0)
        return -float(
            xlogy(paired.only_candidate, max(rate + difference, 0.0))
            + xlogy(paired.only_baseline, rate)
            + xlogy(paired.both + paired.neither, others)
        )

    low, high = max(0.0, -difference), (1.0 - difference) / 2
    found = minimize_scalar(badness, bounds=(low, high), method="bounded", options={"xatol": 1e-13})
    return min((low, high, float(found.x)), key=badness)


def searched_z(paired, difference):
    rate = likeliest(paired, difference)
    spread = sqrt(paired.n * (2 * rate + difference - difference**2))
    return (paired.only_candidate - paired.only_baseline - paired.n * difference) / spread


# --- published examples --------------------------------------------------------------------------------------------


def test_tangos_example_of_soft_contact_lenses():
    """Tango (1998), 6.1: 44 pairs, one discordant."""
    paired = Paired(both=43, only_candidate=0, only_baseline=1, neither=0)
    assert tango_z(paired, -0.1) == pytest.approx(1.709, abs=5e-4)
    assert tango(paired, 0.05).lower == pytest.approx(-0.096, abs=5e-4)


def test_tangos_example_of_sleeping_difficulties():
    """Tango (1998), 6.2: 32 pairs, of which 9 and 3 are discordant."""
    bounds = tango(Paired(both=10, only_candidate=9, only_baseline=3, neither=10), 0.025)
    assert bounds == pytest.approx((0.1875, -0.027, 0.390), abs=5e-4)


@pytest.mark.parametrize(("interval", "lower", "upper"), [(tango, -0.517, -0.026), (newcombe, -0.507, -0.026)])
def test_airway_hyper_responsiveness(interval, lower, upper):
    """Fagerland, Lydersen and Laake (2014), the data of Bentur et al. (2009)."""
    assert interval(Paired(1, 1, 7, 12), 0.025)[1:] == pytest.approx((lower, upper), abs=6e-4)


def test_newcombes_method_in_statistics_with_confidence():
    """Altman et al. (2000), table 6.2: 0.12, with 95 % bounds of 0.01 and 0.23."""
    assert newcombe(Paired(14, 5, 0, 22), 0.025) == pytest.approx((0.122, 0.011, 0.226), abs=6e-4)


# --- the score statistic -------------------------------------------------------------------------------------------


@given(tables, st.floats(-0.99, 0.99))
def test_the_score_is_that_of_the_likeliest_rates(paired, difference):
    assume(abs(difference) > 1e-6 or paired.only_candidate + paired.only_baseline)
    assert tango_z(paired, difference) == pytest.approx(searched_z(paired, difference), rel=2e-4, abs=2e-4)


@given(tables, st.floats(-0.95, 0.95))
def test_the_closed_form_beats_every_neighbour(paired, difference):
    """The likelihood at the closed form is no smaller than at rates nearby: it is the maximum."""
    doubled = null_variance(paired.only_candidate, paired.only_baseline, paired.n, difference)
    rate = (doubled - difference * (1 - difference)) / 2
    concordant = paired.both + paired.neither

    def fit(at):
        shares = (at + difference, at, 1 - 2 * at - difference)
        if min(shares) < -1e-12:
            return -inf
        up, down, others = (max(share, 0.0) for share in shares)
        return float(xlogy(paired.only_candidate, up) + xlogy(paired.only_baseline, down) + xlogy(concordant, others))

    inside = min(max(rate, 0.0, -difference), (1 - difference) / 2)
    assert inside == pytest.approx(rate, abs=1e-9)
    assert all(fit(inside) >= fit(rate + step) - 1e-7 for step in (-0.05, -1e-3, -1e-5, 1e-5, 1e-3, 0.05))


@given(tables)
def test_at_no_difference_the_score_is_mcnemars(paired):
    up, down = paired.only_candidate, paired.only_baseline
    assert tango_z(paired, 0.0) == pytest.approx((up - down) / sqrt(up + down) if up + down else 0.0)


@check_rows("paired", EDGES)
def test_the_score_is_defined_everywhere_and_falls(paired):
    scores = [tango_z(paired, difference) for difference in np.linspace(-1.0, 1.0, 401)]
    assert not any(np.isnan(scores))
    assert all(left >= right for left, right in pairwise(scores))
    assert scores[0] == (0.0 if paired.only_baseline == paired.n else inf)
    assert scores[-1] == (0.0 if paired.only_candidate == paired.n else -inf)


@given(tables, st.lists(st.floats(-1.0, 1.0), min_size=2, max_size=8).map(sorted))
def test_a_larger_difference_has_a_smaller_score(paired, differences):
    scores = [tango_z(paired, difference) for difference in differences]
    assert all(left >= right - 1e-7 for left, right in pairwise(scores))


@given(tables, st.floats(-1.0, 1.0))
def test_sides_swapped_have_the_opposite_score(paired, difference):
    assert tango_z(swapped(paired), -difference) == -tango_z(paired, difference)


def test_without_discordant_pairs_the_score_is_that_of_none_in_n():
    paired = Paired(60, 0, 0, 40)
    assert tango_z(paired, 0.0) == 0.0
    assert tango_z(paired, -0.05) == pytest.approx(sqrt(100 * 0.05 / 0.95))


@check_rows("difference", [-1.1, 1.1, float("nan")])
def test_a_difference_of_rates_is_at_most_one(difference):
    with pytest.raises(ValueError, match="difference of rates"):
        tango_z(Paired(1, 1, 1, 1), difference)


# --- intervals -----------------------------------------------------------------------------------------------------


@check_rows("alpha", [1e-6, 0.025, 0.3])
@check_rows(
    "paired", [Paired(3, 5, 2, 4), Paired(100, 9, 3, 20), Paired(0, 7, 3, 0), Paired(30, 1, 12, 2), Paired(0, 1, 1, 98)]
)
def test_tangos_bounds_are_where_the_searched_score_says(paired, alpha):
    """An independent way to the same numbers: a searched maximum, and a root that scipy finds."""
    z, (estimate, lower, upper) = normal_critical(alpha), tango(paired, alpha)
    assert lower == pytest.approx(brentq(lambda at: searched_z(paired, at) - z, -1 + 1e-9, estimate - 1e-9), abs=1e-6)
    assert upper == pytest.approx(brentq(lambda at: searched_z(paired, at) + z, estimate + 1e-9, 1 - 1e-9), abs=1e-6)


@given(tables, alphas)
def test_tangos_bounds_are_roots_to_ten_digits(paired, alpha):
    """The score crosses its critical value between a hair below and a hair above each bound."""
    z, hair, (_, lower, upper) = normal_critical(alpha), 1e-10, tango(paired, alpha)
    assert lower == -1.0 or tango_z(paired, max(lower - hair, -1.0)) >= z - 1e-7
    assert lower == -1.0 or tango_z(paired, lower + hair) <= z + 1e-7
    assert upper == 1.0 or tango_z(paired, min(upper + hair, 1.0)) <= -z + 1e-7
    assert upper == 1.0 or tango_z(paired, upper - hair) >= -z - 1e-7


@check_rows("paired", [*EDGES, Paired(3, 5, 2, 4), Paired(900, 30, 1, 7), Paired(1, 400, 1, 0)])
@check_rows("alpha", [1e-9, 0.01, 0.05, 0.4])
def test_tangos_bounds_are_the_roots_that_scipy_finds(paired, alpha):
    z, (estimate, lower, upper) = normal_critical(alpha), tango(paired, alpha)
    if lower > -1.0:
        found = brentq(lambda at: tango_z(paired, at) - z, -1.0 + 1e-12, estimate, xtol=1e-13)
        assert lower == pytest.approx(found, abs=1e-9)
    if upper < 1.0:
        found = brentq(lambda at: tango_z(paired, at) + z, estimate, 1.0 - 1e-12, xtol=1e-13)
        assert upper == pytest.approx(found, abs=1e-9)


@INTERVALS
@given(tables, alphas)
def test_an_estimate_lies_between_bounds_that_differ(interval, paired, alpha):
    estimate, lower, upper = interval(paired, alpha)
    assert estimate == paired.difference
    assert -1.0 - 1e-12 <= lower <= estimate <= upper <= 1.0 + 1e-12
    assert upper - lower > 1e-6


@INTERVALS
@pytest.mark.parametrize("paired", EDGES)
def test_no_table_has_a_zero_width(interval, paired):
    _, lower, upper = interval(paired, 0.05)
    assert upper - lower > 1e-4


@INTERVALS
@given(tables, alphas)
def test_sides_swapped_have_opposite_bounds(interval, paired, alpha):
    estimate, lower, upper = interval(swapped(paired), alpha)
    assert interval(paired, alpha) == pytest.approx((-estimate, -upper, -lower), abs=1e-9)


@INTERVALS
@given(tables, st.tuples(alphas, alphas))
def test_a_smaller_error_is_a_wider_interval(interval, paired, pair):
    small, large = sorted(pair)
    wide, narrow = interval(paired, small), interval(paired, large)
    assert wide.lower <= narrow.lower + 1e-10
    assert narrow.upper <= wide.upper + 1e-10


@given(tables, alphas)
def test_tangos_bounds_rise_with_the_candidates_pairs(paired, alpha):
    assume(paired.both)
    better = paired._replace(both=paired.both - 1, only_candidate=paired.only_candidate + 1)
    assert tango(better, alpha).lower >= tango(paired, alpha).lower - 1e-10
    assert tango(better, alpha).upper >= tango(paired, alpha).upper - 1e-10


def test_where_one_side_always_fails_tango_is_wilson():
    assert tango(Paired(0, 7, 0, 3), 0.05).upper == pytest.approx(wilson(7, 10, 0.05).upper)
    assert tango(Paired(0, 7, 0, 3), 0.01).lower < wilson(7, 10, 0.01).lower
    assert tango(Paired(0, 7, 0, 3), 0.3).lower == pytest.approx(wilson(7, 10, 0.3).lower)


@INTERVALS
def test_without_pairs_nothing_is_bounded(interval):
    assert interval(Paired(0, 0, 0, 0), 0.05) == (0.0, -1.0, 1.0)


@INTERVALS
@pytest.mark.parametrize("alpha", [0.0, 0.5, -0.1, 1.0])
def test_an_error_is_below_one_half(interval, alpha):
    with pytest.raises(ValueError, match="error of a bound"):
        interval(Paired(1, 1, 1, 1), alpha)


def test_newcombe_without_correlation_adds_squares():
    """Where a side always passes there is no correlation, and the method is the one for independent rates."""
    paired = Paired(both=30, only_candidate=10, only_baseline=0, neither=0)
    one, other = wilson(40, 40, 0.05), wilson(30, 40, 0.05)
    bounds = newcombe(paired, 0.05)
    assert bounds.lower == pytest.approx(0.25 - sqrt((1 - one.lower) ** 2 + (other.upper - 0.75) ** 2))
    assert bounds.upper == pytest.approx(0.25 + (0.75 - other.lower))


# --- McNemar -------------------------------------------------------------------------------------------------------


@given(tables)
def test_mcnemar_counts_the_ways_chance_could_favour_a_side(paired):
    up, down = paired.only_candidate, paired.only_baseline
    ways = sum(comb(up + down, count) for count in range(down, up + down + 1))
    assert mcnemar(paired) == pytest.approx(ways / 2 ** (up + down), rel=1e-10)
    assert mcnemar_better(paired) == pytest.approx(mcnemar(swapped(paired)), rel=1e-12)


@given(tables)
def test_the_smaller_side_twice_is_the_two_sided_test(paired):
    grid = [[paired.both, paired.only_candidate], [paired.only_baseline, paired.neither]]
    reference = float(two_sided_mcnemar(grid, exact=True).pvalue)
    assert min(1.0, 2 * min(mcnemar(paired), mcnemar_better(paired))) == pytest.approx(reference, rel=1e-9)


def test_only_losses_are_evidence_against_the_candidate():
    assert mcnemar(Paired(50, 0, 5, 50)) == pytest.approx(2.0**-5)
    assert mcnemar_better(Paired(50, 0, 5, 50)) == 1.0
    assert mcnemar(Paired(50, 0, 0, 50)) == mcnemar_better(Paired(50, 0, 0, 50)) == 1.0
    assert log(mcnemar(Paired(0, 0, 1_000, 0))) == pytest.approx(-1_000 * log(2))
