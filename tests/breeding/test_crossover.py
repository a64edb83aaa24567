"""A child of two parents has a node of the second where the two differ."""

import ast

from tests.breeding.corpus import CORPUS
from tests.breeding.trying import load, seen, step
from tests.support.rows import check_rows

from mendel.breeding.code import Code
from mendel.breeding.crossover import crossover
from mendel.contracts.entropy import Entropy

MINE = CORPUS["bubble_sort"]


def children(mine, other, count=40):
    view, other = seen(mine), Code(other)
    edits = [crossover(view, other, Entropy("child", number)) for number in range(count)]
    return [made.text for edit in edits if edit is not None and (made := view.code.edited(edit)) is not None]


def test_equal_parents_have_no_child():
    assert children(MINE, MINE) == []
    assert children(MINE, MINE.replace("# a copy", "# another comment")) == []


def test_a_child_takes_what_the_other_improved():
    other = step(MINE, "shrink_range", "range((len(items) - 1) - i)")
    made = children(MINE, other)
    assert other in made
    assert len(set(made)) > 1


def test_two_improvements_meet():
    early = step(MINE, "early_exit", "if not changed")
    shrunk = step(MINE, "shrink_range", "range((len(items) - 1) - i)")
    both = [text for text in children(shrunk, early) if "changed" in text]
    both += [text for text in children(early, shrunk) if "- 1) - i" in text and "if not changed" in text]
    assert any(load(text)([3, 1, 2]) == [1, 2, 3] for text in both)


def test_what_the_other_imports_comes_along():
    other = step(CORPUS["dijkstra"], "heap", "heappush")
    made = [text for text in children(CORPUS["dijkstra"], other) if "heapq." in text]
    assert made
    assert all("import heapq" in text for text in made)


def test_a_function_that_the_other_lacks_is_left_alone():
    assert children("def f(x):\n    return x\n", "def g(x):\n    return 1\n") == []


@check_rows("name", CORPUS)
def test_any_two_programs_can_meet(name):
    for other in list(CORPUS.values())[::4]:
        renamed = other.replace(f"def {first_function(other)}(", f"def {first_function(CORPUS[name])}(")
        for text in children(CORPUS[name], renamed, 6):
            ast.parse(text)


def first_function(source):
    return next(name for name, _ in Code(source).functions()).split(".")[-1]
