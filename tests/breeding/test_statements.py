"""Statements are deleted, inserted, exchanged, replaced and moved; donors speak the language of the place."""

import ast

import pytest
from tests.breeding.trying import load, offered, seen, step

from mendel.breeding.code import Code
from mendel.breeding.donors import Donor, donor_for, grafted
from mendel.contracts.entropy import Entropy

SOURCE = '''
def f(x):
    """Adds."""
    t = 0  # start
    for v in x:
        # each
        k = 2
        t += v * k
    return t
'''
DONOR = """
import math


def g(values):
    best = 0
    for item in values:
        best = max(best, math.sqrt(item))
    return best
"""


def texts(operator, source=SOURCE, **more):
    return [made.text for _, made in offered(seen(source, **more), operator)]


def test_deleting_takes_the_line_and_nothing_else():
    made = texts("statement_delete")
    assert SOURCE.replace("        k = 2\n", "") in made
    assert all('"""Adds."""' in text for text in made)


def test_the_only_statement_of_a_block_becomes_pass():
    made = texts("statement_delete", "def f(x):\n    if x:\n        return 1\n")
    assert "def f(x):\n    if x:\n        pass\n" in made


def test_a_statement_that_shares_its_line_leaves_the_other_alone():
    made = texts("statement_delete", "def f(x):\n    a = 1; b = 2\n    return b\n")
    assert "def f(x):\n    pass; b = 2\n    return b\n" in made


def test_exchanging_keeps_both():
    assert SOURCE.replace("        k = 2\n        t += v * k\n", "        t += v * k\n        k = 2\n") in texts(
        "statement_swap"
    )


def test_a_statement_moves_out_of_a_loop_and_answers_the_same():
    moved = step(SOURCE, "statement_move", "k = 2\n    for v in x")
    assert load(moved)([1, 2, 3]) == load(SOURCE)([1, 2, 3])


def test_a_statement_moves_into_a_loop():
    source = "def f(x):\n    t = 1\n    for v in x:\n        x.pop()\n    return t\n"
    assert "    for v in x:\n        t = 1\n        x.pop()\n" in step(source, "statement_move", "        t = 1")


@pytest.mark.parametrize("operator", ["statement_insert", "statement_replace"])
def test_what_is_inserted_comes_from_the_function_and_from_donors(operator):
    made = texts(operator, donors=(Code(DONOR),))
    assert any("math.sqrt" in text for text in made)
    assert any("math.sqrt" not in text and text != SOURCE for text in made)
    assert all("import math" in text for text in made if "math.sqrt" in text)


def graft(line, place_line, seed=0):
    view, donor = seen(SOURCE), Code(DONOR)
    node = next(each for each in ast.walk(donor.tree) if isinstance(each, ast.stmt) and each.lineno == line)
    place = next(each for each in view.statements() if each.lineno == place_line)
    return grafted(view, Donor(donor, node), place, Entropy(seed))


def test_a_donor_s_strange_names_become_names_of_the_place():
    made = [graft(9, 9, seed).text for seed in range(20)]
    assert all("best" not in text for text in made)
    assert {"return t", "return x", "return v", "return k"} >= set(made)
    assert len(set(made)) > 1


def test_a_donor_keeps_what_it_binds_itself_and_brings_its_imports():
    made = graft(7, 4)
    assert made.text.startswith("for item in x")
    assert made.imports == ("import math",)


def test_equal_names_stay():
    view = seen("def f(values, best):\n    a = 1\n    return best\n")
    donor = Code(DONOR)
    node = donor.function("g").body[-1]
    assert grafted(view, Donor(donor, node), view.functions[0].body[1], Entropy(1)).text == "return best"


def test_a_lone_statement_has_no_donor():
    view = seen("def f():\n    return 1\n")
    assert donor_for(view, view.functions[0].body[0], Entropy(1)) is None
