"""Special functions, against scipy's and against what they have to satisfy."""

from fractions import Fraction
from math import atan, comb, exp, inf, log, nextafter, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats
from tests.support.rows import check_rows

from mendel.guard.statistics.special import (
    beta_cdf,
    beta_quantile,
    binomial_tail,
    normal_cdf,
    normal_critical,
    normal_quantile,
    normal_sf,
    student_cdf,
    student_quantile,
)

SHAPES = (0.01, 0.5, 1.0, 2.5, 30.0, 1000.0)
SHARES = (1e-12, 1e-9, 1e-4, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1 - 1e-6, 1 - 1e-9)
FREEDOMS = (0.3, 1.0, 2.0, 3.7, 10.0, 100.0, 1e4, 1e6)

shapes = st.floats(log(0.05), log(1e4)).map(exp)
shares = st.floats(1e-9, 1 - 1e-9)


def close(value, tolerance=1e-10):
    return pytest.approx(float(value), rel=tolerance, abs=1e-300)


# --- normal --------------------------------------------------------------------------------------------------------


@check_rows("z", [-37.0, -8.0, -1.96, -1e-9, 0.0, 0.3, 1.0, 5.0, 9.0])
def test_the_normal_distribution_is_scipys(z):
    assert normal_cdf(z) == close(stats.norm.cdf(z), 1e-12)
    assert normal_sf(z) == close(stats.norm.sf(z), 1e-12)


@check_rows("p", [1e-300, 1e-20, 1e-9, 0.025, 0.4, 0.5, 0.9, 1 - 1e-9])
def test_normal_quantiles_are_scipys(p):
    assert normal_quantile(p) == pytest.approx(float(stats.norm.ppf(p)), rel=1e-12, abs=1e-15)


def test_normal_quantiles_end_at_infinity():
    assert normal_quantile(0.0) == -inf
    assert normal_quantile(1.0) == inf


@pytest.mark.parametrize("p", [-0.1, 1.1])
def test_a_normal_quantile_takes_a_probability(p):
    with pytest.raises(ValueError, match="p must be in the range"):
        normal_quantile(p)


def test_a_critical_value_is_exceeded_with_the_error():
    assert normal_sf(normal_critical(1e-12)) == close(1e-12)
    assert normal_critical(0.025) == pytest.approx(1.959963984540054)


@check_rows("alpha", [0.0, 0.5, 0.9, -1.0, 1.0])
def test_an_error_is_below_one_half(alpha):
    with pytest.raises(ValueError, match="error of a bound"):
        normal_critical(alpha)


# --- beta ----------------------------------------------------------------------------------------------------------


@check_rows("a", SHAPES)
@check_rows("b", SHAPES)
def test_the_beta_distribution_is_scipys(a, b):
    for x in (1e-30, 1e-9, 1e-4, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1 - 1e-6):
        assert beta_cdf(x, a, b) == close(special.betainc(a, b, x), 1e-11)


@check_rows("a", SHAPES)
@check_rows("b", SHAPES)
def test_beta_quantiles_are_scipys(a, b):
    for p in SHARES:
        assert beta_quantile(p, a, b) == close(special.betaincinv(a, b, p))


@given(shapes, shapes, shares)
def test_a_beta_quantile_has_its_share_to_the_left(a, b, p):
    x = beta_quantile(p, a, b)
    # no float may hit the share; then it lies between those of the neighbours
    low, high = beta_cdf(nextafter(x, 0.0), a, b), beta_cdf(nextafter(x, 1.0), a, b)
    assert low * (1 - 1e-9) <= p <= high * (1 + 1e-9)


@given(st.floats(0.001, 0.999), shapes, shapes)
def test_the_beta_distribution_turned_round_is_the_rest(x, a, b):
    assert beta_cdf(x, a, b) + beta_cdf(1.0 - x, b, a) == pytest.approx(1.0, abs=1e-9)


def test_the_beta_distribution_ends():
    assert beta_cdf(0.0, 2.0, 3.0) == beta_quantile(0.0, 2.0, 3.0) == 0.0
    assert beta_cdf(1.0, 2.0, 3.0) == beta_quantile(1.0, 2.0, 3.0) == 1.0
    assert beta_quantile(1e-9, 0.005, 1.0) == 0.0  # 1e-1800


