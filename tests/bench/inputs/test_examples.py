"""Examples: found in docstrings and tests without running either, and enough to make more of their kind."""

from __future__ import annotations

import pytest
from tests.bench.inputs.making import PLANS, fits
from tests.support.rows import check_rows

from mendel.bench.inputs.calls import calls_in_tests
from mendel.bench.inputs.doctests import docstring_examples
from mendel.bench.inputs.drawing import draw
from mendel.bench.inputs.examples import plan_from_examples, refined
from mendel.bench.inputs.plan import InputPlan
from mendel.breeding.code import Code
from mendel.contracts.errors import NoInputs, SourceNotPython

DOCUMENTED = '''"""A module.

>>> sort([9])
[9]
"""
def sort(items):
    """Sorts.

    >>> sort([2, 1])
    [1, 2]
    >>> x = [3, 3]
    >>> sort(x) == sort([2, 1])
    True
    >>> x.append(boom())
    >>> sort(x)
    >>> sort(range(3))
    >>> print(mod.sort([-1.5, 2], True), sort(key=3))
    >>> len([1])
    >>> sort([
    ...     7,
    ... ])
    """
'''


def test_examples_of_a_docstring():
    found = docstring_examples(Code(DOCUMENTED), "sort")
    assert found == [([2, 1],), ([3, 3],), ([-1.5, 2], True), ([7],), ([9],)]


def test_a_function_without_a_docstring_has_no_examples():
    assert docstring_examples(Code("def f(x): ..."), "f") == []
    assert docstring_examples(Code('def f(x):\n    """>>> f(\n    >>> f(1"""\n'), "f") == []


TESTS = """
import pytest, mod
from mod import sort
TABLE = [[8, 7], [6]]
EXPECTED = object()

def test_plain():
    assert sort([1, 2]) == [1, 2]
    assert mod.sort([3]) == [3]

@pytest.mark.parametrize(("given", "wanted"), [([5, 4], [4, 5]), pytest.param([9], EXPECTED, id="x"), (boom(), 1)])
def test_table(given, wanted):
    assert sort(given) == wanted

@pytest.mark.parametrize("reverse", [True, False])
@pytest.mark.parametrize("items", TABLE)
def test_stacked(items, reverse):
    assert sort(items, reverse)

class TestIt:
    def test_variables(self):
        a, b = 1, 2
        items = [0, 0]
        more = sorted(items)
        with pytest.raises(ValueError):
            sort(items)
        sort(more)
        items = boom()
        sort(items)

    def test_loop(self):
        for items, n in [([11], 1), ([12, 13], 2)]:
            assert len(sort(items)) == n
        for text in ("ab", "c"):
            sort(text)
        if True:
            sort([21])
        sort(*[1])
        sort(items=[1])
        unsort([99])
"""


def test_calls_in_tests():
    assert calls_in_tests(TESTS, "sort", "test_mod.py") == [
        ([1, 2],),
        ([3],),
        ([5, 4],),
        ([9],),
        ([8, 7], True),
        ([6], True),
        ([8, 7], False),
        ([6], False),
        ([0, 0],),
        ([11],),
        ([12, 13],),
        ("ab",),
        ("c",),
        ([21],),
    ]
    assert calls_in_tests("x.Cls.method(1)", "Cls.method", "t.py") == [(1,)]


def test_tests_that_do_not_parse_are_named():
    with pytest.raises(SourceNotPython, match=r"test_mod\.py does not parse"):
        calls_in_tests("def (", "sort", "test_mod.py")


# --- plans ----------------------------------------------------------------------------------------------------------


def some(plan, size=20, count=60, shape="random"):
    return [draw(plan, size=size, shape=shape, seed=1, index=index) for index in range(count)]


@check_rows(
    "examples",
    [
        [([1, 2],), ([],)],
        [([1.5], 2), ([2.0, 1.0], 0)],
        [("abc", b"x", None), ("d", b"", True)],
        [({"a": 1}, {1, 2}, frozenset("ab"))],
        [((1, "a"),), ((2, "b"),)],
        [((1, 2, 3),), ((2,),)],
        [([[1, 2], [3, 4]],)],
        [([{"name": "a", "age": 1}, {"name": "b", "age": 2}],)],
        [([1, "a", None, [2]],)],
        [(1 + 2j,), (3j,)],
        [(2**80,)],
        [()],
    ],
)
def test_what_is_drawn_is_of_the_kind_that_was_seen(examples):
    plan = plan_from_examples(examples)
    assert InputPlan.model_validate_json(plan.model_dump_json()) == plan
    for example in examples:
        for parameter, value in zip(plan.parameters, example, strict=False):
            if type(value) is not int:
                assert fits(parameter.of, value)
    for args in some(plan):
        assert len(args) == len(examples[0])
        for parameter, value in zip(plan.parameters, args, strict=True):
            assert fits(parameter.of, value)


