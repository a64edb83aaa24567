"""The search for expressions by itself, and which names and parts of a program it is asked about."""

from __future__ import annotations

import ast
import importlib.util
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.breeding.code import Code
from mendel.breeding.library.blocks import blocks_of
from mendel.breeding.library.inside.bank import spelling
from mendel.breeding.library.inside.catalogue import catalogue, filled, namespace
from mendel.breeding.library.inside.probe import Copier, Strange, plain
from mendel.breeding.library.inside.synthesis import synthesise
from mendel.breeding.library.liveness import Liveness
from mendel.breeding.view import View

LISTS = [[], [1], [3, 1, 2], [5, 4, 4, 1], [9, -2, 7, 0, 3], [2, 2, 8, 2, -5, 8]]


def found(environments: list[dict[str, Any]], wanted: list[Any], **options: Any) -> list[str]:
    given = {"constants": [], "bound": ["v", "w"], "hints": [], "packages": [], "calls": 150_000, "seconds": 10.0}
    return synthesise(environments, wanted, **{**given, **options})


def over(lists: list[Any], wanted: Any, **options: Any) -> list[str]:
    return found([{"x": each} for each in lists], [wanted(each) for each in lists], **options)


@check_rows(
    ("wanted", "text"),
    [
        (sorted, "sorted(x)"),
        (lambda x: sorted(x)[::-1], "sorted(x, reverse=True)"),
        (lambda x: x[::-1], "x[::-1]"),
        (lambda x: sorted(set(x)), "sorted(set(x))"),
        (len, "len(x)"),
        (lambda x: len(set(x)) == len(x), "len(x) <= len(set(x))"),
        (lambda x: {v: x.count(v) for v in x}, "dict(collections.Counter(x))"),
        (lambda x: [v * v for v in x if v % 2 == 0], "[v * v for v in x if v % 2 == 0]"),
        (lambda x: sum(v for v in x if v > 2), "sum(v for v in x if 2 < v)"),
        (lambda x: sum(x) - len(x), "sum(x) - len(x)"),
    ],
)
def test_what_is_wanted_is_found(wanted, text):
    assert text in over(LISTS, wanted)


def test_constants_of_the_source_are_used():
    texts = ["hello", "sky", "aeiou", "", "banana", "Eiou", "queue up"]
    wanted = [sum(c in "aeiou" for c in each) for each in texts]
    made = found([{"s": each} for each in texts], wanted, constants=["aeiou"])
    assert "sum(v in 'aeiou' for v in s)" in made


def test_hints_are_gone_over_first():
    envs = [{"x": each, "n": n} for n, each in enumerate(LISTS)]
    wanted = [[v * v for v in range(n + 2)] for n in range(len(envs))]
    assert "[v * v for v in range(n + 2)]" in found(envs, wanted, hints=["range(n + 2)"])


@check_rows("hint", ["range(10**12)", "nonsense(", "missing", "5", "__import__('os')"])
def test_a_hint_that_does_not_work_is_none(hint):
    assert isinstance(over(LISTS, lambda x: [len(x), 77], hints=[hint]), list)


@check_rows(
    ("left", "right"),
    [(1, True), (1, 1.0), (0.0, -0.0), ("1", 1), ([1], (1,)), ({1}, [1]), ([1, [True]], [1, [1]]), (None, 0)],
)
def test_values_are_compared_with_their_types(left, right):
    assert spelling(left) != spelling(right)


@check_rows(
    ("left", "right"),
    [(math.nan, -math.nan), ([math.nan], [-math.nan]), ({"a": 1, "b": 2}, {"b": 2, "a": 1}), ({1, 9, 17}, {17, 9, 1})],
)
def test_equal_values_are_equal(left, right):
    assert spelling(left) == spelling(right)


def test_one_is_not_true():
    assert over(LISTS, bool) != over(LISTS, lambda x: int(bool(x)))
    assert all(type(eval(text, {"x": [1]})) is bool for text in over(LISTS, bool))


def test_work_is_bounded_by_its_count():
    assert over(LISTS, sorted, calls=5) == []
    assert over(LISTS, lambda x: [len(x), 77, x], calls=3_000) == []


def test_garbage_in_nothing_out():
    assert found([], []) == []
    assert found([{"x": 1}], [1, 2]) == []
    assert found([{}, {}], [1, 2]) == []


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.lists(st.integers(-5, 5), max_size=5), st.integers(-3, 9)), min_size=2, max_size=6))
def test_whatever_is_found_holds_and_leaves_its_arguments_alone(pairs):
    environments = [{"x": list(x), "n": n} for x, n in pairs]
    wanted = [sorted(x)[: max(n, 0)] for x, n in pairs]
    for text in found(environments, wanted, calls=30_000):
        for environment, value in zip(environments, wanted, strict=True):
            names = {**namespace(), "x": list(environment["x"]), "n": environment["n"]}
            given = eval(text, names)
            assert spelling(given) == spelling(value)
            assert names["x"] == environment["x"]


SIGNALS = [[0.1, 0.7, -0.4], [1.3, 2.9, -0.2, 0.6, 5.1], [0.3, -7.7, 0.9, 2.2], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]]


