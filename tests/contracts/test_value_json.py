import datetime as dt
import json
import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.errors import PayloadUnserialisable
from mendel.contracts.plain_values import NdArray, Record, identical
from mendel.contracts.value_json import from_json, to_json

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=2**60, max_value=2**200),
    st.floats(),
    st.complex_numbers(),
    st.text(st.characters()),
    st.binary(max_size=50),
    st.binary(max_size=50).map(bytearray),
    st.dates(),
    st.times(),
    st.datetimes(),
    st.timedeltas(),
    st.decimals(allow_nan=True),
)
hashable = st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.binary(max_size=9))
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.sets(hashable, max_size=4),
        st.frozensets(hashable, max_size=4),
        st.dictionaries(hashable, inner, max_size=4),
        st.dictionaries(st.sampled_from(["$int", "$", "plain"]), inner, max_size=3),
        inner.map(lambda value: Record("Point", (("x", value),))),
    ),
    max_leaves=12,
)


@given(values)
def test_every_plain_value_comes_back_identical_through_real_json(value):
    assert identical(from_json(json.loads(json.dumps(to_json(value), allow_nan=False))), value)


def test_an_array_comes_back():
    array = NdArray("<f8", (2, 1), b"\0" * 16)
    assert from_json(to_json(array)) == array


def test_what_json_has_stays_itself():
    assert to_json({"a": [1, 2.5, "x", None, True]}) == {"a": [1, 2.5, "x", None, True]}


def test_a_large_number_is_hexadecimal_and_quick():
    assert to_json(2**53) == {"$int": "0x20000000000000"}
    huge = 1 << 1_000_000
    assert from_json(to_json(huge)) == huge


def test_infinities_have_a_name():
    assert to_json(math.inf) == {"$float": "inf"}
    assert to_json(Decimal("NaN")) == {"$decimal": "NaN"}
    assert to_json(dt.UTC) == {"$timezone": [0, 0, 0]}


@check_rows(
    "data",
    [
        {"$nobody": 1},
        {"$int": "0x1", "b": 2},
        {"$int": 7},
        {"$bytes": "not base64!"},
        {"$tuple": 7},
        {"$set": [[1]]},
        {"$dict": [[1]]},
        {"$date": "yesterday"},
        {"$timedelta": [10**20]},
        {"$decimal": "x"},
        {"$array": ["<f8"]},
        {"$record": 5},
        {"$complex": ["a"]},
    ],
)
def test_what_is_no_value_is_refused_by_name(data):
    with pytest.raises(PayloadUnserialisable, match=r"\$"):
        from_json(data)


def test_an_object_of_any_other_class_is_no_plain_value():
    with pytest.raises(PayloadUnserialisable, match="object"):
        to_json(object())
