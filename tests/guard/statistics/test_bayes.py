"""Posteriors against scipy's beta and Dirichlet distributions, and a predicted experiment against all its outcomes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.guard.statistics.bayes import beta_bounds, dirichlet_difference, predictive_adoption, probability_above
from mendel.guard.statistics.samples import Paired

KEY = Entropy("bayes")
TABLES = [Paired(40, 10, 5, 45), Paired(30, 0, 0, 0), Paired(0, 0, 0, 0), Paired(500, 30, 4, 100), Paired(0, 3, 9, 1)]
tables = check_rows("paired", TABLES)


def posterior(paired, prior, size=200_000):
    """Differences from a Dirichlet distribution over all four cells."""
    drawn = stats.dirichlet(np.array(paired) + prior).rvs(size, random_state=12)
    return drawn[:, 1] - drawn[:, 2]


@given(
    st.integers(0, 300),
    st.integers(0, 300),
    st.sampled_from([0.001, 0.05, 0.3]),
    st.sampled_from([(0.5, 0.5), (1.0, 1.0), (0.2, 5.0)]),
)
def test_bounds_on_a_rate_are_scipys_quantiles(successes, failures, alpha, prior):
    bounds = beta_bounds(successes, successes + failures, alpha, prior)
    theirs = stats.beta(successes + prior[0], failures + prior[1])
    assert bounds == pytest.approx((theirs.mean(), theirs.ppf(alpha), theirs.isf(alpha)), rel=1e-7, abs=1e-12)
    assert bounds.lower < bounds.upper


@tables
@check_rows("prior", [0.5, 2.0])
@check_rows("alpha", [0.025, 0.2])
def test_bounds_on_a_difference_are_quantiles_of_the_posterior(paired, prior, alpha):
    theirs = posterior(paired, prior)
    bounds = dirichlet_difference(paired, alpha, KEY, prior=prior)
    assert bounds.estimate == pytest.approx(theirs.mean(), abs=5.0 * theirs.std() / 200_000**0.5)
    assert np.mean(theirs < bounds.lower) == pytest.approx(alpha, abs=0.007)
    assert np.mean(theirs > bounds.upper) == pytest.approx(alpha, abs=0.007)


@tables
def test_a_table_turned_round_has_its_bounds_turned_round_about(paired):
    there = dirichlet_difference(paired, 0.05, KEY)
    back = dirichlet_difference(
        Paired(paired.both, paired.only_baseline, paired.only_candidate, paired.neither), 0.05, KEY
    )
    assert -back.estimate == pytest.approx(there.estimate)
    assert (-back.upper, -back.lower) == pytest.approx(there[1:], abs=0.03 * (there.upper - there.lower))


@tables
@check_rows("margin", [-0.05, 0.0, 0.02])
def test_the_probability_of_a_difference_is_the_posteriors(paired, margin):
    assert probability_above(paired, margin, KEY) == pytest.approx(np.mean(posterior(paired, 0.5) > margin), abs=0.015)


def test_the_probability_is_one_below_all_differences_and_none_above():
    assert probability_above(TABLES[0], -1.0, KEY, 100) == 1.0
    assert probability_above(TABLES[0], 1.0, KEY, 100) == 0.0


def adopted(better, worse, n, margin, alpha, prior):
    """Whether an experiment with these counts has its lower bound above the margin, by scipy's moments."""
    cells = stats.dirichlet([better + prior, worse + prior, n - better - worse + 2.0 * prior])
    mean, covariance, side = cells.mean(), cells.cov(), np.array([1.0, -1.0, 0.0])
    return side @ mean - stats.norm.isf(alpha) * (side @ covariance @ side) ** 0.5 > margin


@check_rows(
    ("paired", "future", "margin", "alpha", "prior"),
    [
        (Paired(4, 6, 1, 2), 8, 0.0, 0.1, 0.5),
        (Paired(0, 2, 0, 1), 12, 0.05, 0.05, 0.5),
        (Paired(20, 1, 1, 3), 10, -0.2, 0.1, 1.0),
        (Paired(0, 0, 0, 0), 5, 0.0, 0.2, 0.5),
        (Paired(1, 9, 0, 2), 30, 0.3, 0.2, 4.0),
    ],
)
def test_a_predicted_experiment_is_adopted_as_often_as_all_its_outcomes_say(paired, future, margin, alpha, prior):
    cells = [paired.only_candidate + prior, paired.only_baseline + prior, paired.both + paired.neither + 2.0 * prior]
    outcomes = stats.dirichlet_multinomial(cells, future)
    exact = sum(
        outcomes.pmf([better, worse, future - better - worse])
        for better in range(future + 1)
        for worse in range(future + 1 - better)
        if adopted(better, worse, future, margin, alpha, prior)
    )
    found = predictive_adoption(paired, future, margin, alpha, KEY, 20_000, prior)
    assert 0.02 < exact < 0.98
    assert found == pytest.approx(exact, abs=0.015)


def test_a_large_experiment_will_show_what_is_believed():
    paired = Paired(40, 12, 5, 43)
    found = predictive_adoption(paired, 20_000, 0.0, 0.05, KEY, 400)
    assert found == pytest.approx(probability_above(paired, 0.0, KEY), abs=0.06)


def test_a_larger_experiment_shows_a_clear_difference_more_often():
    paired = Paired(400, 120, 50, 430)
    found = [predictive_adoption(paired, n, 0.0, 0.05, KEY, 1000) for n in (20, 100, 500)]
    assert found[0] < found[1] < found[2]


def test_one_key_has_one_answer():
    first, again, other = (dirichlet_difference(TABLES[0], 0.05, key) for key in (KEY, Entropy("bayes"), KEY.child(1)))
    assert first == again != other


def test_what_is_no_posterior_is_refused():
    paired = TABLES[0]
    with pytest.raises(ValueError, match="in 0 … 2, the number of trials, not 3"):
        beta_bounds(3, 2, 0.05)
    with pytest.raises(ValueError, match="alpha must be in"):
        beta_bounds(1, 2, 0.5)
    with pytest.raises(ValueError, match="10 draws are too few"):
        dirichlet_difference(paired, 0.05, KEY, 10)
    with pytest.raises(ValueError, match="a prior must be finite and"):
        dirichlet_difference(paired, 0.05, KEY, prior=0.0)
    with pytest.raises(ValueError, match="at least one draw"):
        probability_above(paired, 0.0, KEY, 0)
    with pytest.raises(ValueError, match="at least one pair and one draw"):
        predictive_adoption(paired, 0, 0.0, 0.05, KEY)
