import json
import math
import random

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.canonical import (
    MAX_PAYLOAD_BYTES,
    MAX_PAYLOAD_DEPTH,
    canonical,
    check_shape,
    check_size,
)
from mendel.contracts.errors import ForbiddenText, PayloadTooDeep, PayloadTooLarge, PayloadUnserialisable

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=12
)


def permuted(value, draws):
    """``value`` with the keys of every object in another order."""
    if isinstance(value, dict):
        items = [(key, permuted(inner, draws)) for key, inner in value.items()]
        draws.shuffle(items)
        return dict(items)
    return [permuted(inner, draws) for inner in value] if isinstance(value, list) else value


def nested(depth, leaf="leaf", *, wrap=lambda inner: [inner]):
    for _ in range(depth):
        leaf = wrap(leaf)
    return leaf


def same(one, other):
    """Equal, and of the same kind: True is not 1, and -0.0 is not 0.0."""
    return repr(one) == repr(other)


def test_the_ceilings_are_those_of_the_seed():
    assert (MAX_PAYLOAD_BYTES, MAX_PAYLOAD_DEPTH) == (1_048_576, 32)


@given(values, st.randoms(use_true_random=False))
def test_the_order_of_keys_changes_nothing(value, draws):
    check_shape(value)
    assert canonical(permuted(value, draws)) == canonical(value)


@given(values)
def test_what_was_written_is_what_is_read(value):
    data = canonical(value)
    assert orjson.loads(data) == value
    assert same(orjson.loads(data), orjson.loads(canonical(orjson.loads(data))))
    assert json.loads(data) == value, "with any JSON parser"


@given(values)
def test_writing_again_what_was_read_changes_no_byte(value):
    data = canonical(value)
    assert canonical(orjson.loads(data)) == data


@given(values)
def test_the_bytes_are_sorted_compact_utf_8(value):
    spelled = json.dumps(json.loads(canonical(value)), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    ours = canonical(value).decode()
    without_numbers = str.maketrans("", "", "+-.0123456789eE")
    assert ours.translate(without_numbers) == spelled.translate(without_numbers) or "\x7f" in ours


def test_zero_and_minus_zero_and_one_and_true_stay_apart():
    assert len({canonical(value) for value in (0, 0.0, -0.0, False, "0", None, [], {})}) == 8
    assert canonical([1, 1.0, True]) == b"[1,1.0,true]"


@check_rows("number", [2**64 - 1, -(2**63), 5e-324, 1.7976931348623157e308, -0.0])
def test_numbers_at_the_edge_come_back(number):
    assert same(orjson.loads(canonical(number)), number)


@check_rows("number", [2**64, -(2**63) - 1, 10**400])
@check_rows("place", [lambda n: n, lambda n: {"a": [n]}])
def test_integers_beyond_64_bits_are_refused(number, place):
    with pytest.raises(PayloadUnserialisable):
        canonical(place(number))


@check_rows("number", [math.nan, math.inf, -math.inf])
@check_rows("place", [lambda n: n, lambda n: {"a": n}, lambda n: [[n]], lambda n: {"a": ({"b": n},)}])
def test_numbers_that_are_not_finite_are_refused_by_name(number, place):
    with pytest.raises(PayloadUnserialisable, match=str(number)):
        check_shape(place(number))


@check_rows("value", [object(), {1, 2}, b"bytes", {1: "a"}, {None: "a"}, {("a",): 1}, 1j])
def test_what_json_has_no_spelling_for_is_refused(value):
    with pytest.raises(PayloadUnserialisable):
        canonical({"a": [value]})


@check_rows("character", [chr(code) for code in (0, 0xD800, 0xDFFF)])
@check_rows(
    ("place", "path"),
    [
        (lambda text: text, "payload holds"),
        (lambda text: {"a": [1, {"b": text}]}, r"payload\.a\[1\]\.b holds"),
        (lambda text: {"a": {text: 1}}, r"a key of payload\.a holds"),
    ],
)
def test_text_that_not_every_reader_takes_is_refused_with_its_place(character, place, path):
    name = "NUL" if character == "\x00" else rf"the lone surrogate U\+{ord(character):04X}"
    with pytest.raises(ForbiddenText, match=f"{path} {name} at character 3"):
        canonical(place(f"abc{character}d"))


@given(texts)
def test_text_that_only_talks_about_nul_is_taken(text):
    spelled = text + r"\u0000"
    assert orjson.loads(canonical({"a": spelled})) == {"a": spelled}


@check_rows("wrap", [lambda inner: [inner], lambda inner: {"k": inner}, lambda inner: (1, inner)])
def test_the_depth_ceiling_itself_is_allowed_and_one_more_is_not(wrap):
    check_shape(nested(MAX_PAYLOAD_DEPTH, wrap=wrap))
    with pytest.raises(PayloadTooDeep, match="deeper than 32 levels"):
        check_shape(nested(MAX_PAYLOAD_DEPTH + 1, wrap=wrap))


@given(values, st.integers(0, 2 * MAX_PAYLOAD_DEPTH))
def test_depth_is_counted_from_the_root_whatever_lies_beside(value, depth):
    def height(inner):
        if isinstance(inner, dict | list):
            return 1 + max(map(height, inner.values() if isinstance(inner, dict) else inner), default=0)
        return 0

    whole = nested(depth, value, wrap=lambda inner: {"a": 1, "b": [], "c": inner})
    if height(whole) > MAX_PAYLOAD_DEPTH:
        with pytest.raises(PayloadTooDeep):
            check_shape(whole)
    else:
        check_shape(whole)


def test_very_deep_and_circular_values_do_not_overflow_anything():
    circle = []
    circle.append(circle)
    both = {}
    both["a"] = {"b": both}
    for value in (circle, both, nested(100_000)):
        with pytest.raises(PayloadTooDeep):
            check_shape(value)


def test_a_circle_that_multiplies_is_refused_before_it_fills_the_memory():
    circle = []
    circle.extend([circle] * 10)
    with pytest.raises(PayloadTooLarge, match="containers"):
        check_shape(circle)


@settings(max_examples=20)
@given(st.integers(-3, 3))
def test_the_size_ceiling_itself_is_allowed_and_one_byte_more_is_not(beyond):
    data = canonical("x" * (MAX_PAYLOAD_BYTES - 2 + beyond))
    assert len(data) == MAX_PAYLOAD_BYTES + beyond
    if beyond > 0:
        with pytest.raises(PayloadTooLarge, match=f"{len(data):,} bytes, above the ceiling of 1,048,576"):
            check_size(data)
    else:
        check_size(data)


def test_size_is_counted_in_bytes_not_in_characters():
    with pytest.raises(PayloadTooLarge):
        check_size(canonical("é" * (MAX_PAYLOAD_BYTES // 2)))


def test_a_value_is_not_changed_by_being_looked_at():
    value = {"b": [1, {"a": 2.0}], "a": None}
    before = repr(value)
    check_shape(value)
    canonical(value)
    assert repr(value) == before


def test_many_keys_sort_the_same_way_however_they_arrive():
    keys = [f"{prefix}{number}" for prefix in ("", "a", "Z", "é", "🌱", "_") for number in range(50)]
    expected = canonical(dict.fromkeys(keys, 1))
    for seed in range(10):
        random.Random(seed).shuffle(keys)
        assert canonical(dict.fromkeys(keys, 1)) == expected
    assert list(json.loads(expected)) == sorted(keys, key=lambda key: key.encode())
