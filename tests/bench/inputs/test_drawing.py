"""Every plan draws what its types say, of the size that is asked for, and the same in every process."""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bench.inputs.making import PLANS, fits, plan_of
from tests.support.rows import check_rows

from mendel.bench.inputs.drawing import draw
from mendel.bench.inputs.kinds import BytesKind, FloatKind, IntKind, ManyKind, TextKind, TupleKind, UnionKind
from mendel.bench.inputs.plan import InputPlan, Parameter, Relation
from mendel.bench.inputs.shapes import HELD_SHAPES, SEEN_SHAPES, usable_shapes
from mendel.contracts.plain_values import identical, spelled

SHAPES = (*SEEN_SHAPES, *HELD_SHAPES)
each_plan = check_rows("plan", PLANS.values())


def some(plan, shape="random", size=12, count=30, seed=0):
    return [draw(plan, size=size, shape=shape, seed=seed, index=index) for index in range(count)]


def assert_fits(plan, args):
    needed = sum(not parameter.optional for parameter in plan.parameters)
    assert needed <= len(args) <= len(plan.parameters)
    for parameter, value in zip(plan.parameters, args, strict=False):
        assert fits(parameter.of, value), (parameter, value)


@each_plan
def test_a_plan_draws_what_its_types_say(plan):
    for shape in SHAPES:
        for args in some(plan, shape, count=8):
            assert_fits(plan, args)
            spelled(args)


@each_plan
def test_a_plan_survives_json(plan):
    again = InputPlan.model_validate_json(plan.model_dump_json())
    assert again == plan
    assert identical(some(again), some(plan))


@each_plan
def test_a_draw_is_a_function_of_its_key(plan):
    assert identical(some(plan, seed=5), some(plan, seed=5))
    assert not identical(some(plan, seed=5), some(plan, seed=6))
    assert identical(some(plan)[3], draw(plan, size=12, shape="random", seed=0, index=3))


def digest() -> str:
    """All draws of all plans, by all the ways there are."""
    from mendel.bench.inputs.mixtures import held_out_generator, seen_inputs, timing_inputs

    found = hashlib.sha256()
    for plan in PLANS.values():
        for shape in SHAPES:
            found.update(spelled(some(plan, shape, count=3)))
    for name in ("ints", "graph", "sets", "points", "union"):
        seen = seen_inputs(PLANS[name], sizes=(4, 20), n=30, seed=1)
        held = held_out_generator(PLANS[name], sizes=(40,), seen_examples=seen)(20, 2)
        found.update(spelled([*seen, *held, *timing_inputs(PLANS[name], size=30, n=4, seed=3, held=True)]))
    return found.hexdigest()


@pytest.mark.slow
def test_every_process_draws_the_same():
    root = Path(__file__).parents[3]
    command = [sys.executable, "-c", f"from {__name__} import digest; print(digest())"]
    environ = os.environ | {"PYTHONPATH": f"{root}{os.pathsep}{root / 'src'}"}
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    told = subprocess.run(
        command, env=environ | {"PYTHONHASHSEED": other}, cwd=root, capture_output=True, text=True, check=True
    ).stdout.strip()
    assert told == digest()


# --- any plan at all ------------------------------------------------------------------------------------------------

hashables = st.one_of(st.just(IntKind()), st.just(TextKind()), st.just(IntKind(low=3, high=900)), st.just(BytesKind()))
kinds = st.recursive(
    st.one_of(hashables, st.just(FloatKind()), st.just(FloatKind(low=0.0))),
    lambda inner: st.one_of(
        st.builds(ManyKind, of=inner, rows=st.sampled_from(["free", "square", "ragged"])),
        st.builds(ManyKind, kind=st.sampled_from(["set", "frozenset"]), of=hashables),
        st.builds(TupleKind, items=st.lists(inner, max_size=3).map(tuple)),
        st.builds(UnionKind, options=st.lists(inner, min_size=1, max_size=3).map(tuple)),
    ),
    max_leaves=4,
)


@given(st.lists(kinds, max_size=3), st.sampled_from(SHAPES), st.integers(0, 30), st.integers(0, 2**64))
def test_any_tree_of_kinds_can_be_drawn(trees, shape, size, seed):
    plan = InputPlan(parameters=tuple(Parameter(name=f"p{at}", of=kind) for at, kind in enumerate(trees)))
    assert InputPlan.model_validate_json(plan.model_dump_json()) == plan
    assert_fits(plan, draw(plan, size=size, shape=shape, seed=seed, index=0))
    assert "random" in usable_shapes(plan, SHAPES)


# --- sizes ----------------------------------------------------------------------------------------------------------


