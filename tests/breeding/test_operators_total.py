"""Every operator at every place of every program: it answers or declines, and leaves everything else as it was."""

import ast

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.breeding.corpus import CORPUS
from tests.breeding.loop_cases import LOOP_CASES
from tests.breeding.scan_cases import SCAN_CASES
from tests.breeding.structure_cases import STRUCTURE_CASES
from tests.breeding.trying import offered, seen
from tests.support import by_profile
from tests.support.rows import check_rows

from mendel.breeding.catalogue import OPERATORS
from mendel.breeding.code import Code
from mendel.breeding.operators import vary
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import SourceNotPython

DONORS = (Code(CORPUS["bfs"]), Code(CORPUS["helper"]))
SOURCES = [*CORPUS.values(), *(case.source for case in (LOOP_CASES | STRUCTURE_CASES | SCAN_CASES).values())]


def outside(code, roots):
    """Everything of a file but its changeable functions and its imports."""
    skipped = {id(code.function(name)) for name in roots}
    return [part for node in code.tree.body for part in parts(node, skipped)]


def parts(node, skipped):
    if isinstance(node, ast.Import | ast.ImportFrom):
        return []
    if id(node) in skipped:
        return [node.name, ast.dump(node.args), len(node.decorator_list), ast.get_docstring(node)]
    if isinstance(node, ast.ClassDef):
        return [node.name, *(part for each in node.body for part in parts(each, skipped))]
    return [ast.dump(node)]


DRAWS = by_profile(1, 4)


def check(view, operator, draws):
    for edit, made in offered(view, operator, draws):
        assert edit.note
        assert outside(made, view.roots) == outside(view.code, view.roots), (operator, made.text)


@pytest.mark.slow
@check_rows("operator", OPERATORS)
def test_every_operator_answers_at_every_place_of_the_corpus(operator):
    for source in SOURCES:
        check(seen(source, donors=DONORS), operator, DRAWS)


@check_rows("operator", OPERATORS)
def test_an_operator_finds_something_in_the_corpus(operator):
    assert any(
        True for source in SOURCES for _ in offered(seen(source, donors=DONORS, packages=("numpy",)), operator, 2)
    )


@check_rows("operator", OPERATORS)
def test_nothing_beside_the_chosen_function_changes(operator):
    source = CORPUS["bfs"] + CORPUS["helper"] + CORPUS["matcher"]
    for root in ("bfs", "best", "match"):
        view = seen(source, root)
        for _, made in offered(view, operator, 2):
            assert outside(made, (root,)) == outside(view.code, (root,))


def test_the_same_entropy_makes_the_same_program():
    for source in SOURCES[::10]:
        for operator in OPERATORS.values():
            one = vary(seen(source, donors=DONORS), operator, Entropy("again"))
            two = vary(seen(source, donors=DONORS), operator, Entropy("again"))
            assert (one and one.code.text) == (two and two.code.text)


names = st.sampled_from(["x", "y", "n", "i", "out"])
atoms = names | st.sampled_from(["0", "1", "2.5", "''", "[]", "{}", "None", "True", "x[0]", "x[i]", "len(x)"])


def grown(inner):
    pair = st.tuples(inner, inner)
    return st.one_of(
        pair.flatmap(lambda two: st.sampled_from([f"{two[0]} {sign} {two[1]}" for sign in SIGNS])),
        inner.map(lambda one: f"(not {one})"),
        pair.map(lambda two: f"[{two[0]} for i in range({two[1]})]"),
        pair.map(lambda two: f"sum({two[0]} for v in {two[1]} if v)"),
        pair.map(lambda two: f"min({two[0]}, key=lambda v: {two[1]})"),
        pair.map(lambda two: f"f({two[0]}, {two[1]}, x[1:])"),
        pair.map(lambda two: f"({two[0]}, *{two[1]})"),
        pair.map(lambda two: f"({two[0]})[{two[1]}:]"),
        inner.map(lambda one: f"f'{{x!r}} {{n:>3}} {{len(x)}}' + str({one})"),
    )


SIGNS = ["+", "*", "**", "%", "<", "==", "in", "not in", "and", "or", "if x else"]
expressions = st.recursive(atoms, grown, max_leaves=4)
simple = st.one_of(
    st.tuples(names, expressions).map(lambda two: f"{two[0]} = {two[1]}"),
    st.tuples(names, expressions).map(lambda two: f"{two[0]} += {two[1]}"),
    st.tuples(names, expressions).map(lambda two: f"{two[0]}.append({two[1]})"),
    expressions.map(lambda one: f"x[i] = {one}"),
    expressions.map(lambda one: f"return {one}"),
    st.sampled_from(
        ["n = x.pop(0)", "x.sort()", "pass", "i = 0; n = 1", "# only a comment\npass", "y = x[1:]  # rest"]
    ),
)


def indented(lines):
    return "\n".join("    " + line for each in lines for line in each.split("\n"))


def compound(inner):
    body = st.lists(inner, min_size=1, max_size=3).map(indented)
    headed = st.tuples(expressions, body)
    return st.one_of(
        headed.map(lambda two: f"for i in range({two[0]}):\n{two[1]}"),
        headed.map(lambda two: f"for v in {two[0]}:\n{two[1]}\n    if v: break"),
        headed.map(lambda two: f"while {two[0]}:\n{two[1]}\n    i += 1"),
        headed.map(lambda two: f"if {two[0]}:\n{two[1]}\nelse: y = 1"),
        headed.map(lambda two: f"try:\n{two[1]}\nexcept ValueError: n = 2"),
        headed.map(lambda two: f"def g(k):\n{two[1]}\n    return g(k - 1)"),
    )


statements = st.recursive(simple, compound, max_leaves=6)
programs = st.lists(statements, min_size=1, max_size=5).map(lambda body: f"def f(x, y, n):\n{indented(body)}\n")


@settings(max_examples=by_profile(20, 50), deadline=None)
@given(programs, st.lists(st.sampled_from(sorted(OPERATORS)), min_size=4, max_size=4, unique=True))
def test_operators_answer_on_random_programs(source, chosen):
    try:
        view = seen(source, donors=DONORS)
    except SourceNotPython:
        assume(False)
    for operator in chosen:
        check(view, operator, 2)
