import ast

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ports.lint.honest import PROGRAMS, TOOLS, TRAITS
from tests.support.rows import check_rows

from mendel.ports.lint import fingerprint
from mendel.ports.lint.fingerprints import text_fingerprint, tree_fingerprint

SOURCES = sorted([*PROGRAMS.values(), *TOOLS.values(), *TRAITS.values()])
sources = check_rows("source", SOURCES)


@sources
def test_printing_it_anew_changes_nothing(source):
    assert fingerprint(ast.unparse(ast.parse(source))) == fingerprint(source)


@settings(deadline=None)
@given(st.sampled_from(SOURCES), st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])), st.data())
def test_comments_and_blank_lines_change_nothing(source, comment, data):
    lines = ast.unparse(ast.parse(source)).split("\n")
    place = data.draw(st.integers(0, len(lines)))
    indent = data.draw(st.sampled_from(["", "  ", "      "]))
    dressed = "\n".join([*lines[:place], f"{indent}#{comment}", "", *lines[place:]])
    if "coding" not in comment and place not in _within_strings(lines):
        assert fingerprint(dressed.replace("\n", "\r\n") + "\r\n\r\n") == fingerprint(source)


def _within_strings(lines):
    """Places between the lines of one string, where a comment would be part of it."""
    tree = ast.parse("\n".join(lines))
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant | ast.JoinedStr)]
    return {line for node in texts for line in range(node.lineno, node.end_lineno)}


@check_rows(
    ("one", "other"),
    [
        ("def f():\n    '''A.'''\n    return 1", "def f():\n    return 1"),
        ("'''A.'''\nx = 1", "x=1"),
        ("class A:\n    '''A.'''", "class A:\n    pass"),
        ("x = 'a' 'b'", 'x = ("ab")'),
        ("x = 0x10", "x = 16"),
        ("x = u'a'", "x = 'a'"),
        ("f(a,)", "f(a)"),
    ],
)
def test_looks_do_not_count(one, other):
    assert fingerprint(one) == fingerprint(other)


@check_rows(
    ("one", "other"),
    [
        ("x = 1", "x = 1.0"),
        ("x = 1", "x = True"),
        ("x = 1", "y = 1"),
        ("x = 'a'", "x = b'a'"),
        ("x = a - b", "x = b - a"),
        ("x = a + b", "x = a - b"),
        ("f(a, b)", "f(a, *b)"),
        ("{**a}", "{a}"),
        ("def f(*, a, b=1): pass", "def f(*, a=1, b): pass"),
        ("x = ['a', 'b']", "x = ['ab']"),
        ("import a as b", "import a, b"),
        ("global a, b", "global a"),
        ("x = None", "x = ..."),
        ("return_ = 1", "return_ = 1; pass"),
        ("x = '\\ud800'", "x = '\\ud801'"),
        ("x[1:2]", "x[:2]"),
        ("from . import a", "from .. import a"),
    ],
)
def test_what_it_does_counts(one, other):
    assert fingerprint(one) != fingerprint(other)


def test_it_is_the_same_for_ever():
    """Stored in logs: a change here makes every stored fingerprint worthless."""
    source = "def f(x, *, y=1.5):\n    return {x: [y, None, 'a', b'b', 2j, ...], **{}}\n"
    assert fingerprint(source) == "40f069fc6d844e52f6634bf5d584f108dd57f1f30bb16db391d941d4cc7fcd29"


@check_rows("text", ["x = = 1", "\0", "\ud800", "(" * 99, "x" * 10_000_000])
def test_what_has_no_tree_is_hashed_as_it_stands(text):
    assert fingerprint(text) == text_fingerprint(text)
    assert fingerprint(text + " ") != fingerprint(text)


def test_a_long_integer_has_no_decimal_form():
    assert fingerprint("x = 0x" + "f" * 20_000) == tree_fingerprint(ast.parse("x = 0x" + "F" * 20_000))
