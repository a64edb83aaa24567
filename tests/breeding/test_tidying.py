"""Dead statements go, and nothing is put where nobody comes by."""

import ast

from tests.breeding.trying import load, offered, seen
from tests.support.rows import check_rows

from mendel.breeding.code import Code
from mendel.breeding.rewrites.conditions import truth
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


@check_rows(
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


ALWAYS = [
    "True",
    "not False",
    "len(x) > -1",
    "len(x) > (-1)",
    "len(x) >= 0",
    "-1 < len(x)",
    "0 <= len(x)",
    "len(x) != -2",
]
ALWAYS += ["1", "2 > 1", "x or True", "True and len(x) >= 0", "not len(x) < 0"]
NEVER = ["False", "not True", "0", "len(x) < 0", "len(x) == -1", "-1 >= len(x)", "x and False", "len(x) <= -1", "None"]
OPEN = ["x", "len(x) > 0", "len(x) >= 1", "len(x) <= 0", "len(x) == 0", "x and True", "x > -1", "len(x) >= len(y)"]
OPEN += ["x.pop() or True", "f(x) and False", "0 < len(x) < 3", "(y := 1)", "len(x) > -x", "len(x) is not -1"]


@check_rows(("tests", "told"), [(ALWAYS, True), (NEVER, False), (OPEN, None)])
def test_what_a_condition_always_comes_to(tests, told):
    assert {test: truth(ast.parse(test, mode="eval").body) for test in tests} == dict.fromkeys(tests, told)


def body(text: str) -> str:
    """A function of these lines."""
    return "def f(x, y=1):\n" + "".join(f"    {line}\n" for line in text.split("\n"))


SETTLED = {
    "a block": ("if len(x) > (-1):\n    # why\n    x = sorted(x)\nreturn x", "# why\nx = sorted(x)\nreturn x"),
    "else too": ("if True:\n    x = 1\nelse:\n    x = 2\nreturn x", "x = 1\nreturn x"),
    "never": ("if len(x) < 0:\n    x = 1\nreturn x", "return x"),
    "never, but": ("if False:\n    x = 1\nelse:\n    x = 2\nreturn x", "x = 2\nreturn x"),
    "never, then asks": ("if False:\n    x = 1\nelif x:\n    x = 2\nreturn x", "if x:\n    x = 2\nreturn x"),
    "in a chain": (
        "if y:\n    x = 1\nelif True:\n    x = 2\nelse:\n    x = 3\nreturn x",
        "if y:\n    x = 1\nelse:\n    x = 2\nreturn x",
    ),
    "never in a chain": ("if y:\n    x = 1\nelif 0:\n    x = 2\nreturn x", "if y:\n    x = 1\nreturn x"),
    "never in a longer chain": (
        "if y:\n    x = 1\nelif 0:\n    x = 2\nelif x:\n    x = 3\nreturn x",
        "if y:\n    x = 1\nelif x:\n    x = 3\nreturn x",
    ),
    "on one line": ("if len(x) >= 0: return 1\nreturn x", "return 1"),
    "what it makes unreachable": (
        "if True:\n    if x:\n        return 1\n    return 2\nreturn 3",
        "if x:\n    return 1\nreturn 2",
    ),
    "a part of one": (
        "if (x or y) and len(x) >= 0 and y:\n    x = 1\nreturn x",
        "if (x or y) and y:\n    x = 1\nreturn x",
    ),
    "all parts but one": ("while len(x) > -1 and x:\n    x = x[1:]\nreturn x", "while x:\n    x = x[1:]\nreturn x"),
    "a loop": ("while False:\n    x = 1\nelse:\n    x = 2\nreturn x", "x = 2\nreturn x"),
    "a value": ("return 2 * (x + y if len(x) >= 0 else y)", "return 2 * (x + y)"),
    "the only one": ("for v in x:\n    if False:\n        y = v\nreturn y", "for v in x:\n    pass\nreturn y"),
}


@check_rows("name", SETTLED)
def test_a_condition_that_is_settled_gives_way_to_what_it_chooses(name):
    before, after = SETTLED[name]
    assert tidied(Code(body(before)), ("f",)).text == body(after)


def test_other_habits_of_writing_are_kept():
    source = "def f(x):\r\n  if x:\r\n    y = 1\r\n  elif True:\r\n    for v in x:\r\n      y = v\r\n  return y\r\n"
    assert tidied(Code(source), ("f",)).text == source.replace("elif True", "else")
    assert tidied(Code(source.replace("elif True", "elif False")), ("f",)).text == (
        "def f(x):\r\n  if x:\r\n    y = 1\r\n  return y\r\n"
    )


@check_rows(
    "lines",
    [
        "while True:\n    x = x[1:]\n    if not x:\n        return y",
        "if False:\n    yield x",
        "if x.pop() or True:\n    x = 1\nreturn x",
        'if True:\n    x = """a\n        b"""\nreturn x',
    ],
)
def test_a_condition_that_is_needed_stays(lines):
    code = Code(body(lines))
    assert tidied(code, ("f",)) is code
