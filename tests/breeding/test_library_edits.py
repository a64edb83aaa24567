"""From a program that does by hand what the standard library does to one that does not, through the real sandbox."""

from __future__ import annotations

import copy
import itertools
import math
import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.guard.making import Native
from tests.support import skip_or_fail
from tests.support.rows import check_rows

from mendel.breeding.code import Code, Edit
from mendel.breeding.library import search
from mendel.breeding.library.blocks import blocks_of
from mendel.breeding.library.observing import instrumented, observe
from mendel.breeding.library.search import heat, library_edits
from mendel.breeding.view import View
from mendel.contracts.errors import SandboxUnavailable
from mendel.contracts.evaluations import Grants, Limits


@pytest.fixture(scope="module")
def native() -> Iterator[Native]:
    try:
        place = Native()
    except SandboxUnavailable as error:
        skip_or_fail(str(error))
    yield place
    place.close()


def view_of(text: str, *roots: str, packages: tuple[str, ...] = ()) -> View:
    code = Code(text)
    return View(code, roots or (next(code.functions())[0],), packages=packages)


def edits_of(native: Native, view: View, inputs: list[tuple[Any, ...]], **options: Any) -> tuple[Edit, ...]:
    return native.awaited(library_edits(view, inputs, native.sandbox, entry=view.roots[0], **options))


def changed(view: View, edit: Edit) -> str:
    made = view.code.edited(edit)
    assert made is not None
    return made.text


def running(text: str, name: str) -> Any:
    names: dict[str, Any] = {}
    exec(text, names)
    return names[name]


LISTS = [([],), ([1],), ([3, 1, 2],), ([5, 4, 4, 1],), ([9, -2, 7, 0, 3],), ([2, 2, 8, 2, -5, 8],)]
FRESH = [[7, -3, 7, 100, 0], list(range(12, 0, -1)), [5] * 4, [], [-1]]
TEXTS = [("hello", "l"), ("abcabc", "ca"), ("", "a"), ("zzz", "zz"), ("hello world", "o w"), ("abc", "x"), ("ab", "")]

BUBBLE = '''\
def sort(items):
    """Sorts; says so."""
    items = list(items)
    n = len(items)
    for i in range(n):
        for j in range(0, n - i - 1):
            if items[j] > items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]
    return items
'''
DEDUPE = """\
def unique(items):
    seen = []
    for item in items:
        known = False
        for other in seen:
            if other == item:
                known = True
        if not known:
            seen.append(item)
    return seen
"""
FIND = """\
def find(text, part):
    for start in range(len(text) - len(part) + 1):
        fits = True
        for k in range(len(part)):
            if text[start + k] != part[k]:
                fits = False
                break
        if fits:
            return start
    return -1
"""
GCD = """\
def divisor(a, b):
    while b:
        a, b = b, a % b
    return a
"""
SUBSET = """\
def inside(few, many):
    for one in few:
        if not held(one, many):
            return False
    return True

def held(one, many):
    for other in many:
        if other == one:
            return True
    return False
"""
COUNT = """\
def letters(text, letter):
    total = 0
    for each in text:
        if each == letter:
            total += 1
    return total
"""
SUMS = """\
def sums(items):
    out = []
    for i in range(len(items)):
        total = 0
        for j in range(i + 1):
            total = total + items[j]
        out.append(total)
    return out
"""
SETS = [([1, 2], [2, 1, 3]), ([5, 5], [5]), ([], [1]), ([4], []), ([1, 9], [1, 2]), ([7], [8]), ([3, 2, 3], [3, 2])]
CASES = [
    (BUBBLE, LISTS, "sorted(items)", lambda: [(x,) for x in FRESH], sorted),
    (DEDUPE, LISTS, "list(dict.fromkeys(items))", lambda: [(x,) for x in FRESH], lambda x: list(dict.fromkeys(x))),
    (FIND, TEXTS, "text.find(part)", lambda: [("banana", "nan"), ("x", "xx")], str.find),
    (GCD, [(12, 18), (7, 3), (100, 75), (17, 51), (8, 8), (36, 60)], "math.gcd(a, b)", lambda: [(1071, 462)], math.gcd),
    (SUBSET, SETS, "set(few) <= set(many)", lambda: [([1, 1, 6], [6, 1])], lambda a, b: set(a) <= set(b)),
    (COUNT, [(t, p) for t, p in TEXTS if len(p) == 1], "text.count(letter)", lambda: [("banana", "a")], str.count),
    (
        SUMS,
        LISTS,
        "list(itertools.accumulate(items))",
        lambda: [(x,) for x in FRESH],
        lambda x: [*itertools.accumulate(x)],
    ),
]


