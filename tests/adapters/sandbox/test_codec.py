"""How values cross the wall: exactly, and whatever bytes come back."""

import datetime as dt
import struct
import time
from array import array
from decimal import Decimal
from itertools import product
from types import ModuleType

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.adapters.sandbox import child
from mendel.adapters.sandbox.answers import MOST_COMPARING, MOST_SECONDS, MOST_VALUES, Outside, write_stranger
from mendel.adapters.sandbox.child import Patience, Refused, Writer, decode, encode
from mendel.conformance.sandbox_samples import VALUES
from mendel.contracts.evaluations import Shape
from mendel.contracts.plain_values import NdArray, Record

SHAPES = (Shape("P", ("x", "y")),)
OUTSIDE = Outside(SHAPES)
SAME_HASH = 2**61 - 1
"""Every multiple of it has the hash 0."""

calm = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


class P:
    def __init__(self, x, y):
        self.x, self.y = x, y


@pytest.fixture
def inside():
    module = ModuleType("program")
    module.P = P
    return child.Inside({"P": ("x", "y")}, module)


# --- round trips -----------------------------------------------------------------------------------------------------

offsets = st.timedeltas(dt.timedelta(hours=-23, minutes=-59), dt.timedelta(hours=23, minutes=59))
zones = st.none() | offsets.map(dt.timezone)
texts = st.text() | st.text(st.characters(codec=None, categories=["Cs", "Ll"]))
numbers = st.integers() | st.integers(-(2**200), 2**200) | st.sampled_from([2**63, -(2**63), 2**63 - 1, -(2**63) - 1])
times = st.times() | st.builds(
    lambda time, zone, fold: time.replace(tzinfo=zone, fold=fold), st.times(), zones, st.sampled_from([0, 1])
)
moments = st.datetimes() | st.builds(
    lambda moment, zone, fold: moment.replace(tzinfo=zone, fold=fold), st.datetimes(), zones, st.sampled_from([0, 1])
)
hashable_scalars = st.one_of(
    st.none(), st.booleans(), numbers, st.floats(allow_nan=False), st.complex_numbers(allow_nan=False), texts,
    st.binary(), st.dates(), times, moments, st.timedeltas(), offsets.map(dt.timezone), st.decimals(allow_nan=False),
)  # fmt: skip
scalars = hashable_scalars | st.floats() | st.complex_numbers() | st.decimals() | st.binary().map(bytearray)
scalars |= st.sampled_from([Decimal("sNaN1"), Decimal("-NaN33"), Decimal("-0.000"), Decimal("1E+9999")])
keys = st.recursive(
    hashable_scalars, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=4), max_leaves=6
)
records = st.tuples(scalars, scalars).map(lambda pair: Record("P", (("x", pair[0]), ("y", pair[1]))))
arrays = st.binary(min_size=6, max_size=6).map(lambda data: NdArray("|u1", (2, 3), data))


def containers(inner):
    lists = st.lists(inner, max_size=6)
    return lists | lists.map(tuple) | st.sets(keys, max_size=6) | st.dictionaries(keys, inner, max_size=6)


packed = st.lists(st.integers(-(2**63), 2**63 - 1), min_size=4) | st.lists(st.floats(), min_size=4)
values = st.recursive(scalars | packed | records | arrays, containers, max_leaves=20)


def told(value):
    """A value as text that tells every two apart; members and keys in an order of their own."""
    kind = type(value).__name__
    if isinstance(value, float):
        return f"{kind} {struct.pack('<d', value).hex()}"
    if isinstance(value, complex):
        return f"{kind} {struct.pack('<dd', value.real, value.imag).hex()}"
    if isinstance(value, list | tuple):
        return f"{kind} [{', '.join(map(told, value))}]"
    if isinstance(value, set | frozenset):
        return f"{kind} {sorted(map(told, value))}"
    if isinstance(value, dict):
        return f"{kind} {[(told(key), told(content)) for key, content in value.items()]}"
    if isinstance(value, Record):
        return f"{kind} {value.name} {told(value.fields)}"
    return f"{kind} {value!r}"


