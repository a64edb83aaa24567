"""What breeding sees and what the gate sees have nothing in common, and what is timed is of one size."""

from __future__ import annotations

import pytest
from tests.bench.inputs.making import PLANS, fits, plan_of
from tests.support.rows import check_rows

from mendel.bench.inputs.adversarial import fixed_inputs, is_adversarial
from mendel.bench.inputs.drawing import draw
from mendel.bench.inputs.examples import plan_from_examples
from mendel.bench.inputs.mixtures import held_out_generator, seen_inputs, timing_inputs
from mendel.bench.inputs.shapes import HELD_SHAPES, usable_shapes
from mendel.bench.inputs.strategies import hypothesis_inputs
from mendel.contracts.plain_values import NdArray, spelled
from mendel.guard.inputs import draw as guard_draw
from mendel.guard.spec import TaskSpec

each_plan = check_rows("plan", PLANS.values())
SIZES = (4, 12)


def keys(inputs) -> list[bytes]:
    return [spelled(each) for each in inputs]


@pytest.mark.slow
@each_plan
def test_seen_and_held_out_are_disjoint_and_of_their_types_and_none_that_is_seen_is_adversarial(plan):
    seen = seen_inputs(plan, sizes=SIZES, n=24, seed=7)
    held = held_out_generator(plan, sizes=(20,), seen_examples=seen)(24, 7)
    assert len(set(keys(seen))) == len(seen) > (5 if plan.counted else 10)  # numbers up to the largest size
    assert not set(keys(seen)) & set(keys(held))
    assert not set(keys(seen)) & set(keys(fixed_inputs(plan)))
    for args in (*seen, *held):
        assert all(map(fits, (parameter.of for parameter in plan.parameters), args))
    assert not any(is_adversarial(plan, args) for args in seen)


@check_rows("shape", HELD_SHAPES)
@check_rows("name", ["ints", "floats", "text"])
def test_adversarial_inputs_are_recognised(name, shape):
    if shape in usable_shapes(PLANS[name], HELD_SHAPES):
        drawn = [draw(PLANS[name], size=30, shape=shape, seed=0, index=index) for index in range(20)]
        told = [is_adversarial(PLANS[name], args) for args in drawn]
        assert all(told) if shape not in ("nan", "huge") else sum(told) > 10


def test_the_gate_sees_every_adversarial_shape():
    held = [items for (items,) in held_out_generator(PLANS["ints"], sizes=(50,), seen_examples=())(300, 1)]
    assert [] in held
    assert any(len(items) == 1 for items in held)
    assert any(items == sorted(items) for items in held if len(items) > 9)
    assert any(items == sorted(items, reverse=True) for items in held if len(items) > 9)
    assert any(len(set(items)) == 1 for items in held if len(items) > 9)
    assert any(abs(each) > 2**64 for items in held for each in items)
    assert sum(len(items) == 50 for items in held) > 30


def test_shapes_that_the_original_cannot_answer_can_be_left_out():
    held = held_out_generator(PLANS["ints"], sizes=(50,), seen_examples=(), shapes=("sorted",))(200, 1)
    assert ([],) not in held
    assert all(len(items) > 0 for (items,) in held)


def test_examples_come_first_but_never_those_that_are_the_gates():
    examples = [([3, 1, 2],), ([],), ([1, 2, 3, 4, 5],)]
    seen = seen_inputs(PLANS["ints"], sizes=SIZES, n=20, seed=0, examples=examples)
    assert seen[:2] == [([3, 1, 2],), ([1, 2, 3, 4, 5],)]
    assert len(seen) == 20
    assert ([],) not in seen
    assert len(seen_inputs(PLANS["ints"], sizes=SIZES, n=2, seed=0, examples=examples)) == 2


def test_every_size_is_seen():
    lengths = {len(items) for (items,) in seen_inputs(PLANS["ints"], sizes=(8, 40, 90), n=60, seed=0)}
    assert {8, 40, 90} <= lengths