def kernels() -> list[dict[str, Any]]:
    return [{"s": signal, "k": place} for signal in SIGNALS for place in (0, 1, 2)]


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (lambda s, k: sum(s[i] * s[i + k] for i in range(len(s) - k)), "np.dot(s[:len(s[k:])], s[k:]).tolist()"),
        (lambda s, k: [v - s[k] for v in s], "np.subtract(s, s[k"),
        (lambda s, _: [[v * w for w in s] for v in s], "np.outer(s, s).tolist()"),
    ],
)
def test_numpy_may_round_otherwise(wanted, text):
    pytest.importorskip("numpy")
    made = found(kernels(), [wanted(each["s"], each["k"]) for each in kernels()], packages=["numpy"], calls=600_000)
    assert any(each.startswith(text) for each in made)


def test_nobody_else_may_round_otherwise():
    wanted = [sum(each["s"]) * (1 + 1e-14) for each in kernels()]
    assert not any("np." not in text for text in found(kernels(), wanted, packages=["numpy"], calls=20_000))


def test_every_callable_of_the_catalogue_can_be_read():
    for call in catalogue(namespace(("numpy",) if importlib.util.find_spec("numpy") else ())):
        assert ast.parse(filled(call.text, "abc", "abc"), mode="eval")
        assert {node.id for node in ast.walk(ast.parse(filled(call.text, "abc", "abc"))) if isinstance(node, ast.Name)}
        assert "{" not in filled(call.text, "abc", "abc")


# --- what a probe takes along -------------------------------------------------------------------------------------


def test_a_probe_copies_small_plain_data_and_nothing_else():
    inner = [1]
    made = plain({"a": [inner], "f": len, "_mendel": 1, "big": [0] * 10_000, "s": "x" * 10_000, "d": {1: (2,)}})
    assert made == {"a": [[1]], "d": {1: (2,)}}
    inner.append(2)
    assert made["a"] == [[1]]


def test_a_value_that_holds_itself_is_strange():
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(Strange):
        Copier().copied(loop)


# --- which names are alive ----------------------------------------------------------------------------------------


def alive(text: str, line: int) -> set[str]:
    function = next(Code(text).functions())[1]
    after = Liveness(function).after
    return set().union(*(names for node, names in after.items() if node.lineno == line))


@check_rows(
    ("body", "line", "names"),
    [
        (["a = 1", "b = 2", "return a"], 3, {"a"}),
        (["while x:", "    y = x", "    x -= y", "return 0"], 3, {"x", "y"}),
        (["while x:", "    y = x", "    x -= 1", "return y"], 3, {"x", "y"}),
        (["for i in x:", "    t = 0", "    for j in x:", "        t += j", "    x.append(t)"], 4, {"x", "t"}),
        (["for i in x:", "    if i:", "        k = i", "        break", "return k"], 4, {"k"}),
        (["try:", "    a = x", "    b = a", "except E:", "    return a", "return b"], 3, {"a", "E", "b"}),
        (["a = x", "def g():", "    return a", "return g"], 5, {"a"}),
        (["a = x", "if a:", "    return a", "return 1"], 2, {"a"}),
    ],
)
def test_a_name_is_alive_while_somebody_may_read_it(body, line, names):
    text = "def f(x):\n" + "".join(f"    {each}\n" for each in body)
    assert alive(text, line) == names


# --- which parts are looked at ------------------------------------------------------------------------------------


def parts(text: str) -> list[tuple[str, int, int]]:
    view = View(Code(text), ("f",))
    return [(each.kind, each.nodes[0].lineno, each.nodes[-1].end_lineno or 0) for each in blocks_of(view)]


def test_the_largest_part_comes_first():
    text = "def f(x):\n    a = 1\n    out = []\n    for v in x:\n        out.append(v)\n    return out\n"
    kinds = parts(text)
    assert kinds[0] == ("tail", 2, 6)
    assert {("run", 4, 5), ("run", 3, 5), ("run", 2, 5)} <= set(kinds)
    sizes = [last - first for _, first, last in kinds]
    assert sizes == sorted(sizes, reverse=True)


@check_rows(
    "body",
    [
        "    for v in x:\n        if v:\n            return v\n    x = x\n    return 1\n",
        "    for v in x:\n        import os\n    x = x\n    return 1\n",
        "    for u in x:\n        for v in x:\n            pass\n        else:\n            break\n    return 1\n",
    ],
)
def test_a_loop_that_leaves_the_block_is_no_run(body):
    runs = [each for each in parts("def f(x):\n" + body) if each[0] == "run"]
    assert all(first == 2 for _, first, _ in runs)
    assert len(runs) <= 1


def test_a_docstring_is_no_part_and_a_function_may_have_nothing_else():
    assert parts('def f(x):\n    """Says so."""\n    x = g(x)\n    x += 1\n    x.sort()\n') == [("tail", 3, 5)]
    assert parts('def f(x):\n    """Says so."""\n') == []


def test_a_generator_is_left_alone():
    assert parts("def f(x):\n    for v in x:\n        yield v\n") == []
