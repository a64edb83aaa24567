"""Policies: their text, and what bounds mean to them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.errors import ConfigError
from mendel.contracts.verdicts import Decision
from mendel.guard.policy import KINDS, Policy, parse_policy, policy_of_delta
from mendel.guard.statistics.samples import Bounds

margins = st.floats(0, 1, exclude_max=True)
rates = st.floats(0, 1, exclude_min=True)
policies = st.builds(
    Policy,
    st.sampled_from(KINDS),
    st.none() | margins,
    st.none() | rates,
    st.dictionaries(st.sampled_from(["alpha", "power", "violation_cap"]), st.integers(0, 9).map(float)).map(
        lambda found: tuple(found.items())
    ),
)


@given(policies)
def test_a_policy_survives_its_own_text(policy):
    assert parse_policy(str(policy)) == policy


@check_rows(
    ("text", "policy"),
    [
        ("superiority", Policy("superiority")),
        ("superiority:margin=0.02", Policy("superiority", 0.02)),
        ("noninferiority:margin=0.05", Policy("noninferiority", 0.05)),
        ("non-inferiority", Policy("noninferiority")),
        ("Non_Inferiority : margin = 0.05 ", Policy("noninferiority", 0.05)),
        ("noninferiority:min_delta=0.05", Policy("noninferiority", 0.05)),
        ("equivalence:margin=0", Policy("equivalence", 0.0)),
        ("absolute:min_pass_rate=0.95", Policy("absolute", None, 0.95)),
        (
            "superiority:margin=0.1,alpha=0.01,violation_cap=3",
            Policy("superiority", 0.1, None, (("alpha", 0.01), ("violation_cap", 3.0))),
        ),
        ("superiority:", Policy("superiority")),
    ],
)
def test_a_preset_is_read(text, policy):
    assert parse_policy(text) == policy


@check_rows(
    ("text", "told"),
    [
        ("superior", "superiority, noninferiority, equivalence, absolute; did you mean superiority"),
        ("", "there is no policy ''"),
        ("policies/strict.toml", "policy files are not supported yet"),
        ("superiority:margin", "'margin' is not one of margin=…"),
        ("superiority:marge=0.1", "'marge=0.1' is not one of margin=…"),
        ("superiority:margin=much", "margin must be a number, not 'much'"),
        ("superiority:margin=nan", "margin must be a finite number"),
        ("superiority:margin=inf", "margin must be a finite number"),
        ("superiority:margin=1", "at least 0 and below 1, not 1"),
        ("noninferiority:margin=-0.1", "at least 0 and below 1, not -0.1"),
        ("absolute:min_pass_rate=0", "above 0 and at most 1, not 0"),
        ("absolute:min_pass_rate=1.1", "above 0 and at most 1, not 1.1"),
        ("noninferiority:margin=0.1,margin=0.5", "margin"),
    ],
)
def test_a_preset_that_cannot_be_is_refused_with_what_can(text, told):
    with pytest.raises(ConfigError) as refused:
        parse_policy(text)
    assert told in str(refused.value)


@given(st.sampled_from(KINDS), st.floats(0, 1e9), st.booleans())
def test_a_margin_of_real_numbers_survives_its_own_text_in_either_unit(kind, margin, standardised):
    policy = Policy(kind, margin % 5 if standardised else margin, standardised=standardised)
    assert parse_policy(str(policy), about="reals") == policy


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("superiority:margin=0.3 sd,power=0.9", None),
        ("superiority:margin=-0.3", "a margin must be at least 0, not -0.3"),
        ("superiority:margin=5sd", "a margin must be at least 0 and below 5, not 5"),
        ("superiority:margin=sd", "margin must be a number, not 'sd'"),
        ("superiority:power=0.9sd", "power must be a number"),
        ("superiority:margin=1e400sd", "finite"),
    ],
)
def test_only_a_margin_is_in_standard_deviations(text, told):
    if told is None:
        assert parse_policy(text, about="reals").standardised
    else:
        with pytest.raises(ConfigError, match=told):
            parse_policy(text, about="reals")


def test_rates_have_no_standard_deviations():
    with pytest.raises(ConfigError, match="only a margin for recorded real numbers"):
        parse_policy("superiority:margin=0.3sd")


@given(st.floats(-1, 1, exclude_min=True, exclude_max=True))
def test_a_least_difference_asks_to_be_above_it(delta):
    policy = policy_of_delta(delta)
    assert policy.kind == ("superiority" if delta > 0 else "noninferiority")
    assert policy.required_difference == delta


@check_rows("delta", [-1, 1, 5, math.nan, math.inf])
def test_no_difference_of_rates_is_as_large_as_one(delta):
    with pytest.raises(ConfigError, match="between -1 and 1"):
        policy_of_delta(delta)


@check_rows(
    ("text", "mode", "told"),
    [
        ("noninferiority", "exact", "noninferiority:margin=0.02"),
        ("superiority", "exact", "superiority:margin=0.02"),
        ("superiority", "statistical", "superiority:margin=0.0"),
        ("noninferiority", "statistical", "noninferiority:margin=0.02"),
        ("equivalence:margin=0.1", "statistical", "equivalence:margin=0.1"),
        ("absolute", "absolute", "absolute:min_pass_rate=0.8"),
        ("noninferiority:margin=0.1", "absolute", "absolute:min_pass_rate=0.8"),
    ],
)
def test_a_verdict_tells_the_margin_that_held_said_or_not(text, mode, told):
    assert parse_policy(parse_policy(text).in_mode(mode)) == parse_policy(told)


# --- what bounds mean ----------------------------------------------------------------------------------------------


@check_rows(
    ("text", "lower", "upper", "decision"),
    [
        ("superiority", 0.01, 0.2, "adopt"),
        ("superiority", 0.0, 0.2, "undecided"),
        ("superiority", -0.2, 0.0, "undecided"),
        ("superiority", -0.2, -0.01, "reject"),
        ("superiority:margin=0.1", 0.05, 0.2, "undecided"),
        ("superiority:margin=0.1", 0.11, 0.2, "adopt"),
        ("superiority:margin=0.1", 0.01, 0.09, "reject"),
        ("noninferiority:margin=0.1", -0.09, 0.0, "adopt"),
        ("noninferiority:margin=0.1", -0.1, 0.0, "undecided"),
        ("noninferiority:margin=0.1", -0.3, -0.11, "reject"),
        ("noninferiority:margin=0", -0.01, 0.1, "undecided"),
        ("equivalence:margin=0.1", -0.09, 0.09, "adopt"),
        ("equivalence:margin=0.1", -0.11, 0.09, "undecided"),
        ("equivalence:margin=0.1", -0.09, 0.1, "undecided"),
        ("equivalence:margin=0.1", -0.1, 0.09, "undecided"),
        ("equivalence:margin=0.1", 0.1, 0.2, "undecided"),
        ("equivalence:margin=0.1", -0.2, -0.1, "undecided"),
        ("equivalence:margin=0.1", 0.11, 0.2, "reject"),
        ("equivalence:margin=0.1", -0.2, -0.11, "reject"),
    ],
)
def test_bounds_on_a_difference_decide(text, lower, upper, decision):
    assert parse_policy(text).on_difference(Bounds((lower + upper) / 2, lower, upper)) == Decision(decision)


@check_rows(
    ("lower", "upper", "decision"),
    [(0.9, 1.0, "adopt"), (0.91, 1.0, "adopt"), (0.89, 0.9, "undecided"), (0.1, 0.89, "reject")],
)
def test_to_reach_a_rate_is_enough(lower, upper, decision):
    assert parse_policy("absolute:min_pass_rate=0.9").on_rate(Bounds(0.9, lower, upper)) == Decision(decision)


@given(policies, st.floats(-1, 1), st.floats(0, 1), st.floats(0, 1))
def test_narrower_bounds_never_turn_a_decision_round(policy, estimate, below, above):
    wide = policy.on_difference(Bounds(estimate, estimate - below, estimate + above))
    narrow = policy.on_difference(Bounds(estimate, estimate - below / 2, estimate + above / 2))
    assert wide in (narrow, Decision.UNDECIDED)
