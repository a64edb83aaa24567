"""Always-valid evidence: a fair game against every hypothesis that holds, by enumeration and not by argument."""

from itertools import pairwise
from math import comb, exp, inf, log, prod, sqrt

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import integrate, stats
from tests.support.rows import check_rows

from mendel.guard.statistics.evalues import (
    _best_drift,
    _boundary,
    bounded_evalue,
    bounded_sequence,
    mean_sequence,
    paired_evalue,
    paired_sequence,
    proportion_evalue,
    proportion_sequence,
)
from mendel.guard.statistics.means import degenerate
from mendel.guard.statistics.samples import Paired

counts = st.integers(0, 60)
pairs = st.builds(Paired, counts, counts, counts, counts)
alphas = st.sampled_from([1e-4, 0.01, 0.05, 0.2])
differences = st.floats(-0.9, 0.9)


def a_prior():
    """The bets as written in the module, in arithmetic of another kind: (bet, capital behind it)."""
    odds = [-5.5 + 9.5 * place / 39 for place in range(40)]
    weights = [exp(-(((x + 1.5) / 1.7) ** 2) / 2) for x in odds]
    return [(exp(x) / (1 + exp(x)), 0.85 * w / sum(weights)) for x, w in zip(odds, weights, strict=True)] + [(1, 0.15)]


# --- the value itself ----------------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from([-1, 0, 1]), max_size=40), differences)
def test_paired_evidence_is_the_capital_of_a_gambler_who_bets_on_one_outcome_after_another(outcomes, mu):
    wealth = sum(
        capital * prod(1.0 + share / (1.0 + mu) * (outcome - mu) for outcome in outcomes)
        for share, capital in a_prior()
    )
    paired = Paired(outcomes.count(0), outcomes.count(1), outcomes.count(-1), 0)
    assert exp(paired_evalue(paired, mu)) == pytest.approx(wealth, rel=1e-9)


@given(st.lists(st.booleans(), max_size=40), st.floats(0.05, 0.95))
def test_evidence_on_a_rate_is_the_capital_of_a_gambler_too(outcomes, rate):
    wealth = sum(
        capital * prod(1.0 + share / rate * (outcome - rate) for outcome in outcomes) for share, capital in a_prior()
    )
    assert exp(proportion_evalue(sum(outcomes), len(outcomes), rate)) == pytest.approx(wealth, rel=1e-9)


def test_nobody_has_gained_before_the_first_outcome():
    assert paired_evalue(Paired(0, 0, 0, 0), 0.1) == pytest.approx(0.0, abs=1e-12)
    assert proportion_evalue(0, 0, 0.5) == pytest.approx(0.0, abs=1e-12)


def test_both_and_neither_say_the_same():
    assert paired_evalue(Paired(7, 3, 1, 0), 0.05) == paired_evalue(Paired(2, 3, 1, 5), 0.05)


@given(pairs, differences, differences)
def test_a_bolder_hypothesis_is_refuted_less(paired, one, other):
    low, high = sorted((one, other))
    assert paired_evalue(paired, low) >= paired_evalue(paired, high) - 1e-9


# --- a fair game ---------------------------------------------------------------------------------------------------


@st.composite
def worlds(draw):
    """Chances of a win and a loss, and a mean that theirs does not exceed; often the two are equal."""
    ties = draw(st.floats(0.0, 1.0))
    win = draw(st.floats(0.0, 1.0)) * (1.0 - ties)
    loss = 1.0 - ties - win
    return win, loss, min(max(win - loss, -0.95) + draw(st.just(0.0) | st.floats(0.0, 0.3)), 1.0)


@given(pairs, worlds())
def test_paired_evidence_never_grows_on_average_where_the_hypothesis_holds(paired, world):
    win, loss, mu = world
    both, better, worse, neither = paired
    tie = 1.0 - win - loss
    after = win * exp(paired_evalue(Paired(both, better + 1, worse, neither), mu))
    after += loss * exp(paired_evalue(Paired(both, better, worse + 1, neither), mu))
    after += tie * exp(paired_evalue(Paired(both + 1, better, worse, neither), mu))
    now = exp(paired_evalue(paired, mu))
    assert after <= now * (1.0 + 1e-9)
    if mu == win - loss:
        assert after == pytest.approx(now, rel=1e-9)