def test_what_was_seen_is_never_held_out_even_from_a_small_space():
    plan = plan_of("mode: Literal['a', 'b', 'c', 'd']")
    seen = [("a",), ("b",), ("c",)]
    assert set(held_out_generator(plan, sizes=(5,), seen_examples=seen)(50, 0)) == {("d",)}
    assert len(seen_inputs(plan, sizes=(5,), n=50, seed=0)) == 4


def test_the_generator_is_one_for_the_guard():
    generator = held_out_generator(PLANS["search"], sizes=(30,), seen_examples=())
    spec = TaskSpec(name="search", gen_inputs=generator)
    assert keys(guard_draw(spec, 20, 4)) == keys(generator(20, 4))
    assert keys(generator(5, 4)) == keys(generator(20, 4))[:5]
    assert keys(generator(20, 4)) != keys(generator(20, 5))


def size_of(value) -> int:
    return value.shape[0] if isinstance(value, NdArray) else len(value)


@check_rows("name", ["ints", "words", "text", "search", "product", "graph", "sets", "array", "top", "points"])
def test_timed_inputs_are_different_and_of_one_size(name):
    plan = PLANS[name]
    held = timing_inputs(plan, size=40, n=10, seed=2, held=True)
    seen = timing_inputs(plan, size=40, n=10, seed=2, held=False)
    assert len(set(keys([*held, *seen]))) == 20
    assert {size_of(args[0]) for args in (*held, *seen)} == {40}
    assert {len(args) for args in held} == {sum(not parameter.optional for parameter in plan.parameters)}


@pytest.mark.parametrize("name", ["ints", "words"])
def test_in_every_other_timed_input_nothing_occurs_twice(name):
    timed = timing_inputs(PLANS[name], size=3_000, n=6, seed=2, held=False)
    repeat = [len(set(items)) < len(items) for (items,) in timed]
    assert repeat == [True, False] * 3


def test_timed_numbers_are_about_as_large_as_the_size():
    found = [n for (n,) in timing_inputs(PLANS["lone"], size=1000, n=10, seed=0, held=False)]
    assert len(set(found)) == 10
    assert 890 <= min(found) <= max(found) <= 1000
    few = [n for (n,) in timing_inputs(PLANS["lone"], size=9, n=8, seed=0, held=False)]
    assert len(set(few)) == len(few) == 8
    assert max(few) <= 9


@check_rows("name", ["ints", "sets", "graph", "points", "union", "array"])
def test_hypothesis_draws_the_same_again(name):
    drawn = keys(hypothesis_inputs(PLANS[name], 8, 5))
    assert drawn == keys(hypothesis_inputs(PLANS[name], 8, 5)) != keys(hypothesis_inputs(PLANS[name], 8, 6))


def test_hypothesis_keeps_what_examples_said():
    plan = plan_from_examples([([[1, 2], [3, 4]], 0), ([[1]], 0), ([[1, 2, 3]] * 3, 2)])
    for m, at in hypothesis_inputs(plan, 40, 0):
        assert all(len(row) == len(m) for row in m)
        assert 0 <= at < len(m)
    ordered = plan_from_examples([([1, 2, 5],), ([0, 4, 9, 12],)])
    assert all(items == sorted(items) for (items,) in hypothesis_inputs(ordered, 40, 0))
    for graph, start, _ in hypothesis_inputs(PLANS["graph"], 40, 0):
        assert all(end in graph for ends in graph.values() for end in ends)
        assert isinstance(start, str)


def test_nothing_that_breeding_sees_is_larger_than_the_largest_size():
    """The original may not bear it, whoever draws it."""
    assert max(n for (n,) in seen_inputs(PLANS["lone"], sizes=(2, 6), n=40, seed=3)) <= 6
    lists = PLANS["ints"]
    assert max(len(x) for (x,) in seen_inputs(lists, sizes=(2, 6), n=40, seed=3)) <= 6
    assert ([1] * 9,) in seen_inputs(lists, sizes=(2, 6), n=40, seed=3, examples=[([1] * 9,)])