@check_rows(("text", "inputs", "expression", "fresh", "oracle"), CASES)
def test_a_whole_body_becomes_one_expression(native, text, inputs, expression, fresh, oracle):
    view = view_of(text)
    made = [changed(view, edit) for edit in edits_of(native, view, inputs)]
    good = [each for each in made if f"return {expression}" in each]
    assert good
    for args in fresh():
        assert running(good[0], view.roots[0])(*args) == oracle(*args)


def test_the_docstring_stays_and_imports_come_along(native):
    view = view_of(BUBBLE)
    assert changed(view, edits_of(native, view, LISTS)[0]) == (
        'def sort(items):\n    """Sorts; says so."""\n    return sorted(items)\n'
    )
    view = view_of(GCD)
    assert changed(view, edits_of(native, view, CASES[3][1])[0]).startswith("import math\n")


WINDOW = """\
def best(x, k):  # windows
    best = None
    for i in range(len(x) - k + 1):
        total = 0  # from here
        for j in range(i, i + k):
            total += x[j]
        if best is None or  total > best:
            best = total   # keep
    return best
"""
WINDOWS = [([1, 2, 3], 2), ([5, -1, 4, 4, 2], 3), ([4, -6, 2, 8], 1), ([9, 9, 1, -4, 3, 3], 4)]


def test_an_inner_block_is_replaced_and_the_rest_stays_byte_for_byte(native):
    view = view_of(WINDOW)
    made = [changed(view, edit) for edit in edits_of(native, view, WINDOWS)]
    head, tail = WINDOW[: WINDOW.index("total = 0")], WINDOW[WINDOW.index("        if best is None") :]
    assert f"{head}total = sum(x[i : i + k])\n{tail}" in made


def test_a_sum_between_two_bounds_is_a_sum_of_a_slice(native):
    text = (
        "def spread(x):\n    out = []\n    for i in range(len(x)):\n        for j in range(i, len(x)):\n"
        "            s = 0\n            for k in range(i, j):\n                s += x[k]\n            out.append(s)\n"
        "    return out\n"
    )
    view = view_of(text)
    made = [changed(view, edit) for edit in edits_of(native, view, LISTS)]
    good = [each for each in made if "s = sum(x[i:j])" in each]
    assert good
    assert running(good[0], "spread")([4, 1, 6, -2]) == running(text, "spread")([4, 1, 6, -2])


def test_several_names_are_found_or_none(native):
    text = (
        "def spans(x):\n    low = high = x[0]\n    for v in x:\n        if v < low:\n            low = v\n"
        "        if v > high:\n            high = v\n    return {'low': low, 'high': high, 'all': (low, high, 'x')}\n"
    )
    view = view_of(text)
    made = [changed(view, edit) for edit in edits_of(native, view, LISTS[1:])]
    good = [each for each in made if "    high = max(x)\n    low = min(x)\n" in each]
    assert running(good[0], "spans")([4, 9, 2]) == {"low": 2, "high": 9, "all": (2, 9, "x")}
    other = text.replace("            low = v\n", "            low = v * 7 % 5 - low\n")
    assert not any(
        "high = max(x)" in changed(view_of(other), each) for each in edits_of(native, view_of(other), LISTS[1:])
    )


def test_names_that_nobody_reads_behind_a_block_need_not_be_found(native):
    text = (
        "def f(x):\n    s = 0\n    odd = 3\n    for v in x:\n        odd = odd * 7 % 11\n        s += v\n"
        "    return {'sum': s, 'text': str(s) + '!'}\n"
    )
    made = [changed(view_of(text), edit) for edit in edits_of(native, view_of(text), LISTS)]
    assert any("    s = sum(x)\n    return {" in each for each in made)


def test_crowded_lines_are_edited_so_that_they_still_parse(native):
    text = (
        "def mean(x):\n    if not x: return 0\n    s = 0; n = 0\n    for v in x: s += v; n += 1\n"
        "    if n > 2:  # ä\n        t = 0\n        for v in x: t += v\n        return 'é', t\n    return s / n\n"
    )
    view = view_of(text)
    edits = edits_of(native, view, LISTS)
    assert edits
    for edit in edits:
        assert running(changed(view, edit), "mean")([1, 2, 6]) is not None


