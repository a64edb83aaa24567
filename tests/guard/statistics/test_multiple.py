"""Corrections for many tests, against statsmodels."""

from itertools import pairwise
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests
from tests.support.rows import check_rows

from mendel.guard.statistics.multiple import CORRECTIONS, benjamini_hochberg, hochberg, holm

NAMES = {"holm": "holm", "hochberg": "simes-hochberg", "bh": "fdr_bh"}
EACH = check_rows("name", sorted(CORRECTIONS))

# often equal, so that ties are met
shares = st.one_of(st.floats(0.0, 1.0), st.sampled_from([0.0, 0.01, 0.05, 0.5, 1.0]))
p_values = st.lists(shares, min_size=1, max_size=20)


@check_rows("name", sorted(NAMES))
@given(p_values)
def test_corrections_are_those_of_statsmodels(name, values):
    with patch("gc.collect"):  # the reference for Holm's would tidy up the whole process after every list
        reference = multipletests(values, method=NAMES[name])[1]
    assert CORRECTIONS[name](values) == pytest.approx([float(p) for p in reference], abs=1e-12)


def test_a_worked_example():
    values = [0.01, 0.04, 0.03, 0.005]
    assert holm(values) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert hochberg(values) == pytest.approx([0.03, 0.04, 0.04, 0.02])
    assert benjamini_hochberg(values) == pytest.approx([0.02, 0.04, 0.04, 0.02])


@given(p_values)
def test_none_leaves_everything_as_it_is(values):
    assert CORRECTIONS["none"](values) == values


@EACH
@given(p_values)
def test_adjusted_p_values_are_larger_and_in_the_same_order(name, values):
    adjusted = CORRECTIONS[name](values)
    assert all(before - 1e-15 <= after <= 1.0 for before, after in zip(values, adjusted, strict=True))
    order = sorted(range(len(values)), key=values.__getitem__)
    assert all(adjusted[one] <= adjusted[other] for one, other in pairwise(order))


@given(p_values)
def test_hochberg_is_never_more_cautious_than_holm(values):
    assert all(one <= other + 1e-15 for one, other in zip(hochberg(values), holm(values), strict=True))


@EACH
def test_nothing_stays_nothing_and_one_stays_itself(name):
    assert CORRECTIONS[name]([]) == []
    assert CORRECTIONS[name]([0.03]) == [0.03]


@EACH
@check_rows("odd", [-0.1, 1.1, float("nan")])
def test_a_p_value_is_a_probability(name, odd):
    with pytest.raises(ValueError, match="p-value"):
        CORRECTIONS[name]([0.5, odd])


def test_the_names_are_those_that_a_policy_may_use():
    assert set(CORRECTIONS) == {"holm", "hochberg", "bh", "none"}