@given(counts, counts, st.floats(0.01, 0.99), st.floats(0.0, 1.0))
def test_evidence_on_a_rate_never_grows_on_average_where_the_hypothesis_holds(successes, failures, rate, share):
    n, truth = successes + failures, rate * share
    after = truth * exp(proportion_evalue(successes + 1, n + 1, rate))
    after += (1.0 - truth) * exp(proportion_evalue(successes, n + 1, rate))
    assert after <= exp(proportion_evalue(successes, n, rate)) * (1.0 + 1e-9)


def ever(refutes, chances, looks):
    """The exact chance that a walk over counts is refuted at one of that many looks; ``chances`` by outcome."""
    alive, stopped = {tuple(0 for _ in chances): 1.0}, 0.0
    for _ in range(looks):
        following = {}
        for state, mass in alive.items():
            for place, chance in enumerate(chances):
                after = (*state[:place], state[place] + 1, *state[place + 1 :])
                following[after] = following.get(after, 0.0) + mass * chance
        stopped += sum(mass for state, mass in following.items() if refutes(state))
        alive = {state: mass for state, mass in following.items() if mass and not refutes(state)}
    return stopped


@check_rows(("win", "loss", "least"), [(0.1, 0.1, 0.002), (0.4, 0.4, 0.01), (0.0, 0.1, 0.005), (0.05, 0.1, 0.002)])
def test_sixty_looks_at_pairs_err_with_alpha_at_most(win, loss, least):
    mu, alpha, known = win - loss, 0.05, {}

    def refutes(state):
        if state not in known:
            known[state] = paired_evalue(Paired(state[1], state[0], state[2], 0), mu) >= log(1.0 / alpha)
        return known[state]

    chance = ever(refutes, (win, 1.0 - win - loss, loss), 60)
    assert least < chance <= alpha


@check_rows(("rate", "least"), [(0.05, 0.01), (0.5, 0.01), (0.9, 0.002)])
def test_sixty_looks_at_a_rate_err_with_alpha_at_most(rate, least):
    assert least < ever(lambda s: proportion_sequence(s[0], sum(s), 0.05).lower > rate, (rate, 1.0 - rate), 60) <= 0.05
    assert ever(lambda s: proportion_sequence(s[0], sum(s), 0.05).upper < rate, (rate, 1.0 - rate), 60) <= 0.05


