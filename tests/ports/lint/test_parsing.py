import ast

from tests.support.rows import check_rows

from mendel.contracts.lint import LintCode
from mendel.ports.lint.parsing import MOST_DEFINITIONS, MOST_DEPTH, MOST_KEYWORDS, MOST_NODES, parse
from mendel.ports.lint.sources import Place, Source


def refusal(text):
    parsed = parse(Source(text))
    assert (parsed.tree is None) == (parsed.complaint is not None)
    return parsed.complaint and (parsed.complaint.code, parsed.complaint.place)


@check_rows(
    ("text", "place"),
    [
        ("x = = 1", Place(1, 5)),
        ("'ä' = 1", Place(1, 1)),
        ("return 1", Place(1, 1)),
        ("def f():\n    break", Place(2, 5)),
        ("def f():\n    x = 1\n    global x", Place(3, 5)),
        ("def f(a, a):\n    pass", Place(1, 1)),
        ("def f():\n    await x", Place(2, 5)),
        ("x = " + "9" * 5000, Place(1, 5)),
        ("  x", Place(1, 3)),
        ("x = '", Place(1, 5)),
        ("match 1:\n    case x:\n        pass\n    case 2:\n        pass", Place(2, 10)),
    ],
)
def test_what_python_does_not_take(text, place):
    code, where = refusal(text)
    assert code == LintCode.SYNTAX_ERROR
    assert where.line == place.line


def test_a_finally_is_compiled_once_and_its_tree_left_alone():
    text = "def f():\n try:\n  return 1\n finally:\n  try:\n   a\n  finally:\n   b"
    assert ast.dump(parse(Source(text)).tree) == ast.dump(ast.parse(text))


def test_what_stands_in_a_finally_is_compiled_too():
    assert refusal(
        "try:\n    pass\nfinally:\n    if 1:\n        try:\n            pass\n        finally:\n            return"
    )


@check_rows(
    ("text", "code"),
    [
        ("x = " + "a." * MOST_DEPTH + "b", LintCode.SOURCE_TOO_DEEP),
        ("x = " + "not " * 100_000 + "b", LintCode.SOURCE_TOO_DEEP),
        ("f(" + ",".join(f"a{n}=1" for n in range(MOST_KEYWORDS + 1)) + ")", LintCode.SOURCE_TOO_LARGE),
        (
            "match a:\n case A(" + ",".join(f"a{n}=1" for n in range(MOST_KEYWORDS + 1)) + "): 1",
            LintCode.SOURCE_TOO_LARGE,
        ),
        ("0;" * MOST_NODES, LintCode.SOURCE_TOO_LARGE),
        ("lambda:0;" * (MOST_DEFINITIONS + 1), LintCode.SOURCE_TOO_LARGE),
    ],
)
def test_what_is_too_much(text, code):
    assert refusal(text)[0] == code


def test_a_long_chain_of_elif_is_not_deep():
    assert refusal("if a:\n    1\n" + "elif b:\n    2\n" * MOST_DEPTH * 2) is None
