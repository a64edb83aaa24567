import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.support.rows import check_rows

from mendel.contracts.energy import MAX_USAGE, EnergyCosts, Usage

FIELDS = sorted(Usage.model_fields)
PRICED = ["cpu_ms", "opcodes", "spawns", "tokens_in", "tokens_out", "tool_calls"]

amounts = st.integers(0, 10**9)
usages = st.builds(Usage, **dict.fromkeys(FIELDS, amounts))
divisors = st.integers(1, 10**6)
prices = st.integers(0, 10**6)
costs = st.builds(
    EnergyCosts,
    tokens_per_unit=divisors,
    per_tool_call=prices,
    per_spawn=prices,
    cpu_ms_per_unit=divisors,
    opcodes_per_unit=divisors,
    cpu_basis=st.sampled_from(["cpu_ms", "opcodes"]),
)


@check_rows(
    ("usage", "energy"),
    [
        ({}, 0),
        ({"tokens_in": 1}, 1),
        ({"tokens_in": 1_000}, 1),
        ({"tokens_in": 1_001}, 2),
        ({"tokens_in": 500, "tokens_out": 500}, 1),
        ({"tokens_in": 500, "tokens_out": 501}, 2),
        ({"tool_calls": 1}, 5),
        ({"tool_calls": 3}, 15),
        ({"spawns": 2}, 100),
        ({"cpu_ms": 1}, 1),
        ({"cpu_ms": 100}, 1),
        ({"cpu_ms": 101}, 2),
        ({"tokens_out": 1, "tool_calls": 1, "spawns": 1, "cpu_ms": 1}, 57),
        ({"wall_ms": 10**9, "peak_memory_bytes": 10**9, "cost_microusd": 10**9, "opcodes": 10**9}, 0),
    ],
)
def test_the_price_list(usage, energy):
    assert EnergyCosts().price(Usage(**usage)) == energy


def test_under_the_objective_opcodes_computing_is_charged_by_opcodes_alone():
    by_count = EnergyCosts(cpu_basis="opcodes")
    assert by_count.price(Usage(cpu_ms=10**9)) == 0
    assert by_count.price(Usage(opcodes=1)) == 1
    assert by_count.price(Usage(opcodes=1_000_001)) == 2


@given(costs)
def test_nothing_costs_nothing(list_):
    assert list_.price(Usage()) == 0


@given(costs, usages, st.sampled_from(FIELDS), st.integers(1, 10**9))
def test_using_more_never_costs_less(list_, usage, field, more):
    larger = usage.model_copy(update={field: getattr(usage, field) + more})
    assert list_.price(larger) >= list_.price(usage)


@given(costs, usages)
def test_a_price_is_a_whole_number_and_never_negative(list_, usage):
    price = list_.price(usage)
    assert isinstance(price, int)
    assert price >= 0


@given(costs, usages, usages)
def test_splitting_work_never_makes_it_cheaper(list_, one, other):
    together = Usage(**{field: getattr(one, field) + getattr(other, field) for field in FIELDS})
    assert list_.price(one) + list_.price(other) >= list_.price(together)


@given(costs, st.sampled_from(PRICED), st.integers(1, 10**9))
def test_what_has_a_price_is_charged_from_its_first_unit(list_, field, amount):
    ignored = {"cpu_ms": "opcodes", "opcodes": "cpu_ms"}.get(field) == list_.cpu_basis
    free = (field == "tool_calls" and not list_.per_tool_call) or (field == "spawns" and not list_.per_spawn)
    assert (list_.price(Usage(**{field: amount})) > 0) != (ignored or free)


@given(st.integers(0, MAX_USAGE))
def test_large_amounts_are_exact(tokens):
    assert EnergyCosts().price(Usage(tokens_in=tokens)) == (tokens + 999) // 1_000


@check_rows("wrong", [-1, MAX_USAGE + 1])
@check_rows("field", FIELDS)
def test_usage_is_never_negative_nor_more_than_json_carries(field, wrong):
    with pytest.raises(ValidationError, match=field):
        Usage(**{field: wrong})


@check_rows("field", ["tokens_per_unit", "cpu_ms_per_unit", "opcodes_per_unit"])
def test_a_unit_is_never_nothing(field):
    for value in (0, -1):
        with pytest.raises(ValidationError, match=field):
            EnergyCosts(**{field: value})


@pytest.mark.parametrize("field", ["per_tool_call", "per_spawn"])
def test_a_price_never_pays_out(field):
    with pytest.raises(ValidationError, match=field):
        EnergyCosts(**{field: -1})