@check_rows("size", [0, 1, 2, 50, 3_000])
@check_rows("name", ["ints", "floats", "words", "text", "mapping", "adjacency", "sets"])
def test_a_collection_is_as_long_as_the_size(name, size):
    for shape in ("random", *(shape for shape in usable_shapes(PLANS[name], SEEN_SHAPES))):
        assert len(draw(PLANS[name], size=size, shape=shape, seed=1, index=0)[0]) == size


def test_a_matrix_has_as_many_rows_and_columns_as_the_size():
    for (m,) in some(PLANS["matrix"], size=7):
        assert [len(row) for row in m] == [7] * 7
    (m,) = draw(PLANS["matrix"], size=100_000, shape="random", seed=0, index=0)
    assert len(m) == len(m[0]) == 500


def test_a_cube_is_one():
    for (cube,) in some(PLANS["cube"], size=4):
        assert [[len(cell) for cell in row] for row in cube] == [[3] * 4] * 4


def test_ragged_and_oblong_are_asked_for():
    ragged = some(PLANS["matrix"], "ragged", size=60)
    assert any(len({len(row) for row in m}) > 1 for (m,) in ragged)
    assert all(50 <= sum(map(len, m)) <= 60 for (m,) in ragged)
    for (m,) in some(PLANS["matrix"], "oblong", size=6):
        assert {len(row) for row in m} != {len(m)}
        assert len({len(row) for row in m}) == 1


def test_a_lone_number_is_not_negative_and_at_most_the_size():
    values = [n for (n,) in some(PLANS["lone"], size=40, count=300)]
    assert 0 <= min(values) <= 2
    assert 38 <= max(values) <= 40
    assert all(n < 0 for (n,) in some(PLANS["lone"], "negative", size=40))


def test_numbers_are_usually_small_and_now_and_then_large():
    values = [each for (items,) in some(PLANS["ints"], size=200) for each in items]
    small = [each for each in values if -1000 <= each <= 1000]
    assert len(values) > len(small) > 0.9 * len(values)
    assert min(small) < -900
    assert max(small) > 900


# --- shapes ---------------------------------------------------------------------------------------------------------


def lists(shape, size=40):
    return [items for (items,) in some(PLANS["ints"], shape, size=size)]


def test_shapes_look_as_they_are_called():
    assert all(items == [] for items in lists("empty"))
    assert all(len(items) == 1 for items in lists("single"))
    assert all(items == sorted(items) for items in lists("sorted"))
    assert all(items == sorted(items, reverse=True) for items in lists("reversed"))
    assert all(len(set(items)) == 1 and len(items) == 40 for items in lists("equal"))
    assert all(len(set(items)) <= 6 for items in lists("few_distinct"))
    assert all(max(items) < 0 for items in lists("negative"))
    assert max(abs(each) for items in lists("huge") for each in items) == 2**70
    for items in lists("organ_pipe"):
        top = items.index(max(items))
        assert items[:top] == sorted(items[:top])
        assert items[top:] == sorted(items[top:], reverse=True)
    for items in lists("nearly_sorted"):
        assert 0 <= sum(a > b for a, b in pairwise(items)) < 15
    assert any(items != sorted(items) for items in lists("nearly_sorted"))
    for items in lists("runs"):
        assert sum(a == b for a, b in pairwise(items)) > 5


def test_nan_is_in_every_nan_and_in_nothing_else():
    odd = [
        [each for each in items if not math.isfinite(each) or str(each) == "-0.0"]
        for (items,) in some(PLANS["floats"], "nan")
    ]
    assert all(odd)
    assert any(math.isnan(each) for items in odd for each in items)
    assert all(math.isfinite(each) for (items,) in some(PLANS["floats"]) for each in items)


def test_unicode_is_in_unicode_only():
    assert all(not text.isascii() for (text,) in some(PLANS["text"], "unicode"))
    assert all(text.isascii() for (text,) in some(PLANS["text"]))


