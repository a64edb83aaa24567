"""Open data is JSON through and through, and a copy of what was given."""

from enum import IntEnum, StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from tests.support.rows import check_rows

from mendel.contracts.base import JsonObject, json_object

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
OPEN = TypeAdapter(JsonObject)


class Pod(StrEnum):
    GREEN = "green"


class Number(IntEnum):
    TWO = 2


@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_what_is_json_stays_what_it_is_and_is_nobody_elses(value):
    taken = OPEN.validate_python(value)
    assert taken == value
    assert taken is not value
    assert not any(taken[key] is value[key] for key in value if isinstance(value[key], list | dict))


def test_what_is_more_than_json_becomes_json():
    taken = json_object({Pod.GREEN: [Pod.GREEN, Number.TWO, True, {"half": 0.5}]})
    assert taken == {"green": ["green", 2, True, {"half": 0.5}]}
    assert [type(each) for each in (*taken, *taken["green"])] == [str, str, int, bool, dict]


@check_rows(
    "value",
    [
        {"a": (1, 2)},
        {"a": {1: 2}},
        {1: 2},
        {"a": b"x"},
        {"a": {"b": [{3}]}},
        {"a": ...},
        {"a": float("nan")},
        {"a": [float("-inf")]},
        [],
        "text",
        None,
    ],
)
def test_what_is_no_json_is_refused(value):
    with pytest.raises(ValidationError):
        OPEN.validate_python(value)


def test_what_holds_itself_is_refused():
    ring: dict[str, object] = {}
    ring["again"] = ring
    with pytest.raises(ValueError, match="holds itself"):
        json_object(ring)
