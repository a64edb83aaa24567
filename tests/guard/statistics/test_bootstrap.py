"""Resampled bounds against scipy's and against resampling written out, and what becomes of them at the edges."""

from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.guard.statistics.bootstrap import _bent, bca, cluster, percentile, studentised
from mendel.guard.statistics.means import degenerate

KEY = Entropy("bootstrap")
NORMAL = np.random.default_rng(1).normal(0.3, 1.0, 40)
SKEWED = np.random.default_rng(2).exponential(1.0, 25) - 0.7
OUTCOMES = np.array([1.0] * 9 + [-1.0] * 4 + [0.0] * 47)
samples = check_rows("sample", [NORMAL, SKEWED, OUTCOMES])
every = check_rows("method", [percentile, bca, studentised])
FAMILIES = np.repeat(np.arange(12), [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6])
KIN = np.random.default_rng(3).normal(0.5, 1.0, 12)[FAMILIES] + np.random.default_rng(4).normal(0.0, 0.4, 42)


@samples
@check_rows(("method", "name"), [(percentile, "percentile"), (bca, "BCa")])
@check_rows("alpha", [0.025, 0.1])
def test_percentiles_are_scipys_within_what_resampling_leaves_open(sample, method, name, alpha):
    theirs = stats.bootstrap(
        (sample,), np.mean, confidence_level=1.0 - 2.0 * alpha, n_resamples=20_000, method=name, rng=8
    ).confidence_interval
    ours = method(sample, alpha, KEY, 20_000)
    assert ours.estimate == pytest.approx(sample.mean())
    # outcomes have means on a grid of 1 / n, and a quantile may fall on either of two neighbours
    tolerance = max(0.08 * stats.sem(sample), 1.001 / sample.size * (sample is OUTCOMES))
    assert (ours.lower, ours.upper) == pytest.approx((theirs.low, theirs.high), abs=tolerance)


def written_out(groups, alpha, resamples):
    """Studentised bounds, one resample of whole groups after another."""
    rng, pivots = np.random.default_rng(9), []
    mean, error = mean_and_error(groups)
    for _ in range(resamples):
        drawn = [groups[place] for place in rng.integers(0, len(groups), len(groups))]
        other, its_error = mean_and_error(drawn)
        pivots.append((other - mean) / its_error if its_error > 1e-12 else inf * np.sign(other - mean))
    low, high = np.quantile(pivots, [alpha, 1.0 - alpha], method="nearest")
    return mean - high * error, mean - low * error, error


def mean_and_error(groups):
    size = sum(map(len, groups))
    mean = sum(map(sum, groups)) / size
    spread = sum((sum(group) - mean * len(group)) ** 2 for group in groups)
    return mean, sqrt(spread * len(groups) / (len(groups) - 1)) / size


@samples
def test_studentised_bounds_are_those_of_resampling_written_out(sample):
    lower, upper, error = written_out([[value] for value in sample.tolist()], 0.05, 4000)
    ours = studentised(sample, 0.05, KEY, 20_000)
    assert (ours.lower, ours.upper) == pytest.approx((lower, upper), abs=0.15 * error)
    assert error == pytest.approx(stats.sem(sample))


def test_cluster_bounds_are_those_of_resampling_families_written_out():
    groups = [KIN[family == FAMILIES].tolist() for family in range(12)]
    lower, upper, error = written_out(groups, 0.05, 6000)
    ours = cluster(KIN, FAMILIES, 0.05, KEY, 20_000)
    assert ours.estimate == pytest.approx(KIN.mean())
    assert (ours.lower, ours.upper) == pytest.approx((lower, upper), abs=0.25 * error)


def test_families_of_one_are_no_families():
    assert cluster(SKEWED, np.arange(SKEWED.size), 0.05, KEY) == studentised(SKEWED, 0.05, KEY)


def test_copies_of_a_case_are_no_evidence():
    copies = cluster(np.repeat(NORMAL, 5), np.repeat(np.arange(40), 5), 0.05, KEY)
    assert copies == pytest.approx(studentised(NORMAL, 0.05, KEY))
    assert copies.lower < studentised(np.repeat(NORMAL, 5), 0.05, KEY).lower