@check_rows(
    ("name", "usable", "not_usable"),
    [
        ("ints", {"empty", "single", "sorted", "huge", "negative"}, {"nan", "unicode", "oblong", "ragged", "uneven"}),
        ("floats", {"nan", "huge"}, {"unicode"}),
        ("text", {"unicode", "empty", "equal"}, {"nan", "huge", "negative"}),
        ("lone", {"empty", "single", "negative"}, {"huge", "sorted", "few_distinct", "unicode", "equal"}),
        ("two_numbers", {"equal"}, {"huge", "sorted"}),
        ("matrix", {"oblong", "ragged", "nan"}, {"unicode"}),
        ("product", {"nan"}, {"oblong", "ragged"}),
        ("graph", {"unicode", "empty"}, {"negative", "nan"}),
        ("searched", {"sorted", "empty"}, {"reversed", "nearly_sorted", "organ_pipe"}),
        ("dot", {"uneven"}, {"unicode"}),
        ("bounded", {"random"}, {"empty", "single", "huge", "negative"}),
        ("sets", {"empty", "huge", "unicode"}, {"sorted", "reversed"}),
        ("plain", {"random"}, {"empty", "unicode", "huge"}),
    ],
)
def test_only_shapes_that_make_sense_are_usable(name, usable, not_usable):
    found = set(usable_shapes(PLANS[name], SHAPES))
    assert usable <= found
    assert not not_usable & found


def test_a_shape_that_nobody_knows_is_refused():
    with pytest.raises(ValueError, match="unknown shape 'zigzag'; known are random"):
        usable_shapes(PLANS["ints"], ("zigzag",))


# --- ties -----------------------------------------------------------------------------------------------------------


def share(checks) -> float:
    found = list(checks)
    return sum(found) / len(found)


def test_a_graph_leads_to_its_own_nodes_and_is_asked_about_them():
    drawn = some(PLANS["graph"], size=15, count=100)
    for graph, _, _ in drawn:
        assert all(end in graph for ends in graph.values() for end in ends)
        assert all(weight >= 0 for ends in graph.values() for weight in ends.values())
        assert sum(map(len, graph.values())) > 10
    assert share(start in graph and end in graph for graph, start, end in drawn) > 0.8
    for graph, start in some(PLANS["adjacency"]):
        assert all(end in graph for ends in graph.values() for end in ends)
        assert sorted(graph) == list(range(12))
        assert isinstance(start, int)
    for (graph,) in some(PLANS["pairs"]):
        assert all(end in graph and weight > 0 for ends in graph.values() for end, weight in ends)


def test_edges_are_between_so_many_nodes():
    for n, edges in some(PLANS["edges"]):
        assert len(edges) == 12
        assert all(0 <= left < n and 0 <= right < n and weight >= 0 for left, right, weight in edges)


def test_a_pattern_is_often_in_its_text_but_not_always():
    found = share(pattern in text for text, pattern in some(PLANS["search"], size=60, count=200))
    assert 0.6 < found < 0.99
    assert all(len(pattern) <= 30 for _, pattern in some(PLANS["search"], size=60))
    turned = plan_of("pattern: str, text: str")
    assert share(pattern in text for pattern, text in some(turned, size=60, count=200)) > 0.6


def test_two_texts_have_parts_in_common():
    def common(a, b):
        return any(a[at : at + 6] in b for at in range(len(a) - 6))

    assert share(common(a, b) for a, b in some(PLANS["distance"], size=80, count=100)) > 0.6


def test_what_is_looked_up_is_often_there():
    assert 0.4 < share(target in items for items, target in some(PLANS["lookup"], size=30, count=200)) < 0.95
    counts = [(items, rest[0]) for items, *rest in some(PLANS["top"], size=30, count=200) if rest]
    assert share(0 <= k <= len(items) for items, k in counts) > 0.9
    assert len(counts) < 200


def test_matrices_fit_each_other():
    for a, b in some(PLANS["product"]):
        assert (len(a), len(a[0])) == (len(b), len(b[0]))
    for m, v in some(PLANS["matrix_vector"]):
        assert len(v) == len(m[0])
        assert all(v is not row for row in m)


def test_ties_that_always_held_always_hold():
    items, number = ManyKind(of=FloatKind()), IntKind()
    for tie, holds in {
        "index": lambda a, b: 0 <= b < len(a),
        "count": lambda a, b: 0 <= b <= len(a),
    }.items():
        plan = InputPlan(
            parameters=(Parameter(name="a", of=items), Parameter(name="b", of=number)),
            relations=(Relation(tie=tie, of=0, to=1, always=True),),
        )
        assert all(holds(a, b) for a, b in some(plan, count=100))


def test_an_argument_with_a_default_is_left_out_now_and_then():
    lengths = {len(args) for args in some(PLANS["top"], count=60)}
    assert lengths == {1, 2, 3}


def test_nothing_in_an_input_is_the_same_object_twice():
    (m,) = draw(PLANS["matrix"], size=5, shape="equal", seed=0, index=0)
    m[0].append(1.0)
    assert len(m[1]) == 5
    (points,) = draw(plan_of("items: list[set[int]]"), size=5, shape="equal", seed=0, index=0)
    assert len({id(each) for each in points}) == 5