@calm
@given(values)
def test_every_value_comes_back_as_it_was(value):
    assert told(decode(bytes(encode(value, stranger=write_stranger)), OUTSIDE)) == told(value)


@check_rows("value", VALUES)
def test_the_samples_come_back_as_they_were(value):
    assert told(decode(bytes(encode(value)), OUTSIDE)) == told(value)


@calm
@given(values=st.tuples(scalars, scalars))
def test_a_record_goes_in_as_an_instance_and_comes_out_as_a_record(values):
    module = ModuleType("program")
    module.P = P
    inside = child.Inside({"P": ("x", "y")}, module)
    record = Record("P", (("x", values[0]), ("y", values[1])))
    instance = decode(bytes(encode([record], stranger=write_stranger)), inside)[0]
    assert type(instance) is P
    assert told(instance.x) == told(values[0])
    assert told(decode(bytes(encode([instance], stranger=inside.write)), OUTSIDE)[0]) == told(record)


def test_a_named_time_zone_keeps_its_name():
    zone = dt.timezone(dt.timedelta(hours=1), "CET")
    assert repr(decode(bytes(encode(zone)), OUTSIDE)) == repr(zone)


def test_an_array_of_the_program_crosses_by_its_buffer(inside):
    numpy = pytest.importorskip("numpy")
    given_array = NdArray("<f8", (2, 2), struct.pack("<4d", 1, 2, 3, 4))
    array_inside = decode(bytes(encode(given_array, stranger=write_stranger)), inside)
    assert type(array_inside) is numpy.ndarray
    array_inside[0, 0] = 9
    back = decode(bytes(encode(array_inside.T, stranger=inside.write)), OUTSIDE)
    assert back == NdArray("<f8", (2, 2), struct.pack("<4d", 9, 3, 2, 4))
    with pytest.raises(Refused):
        encode(numpy.array([object()]), stranger=inside.write)


def test_honest_sets_whose_members_share_a_hash_cross():
    for members in ({-1, -2}, {0, SAME_HASH}, set(product((-1, -2), repeat=7)), {(-1, n) for n in range(-200, 200)}):
        assert decode(bytes(encode(members)), OUTSIDE, Patience(MOST_VALUES, MOST_COMPARING, MOST_SECONDS)) == members


# --- what may not cross ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [object(), len, int, range(3), {1: object()}, (P(1, 2),), type("S", (str,), {})("x")])
def test_what_is_not_plain_is_refused(value, inside):
    for stranger in (child.refuse_stranger, write_stranger):
        with pytest.raises(Refused) as refused:
            encode(value, stranger=stranger)
        assert refused.value.code == "SANDBOX_UNDECLARED_TYPE"


@check_rows(
    "value",
    [b"x" * 1_001, "ü" * 501, [0] * 1_001, [None] * 1_001, 1 << 9_000, dict.fromkeys(range(999)), bytearray(2_000)],
)
def test_what_is_too_large_is_refused_early(value):
    writer = Writer(1_000, child.refuse_stranger)
    with pytest.raises(Refused) as refused:
        writer.write(value)
    assert refused.value.code == "SANDBOX_RESULT_TOO_LARGE"
    assert len(writer.out) < 3_000


@check_rows("wrap", [lambda x: [x], lambda x: (x,), lambda x: {1: x}, lambda x: frozenset([x])])
def test_what_is_too_deep_is_refused_and_no_deeper(wrap):
    value = ()
    for _ in range(child.MAX_DEPTH):
        value = wrap(value)
    assert decode(bytes(encode(value)), OUTSIDE) == value
    with pytest.raises(Refused) as refused:
        encode(wrap(value))
    assert refused.value.code == "SANDBOX_RESULT_TOO_DEEP"


def test_a_record_of_another_shape_is_refused():
    for record in (Record("P", (("x", 1),)), Record("Q", (("x", 1), ("y", 2))), Record("P", (("y", 1), ("x", 2)))):
        with pytest.raises(Refused) as refused:
            decode(bytes(encode(record, stranger=write_stranger)), OUTSIDE)
        assert refused.value.code == "SANDBOX_UNDECLARED_TYPE"