def test_the_innermost_loop_of_a_matrix_product(native):
    text = (
        "def product(a, b):\n    out = []\n    for i in range(len(a)):\n        row = []\n"
        "        for j in range(len(b[0])):\n            s = 0\n            for k in range(len(b)):\n"
        "                s += a[i][k] * b[k][j]\n            row.append(s)\n        out.append(row)\n    return out\n"
    )
    one, two = [[1, 2], [3, 4], [5, 9]], [[5, 6, 0, 7], [7, 8, 3, 3]]
    view = view_of(text)
    made = [changed(view, edit) for edit in edits_of(native, view, [(one, two), ([[1, 2, 3]], [[1], [2], [3]])])]
    fresh = [[2, 7, 1], [0, 3, 8]], [[1, 5], [4, 4], [9, 6]]
    assert any(
        "s = sum(" in each and running(each, "product")(*fresh) == running(text, "product")(*fresh) for each in made
    )


def test_a_program_that_changes_its_argument_can_go_on_doing_so(native):
    text = BUBBLE.replace("    items = list(items)\n", "")
    view = view_of(text)
    made = [changed(view, edit) for edit in edits_of(native, view, LISTS)]
    keeping = [each for each in made if "items[:] = sorted(items)\n    return items" in each]
    given = [3, 1, 2]
    assert running(keeping[0], "sort")(given) is given
    assert given == [1, 2, 3]


def test_a_program_that_only_changes_its_argument(native):
    view = view_of(BUBBLE.replace("    items = list(items)\n", "").replace("    return items\n", ""))
    made = [changed(view, edit) for edit in edits_of(native, view, LISTS)]
    given = [3, 1, 2]
    assert running(made[0], "sort")(given) is None
    assert given == [1, 2, 3]


def test_a_program_that_raises_on_some_inputs_is_seen_on_the_others(native):
    text = (
        "def largest(x):\n    if not x:\n        raise ValueError('nothing')\n    top = x[0]\n    for v in x:\n"
        "        if v > top:\n            top = v\n    return top\n"
    )
    view = view_of(text)
    made = [changed(view, edit) for edit in edits_of(native, view, LISTS)]
    assert any("raise ValueError" in each and "top = max(x)" in each for each in made)


def test_what_no_callable_does_is_left_alone(native):
    text = (
        "def best(x):\n    top = here = 0\n    for v in x:\n        here = max(0, here + v)\n"
        "        top = max(top, here)\n    return top\n"
    )
    more = [*LISTS, ([-3, 4, -1, 2, -6, 5],), ([8, -9, 8, -1, 8],), ([-1, -2],), ([6, -7, 2, 2, -1, 4, -20, 3],)]
    assert edits_of(native, view_of(text), more) == ()


def test_a_call_of_a_helper_becomes_an_expression(native):
    text = "def half(x):\n    return helper(x)[0] * 2\n\ndef helper(x):\n    out = [min(x)]\n    return out\n"
    view = view_of(text)
    made = [changed(view, edit) for edit in edits_of(native, view, LISTS[1:])]
    assert any("min(x) * 2" in each and running(each, "half")([4, 3]) == 6 for each in made)


def test_a_method_is_found_by_its_name(native):
    text = (
        "class Box:\n    @staticmethod\n    def total(x):\n        s = 0\n        for v in x:\n            s += v\n"
        "        return s\n"
    )
    view = view_of(text, "Box.total")
    made = [changed(view, edit) for edit in edits_of(native, view, LISTS)]
    assert running(made[0], "Box").total([3, 4]) == 7
    assert "return sum(x)" in made[0]


def test_a_name_that_means_something_else_here_is_not_used(native):
    text = "def sum(x):\n    s = 0\n    for v in x:\n        s += v\n    return s\n"
    made = [change.text for edit in edits_of(native, view_of(text), LISTS) for change in edit.changes]
    assert made
    assert not any(re.search(r"(?<![.\w])sum\(", each) for each in made)


def test_numpy_is_used_where_it_is_granted(native):
    text = (
        "import numpy as np\n\ndef dot(a, b):\n    out = []\n    for row in a:\n        line = []\n"
        "        for j in range(len(b[0])):\n            s = 0\n            for k in range(len(b)):\n"
        "                s += row[k] * b[k][j]\n            line.append(s)\n"
        "        out.append(line)\n    return out\n"
    )
    inputs = [([[n, 2], [3, n]], [[5, n], [7, 8]]) for n in range(1, 6)]
    view = view_of(text, "dot", packages=("numpy",))
    limits = Limits(case_s=3.0, batch_s=10.0, memory_bytes=1 << 30, threads=8)
    made = [
        changed(view, edit)
        for edit in edits_of(native, view, inputs, grants=Grants(packages=("numpy",)), limits=limits)
    ]
    assert any("return np.dot(a, b).tolist()" in each for each in made)
    assert not any(each.startswith("import numpy as np\nimport numpy") for each in made)


