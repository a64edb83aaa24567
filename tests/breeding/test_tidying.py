"""Dead statements go, and nothing is put where nobody comes by."""

import ast

import pytest
from tests.breeding.trying import load, offered, seen

from mendel.breeding.code import Code
from mendel.breeding.rewrites.tidying import dead, tidied, unreachable

DEAD = """
def f(x):
    a = len(x)
    b = a + 1
    for v in x:
        c = v  # nobody asks
    if x:
        return sum(x)
        x.clear()
    return 0
    print(x)
"""


def test_all_that_is_dead_goes_and_what_it_needed_with_it():
    made = tidied(Code(DEAD), ("f",))
    assert made.text == (
        "\ndef f(x):\n    for v in x:\n        pass  # nobody asks\n    if x:\n        return sum(x)\n    return 0\n"
    )
    assert load(made.text)([1, 2]) == 3


def test_a_tidy_program_stays_the_same_object():
    code = Code("def f(x):\n    t = 0\n    for v in x:\n        t += v\n    return t\n")
    assert tidied(code, ("f",)) is code


@pytest.mark.parametrize(
    "line",
    [
        "y = x.pop()",
        "global y\n    y = 1",
        "x[0] = 1",
        "y = 1\n    def g():\n        return y\n    x = g()",
        "a, b = x",
        "x.y = 2",
    ],
)
def test_what_does_something_stays(line):
    code = Code(f"def f(x):\n    {line}\n    return x\n")
    assert dead(code.function("f")) == []


def test_only_the_chosen_functions_are_tidied():
    source = "def f():\n    return 1\n    return 2\n\n\ndef g():\n    return 1\n    return 2\n"
    assert tidied(Code(source), ("g",)).text == "def f():\n    return 1\n    return 2\n\n\ndef g():\n    return 1\n"


JUMPY = """
def f(x):
    t = 0
    for v in x:
        if v < 0:
            raise ValueError(v)
        t += v
    return t
"""


def test_nothing_is_inserted_behind_a_jump():
    made = [code for _, code in offered(seen(JUMPY), "statement_insert", 60)]
    blocks = [block for code in made for node in ast.walk(code.tree) for block in [getattr(node, "body", [])]]
    assert len(made) > 10
    assert not any(unreachable(block) for block in blocks if isinstance(block, list))


def test_dead_statements_are_no_place_for_new_ones():
    source = "def f(x):\n    return x\n    y = 1\n    return y\n"
    made = [code.text for _, code in offered(seen(source), "statement_insert", 60)]
    assert all(text.endswith("    return x\n    y = 1\n    return y\n") for text in made)