# --- bytes that anybody may have written -----------------------------------------------------------------------------


def read(data):
    """Decode as the parent does; whether that made a value. Anything but that or a refusal fails the test."""
    try:
        decode(bytes(data), OUTSIDE, Patience(MOST_VALUES, MOST_COMPARING, MOST_SECONDS))
    except Refused as error:
        refusal = error
    else:
        return True
    assert refusal.code.startswith("SANDBOX_")
    assert len(str(refusal)) < 10_000
    return False


TAGS = b"NTFiIfcsbaltSZDypohwxnr*qd"


@calm
@given(st.binary(max_size=300) | st.lists(st.sampled_from(TAGS), max_size=200).map(bytes))
@example(b"")
@example(b"o")
@example(b"oX" + bytes(12))
@example(b"w" + b"\xff" * 30)
@example(b"h" + bytes(8) + b"h" + bytes(8) + b"N")
@example(b"x\x04\0\0\0sNaN")
@example(b"S*\x01\0\0\0x\x04\0\0\0sNaN")
@example(b"x\x17\0\0\0" + b"1E+99999999999999999999")
@example(b"y\0\0\0\0")
@example(b"s\x01\0\0\0\xff")
@example(b"lq\x07\0\0\0" + bytes(7))
@example(b"I\0\0\0\0")
def test_any_bytes_are_a_value_or_refused(data):
    read(data)


@calm
@given(values, st.data())
def test_any_mutation_of_a_value_is_a_value_or_refused(value, data):
    encoded = encode(value, stranger=write_stranger)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(encoded)))
        piece = data.draw(st.binary(max_size=5) | st.sampled_from(TAGS).map(lambda tag: bytes([tag])))
        encoded[at : at + data.draw(st.integers(0, 4))] = piece
    read(encoded)


@calm
@given(values, st.data())
def test_no_beginning_of_a_value_is_one(value, data):
    encoded = encode(value, stranger=write_stranger)
    assert not read(encoded[: data.draw(st.integers(0, len(encoded) - 1))])
    assert not read(encoded + b"N")


@check_rows("tag", [b"l*", b"t*", b"S*", b"Z*", b"D*", b"lq", b"Sd", b"s", b"b", b"a", b"I", b"x", b"n", b"r"])
def test_more_than_there_is_can_be_announced_in_vain(tag):
    assert not read(tag + struct.pack("<I", 0xFFFF_FFFF))
    assert not read(tag + struct.pack("<I", 0xFFFF_FFFF) + b"N" * 1_000)


@check_rows("kind", [b"q", b"d"])
@check_rows("size", [1, 4, 7, 9, 15, 17])
def test_a_packed_list_ends_with_a_whole_number(kind, size):
    assert not read(b"l" + kind + struct.pack("<I", size) + bytes(size))


@check_rows("layer", [b"l*\1\0\0\0", b"t*\1\0\0\0", b"Z*\1\0\0\0", b"D*\1\0\0\0", b"n", b"r", b"h" + bytes(8), b"o"])
def test_depth_is_bounded_whatever_nests(layer):
    for count in (50, 90, 100, 101, 102, 103, 200, 100_000):
        read(layer * count + b"N")
    assert not read(layer * 200 + b"N")


def test_unhashable_members_are_refused():
    for inner in ([], {}, set(), bytearray(), ([],), Decimal("sNaN")):
        assert not read(b"S*" + struct.pack("<I", 1) + encode(inner))
        assert not read(b"D*" + struct.pack("<I", 1) + encode(inner) + b"l*" + struct.pack("<I", 1) + b"N")


def test_a_dict_has_as_many_values_as_keys():
    one, two = b"*\1\0\0\0N", b"*\2\0\0\0NT"
    assert read(b"D" + one + b"l" + one)
    assert not read(b"D" + one + b"l" + two)
    assert not read(b"D" + two + b"l" + one)
    assert not read(b"D" + one + b"t" + one)
    assert not read(b"D" + one)


