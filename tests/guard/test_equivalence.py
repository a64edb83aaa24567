"""When two outputs are as good as the same."""

import copy
import datetime as dt
import math
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.plain_values import NdArray, Record
from mendel.guard import close, multiset_equal, same

nan = float("nan")
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.decimals().filter(lambda number: not number.is_snan())
    | st.text()
    | st.binary()
    | st.dates()
    | st.timedeltas()
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=3) | st.integers() | st.floats(), inner, max_size=3)
        | st.frozensets(st.integers() | st.floats() | st.text(max_size=3), max_size=3)
    ),
    max_leaves=8,
)
EQUIVALENCES = [same, close()]


def another(value: object) -> object:
    """The same value without a part in common, as if it had crossed a wall: its nan is another object."""
    match value:
        case float():
            return float(str(value))
        case list() | tuple() | frozenset():
            return type(value)(another(item) for item in value)
        case dict():
            return {another(key): another(item) for key, item in value.items()}
        case _:
            return copy.deepcopy(value)


@pytest.mark.parametrize("equivalent", EQUIVALENCES)
@given(value=values)
@example(value=complex(nan, 1))
@example(value=Decimal("NaN"))
@example(value=Decimal("sNaN"))
@example(value={nan: 1})
@example(value=frozenset({nan}))
@example(value=10**400)
def test_everything_is_the_same_as_itself(equivalent, value):
    assert equivalent(value, another(value))


@pytest.mark.parametrize("equivalent", EQUIVALENCES)
@given(left=values, right=values)
@example(left=10**400, right=1.0)
@example(left=True, right=1.0)
@example(left=[nan], right=[1.0])
def test_order_does_not_matter(equivalent, left, right):
    assert equivalent(left, right) == equivalent(right, left)


@check_rows(
    ("left", "right", "expected"),
    [
        (nan, nan, True),
        (nan, 0.0, False),
        (0.0, -0.0, True),
        (1, 1.0, True),
        ([1, [nan]], [1.0, [nan]], True),
        ([1], (1,), False),
        ([1, 2], [2, 1], False),
        ([1, 2], [1, 2, 3], False),
        ({"a": nan}, {"a": nan}, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1}, {"a": 2}, False),
        ({1, 2}, {2, 1}, True),
        ({1, 2}, {1}, False),
        ("a", "a ", False),
        (None, [], False),
        (None, False, False),
        (dt.date(2026, 1, 1), dt.date(2026, 1, 2), False),
        (Record("P", (("x", nan),)), Record("P", (("x", nan),)), True),
        (Record("P", (("x", 1),)), Record("Q", (("x", 1),)), False),
        (NdArray("<f8", (1,), bytes(8)), NdArray("<f8", (1,), bytes(8)), True),
        (NdArray("<f8", (1,), bytes(8)), NdArray("<f4", (2,), bytes(8)), False),
    ],
)
def test_the_same_is_what_python_calls_equal_but_for_nan(left, right, expected):
    assert same(left, right) is expected


# --- any order -----------------------------------------------------------------------------------------------------

item = st.integers(0, 3) | st.sampled_from([0.0, 1.0, 0.5, nan])
items = st.lists(item | st.lists(item, max_size=2) | st.tuples(item, item), max_size=6)


@given(items, st.randoms(use_true_random=False))
def test_a_shuffled_list_has_the_same_items(original, rng):
    shuffled = another(original)
    rng.shuffle(shuffled)
    assert multiset_equal(original, shuffled)


@given(items, items)
def test_the_same_items_are_as_many(left, right):
    assert multiset_equal(left, right) == multiset_equal(right, left)
    if multiset_equal(left, right):
        assert len(left) == len(right)


@check_rows(
    ("left", "right"),
    [([1, 1, 2], [1, 2, 2]), ([1], [1, 1]), ([], [None]), ([[1], [2]], [[1], [1]]), (["ab"], ["a", "b"])],
)
def test_other_items_are_seen(left, right):
    assert not multiset_equal(left, right)


@pytest.mark.parametrize("order", [[[1, 2], [3]], [[3], [1, 2]]])
def test_items_that_cannot_be_hashed_are_compared_as_well(order):
    assert multiset_equal([[1, 2], [3]], order)


def test_items_are_compared_alike_whether_they_can_be_hashed_or_not():
    assert multiset_equal([1], [1.0])
    assert multiset_equal([[1]], [[1.0]])


@check_rows("answer", [None, {5: 1}, 5, {}])
def test_what_is_no_sequence_of_items_is_not_equal_to_one(answer):
    """Counter(None) is empty, and Counter of a mapping takes its values for counts."""
    assert not multiset_equal(answer, [5])
    assert not multiset_equal([], answer)


# --- rounding ------------------------------------------------------------------------------------------------------


@check_rows(
    ("left", "right", "expected"),
    [
        (0.1 + 0.2, 0.3, True),
        ([0.1 + 0.2], [0.3], True),
        ({"a": (0.1 + 0.2,)}, {"a": (0.3,)}, True),
        (1.0, 1.0 + 1e-6, False),
        (0.0, 1e-13, True),
        (0.0, 1e-11, False),
        (1, 1.0 + 1e-12, True),
        (1.0, True, False),
        (1.0, "1.0", False),
        (1.0, None, False),
        (math.inf, math.inf, True),
        (math.inf, 1e308, False),
        (nan, nan, True),
        (nan, 1.0, False),
        ("a", "a", True),
        ([1.0], (1.0,), False),
        ([1.0], [1.0, 1.0], False),
        ({"a": 1.0}, {"b": 1.0}, False),
    ],
)
def test_rounding_is_forgiven_and_nothing_else(left, right, expected):
    assert close()(left, right) is expected


def test_how_much_is_forgiven_can_be_said():
    assert close(relative=0.1)(1.0, 1.05)
    assert not close(relative=0.01, absolute=0.0)(1.0, 1.05)
    assert close(relative=0.0, absolute=0.1)(0.0, 0.05)