def test_numbers_stay_on_their_side_of_zero():
    assert min(n for (n,) in some(plan_from_examples([(3,), (7,)]))) >= 1
    assert min(min(items) for (items,) in some(plan_from_examples([([0, 3],)]))) >= 0
    assert min(min(items) for (items,) in some(plan_from_examples([([0, -3],)]))) < -500
    bits = plan_from_examples([([0, 1, 1, 0, 0, 1, 1, 0],)])
    assert {each for (items,) in some(bits) for each in items} == {0, 1}


def test_texts_keep_their_alphabet():
    dna = plan_from_examples([("ACGTACGT",), ("TTTTGA",)])
    assert {each for (text,) in some(dna) for each in text} == set("ACGT")
    words = plan_from_examples([("hello world",)])
    assert {each for (text,) in some(words) for each in text} > set("qxz ")
    assert all(each.islower() or each == " " for (text,) in some(words) for each in text)


def test_rows_are_as_long_as_they_were():
    square = plan_from_examples([([[1, 2], [3, 4]],), ([[1, 2, 3]] * 3,)])
    assert all(len(row) == len(m) for (m,) in some(square, shape="oblong") for row in m)
    oblong = plan_from_examples([([[1, 2], [3, 4], [5, 6]],)])
    assert all(len({len(row) for row in m}) == 1 for (m,) in some(oblong, shape="ragged"))
    ragged = plan_from_examples([([[1, 2], [3]],)])
    assert any(len({len(row) for row in m}) > 1 for (m,) in some(ragged))


def test_ties_that_held_in_every_example_hold_in_every_draw():
    index = plan_from_examples([(["a", "b"], 1), (["a"], 0), (["c", "d", "e"], 2)])
    assert all(0 <= at < len(items) for items, at in some(index))
    element = plan_from_examples([([1.5, 2.5], 2.5), ([3.5], 3.5), ([7.0, 1.0], 7.0)])
    assert all(each in items for items, each in some(element))
    key = plan_from_examples([({"a": 1}, "a"), ({"b": 1, "c": 2}, "c"), ({"d": 4}, "d")])
    assert all(each in mapping for mapping, each in some(key))
    equal = plan_from_examples([([1.0], [2.0]), ([1.0, 2.0], [3.0, 4.0]), ([], [])])
    assert all(len(a) == len(b) for a, b in some(equal, shape="uneven"))
    product = plan_from_examples([([[1, 2]], [[1], [2]]), ([[1], [2]], [[1, 2, 3]]), ([[1]], [[1, 2]])])
    for a, b in some(product, shape="oblong"):
        assert len(a[0]) == len(b)


def test_lists_that_were_always_in_order_always_are():
    plan = plan_from_examples([([1, 2, 5], 2), ([0, 4, 9, 12], 9), ([], 3)])
    assert all(items == sorted(items) for items, _ in some(plan, shape="reversed"))
    assert any(items != sorted(items) for (items,) in some(plan_from_examples([([1, 2, 5],), ([3, 1, 2],)])))


def test_graphs_are_recognised_by_their_edges():
    graph = plan_from_examples([({"a": ["b"], "b": []}, "a")])
    assert all(end in found for found, _ in some(graph) for ends in found.values() for end in ends)
    loose = plan_from_examples([({"a": ["x"], "b": []}, "a")])
    assert any(end not in found for found, _ in some(loose) for ends in found.values() for end in ends)


def test_no_examples_are_not_enough():
    with pytest.raises(NoInputs, match="no examples"):
        plan_from_examples([])
    with pytest.raises(NoInputs, match="an example has a object"):
        plan_from_examples([(object(),)])


def test_examples_sharpen_what_types_say():
    plan = refined(PLANS["lookup"], [([1, 2, 5], 2), ([0, 4, 9, 12], 9), ([3], 3)])
    assert all(items == sorted(items) and target in items for items, target in some(plan))
    assert [each.name for each in plan.parameters] == ["items", "target"]
    assert refined(PLANS["lookup"], []) == PLANS["lookup"]
    assert refined(PLANS["top"], [([1.0],)]).parameters[1:] == PLANS["top"].parameters[1:]