@check_rows(
    "text",
    [
        "def f(x):\n    while True:\n        pass\n",
        "import os\n\ndef f(x):\n    for v in x:\n        os._exit(0)\n    return x\n",
        "def f(x):\n    for v in x:\n        raise SystemExit(3)\n    return x\n",
        "def f(x):\n    for v in x:\n        pass\n    return object()\n",
        "raise RuntimeError('at once')\ndef f(x):\n    for v in x:\n        pass\n    return x\n",
        "def f(x):\n    out = []\n    for v in range(10**9):\n        out.append(v)\n    return out\n",
        "def f(x):\n    y = x\n    for v in x:\n        y = [y, y]\n    while 1:\n        y = [y]\n    return y\n",
        "def f(x):\n    for v in x:\n        yield v\n",
        "async def f(x):\n    for v in x:\n        pass\n    return 1\n",
        "def f(x):\n    for v in x: return f(x)\n    return 2\n",
    ],
)
def test_a_hostile_program_gets_nothing_and_breaks_nothing(native, text):
    assert edits_of(native, view_of(text, "f"), LISTS, limits=Limits(case_s=0.3, batch_s=1.5)) == ()


FORGED = [
    "[(0, {'x': 1}, {'return': 2}, [])] * 3",
    "[(0, {'x': [1]}, {'return': [2]}, ['x']), (0, {'x': [3]}, {'return': [4]}, ['x'])]",
    "[(99, {}, {}, []), (-1, {}, {}, []), (True, {}, {}, [])]",
    "[(0, {1: 2}, {None: 3}, [4]), (0, {}, {}, [[]])]",
    "{'a': 1}",
    "'text'",
    "[(0, {'x; import os': 1}, {'return': 5}, []), (0, {'x; import os': 2}, {'return': 6}, [])]",
    "[[0, {}, {}, []], (0,), None, (0, {}, {}, [], 5)]",
]


@check_rows("forged", FORGED)
def test_a_program_that_makes_up_what_was_seen_only_fools_itself(native, forged):
    text = (
        "import sys\n\ndef f(x):\n    for name, module in list(sys.modules.items()):\n"
        "        if name.endswith('probe'):\n"
        f"            module.LOG.records[:] = {forged}\n            module.Log.put = lambda *args: None\n"
        f"            module.LOG.records = {forged}\n    return x\n"
    )
    view = view_of(text, "f")
    for edit in edits_of(native, view, LISTS):
        assert view.code.edited(edit) is not None


def test_what_is_offered_repeats_exactly(native):
    view = view_of(FIND)
    assert edits_of(native, view, TEXTS) == edits_of(native, view, TEXTS) != ()


def test_nothing_is_done_without_inputs(native):
    assert edits_of(native, view_of(BUBBLE), []) == ()


def test_inputs_are_never_changed(native):
    inputs = copy.deepcopy(LISTS)
    edits_of(native, view_of(BUBBLE.replace("    items = list(items)\n", "")), inputs)
    assert inputs == LISTS


def test_instrumenting_changes_nothing_that_a_program_does():
    from mendel.breeding.library.inside import probe

    for text, inputs, *_ in CASES:
        view = view_of(text)
        names: dict[str, Any] = {}
        exec(instrumented(view, blocks_of(view)), names)
        probe.LOG = probe.Log()
        for args in copy.deepcopy(inputs):
            assert names[view.roots[0]](*copy.deepcopy(args)) == running(text, view.roots[0])(*copy.deepcopy(args))


def test_what_was_before_is_a_copy(native):
    view = view_of(BUBBLE.replace("    items = list(items)\n", ""))
    blocks = blocks_of(view)
    seen = native.awaited(observe(view, blocks, [([2, 1],)], native.sandbox, entry="sort"))
    whole = seen[0][0]
    assert whole.before["items"] == [2, 1]
    assert whole.after["items"] == whole.after["return"] == [1, 2]
    assert whole.same == {"items"}


def test_heat_is_where_the_lines_run(native):
    view = view_of(WINDOW)
    found = native.awaited(heat(view, WINDOWS, native.sandbox, entry="best"))
    assert sorted(found) == search.lines_of(view) == list(range(1, 10))
    assert math.isclose(sum(found.values()), 1.0)
    assert max(found, key=found.__getitem__) in (5, 6)
    assert found[6] > found[2] > 0


def test_heat_of_a_program_that_never_ends(native):
    view = view_of("def f(x):\n    while True:\n        x = x\n    return x\n")
    found = native.awaited(heat(view, [(1,)], native.sandbox, entry="f"))
    assert found[3] > 100 * found[4] > 0
