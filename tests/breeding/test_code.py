"""Source as text and tree: what is not edited stays as it was, byte for byte."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.breeding.code import MOST_CHARACTERS, Code, Edit
from mendel.breeding.normal_form import fingerprint
from mendel.breeding.regions import edits_outside, reachable, size_within
from mendel.breeding.view import View
from mendel.contracts.errors import SourceNotPython

SOURCE = '''"""What it is."""

import math  # for pi


@decorated(1,
           2)
def area(radius: float) -> float:
    """Area."""
    total = 0.0   # begin
    for step in range(3):
        if step: total += step
        else:
            total -= 1
    return math.pi * radius ** 2 + total


class Shape:
    name = "ä"

    def grow(self, by):
        return [self, "ü", by]
'''


def edited(source, change, imports=()):
    """The text after one change made by a function of the code."""
    code = Code(source)
    made = code.edited(Edit((change(code),), "test", imports))
    return None if made is None else made.text


def statement(code, kind, number=0):
    """The n-th statement of a kind."""
    return [node for node in ast.walk(code.tree) if isinstance(node, kind)][number]


def test_a_node_has_its_own_text():
    code = Code(SOURCE)
    grow = code.function("Shape.grow")
    assert code.of(grow.body[0]) == 'return [self, "ü", by]'
    assert code.of(grow.body[0].value.elts[2]) == "by"
    assert code.of(code.function("area")).startswith("@decorated(1,")


def test_functions_are_named_in_the_order_of_the_file():
    assert [name for name, _ in Code(SOURCE).functions()] == ["area", "Shape.grow"]


def test_what_is_not_replaced_stays_byte_for_byte():
    made = edited(SOURCE, lambda code: code.replaced(statement(code, ast.Return), "return 1"))
    assert made == SOURCE.replace("return math.pi * radius ** 2 + total", "return 1")


def test_lines_of_a_replacement_are_indented_as_the_statement_was():
    made = edited(SOURCE, lambda code: code.replaced(statement(code, ast.For), "while total:\n    total -= 1"))
    assert "    while total:\n        total -= 1\n    return" in made


def test_a_statement_goes_with_its_line():
    made = edited(SOURCE, lambda code: code.removed(statement(code, ast.For)))
    assert "total = 0.0   # begin\n    return math.pi" in made


def test_the_only_statement_of_a_block_becomes_pass():
    made = edited(SOURCE, lambda code: code.removed(statement(code, ast.If)))
    assert "for step in range(3):\n        pass\n" in made


def test_a_statement_behind_a_colon_becomes_pass():
    made = edited(SOURCE, lambda code: code.removed(statement(code, ast.AugAssign)))
    assert "if step: pass\n" in made


def test_a_statement_does_not_take_its_neighbour_on_the_line_along():
    made = edited("def f():\n    a = 1; b = 2\n    return b\n", lambda code: code.removed(statement(code, ast.Assign)))
    assert made == "def f():\n    pass; b = 2\n    return b\n"


def test_statements_are_put_before_and_behind():
    made = edited(SOURCE, lambda code: code.before(statement(code, ast.Return), "a = 1\nb = 2"))
    assert "    a = 1\n    b = 2\n    return math.pi" in made
    made = edited(SOURCE, lambda code: code.after(statement(code, ast.Assign), "a = 1\nb = 2"))
    assert "total = 0.0   # begin\n    a = 1\n    b = 2\n    for step" in made


@check_rows("unit", ["\t", "  ", " " * 8])
def test_what_is_written_is_indented_as_the_file_is(unit):
    source = SOURCE.replace("    ", unit)
    made = edited(source, lambda code: code.before(statement(code, ast.Return), "if a:\n    b = 2"))
    assert f"{unit}if a:\n{unit}{unit}b = 2\n{unit}return math.pi" in made
    code = Code(source)
    loop = statement(code, ast.For)
    assert code.flush(loop) == Code(SOURCE).flush(statement(Code(SOURCE), ast.For))
    assert code.edited(Edit((code.replaced(loop, code.flush(loop)),), "")) is None


def test_imports_go_behind_those_that_are_there_and_only_once():
    made = edited(
        SOURCE, lambda code: code.replaced(statement(code, ast.Return), "return 1"), ("import heapq", "import math")
    )
    assert "import math  # for pi\nimport heapq\n\n\n@decorated" in made
    assert made.count("import math") == 1


@check_rows(
    ("source", "expected"),
    [
        ("def f():\n    return 2\n", "import heapq\ndef f():\n    return 1\n"),
        ('"""Doc."""\ndef f():\n    return 2\n', '"""Doc."""\nimport heapq\ndef f():\n    return 1\n'),
        ("#!/bin/python\ndef f():\n    return 2\n", "#!/bin/python\nimport heapq\ndef f():\n    return 1\n"),
        (
            "#!/bin/python\n# -*- coding: utf-8 -*-\ndef f():\n    return 2\n",
            "#!/bin/python\n# -*- coding: utf-8 -*-\nimport heapq\ndef f():\n    return 1\n",
        ),
        (
            "# Licence: any.\n# Of us all.\n\n# What f does.\ndef f():\n    return 2\n",
            "# Licence: any.\n# Of us all.\n\nimport heapq\n# What f does.\ndef f():\n    return 1\n",
        ),
        ("# What f does.\ndef f():\n    return 2\n", "import heapq\n# What f does.\ndef f():\n    return 1\n"),
        ("from __future__ import annotations", None),
    ],
)
def test_imports_find_their_place(source, expected):
    if expected is None:
        assert Code(source).importing(["import heapq"]).text == source + "\nimport heapq\n"
        return
    assert (
        edited(source, lambda code: code.replaced(statement(code, ast.Return), "return 1"), ("import heapq",))
        == expected
    )


def test_what_no_longer_parses_overlaps_or_changes_nothing_is_none():
    code = Code(SOURCE)
    loop, inner = statement(code, ast.For), statement(code, ast.If)
    assert code.edited(Edit((code.replaced(loop, "for"),), "")) is None
    assert code.edited(Edit((code.replaced(loop, "pass"), code.replaced(inner, "pass")), "")) is None
    assert code.edited(Edit((code.replaced(loop, code.flush(loop)),), "")) is None


@check_rows("text", ["def f(:\n", "x = '\0'", "return\n  x", "(" * 300 + ")" * 300])
def test_what_does_not_parse_is_refused_by_line(text):
    with pytest.raises(SourceNotPython, match=r"m\.py does not parse"):
        Code(text, "m.py")


def test_a_file_beyond_the_ceiling_is_refused():
    with pytest.raises(SourceNotPython, match="can be bred"):
        Code("#" * (MOST_CHARACTERS + 1))


@given(st.text(alphabet="aä€𝄞'\"# \t", max_size=12), st.sampled_from(["\n", "\r\n", "\r"]))
def test_offsets_are_right_whatever_the_characters_and_ends_of_lines(text, newline):
    literal = repr(text)
    source = newline.join([f"x = [{literal}, 1]  # ä", f"y = ({literal},", "    17)", ""])
    code = Code(source)
    first, second = code.tree.body
    assert code.of(first.value.elts[0]) == literal
    assert code.of(second.value.elts[1]) == "17"
    assert code.text == source


# --- normal form ---------------------------------------------------------------------------------------------------


BASE = (
    "def f(items: list) -> int:\n    '''Doc.'''\n    total: int = 0\n    for x in items:  # each\n"
    "        total += x\n    return total\n"
)


@check_rows(
    "same",
    [
        BASE.replace("total", "s").replace("x", "v"),
        BASE.replace("  # each", ""),
        BASE.replace("    '''Doc.'''\n", ""),
        BASE.replace(": int = 0", " = 0"),
        BASE.replace(": list", "").replace(" -> int", ""),
    ],
)
def test_looks_do_not_count(same):
    assert same != BASE
    assert fingerprint(Code(same)) == fingerprint(Code(BASE))


@check_rows(
    "other",
    [
        BASE.replace("+=", "-="),
        BASE.replace("= 0", "= 1"),
        BASE.replace("items", "values"),  # a parameter's name is part of what callers see
        BASE.replace("return total", "return x"),
        "import math\n" + BASE,
    ],
)
def test_what_is_done_counts(other):
    assert fingerprint(Code(other)) != fingerprint(Code(BASE))


# --- regions -------------------------------------------------------------------------------------------------------

FILE = (
    "import math\nLIMIT = 3\ndef f(x, y=1):\n    return g(x)\ndef g(x):\n    return x\nclass C:\n"
    "    def m(self):\n        return 1\n    def n(self):\n        return 2\n"
)


@check_rows(
    "changed",
    [
        FILE.replace("return g(x)", "return x + math.pi"),
        "import heapq\n" + FILE,
        FILE.replace("def f", "@cached\ndef f"),
        FILE.replace("return 1", "return 9"),
    ],
)
def test_edits_inside_and_new_imports_are_allowed(changed):
    assert edits_outside(Code(FILE), Code(changed), ["f", "C.m"]) is None


@check_rows(
    ("changed", "named"),
    [
        (FILE.replace("LIMIT = 3", "LIMIT = 4"), "LIMIT"),
        (FILE.replace("return x\n", "return 0\n"), "g"),
        (FILE.replace("y=1", "y=2"), "function f"),
        (FILE.replace("import math\n", ""), "import math"),
        (FILE.replace("return 2", "return 3"), "C.n"),
        (FILE.replace("class C:", "class C(list):"), "class C"),
        (FILE + "print(1)\n", "print"),
        (FILE.replace("def f", "async def f"), "function f"),
        (FILE + "def h():\n    pass\n", "function h"),
    ],
)
def test_edits_outside_are_named(changed, named):
    assert named in edits_outside(Code(FILE), Code(changed), ["f", "C.m"])


def test_what_a_function_calls_may_change_with_it():
    source = (
        "def f(x):\n    return g(x)\ndef g(x):\n    return C().m()\nclass C:\n    def m(self):\n"
        "        return 1\ndef alone():\n    pass\n"
    )
    assert reachable(Code(source), "f") == ("f", "g", "C.m")


# --- views ---------------------------------------------------------------------------------------------------------


def test_places_are_classed():
    code = Code(
        "def f(x):\n    a = 1\n    for i in x:\n        b = i\n        for j in x:\n            c = j\n    return a\n"
    )
    view = View(code, ("f",))
    assert [view.site(each) for each in view.statements()] == ["plain", "loop", "loop", "loop", "inner", "return"]


def test_names_have_values_only_behind_their_first_binding_or_in_its_loop():
    code = Code("def f(x):\n    a = 1\n    for i in x:\n        b = late\n        late = i\n    c = 2\n    return a\n")
    view = View(code, ("f",))
    statements = list(view.statements())
    assert view.names_before(statements[2]) == ["x", "a", "i", "b", "late"]
    assert "c" not in view.names_before(statements[1])


def test_what_the_parser_dislikes_about_bred_text_is_not_told():
    program = (
        "from mendel.breeding.code import Code; from mendel.breeding.normal_form import fingerprint; "
        "code = Code('def f(x):\\n    return 1if x else \"\\\\d\"\\n'); fingerprint(code)"
    )
    done = subprocess.run([sys.executable, "-W", "default", "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_others_still_hear_about_their_own():
    program = "import mendel.breeding.code, ast; ast.parse('1if x else 2', 'own.py')"
    done = subprocess.run([sys.executable, "-W", "default", "-c", program], capture_output=True, text=True, check=True)
    assert "invalid decimal literal" in done.stderr


def test_only_what_may_change_has_a_size():
    source = "import heapq\n\ndef f(x):\n    return x\n"
    alone = size_within(Code(source), ["f"])
    assert size_within(Code(source + "\ndef g(y):\n    return [y] * 3\n"), ["f"]) == alone
    assert size_within(Code(source.replace("return x", "return x + 1")), ["f"]) > alone
    assert size_within(Code("import bisect\n" + source), ["f"]) > alone