# --- values between 0 and 1 ----------------------------------------------------------------------------------------


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.floats(0.05, 1))
def test_evidence_on_a_mean_is_the_capital_of_a_gambler_who_bets_on_one_value_after_another(values, mean):
    capital = sum(share * prod(1 - bet + bet * each / mean for each in values) for bet, share in a_prior())
    assert bounded_evalue(values, mean) == pytest.approx(log(capital), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("middle", [0.01, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("mean", [0.05, 0.4, 0.7])
def test_evidence_on_a_mean_never_grows_on_average_whatever_the_distribution(middle, mean):
    """Every sample of six values, of every distribution on three of them that has the mean, weighed by its chance."""
    for share in (0.0, 0.2, 0.6):
        high = (mean - share * middle) / 1.0
        chances = {0.0: 1 - share - high, middle: share, 1.0: high}
        if min(chances.values()) < 0:
            continue
        total = 0.0
        for lows in range(7):
            for middles in range(7 - lows):
                counts = (lows, middles, 6 - lows - middles)
                ways = comb(6, lows) * comb(6 - lows, middles)
                likely = ways * prod(chance**count for chance, count in zip(chances.values(), counts, strict=True))
                values = [each for each, count in zip(chances, counts, strict=True) for _ in range(count)]
                total += likely * exp(bounded_evalue(values, mean))
        assert total == pytest.approx(1.0, rel=1e-9)


@settings(max_examples=40)
@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40), st.sampled_from([0.05, 1e-4, 3e-8]))
def test_bounds_on_a_mean_are_those_on_counts_where_there_are_only_counts(wins, ties, losses, alpha):
    values = [1.0] * wins + [0.5] * ties + [0.0] * losses
    if values:
        expected = paired_sequence(Paired(0, wins, losses, ties), alpha)
        found = bounded_sequence(values, alpha)
        assert [2 * each - 1 for each in found] == pytest.approx(list(expected), abs=1e-6)


@settings(max_examples=40)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_bounds_on_a_mean_stand_where_the_evidence_reaches_its_goal_in_any_order(values, source):
    bounds = bounded_sequence(values, 0.01)
    assert 0 <= bounds.lower <= bounds.estimate <= bounds.upper
    if bounds.lower > 1e-6:
        assert bounded_evalue(values, bounds.lower) == pytest.approx(log(100), abs=1e-4)
    source.shuffle(values)
    assert bounded_sequence(values, 0.01) == bounds


@pytest.mark.parametrize("values", [[], [1.1], [-0.1, 0.5], [float("nan")]])
def test_a_bounded_value_is_between_zero_and_one(values):
    with pytest.raises(ValueError, match=r"value must be in \[0, 1\]|finite values"):
        bounded_sequence(values, 0.05)


def test_a_difference_that_is_there_is_found():
    found = ever(lambda s: paired_evalue(Paired(s[1], s[0], s[2], 0), 0.0) >= log(20.0), (0.4, 0.5, 0.1), 60)
    assert found > 0.5


# --- bounds --------------------------------------------------------------------------------------------------------


@given(pairs, alphas)
def test_paired_bounds_stand_where_the_evidence_reaches_its_goal(paired, alpha):
    bounds = paired_sequence(paired, alpha)
    turned = Paired(paired.both, paired.only_baseline, paired.only_candidate, paired.neither)
    assert -1.0 <= bounds.lower <= bounds.estimate <= bounds.upper <= 1.0
    assert bounds.lower < bounds.upper
    if bounds.lower > -1.0 + 1e-9:
        assert paired_evalue(paired, bounds.lower) == pytest.approx(-log(alpha), abs=1e-5)
    if bounds.upper < 1.0 - 1e-9:
        assert paired_evalue(turned, -bounds.upper) == pytest.approx(-log(alpha), abs=1e-5)
    assert paired_sequence(turned, alpha) == (-bounds.estimate, -bounds.upper, -bounds.lower)


@given(counts, counts, alphas)
def test_bounds_on_a_rate_stand_where_the_evidence_reaches_its_goal(successes, failures, alpha):
    n = successes + failures
    bounds = proportion_sequence(successes, n, alpha)
    assert 0.0 <= bounds.lower <= bounds.estimate <= bounds.upper <= 1.0
    if successes:
        assert proportion_evalue(successes, n, bounds.lower) == pytest.approx(-log(alpha), abs=1e-5)
    if failures:
        assert proportion_evalue(failures, n, 1.0 - bounds.upper) == pytest.approx(-log(alpha), abs=1e-5)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6), alphas)
@example(90, 544_409, 8, 0.01)
def test_huge_and_lopsided_counts_err_outwards(better, worse, same, alpha):
    paired = Paired(same, better, worse, 0)
    bounds = paired_sequence(paired, alpha)
    assert bounds.lower <= bounds.estimate <= bounds.upper
    if bounds.lower > -1.0 + 1e-12:
        assert paired_evalue(paired, bounds.lower) >= -log(alpha) - 1e-6


@check_rows("paired", [Paired(0, 1, 300, 0), Paired(0, 1, 10**6, 0), Paired(0, 10**6, 1, 0)])
def test_a_single_outcome_against_many_is_bounded_too(paired):
    bounds = paired_sequence(paired, 0.05)
    assert -1.0 <= bounds.lower <= bounds.estimate <= bounds.upper <= 1.0


def test_without_outcomes_of_use_nothing_is_bounded():
    assert paired_sequence(Paired(0, 0, 0, 0), 0.05) == (0.0, -1.0, 1.0)
    assert paired_sequence(Paired(0, 0, 9, 0), 0.05).lower == -1.0
    assert proportion_sequence(0, 0, 0.05) == (0.5, 0.0, 1.0)
    assert proportion_sequence(0, 9, 0.05).lower == 0.0


@check_rows("n", [30, 100, 300])
def test_pairs_without_any_difference_bound_it_nearly_as_well_as_one_look(n):
    lower = paired_sequence(Paired(n, 0, 0, 0), 0.05).lower
    assert 1.0 < -lower / (1.0 - 0.05 ** (1.0 / n)) < 1.6


@check_rows("n", [100, 300, 1000, 5000])
@check_rows("discordant", [0.1, 0.3])
def test_looking_all_the_time_costs_less_than_twice_the_width(n, discordant):
    better = worse = round(n * discordant / 2)
    lower = paired_sequence(Paired(n - better - worse, better, worse, 0), 0.05).lower
    assert 1.0 < -lower / (1.645 * sqrt((better + worse) / n / n)) < 2.15


