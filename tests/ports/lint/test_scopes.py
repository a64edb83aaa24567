import ast
import builtins
import symtable

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ports.lint.honest import PROGRAMS, TRAITS
from tests.support.rows import check_rows

from mendel.ports.lint.scopes import Survey, parameters


def unbound(text):
    survey = Survey(ast.parse(text))
    names = {name.id for name, scope in survey.loads() if scope.find(name.id) is None}
    return names - set(dir(builtins))


@check_rows(
    ("text", "missing"),
    [
        ("x = y", {"y"}),
        ("def f(a, /, b, *c, d, **e): return a, b, c, d, e, f", set()),
        ("def f(a=b): b = 1", {"b"}),
        ("class A:\n    x = 1\n    def f(self): return x", {"x"}),
        ("class A:\n    x = 1\n    y = x", set()),
        ("class A:\n    xs = [1]\n    ys = [y for y in xs]", set()),
        ("class A:\n    xs = [1]\n    ys = [z for y in [1] for z in xs]", {"xs"}),
        ("[x for x in x]", {"x"}),
        ("[y := 1 for _ in [1]]; y", set()),
        ("{a: b for a, b in c}", {"c"}),
        ("lambda a, b=c: a + b + d", {"c", "d"}),
        ("def f():\n    global g\n    g = 1\ng", set()),
        ("def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2", set()),
        ("try: pass\nexcept E as e: e", {"E"}),
        ("import a.b, c as d; a, d, b, c", {"b", "c"}),
        ("from a import b as c; c; b", {"b"}),
        ("match m:\n    case [a, *b] | {'k': a, **b}: a, b\n    case C(x=y) as z: x, y, z", {"m", "C", "x"}),
        ("with a as b: b", {"a"}),
        ("for i in j: i", {"j"}),
        ("x: T = 1", {"T"}),
        ("def f() -> T: pass", {"T"}),
        ("@d\nclass A(B, k=v): pass", {"d", "B", "v"}),
        ("del q", {"q"}),
        ("x += 1", set()),
        ("f'{a} {b!r:{c}}'", {"a", "b", "c"}),
    ],
)
def test_which_names_nothing_binds(text, missing):
    assert unbound(text) == missing


def test_imports_keep_what_they_mean():
    survey = Survey(ast.parse("import a.b, c.d as e\nfrom f import g as h"))
    assert survey.root.imports == {"a": {"a"}, "e": {"c.d"}, "h": {"f.g"}}
    assert survey.imported == {"a", "e", "h"}


def test_parameters_come_in_order():
    (function,) = ast.parse("def f(a, /, b, *c, d, **e): pass").body
    assert [arg.arg for arg in parameters(function.args)] == ["a", "b", "d", "c", "e"]


def unbound_by_python(table):
    """What ``symtable`` holds to be global in any scope."""
    names = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced() and symbol.is_global()}
    return names.union(*map(unbound_by_python, table.get_children()))


@settings(deadline=None)
@given(st.sampled_from(sorted([*PROGRAMS.values(), *TRAITS.values()])))
def test_python_agrees(text):
    table = symtable.symtable(text, "x", "exec")
    bound = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    made = set(Survey(ast.parse(text)).root.bound)
    assert bound <= made
    assert unbound(text) == unbound_by_python(table) - made - set(dir(builtins))
