"""Patterns with holes are found in trees, and the same hole wants the same."""

import ast

from tests.support.rows import check_rows

from mendel.breeding.rewrites.patterns import (
    expression_pattern,
    match_expression,
    match_statements,
    same,
    statement_pattern,
)


def found(pattern, text):
    node = ast.parse(text, mode="eval").body
    return [{hole: ast.unparse(held) for hole, held in bound.items()} for bound in match_expression(
        expression_pattern(pattern), node)]  # fmt: skip


@check_rows(
    ("pattern", "text", "bound"),
    [
        ("$a + $b", "x + y * 2", {"a": "x", "b": "y * 2"}),
        ("$a + 1", "1 + n", {"a": "n"}),
        ("$a < $b", "x > y", {"a": "y", "b": "x"}),
        ("$a * $a", "(x + 1) * (x + 1)", {"a": "x + 1"}),
        ("?f($a)", "len(x[1:])", {"f": "len", "a": "x[1:]"}),
        ("$a and $b", "p and q and r", {"a": "p and q", "b": "r"}),
        ("min($q, key=lambda ?v: $k)", "min(s, key=lambda n: d[n])", {"q": "s", "v": "n", "k": "d[n]"}),
    ],
)
def test_an_expression_is_found(pattern, text, bound):
    assert bound in found(pattern, text)


@check_rows(
    ("pattern", "text"),
    [("$a * $a", "x * y"), ("?f($a)", "a.b(c)"), ("$a - 1", "1 - n"), ("$a < $b", "x < y < z"), ("0", "False")],
)
def test_another_expression_is_not(pattern, text):
    assert found(pattern, text) == []


def statements(pattern, text):
    return list(match_statements(statement_pattern(pattern), ast.parse(text).body))


def test_statements_are_found_with_what_stands_between():
    source = "out: list[int] = []\nn = 1\nfor a, b in y:\n    out.append(a)\nm = 1"
    ((taken, bound),) = statements("?o = []\n$$gap\nfor $t in $x:\n    ?o.append($e)", source)
    assert taken == 3
    assert [ast.unparse(each) for each in bound["gap"]] == ["n = 1"]


def test_adding_is_found_in_both_spellings():
    assert statements("?t += $e", "t += 1")
    assert statements("?t += $e", "t = t + 1")
    assert not statements("?t += $e", "t = s + 1")


def test_same_ignores_whether_it_is_read_or_written():
    read, write = ast.parse("x[0]").body[0].value, ast.parse("x[0] = 1").body[0].targets[0]
    assert same(read, write)
    assert not same(read, ast.parse("x[1]").body[0].value)