def test_bounds_narrow_as_the_sample_grows_in_proportion():
    widths = [paired_sequence(Paired(40 * k, 6 * k, 3 * k, 51 * k), 0.05) for k in (1, 3, 10, 30)]
    assert all(a.upper - a.lower > b.upper - b.lower for a, b in pairwise(widths))


# --- means ---------------------------------------------------------------------------------------------------------


@check_rows("alpha", [0.005, 0.05, 0.2])
@check_rows("drift", [0.1, 1.0, 7.0, 200.0])
def test_the_boundary_is_where_a_half_normal_mixture_reaches_its_goal(drift, alpha):
    z = _boundary(drift, alpha)
    root = sqrt(drift)
    wealth, _ = integrate.quad(
        lambda x: 2.0 * stats.norm.pdf(x) * exp(x * root * z - x * x * drift / 2.0), 0.0, inf, epsabs=1e-10
    )
    assert 1.0 <= wealth * alpha < 1.2


@pytest.mark.parametrize("n", [20, 400])
def test_mean_bounds_are_tightest_where_they_are_planned(n):
    sample = np.sin(np.arange(n))
    width = [mean_sequence(sample, 0.05, planned).upper for planned in (n // 10, n // 2, n, 2 * n, 10 * n)]
    assert min(width) == width[2]
    assert width[0] > 1.05 * width[2] < width[4]


def test_the_best_drift_is_least_for_its_alpha():
    for alpha in (0.001, 0.05):
        best = _best_drift(alpha)
        assert _boundary(best, alpha) < min(_boundary(best * 1.1, alpha), _boundary(best / 1.1, alpha))


def test_looks_at_normal_values_err_less_than_alpha_and_at_planned_n_not_much_less():
    looks = [2, 3, 5, 8, 13, 21, 34, 55, 100]
    samples = np.random.default_rng(20).normal(size=(400, 100))
    missed = [any(mean_sequence(row[:n], 0.1, 50).lower > 0.0 for n in looks) for row in samples]
    assert 0.005 < np.mean(missed) < 0.1


def test_mean_bounds_approach_the_boundary_times_the_standard_error():
    sample = np.sin(np.arange(20_000.0))
    bounds = mean_sequence(sample, 0.05, 20_000)
    half = _boundary(_best_drift(0.05), 0.05) * stats.sem(sample)
    assert bounds.upper - bounds.estimate == pytest.approx(half, rel=1e-3)
    assert bounds.estimate - bounds.lower == pytest.approx(half, rel=1e-3)


def test_alike_values_are_bounded_by_their_scale():
    assert mean_sequence([0.0] * 9, 0.05, 100, 3.0) == degenerate([0.0] * 9, 0.05, 3.0)


# --- refusals ------------------------------------------------------------------------------------------------------


@check_rows("difference", [-1.0, 1.1, float("nan")])
def test_what_is_no_hypothesis_about_a_difference_is_refused(difference):
    with pytest.raises(ValueError, match="the difference of a hypothesis"):
        paired_evalue(Paired(1, 1, 1, 1), difference)


@check_rows("rate", [0.0, 1.1, float("nan")])
def test_what_is_no_hypothesis_about_a_rate_is_refused(rate):
    with pytest.raises(ValueError, match="the rate of a hypothesis"):
        proportion_evalue(1, 2, rate)


@pytest.mark.parametrize("successes", [-1, 3])
def test_more_successes_than_trials_are_refused(successes):
    with pytest.raises(ValueError, match=f"in 0 … 2, the number of trials, not {successes}"):
        proportion_sequence(successes, 2, 0.05)


@check_rows("alpha", [0.0, 1.0, -1.0, float("nan")])
def test_what_is_no_alpha_is_refused(alpha):
    with pytest.raises(ValueError, match="alpha must be in"):
        paired_sequence(Paired(1, 1, 1, 1), alpha)
    with pytest.raises(ValueError, match="alpha must be in"):
        mean_sequence([1.0, 2.0], alpha, 5)


def test_a_plan_has_one_value_at_least():
    with pytest.raises(ValueError, match="planned_n must be at least 1"):
        mean_sequence([1.0, 2.0], 0.05, 0)
