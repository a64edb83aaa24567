"""What recorded samples can show: never wrong more often than alpha, by adding up every table there is."""

from fractions import Fraction
from math import comb, erf, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom
from tests.guard.statistics.test_exact import chances, every_table, rates

from mendel.contracts.verdicts import Challenge, Decision
from mendel.guard.policy import parse_policy
from mendel.guard.sample_claims import (
    difference_claim,
    mean_claim,
    median_claim,
    rate_claim,
    standardised_claim,
)
from mendel.guard.statistics.samples import Paired
from mendel.guard.statistics.special import normal_cdf

THOUSANDTH = Challenge.nth("niche", 1_000, 0.05).alpha
ALPHAS = [0.05, Challenge.nth("niche", 1, 0.05).alpha, 1e-3, 1e-5, THOUSANDTH]
at_every_alpha = pytest.mark.parametrize("alpha", ALPHAS)


def reals(text):
    return parse_policy(text, about="reals")


# --- a rate --------------------------------------------------------------------------------------------------------


@at_every_alpha
@pytest.mark.parametrize("rate", ["0.5", "0.8", "0.95"])
def test_a_rate_at_its_boundary_is_adopted_with_alpha_at_most(rate, alpha):
    policy, truth = parse_policy(f"absolute:min_pass_rate={rate}"), Fraction(rate)
    for n in (5, 11, 60, 200):
        wrong = Fraction(0)
        for passes in range(n, -1, -1):
            if rate_claim([True] * passes + [False] * (n - passes), policy, alpha).decision is not Decision.ADOPT:
                break
            wrong += comb(n, passes) * truth**passes * (1 - truth) ** (n - passes)
        assert wrong <= Fraction(alpha)


@at_every_alpha
@pytest.mark.parametrize("rate", [0.3, 0.8, 0.95])
def test_a_rate_that_no_result_could_show_is_known_by_the_number_of_cases(rate, alpha):
    policy = parse_policy(f"absolute:min_pass_rate={rate}")
    for n in (1, 5, 11, 25, 60, 350):
        claim = rate_claim([True] * n, policy, alpha)
        assert claim.possible(n) == (claim.decision is Decision.ADOPT)
    least = claim.fewest_cases()
    assert rate**least <= alpha < rate ** (least - 1)


def test_no_number_of_cases_shows_that_nothing_ever_fails():
    assert rate_claim([True], parse_policy("absolute:min_pass_rate=1"), 0.05).fewest_cases() is None


# --- a difference of outcomes --------------------------------------------------------------------------------------

POLICIES = ["superiority", "superiority:margin=0.1", "noninferiority:margin=0.05", "equivalence:margin=0.3"]


def of_every_table(n, adopts):
    return np.array([adopts(up, down) for up, down in every_table(n)])


def from_below(n, adopts):
    """As ``of_every_table``, where with every win more and every loss fewer of what is adopted it still would be."""
    found, bottom = {}, 0
    for down in range(n + 1):
        while bottom <= n - down and not adopts(bottom, down):
            bottom += 1
        found |= {(up, down): up >= bottom for up in range(n + 1 - down)}
    return np.array([found[table] for table in every_table(n)])


def adopted(policy, n, alpha):
    """By table of ``every_table``."""
    asked = parse_policy(policy)

    def adopts(up, down):
        return difference_claim(Paired(n - up - down, up, down, 0), asked, alpha).decision is Decision.ADOPT

    return (of_every_table if asked.kind == "equivalence" else from_below)(n, adopts)


@pytest.mark.parametrize(
    ("policy", "n", "alpha"),
    [
        *((policy, 7, 0.05) for policy in POLICIES),
        ("noninferiority:margin=0.05", 12, 0.05),
        ("superiority", 20, 1e-5),
        ("superiority:margin=0.1", 30, THOUSANDTH),
    ],
)
def test_a_difference_at_its_boundary_is_adopted_with_alpha_at_most(policy, n, alpha):
    needed = parse_policy(policy).required_difference
    tables = adopted(policy, n, alpha)
    ends = (needed, -needed) if policy.startswith("equivalence") else (needed,)
    worst = max(chances(n, *rates(end, 2_001))[tables].sum(axis=0).max() for end in ends)
    assert worst <= alpha
    assert tables.any() == difference_claim(Paired(n, 0, 0, 0), parse_policy(policy), alpha).possible(n)


@pytest.mark.parametrize("alpha", [0.05, THOUSANDTH])
@pytest.mark.parametrize("policy", POLICIES)
def test_a_difference_that_no_result_could_show_is_known_by_the_number_of_cases(policy, alpha):
    asked = parse_policy(policy)
    least = difference_claim(Paired(1, 0, 0, 0), asked, alpha).fewest_cases()
    best = Paired(least, 0, 0, 0) if asked.kind == "equivalence" else Paired(0, least, 0, 0)
    fewer = Paired(*(max(0, each - 1) for each in best))
    assert difference_claim(best, asked, alpha).decision is Decision.ADOPT
    assert difference_claim(fewer, asked, alpha).decision is Decision.UNDECIDED


def test_more_pairs_than_an_exact_test_takes_are_bet_on_and_so_is_an_alpha_below_its_floats():
    asked = parse_policy("superiority")
    assert difference_claim(Paired(900, 60, 40, 0), asked, 0.05).method == "exact"
    assert difference_claim(Paired(900, 61, 40, 0), asked, 0.05).method == "betting"
    assert difference_claim(Paired(0, 60, 0, 0), asked, 1e-12).method == "betting"
    assert difference_claim(Paired(0, 60, 0, 0), asked, 1e-12).decision is Decision.ADOPT


