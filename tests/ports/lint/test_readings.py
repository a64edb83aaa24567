import ast

import pytest
from tests.support.rows import check_rows

from mendel.contracts.lint import ENTITY
from mendel.ports.lint.policies import PROGRAM
from mendel.ports.lint.readings import Reading, is_dunder
from mendel.ports.lint.scopes import Survey


def last(text):
    survey = Survey(ast.parse(text))
    return Reading(PROGRAM, survey, ENTITY), survey.tree.body[-1].value, survey.root


@check_rows(
    ("text", "paths"),
    [
        ("import a; a.b.c", {"a.b.c"}),
        ("import a.b as c; c.d", {"a.b.d"}),
        ("from a import b; b", {"a.b"}),
        ("import a as c\nimport b as c\nc.x", {"a.x", "b.x"}),
        ("a = 1; a.b", set()),
        ("import a; a().b", set()),
    ],
)
def test_what_a_chain_means_by_the_imports(text, paths):
    reading, expression, scope = last(text)
    assert reading.paths(expression, scope) == paths


@pytest.mark.parametrize(("text", "may"), [("x", True), ("x = 1; x", True)])
def test_a_name_of_the_module_may_be_a_builtin(text, may):
    reading, name, scope = last(text)
    assert reading.builtin(name, scope) == may


def test_a_parameter_is_no_builtin():
    reading, function, _ = last("lambda x: x")
    assert not reading.builtin(function.body, reading.survey.scope_of_node[function])


def test_two_underscores_at_each_end():
    assert is_dunder("__x__")
    assert not any(map(is_dunder, ["__x", "x__", "____", "_x_", "__"]))