def test_large_shapes_keep_their_digits():
    assert beta_cdf(0.3001, 3e6, 7e6) == close(special.betainc(3e6, 7e6, 0.3001), 1e-8)
    assert beta_quantile(1e-9, 3e5, 7e5) == close(special.betaincinv(3e5, 7e5, 1e-9))


@check_rows(("a", "b"), [(0.0, 1.0), (1.0, -1.0), (inf, 1.0), (1.0, float("nan"))])
def test_shapes_are_positive_and_finite(a, b):
    with pytest.raises(ValueError, match="two positive finite parameters"):
        beta_cdf(0.5, a, b)
    with pytest.raises(ValueError, match="two positive finite parameters"):
        beta_quantile(0.5, a, b)


def test_a_beta_quantile_takes_a_probability():
    with pytest.raises(ValueError, match="probability"):
        beta_quantile(1.5, 1.0, 1.0)


# --- Student -------------------------------------------------------------------------------------------------------


@check_rows("df", FREEDOMS)
def test_students_distribution_is_scipys(df):
    for t in (-1e8, -30.0, -2.0, -0.01, 0.0, 0.5, 3.0, 1e5):
        assert student_cdf(t, df) == close(stats.t.cdf(t, df))


@check_rows("df", FREEDOMS)
def test_students_quantiles_are_scipys(df):
    for p in (1e-12, 1e-9, 1e-3, 0.05, 0.1, 0.24, 0.26, 0.49, 0.6, 0.9, 0.999):
        assert student_quantile(p, df) == close(stats.t.ppf(p, df), 1e-9)


@given(shares, st.floats(0.5, 1e5))
def test_students_quantiles_have_their_share_to_the_left(p, df):
    assert student_cdf(student_quantile(p, df), df) == close(p, 1e-9)


def test_with_endless_freedom_student_is_normal():
    assert student_cdf(-1.5, inf) == normal_cdf(-1.5)
    assert student_quantile(0.1, inf) == normal_quantile(0.1)


def test_student_ends():
    assert (student_cdf(-inf, 3.0), student_cdf(inf, 3.0)) == (0.0, 1.0)
    assert (student_quantile(0.0, 3.0), student_quantile(0.5, 3.0), student_quantile(1.0, 3.0)) == (-inf, 0.0, inf)


def test_with_one_degree_student_is_cauchy_and_with_two_it_is_algebraic():
    assert student_quantile(0.75, 1.0) == close(1.0)
    assert student_cdf(-1e-8, 1.0) == close(0.5 + atan(-1e-8) / pi, 1e-15)
    assert student_cdf(-3.0, 2.0) == close(0.5 - 3.0 / (2.0 * sqrt(11.0)))


@check_rows(("p", "df"), [(0.5, 0.0), (0.5, -1.0), (-0.1, 3.0), (1.1, 3.0)])
def test_student_refuses_what_is_no_distribution(p, df):
    with pytest.raises(ValueError, match="degrees of freedom must be positive"):
        student_quantile(p, df)


def test_student_needs_freedom():
    with pytest.raises(ValueError, match="degrees of freedom must be positive"):
        student_cdf(1.0, 0.0)


# --- binomial ------------------------------------------------------------------------------------------------------


@given(st.integers(0, 60).flatmap(lambda n: st.tuples(st.integers(-2, n + 2), st.just(n))), st.floats(0.0, 1.0))
def test_a_binomial_tail_is_the_sum_of_its_terms(counts, p):
    k, n = counts
    share = Fraction(p)
    terms = (comb(n, i) * share**i * (1 - share) ** (n - i) for i in range(max(k, 0), n + 1))
    assert binomial_tail(k, n, p) == close(sum(terms, Fraction(0)))


@check_rows(("k", "n", "p"), [(5, 1000, 0.001), (700, 1000, 0.5), (9_990, 10_000, 0.99)])
def test_far_binomial_tails_are_scipys(k, n, p):
    assert binomial_tail(k, n, p) == close(stats.binom.sf(k - 1, n, p))