# --- a median ------------------------------------------------------------------------------------------------------


@at_every_alpha
def test_a_median_at_the_margin_is_adopted_with_alpha_at_most_whatever_the_distribution(alpha):
    """Only how many lie above the margin counts, and that is a coin's number whatever they are beside."""
    for n in (5, 25, 60):
        wrong = Fraction(0)
        for above in range(n + 1):
            values = [1.5 + each**3 for each in range(above)] + [0.5 - each for each in range(n - above)]
            claim = median_claim(values, reals("superiority:margin=1"), alpha)
            wrong += Fraction(comb(n, above), 2**n) * (claim.decision is Decision.ADOPT)
            assert claim.possible(n) == (2.0**-n <= alpha)
        assert wrong <= Fraction(alpha)


def test_a_mean_is_not_what_a_median_says():
    """The claim is named for what it is: rare disasters are not in it."""
    values = [0.1] * 90 + [-1.0] * 10
    assert median_claim(values, reals("superiority"), 0.01).decision is Decision.ADOPT
    assert mean_claim(values, reals("superiority"), 0.01, 1.0).decision is Decision.UNDECIDED


@pytest.mark.parametrize("claim", [median_claim, lambda *asked: mean_claim(*asked, 1.0), standardised_claim])
def test_equality_without_a_margin_is_never_shown(claim):
    assert claim([0.0], reals("equivalence:margin=0"), 0.05).fewest_cases() is None


# --- a mean --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "alpha"), [(12, 0.05), (16, 1e-3), (32, THOUSANDTH)])
@pytest.mark.parametrize(("margin", "small"), [(0.0, -0.9), (0.0, 0.05), (0.4, 0.5)])
def test_a_mean_at_the_margin_is_adopted_with_alpha_at_most(small, margin, n, alpha):
    """Of distributions on the ends of the range and a value between, whose mean is the margin; each sample counted."""
    policy = reals(f"superiority:margin={margin}")

    def adopts(up, down):
        values = [1.0] * up + [-1.0] * down + [small] * (n - up - down)
        return mean_claim(values, policy, alpha, 1.0).decision is Decision.ADOPT

    shown = (of_every_table if n == 12 else from_below)(n, adopts)
    for share in (0.0, 0.3, 0.9):
        up = ((1 - share) + margin - share * small) / 2
        down = 1 - share - up
        if min(up, down) >= 0:
            assert chances(n, np.array([up]), np.array([down]))[shown].sum() <= alpha


@at_every_alpha
def test_a_mean_that_no_result_could_show_is_known_by_the_number_of_cases(alpha):
    for text, best in (("superiority:margin=2", 5.0), ("noninferiority:margin=1", 5.0), ("equivalence:margin=2", 0.0)):
        least = mean_claim([0.0], reals(text), alpha, 5.0).fewest_cases()
        assert mean_claim([best] * least, reals(text), alpha, 5.0).decision is Decision.ADOPT
        assert mean_claim([best] * (least - 1), reals(text), alpha, 5.0).decision is not Decision.ADOPT
    assert mean_claim([0.0], reals("superiority:margin=5"), alpha, 5.0).fewest_cases() is None
    assert mean_claim([0.0], reals("noninferiority:margin=6"), alpha, 5.0).fewest_cases() == 1


# --- standard deviations -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("margin", [0.0, 0.3, 1.0])
@pytest.mark.parametrize(("n", "alpha"), [(11, ALPHAS[1]), (25, 1e-3), (50, THOUSANDTH)])
def test_a_normal_difference_at_the_margin_is_adopted_with_alpha_at_most(n, alpha, margin):
    """Its mean is as many standard deviations as the margin says, so this is how often it is above zero."""
    policy, above = reals(f"superiority:margin={margin}sd"), n
    while standardised_claim([1.0] * above + [-1.0] * (n - above), policy, alpha).decision is Decision.ADOPT:
        above -= 1
    assert binom.sf(above, n, normal_cdf(margin)) <= alpha


def test_differences_of_nothing_speak_for_neither_side():
    policy = reals("superiority:margin=0.3sd")
    claims = [standardised_claim(each, policy, 0.05) for each in ([1.0] * 20, [1.0] * 20 + [0.0] * 60)]
    assert [claim.decision for claim in claims] == [Decision.ADOPT, Decision.UNDECIDED]
    assert standardised_claim([0.0] * 60, reals("noninferiority:margin=0.3sd"), 0.05).decision is Decision.ADOPT


@settings(max_examples=10, derandomize=True)
@given(st.lists(st.integers(-2, 9).map(float), min_size=8, max_size=16))
def test_deviations_are_another_scale_of_how_often(values):
    above, below = sum(each > 0 for each in values), sum(each < 0 for each in values)
    paired = Paired(len(values) - above - below, above, below, 0)
    often = difference_claim(paired, reals(f"superiority:margin={erf(0.3 / sqrt(2))}"), 0.05)
    claim = standardised_claim(values, reals("superiority:margin=0.3sd"), 0.05)
    assert claim.decision is often.decision
    assert (claim.bounds.lower > 0.3) == (claim.decision is Decision.ADOPT)
    assert 2 * normal_cdf(claim.bounds.lower) - 1 == pytest.approx(often.bounds.lower, abs=1e-9)


@pytest.mark.parametrize(("k", "least"), [(1, 8), (1_000, 36)])
def test_how_many_worlds_a_margin_of_three_tenths_takes_at_least(k, least):
    alpha = Challenge.nth("niche", k, 0.05).alpha
    assert standardised_claim([1.0], reals("superiority:margin=0.3sd"), alpha).fewest_cases() == least