def test_families_have_names_of_any_kind():
    names = [f"family {family:02}" for family in FAMILIES]
    assert cluster(KIN, names, 0.05, KEY) == cluster(KIN, FAMILIES, 0.05, KEY)


@every
def test_skewed_values_miss_about_as_often_as_they_may(method):
    misses = 0
    rng = np.random.default_rng(6)
    for place in range(200):
        bounds = method(rng.exponential(1.0, 60), 0.1, KEY.child(place), 400)
        misses += (bounds.lower > 1.0) + (bounds.upper < 1.0)
    assert 0.1 < misses / 200 < 0.3


@every
@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(-50, 50), min_size=2, max_size=12), st.sampled_from([-3.0, 8.0]), st.sampled_from([0.5, 4.0])
)
def test_bounds_move_and_stretch_with_the_values(method, sample, move, stretch):
    values = np.array(sample, dtype=float)
    assume(np.ptp(values) > 0.0)
    bounds = np.array(method(values, 0.1, KEY, 99))
    assert method(values * stretch + move, 0.1, KEY, 99) == pytest.approx(bounds * stretch + move, abs=1e-7)


@every
@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=6), st.sampled_from([0.05, 0.3, 0.45]))
def test_bounds_are_never_of_zero_width(method, sample, alpha):
    bounds = method(sample, alpha, KEY, 99)
    assert bounds.lower < bounds.upper


@every
def test_alike_values_are_bounded_by_their_scale(method):
    assert method([0.25] * 7, 0.05, KEY, 99, 2.0) == degenerate([0.25] * 7, 0.05, 2.0)


def test_one_family_is_one_value_however_large():
    bounds = cluster([0.0, 1.0, 0.0, -1.0], [3, 3, 3, 3], 0.05, KEY, scale=2.0)
    assert bounds == degenerate([0.0], 0.05, 2.0)


def test_families_with_equal_means_are_alike():
    assert cluster([1.0, 0.0, 0.5, 0.5], [0, 0, 1, 1], 0.05, KEY) == degenerate([0.5, 0.5], 0.05, 1.0)


def test_nothing_bounds_a_side_that_resamples_without_spread_lie_on():
    bounds = studentised([1.0, 1.0] + [0.0] * 98, 0.05, KEY)
    assert bounds.upper == inf
    assert -0.1 < bounds.lower < 0.02


@settings(deadline=None)
@given(st.lists(st.sampled_from([0.0, 1.0, 9.0]), min_size=2, max_size=5), st.integers(2, 4), st.integers(0, 30))
def test_resamples_all_on_one_side_are_no_certainty(sample, resamples, key):
    bounds = bca(sample, 0.4, KEY.child(key), resamples)
    assert -inf < bounds.lower < bounds.upper < inf


def test_percentiles_are_bent_as_efron_has_it():
    assert _bent(-1.6, 0.3, 0.1) == pytest.approx(0.3 - 1.3 / 1.13)
    assert (_bent(3.0, 3.0, 0.2), _bent(-3.0, -3.0, -0.2)) == (inf, -inf)


@every
def test_one_key_has_one_answer(method):
    assert method(NORMAL, 0.05, KEY) == method(NORMAL.tolist(), 0.05, Entropy("bootstrap"))
    assert method(NORMAL, 0.05, KEY) != method(NORMAL, 0.05, KEY.child(1))
    assert set(map(type, method(NORMAL, 0.05, KEY))) == {float}


@every
def test_what_cannot_be_resampled_is_refused(method):
    with pytest.raises(ValueError, match="10 resamples are too few"):
        method(NORMAL, 0.05, KEY, 10)
    with pytest.raises(ValueError, match="alpha must be in"):
        method(NORMAL, 0.5, KEY)
    with pytest.raises(ValueError, match="a sample must be a one-dimensional"):
        method([], 0.05, KEY)


def test_every_difference_has_a_cluster():
    with pytest.raises(ValueError, match="3 differences need as many cluster names, not 2"):
        cluster([1.0, 2.0, 3.0], [0, 1], 0.05, KEY)
