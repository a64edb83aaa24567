"""Operators, constants and expressions are changed, one at a time, and brackets hold."""

import ast

from tests.breeding.trying import load, offered, seen

from mendel.breeding.code import Code

SOURCE = "def f(a, b):\n    if (a + 1) * 2 <= b and not b:\n        return a in [1, 2]\n    return a - b\n"


def texts(operator, source=SOURCE, draws=60):
    return [made.text for _, made in offered(seen(source), operator, draws)]


def test_every_other_sign_is_tried():
    made = texts("operator")
    for sign in ("<", ">", ">=", "==", "!="):
        assert SOURCE.replace("<=", sign) in made
    assert SOURCE.replace("* 2", "// 2") in made
    assert SOURCE.replace(" and ", " or ") in made
    assert SOURCE.replace("a in", "a not in") in made


def test_operands_are_exchanged_and_stay_in_their_brackets():
    assert any("(2) * (a + 1) <= b" in text or "(2) * (a + 1)" in text for text in texts("operator"))
    assert SOURCE.replace("a - b", "b - a") in texts("operator")


def test_a_test_is_negated():
    assert any("(not (" in text for text in texts("operator"))


def test_whole_constants_step_halve_and_become_others():
    made = texts("constant", "def f(x):\n    return x + 6\n\n\nLIMIT = 40\n")
    assert {f"def f(x):\n    return x + {n}\n\n\nLIMIT = 40\n" for n in (5, 7, 0, 1, 3, 12, 40)} <= set(made)


def test_a_negative_constant_stays_one_number():
    made = texts("constant", "def f(x):\n    return x ** 1\n")
    assert all(isinstance(load(text)(2), float | int) for text in made)


def test_floats_move_by_steps_of_every_magnitude():
    made = texts("constant", "def f():\n    return 0.25\n", 400)
    moved = sorted(abs(load(text)() - 0.25) / 0.25 for text in made)
    for power in range(1, 6):
        assert any(10.0**-power * 0.4 < each < 10.0**-power * 1.6 for each in moved), power


def test_zero_moves_too():
    assert any(load(text)() not in (0.0, 0) for text in texts("constant", "def f():\n    return 0.0\n"))


def test_strings_inside_format_strings_are_left_alone():
    source = "def f(x):\n    return f'{x} of {len(x)}'\n"
    assert texts("constant", source) == []


def test_an_expression_becomes_another_of_the_function():
    made = texts("expression")
    assert SOURCE.replace("return a - b", "return a") in made
    known = {ast.unparse(node) for node in ast.walk(Code(SOURCE).tree) if isinstance(node, ast.expr)}
    for text in made:
        returned = Code(text).function("f").body[-1].value
        assert ast.unparse(returned) in known or not isinstance(returned, ast.Name)


def test_bounds_of_a_range_change():
    made = texts("expression", "def f(n):\n    return [i for i in range(n)]\n", 200)
    for bounds in ("range(0, n + 1)", "range(0, n - 1)", "range(n - 1, 0 - 1, -1)"):
        assert any(bounds in text for text in made), bounds


def test_what_is_called_is_no_value():
    made = texts("expression", "def f(n):\n    return len(n) + 1\n")
    assert all("len(" in text or "len" not in text for text in made)


def test_two_numbers_sometimes_move_together():
    source = "def f():\n    return 0.25, 0.5, 3\n"
    made = [load(text)() for text in texts("constant", source, 100)]
    moved = [sum(one != other for one, other in zip(each, (0.25, 0.5, 3), strict=True)) for each in made]
    assert {1, 2} == set(moved)
    assert moved.count(1) > moved.count(2)
