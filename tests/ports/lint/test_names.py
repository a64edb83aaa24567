from tests.ports.lint.cases import found
from tests.support.rows import check_rows

from mendel.ports.lint import lint

CALL, ATTRIBUTE, UNBOUND = "AST_BANNED_CALL", "AST_BANNED_ATTR", "AST_UNBOUND_VARIABLE"


@check_rows(
    ("source", "findings"),
    [
        ("print(valu)\nvalu", [(UNBOUND, 1, 7)]),
        ("def f():\n    return g(h)\n", [(UNBOUND, 2, 12), (UNBOUND, 2, 14)]),
        ("x = eval", [(CALL, 1, 5)]),
        ("def eval(): pass\neval()", [(CALL, 2, 1)]),
        ("def f(eval): return eval()", []),
        ("class A:\n    def eval(self): return self.eval()", []),
        ("x = __builtins__", [(ATTRIBUTE, 1, 5)]),
        ("__builtins__ = 1", [(ATTRIBUTE, 1, 1)]),
        ("def __import__(): pass", [(ATTRIBUTE, 1, 1)]),
        ("x = __name__, __debug__, __doc__", []),
        ("from os import *\nsystem()", [("AST_IMPORT_FORBIDDEN", 1, 1)]),
    ],
)
def test_names(source, findings):
    assert found(source) == findings


def test_a_near_name_is_suggested():
    (finding,) = lint("def f(value):\n    return valu")
    assert "did you mean value?" in finding.hint


def test_the_hint_says_what_to_do_instead_of_a_builtin():
    (finding,) = lint("x = input()")
    assert finding.hint == "take the data as an argument"
