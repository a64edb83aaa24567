"""Which bounds are drawn, and after how many cases."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.guard.making import NUMBERS, answers, trial
from tests.support.rows import check_rows

from mendel.contracts.errors import ConfigError
from mendel.guard import GuardConfig, TaskSpec
from mendel.guard.checking import Breach, Checker
from mendel.guard.intervals import (
    alpha_at,
    check_method,
    difference_bounds,
    difference_method,
    interval,
    look_sizes,
    rate_bounds,
    rate_sequence,
    sequence_bounds,
)
from mendel.guard.policy import parse_policy
from mendel.guard.statistics.paired import tango
from mendel.guard.statistics.proportions import clopper_pearson, wilson
from mendel.guard.statistics.samples import Bounds
from mendel.guard.tally import Judged, Tally

BAD = (Breach("property", "positive"),)
METHODS = ["tango", "exact", "newcombe", "wilson", "bca", "studentised", "cluster", "bayesian", "permutation"]


def seen(both: int, ours: int, theirs: int, neither: int, *, clusters: int | None = None) -> Tally:
    key = None if clusters is None else lambda args: args[0] % clusters
    spec = TaskSpec("task", NUMBERS, cluster_key=key)
    tally = Tally(spec, Checker(spec), [])
    pairs = [((), ())] * both + [((), BAD)] * ours + [(BAD, ())] * theirs + [(BAD, BAD)] * neither
    for number, (against, against_baseline) in enumerate(pairs):
        tally.add(Judged(trial(number), answers(1), answers(1), against, against_baseline))
    return tally


def bounds_of(tally: Tally, method: str, alpha: float, config: GuardConfig, policy: str = "superiority") -> Bounds:
    return difference_bounds(tally, method, alpha, config, parse_policy(policy))[1]


# --- methods -------------------------------------------------------------------------------------------------------


def test_the_method_is_tango_unless_cases_come_in_clusters_or_one_is_chosen():
    assert difference_method(GuardConfig(), clustered=False) == "tango"
    assert difference_method(GuardConfig(), clustered=True) == "cluster"
    assert difference_method(GuardConfig(ci_method="exact"), clustered=True) == "exact"


@check_rows("method", METHODS)
def test_every_method_bounds_the_difference_on_its_own_side(method):
    config = GuardConfig(bootstrap_samples=400)
    better, worse = (bounds_of(tally, method, 0.05, config) for tally in (seen(50, 40, 5, 5), seen(50, 5, 40, 5)))
    assert better.lower < better.estimate < better.upper
    assert better.lower > 0 > worse.upper
    if method != "bayesian":
        assert better.estimate == pytest.approx(0.35)


@check_rows("method", METHODS)
def test_a_smaller_alpha_widens_the_bounds(method):
    config, tally = GuardConfig(bootstrap_samples=400), seen(50, 20, 10, 20)
    narrow, wide = (bounds_of(tally, method, alpha, config) for alpha in (0.1, 0.01))
    assert wide.lower < narrow.lower
    assert wide.upper > narrow.upper


@check_rows(
    ("cells", "policy", "cleared"),
    [
        ((150, 6, 0, 0), "superiority:margin=0.02", False),
        ((146, 10, 0, 0), "superiority:margin=0.02", True),
        ((17, 3, 0, 0), "superiority", False),
        ((58, 0, 2, 0), "noninferiority:margin=0.1", False),
        ((58, 2, 0, 0), "noninferiority:margin=0.1", True),
    ],
)
def test_tangos_bounds_clear_a_margin_only_where_an_exact_test_agrees(cells, policy, cleared):
    tally, needed = seen(*cells), parse_policy(policy).required_difference
    assert tango(tally.paired, 0.05).lower > needed
    assert (bounds_of(tally, "tango", 0.05, GuardConfig(), policy).lower > needed) is cleared


def test_for_equivalence_an_exact_test_agrees_on_both_sides():
    bounds = bounds_of(seen(58, 2, 0, 0), "tango", 0.05, GuardConfig(), "equivalence:margin=0.1")
    assert tango(seen(58, 2, 0, 0).paired, 0.05).upper < 0.1 == bounds.upper
    assert bounds_of(seen(58, 2, 0, 0), "tango", 0.05, GuardConfig(), "noninferiority:margin=0.1").upper < 0.1


def test_resampled_bounds_are_a_function_of_the_seed():
    tally = seen(50, 20, 10, 20)
    drawn = [bounds_of(tally, "bca", 0.05, GuardConfig(seed=seed, bootstrap_samples=150)) for seed in (1, 1, 2, 3)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1


def test_few_clusters_say_less_than_many_cases():
    config = GuardConfig(bootstrap_samples=400)
    few, many = (bounds_of(seen(60, 40, 0, 0, clusters=n), "cluster", 0.05, config) for n in (3, 100))
    assert few.upper - few.lower > many.upper - many.lower


def test_an_alpha_that_would_take_millions_of_resamples_is_refused():
    with pytest.raises(ConfigError, match="use tango or exact instead"):
        bounds_of(seen(5, 5, 5, 5), "bca", 1e-9, GuardConfig())


@check_rows(
    ("chosen", "method", "expected"),
    [
        (None, "clopper_pearson", clopper_pearson),
        ("exact", "clopper_pearson", clopper_pearson),
        ("wilson", "wilson", wilson),
    ],
)
def test_a_single_rate_has_methods_of_its_own(chosen, method, expected):
    tally = seen(45, 0, 5, 0)
    assert rate_bounds(tally, GuardConfig(ci_method=chosen), 0.05) == (method, expected(45, 50, 0.05))


def test_bayesian_bounds_hold_a_rate():
    method, bounds = rate_bounds(seen(45, 0, 5, 0), GuardConfig(ci_method="bayesian"), 0.05)
    assert method == "bayesian"
    assert 0.7 < bounds.lower < 0.9 < bounds.upper < 1


@check_rows("method", ["tango", "newcombe", "bca", "permutation"])
def test_a_method_for_two_sides_is_refused_for_one(method):
    with pytest.raises(ConfigError, match="use exact, wilson or bayesian"):
        rate_bounds(seen(45, 0, 5, 0), GuardConfig(ci_method=method), 0.05)


def test_a_bound_that_was_held_back_is_called_so():
    config, policy = GuardConfig(), parse_policy("superiority:margin=0.02")
    assert difference_bounds(seen(150, 6, 0, 0), "tango", 0.05, config, policy)[0] == "tango_confirmed"
    assert difference_bounds(seen(146, 10, 0, 0), "tango", 0.05, config, policy)[0] == "tango"


def test_cases_of_two_clusters_say_little_about_a_rate():
    method, few = rate_bounds(seen(200, 0, 0, 0, clusters=2), GuardConfig(), 0.05)
    _, many = rate_bounds(seen(200, 0, 0, 0), GuardConfig(), 0.05)
    assert method == "cluster"
    assert few.lower < 0.5 < many.lower
    assert few.upper == 1.0


@check_rows(
    ("options", "alpha", "clustered"),
    [
        ({"sequential": "always_valid"}, 0.05, True),
        ({"ci_method": "bca"}, 1e-9, False),
        ({}, 1e-9, True),
        ({"ci_method": "bayesian"}, 1e-6, False),
    ],
)
def test_a_method_that_could_not_answer_is_refused_before_anything_runs(options, alpha, clustered):
    with pytest.raises(ConfigError):
        check_method(GuardConfig(**options), alpha, clustered=clustered)
    check_method(GuardConfig(), 1e-9, clustered=False)


def test_a_side_without_a_bound_is_left_out_of_a_report():
    drawn = interval("rate", Bounds(0.5, -math.inf, math.inf), 0.05, "tango")
    assert (drawn.lower, drawn.upper) == (None, None)
    drawn = interval("rate", Bounds(0.5, 0.1, 0.9), 0.05, "tango")
    assert (drawn.estimate, drawn.lower, drawn.upper, drawn.alpha, drawn.method) == (0.5, 0.1, 0.9, 0.05, "tango")


# --- looks ---------------------------------------------------------------------------------------------------------


@check_rows(
    ("chosen", "sizes"),
    [
        ({"n": 100}, (100,)),
        ({"n": 100, "looks": 3}, (100,)),
        ({"n": 100, "sequential": "pocock"}, (20, 40, 60, 80, 100)),
        ({"n": 100, "sequential": "pocock", "looks": 3}, (33, 67, 100)),
        ({"n": 3, "sequential": "pocock", "looks": 9}, (1, 2, 3)),
        ({"n": 100, "sequential": "always_valid", "looks": (10, 30)}, (10, 30, 100)),
        ({"n": 100, "sequential": "always_valid", "looks": (10, 100, 300)}, (10, 100)),
    ],
)
def test_the_last_look_is_after_all_cases(chosen, sizes):
    assert look_sizes(GuardConfig(**chosen)) == sizes


@given(st.integers(1, 5_000), st.integers(1, 200))
def test_looks_rise_to_the_number_of_cases(n, looks):
    sizes = look_sizes(GuardConfig(n=n, looks=looks, sequential="pocock"))
    assert list(sizes) == sorted(set(sizes))
    assert sizes[0] >= 1
    assert sizes[-1] == n


@pytest.mark.parametrize("plan", ["pocock", "obrien_fleming"])
def test_looks_share_alpha(plan):
    sizes = (20, 40, 60, 80, 100)
    spent = [alpha_at(GuardConfig(sequential=plan), sizes, look, 0.05) for look in range(5)]
    assert all(0 <= each < 0.05 for each in spent)
    assert sum(spent) >= 0.05  # looks overlap, so their parts together are more than what is spent
    if plan == "obrien_fleming":
        assert spent == sorted(spent)
        assert spent[0] < 0.001


@pytest.mark.parametrize("plan", ["none", "always_valid"])
def test_where_bounds_hold_at_every_look_each_has_all_of_alpha(plan):
    assert alpha_at(GuardConfig(sequential=plan), (20, 100), 0, 0.05) == 0.05


def test_bounds_for_every_look_are_wider_than_those_for_one():
    tally = seen(50, 20, 10, 20)
    always, once = sequence_bounds(tally, 0.05), tango(tally.paired, 0.05)
    assert always.lower < once.lower
    assert always.upper > once.upper
    always, once = rate_sequence(70, 100, 0.05), clopper_pearson(70, 100, 0.05)
    assert always.lower < once.lower
    assert always.upper > once.upper