@check_rows("shape", [(-1,), (2**40,), ("x",), (1.0,), [1]])
def test_an_array_has_a_shape(shape):
    parts = [encode("<f8"), encode(shape), encode(bytes(8))]
    assert not read(b"n" + b"".join(parts))


# --- hostile bytes cost no more than honest ones ---------------------------------------------------------------------
# What is compared is two decodings of as many bytes, one after the other, by orders of magnitude.


def cost(data):
    """Processor time of decoding or refusing, the least of three."""
    spent = []
    for _ in range(3):
        before = time.process_time()
        read(data)
        spent.append(time.process_time() - before)
    return min(spent)


def members(tag, *encoded):
    return tag + b"*" + struct.pack("<I", len(encoded)) + b"".join(map(bytes, encoded))


def packed_keys(keys):
    data = array("q", keys).tobytes()
    return b"q" + struct.pack("<I", len(data)) + data


def colliding_tree(width, depth, last):
    """A frozenset of frozensets … whose members all have one hash, unlike its twin only in its last leaf."""
    if depth == 1:
        return members(b"Z", *(encode(SAME_HASH * (n if n < width - 1 else last)) for n in range(width)))
    inner = (colliding_tree(width, depth - 1, 100 + n if n < width - 1 else 1_000 + last) for n in range(width))
    return members(b"Z", *inner)


def probe_flood(bits, slices, attackers):
    """Numbers, all of different hash, that follow one chain of probes through a dict of 2**bits slots.

    First the chain; then, slice by slice of 4,096, a few that walk along it, among others that are there already.
    """
    mask, slot, chain, taken = (1 << bits) - 1, 0, [], bytearray(1 << bits)
    for _ in range(int(0.55 * (1 << bits))):
        chain.append(slot)
        taken[slot] = 1
        slot = (5 * slot + 1) & mask
    found, number = [], 1 << bits
    while len(found) < slices * attackers:
        number += 1
        perturbed, slot = number, number & mask
        while taken[slot] and perturbed:
            perturbed >>= 5
            slot = (5 * slot + perturbed + 1) & mask
        if taken[slot]:
            found.append(number)
    rest = 4_096 - attackers
    mixed = [(found[n * attackers :][:attackers], chain[n * rest :][:rest]) for n in range(slices)]
    return [*chain, *(number for walking, known in mixed for number in (*walking, *known))]


def honest(size):
    return packed_keys(range(size // 8))


HOSTILE = {
    "one hash": lambda: b"S" + packed_keys([SAME_HASH * n for n in range(-4, 4)] * 10_000),
    "one hash, big numbers": lambda: members(b"S", *(encode(SAME_HASH * n) for n in range(20_000))),
    "big number and decimal": lambda: members(b"S", encode(1 << 1_600_000), encode(Decimal(hash(1 << 1_600_000)))),
    "colliding frozensets": lambda: members(b"S", colliding_tree(24, 3, 7), colliding_tree(24, 3, 8)),
    "probe chain": lambda: b"S" + packed_keys(probe_flood(18, 3, 4_000)),
    "probe chain of a dict": lambda: b"D" + packed_keys(keys := probe_flood(18, 3, 4_000)) + b"l" + packed_keys(keys),
    "probe chain, slowly": lambda: b"S" + packed_keys(probe_flood(18, 37, 300)),
    "digits": lambda: encode(Decimal("7" * 400_000)),
    "exponents": lambda: members(b"S", *(encode(Decimal(f"1E+{n}")) for n in range(0, 400_000, 40))),
    "nested tuples": lambda: members(b"S", *(b"t*\1\0\0\0" * 90 + encode(n) for n in range(700))),
}


@pytest.mark.slow
@check_rows("name", ["one hash", "probe chain, slowly", "digits"])
def test_hostile_bytes_cost_what_honest_ones_do(name):
    require_cheap(name)


@pytest.mark.long
@check_rows("name", HOSTILE)
def test_whatever_hostile_bytes_cost_what_honest_ones_do(name):
    require_cheap(name)


def require_cheap(name):
    data = bytes(HOSTILE[name]())
    spent, fair = cost(data), cost(b"S" + honest(len(data)))
    assert spent < 20 * fair + 2 * MOST_SECONDS
