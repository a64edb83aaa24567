"""Values are compared by us: exactly, without hashing or believing anything of theirs."""

import datetime as dt
import math
import struct
from decimal import Decimal
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.conformance.sandbox_samples import VALUES
from mendel.contracts.plain_values import NdArray, Record, identical

HOUR = dt.timedelta(hours=1)
NOON = dt.datetime(2_024, 1, 1, 12)
OTHER_NAN = struct.unpack("<d", struct.pack("<Q", 0x7FF8_0000_0000_0001))[0]


def copies(value):
    """The same value anew, as it comes out of a codec: not one object is shared."""
    if isinstance(value, float):
        return struct.unpack("<d", struct.pack("<d", value))[0]
    if isinstance(value, complex):
        return complex(copies(value.real), copies(value.imag))
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)([copies(part) for part in value])
    if isinstance(value, dict):
        return {copies(key): copies(content) for key, content in value.items()}
    if isinstance(value, Decimal):
        return Decimal(str(value))
    if isinstance(value, Record):
        return Record(value.name, copies(value.fields))
    return value


MORE = (
    {math.nan}, {math.nan: 1}, {(math.nan, 1): 2}, {frozenset({math.nan})}, {complex(math.nan, 1)}, {Decimal("NaN")},
    [Decimal("sNaN")], {"x": Decimal("sNaN")}, (math.nan, [math.nan]), {1: {2: {3: math.nan}}},
    Record("P", (("x", math.nan), ("y", Decimal("NaN")))), NdArray("<f8", (1,), struct.pack("<d", math.nan)),
    {Decimal("Infinity"), Decimal("-Infinity")}, {NOON, NOON.date()}, {0, SAME := 2**61 - 1, 2 * SAME}, {-1, -2},
)  # fmt: skip


@check_rows("value", [*VALUES, *MORE])
def test_every_value_is_identical_to_itself_and_to_its_copy(value):
    assert identical(value, value)
    assert identical(value, copies(value))
    assert identical([{"x": value}], [{"x": copies(value)}])


DIFFERENT = [
    (1, 1.0), (1, True), (0, False), (0, None), (0.0, -0.0), (1.0, 1 + 0j), (0j, complex(-0.0, 0)), ("1", 1),
    ("a", b"a"),
    (b"a", bytearray(b"a")), ([], ()), ([1], (1,)), (set(), frozenset()), ({}, set()), ([1], [1, 1]), ([1], [True]),
    ({1}, {1.0}), ({1}, {True}), ({0.0}, {-0.0}), ({1}, {2}), ({1}, {1, 2}), ({"a": 1}, {"a": 1.0}),
    ({1: "a"}, {True: "a"}),
    ({math.nan: 1}, {math.nan: 2}), ({math.nan, 1}, {math.nan, 2}),
    ({(1, math.nan): 1}, {(2, math.nan): 1}), ({"a": 1}, {"b": 1}), ({"a": 1, "b": 2}, {"a": 2, "b": 1}),
    (Decimal("1.0"), Decimal("1.00")), (Decimal(0), Decimal("-0")), (Decimal("NaN"), Decimal("sNaN")),
    (Decimal("NaN1"), Decimal("NaN2")), (Decimal(1), 1), (Decimal("NaN"), math.nan), (Decimal("sNaN"), Decimal(1)),
    (NOON, NOON.date()), (NOON, NOON.replace(tzinfo=dt.UTC)), (NOON, NOON.replace(fold=1)),
    (NOON.replace(tzinfo=dt.UTC), (NOON + HOUR).replace(tzinfo=dt.timezone(HOUR))),
    (dt.time(1), dt.time(1, fold=1)), (dt.time(1, tzinfo=dt.UTC), dt.time(2, tzinfo=dt.timezone(HOUR))),
    (dt.timezone(HOUR), dt.timezone(2 * HOUR)), (dt.timezone(HOUR), HOUR), (HOUR, 2 * HOUR),
    (Record("P", ()), Record("Q", ())), (Record("P", (("x", 1),)), Record("P", (("x", 1.0),))), (Record("P", ()), ()),
    (NdArray("<f8", (1,), bytes(8)), NdArray("<i8", (1,), bytes(8))),
    (NdArray("<f8", (1, 2), bytes(16)), NdArray("<f8", (2, 1), bytes(16))),
    (NdArray("<f8", (1,), bytes(8)), NdArray("<f8", (1,), b"\1" + bytes(7))),
    ("a\ud800", "a\ud801"), ((1, (2, (3,))), (1, (2, (4,)))), ([[], [[]]], [[[]], []]), (["ab", "c"], ["a", "bc"]),
    ({"ab": "c"}, {"a": "bc"}), ({(1, 2), (3,)}, {(1,), (2, 3)}), ([b"", b"x"], [b"x", b""]),
]  # fmt: skip


@check_rows(("left", "right"), DIFFERENT)
def test_what_differs_in_type_or_content_is_not_identical(left, right):
    assert not identical(left, right)
    assert not identical(right, left)
    assert not identical([left], [right])
    assert not identical({"k": left}, {"k": right})


def test_no_two_samples_are_identical():
    for left, right in combinations(VALUES, 2):
        assert not identical(left, right)


def test_every_nan_is_the_same():
    """The bits in it are an accident of the processor's."""
    assert identical(math.nan, OTHER_NAN)
    assert identical({math.nan: [-math.nan]}, {OTHER_NAN: [math.nan]})
    assert identical(complex(math.nan, 1), complex(OTHER_NAN, 1))


def test_the_order_of_sets_and_dicts_does_not_matter():
    assert identical({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert identical({*"abcdef"}, {*reversed("abcdef")})
    assert not identical(["a", "b"], ["b", "a"])


scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.decimals(allow_nan=True)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
    max_leaves=15,
)


@given(values)
def test_a_copy_is_identical(value):
    assert identical(value, copies(value))


@given(values, values)
def test_it_does_not_matter_which_comes_first(left, right):
    assert identical(left, right) == identical(right, left)
