from tests.ports.lint.cases import found, trait
from tests.support.rows import check_rows

SYNTAX = "AST_SYNTAX_FORBIDDEN"


@check_rows(
    ("source", "line", "column"),
    [
        ("x = 1\nasync def f(): pass", 2, 1),
        ("x = 1; class_ = 2\nclass A(metaclass=print): pass", 2, 9),
        ("k = {}\nclass A(**k): pass", 2, 9),
    ],
)
def test_what_a_program_does_without(source, line, column):
    assert (SYNTAX, line, column) in found(source)


def test_a_class_may_be_abstract():
    assert found("import abc\nclass A(metaclass=abc.ABCMeta, k=1): pass") == []


@check_rows(
    ("body", "column"),
    [
        ("with entity: pass", 9),
        ("async for x in []: pass", 9),
        ("async with entity: pass", 9),
        ("global g; g = 1", 9),
        ("x = [y async for y in []]", 26),
        ("try: pass\nexcept* ValueError: pass", 9),
    ],
)
def test_what_a_trait_does_without(body, column):
    assert found(trait(body), "trait") == [(SYNTAX, 3, column)]


def test_a_trait_has_no_class_keywords():
    assert (SYNTAX, 1, 9) in found("class A(k=1): pass", "trait")
