from tests.ports.lint.cases import found
from tests.support.rows import check_rows

from mendel.ports.lint.attributes import allowed_attribute
from mendel.ports.lint.policies import PROGRAM, TRAIT

ATTRIBUTE, CALL = "AST_BANNED_ATTR", "AST_BANNED_CALL"


@check_rows(
    ("source", "findings"),
    [
        ("x = 1\nx.__dict__", [(ATTRIBUTE, 2, 1)]),
        ("x = 1\nx.gi_frame", [(ATTRIBUTE, 2, 1)]),
        ("x = 1\nx.__class__", [(ATTRIBUTE, 2, 1)]),
        ("def f(x): return x.__class__", []),
        ("def f(x): x.__class__ = int", [(ATTRIBUTE, 1, 11)]),
        ("def f(x):\n    match x:\n        case int(__class__=c): pass", [(ATTRIBUTE, 3, 14)]),
        ("x = '__globals__'", [(ATTRIBUTE, 1, 5)]),
        ("def f():\n    '''Not __globals__.'''", []),
        ("x = '__start__'", []),
        ("x = '{0.__dict__}'.format(1)", [(ATTRIBUTE, 1, 5), (ATTRIBUTE, 1, 5)]),
        ("x = '{0.tb_frame}'.format(1)", [(ATTRIBUTE, 1, 5)]),
        ("x = '{0:{1.tb_frame}}'.format(1)", [(ATTRIBUTE, 1, 5)]),
        ("x = '{'.format(1)", []),
        ("a = '{}'\nx = a.format(1)", []),
        ("a = '{.mro}'\nx = a.format(1)", [(ATTRIBUTE, 2, 5)]),
        ("a = '{}' + ''\nx = a.format(1)", [(CALL, 2, 5)]),
        ("def f(m): return m.format == 'b'", []),
        ("class A:\n    def f(self): return self.format(1)", []),
        ("object.__setattr__(1, 'x', 2)", []),
        ("object.__setattr__(1, '__dict__', 2)", [(ATTRIBUTE, 1, 23), (ATTRIBUTE, 1, 23)]),
        ("x = object.__setattr__", [(CALL, 1, 5)]),
    ],
)
def test_attributes(source, findings):
    assert found(source) == findings


def test_a_trait_knows_fewer():
    assert allowed_attribute(PROGRAM, "__enter__")
    assert not allowed_attribute(TRAIT, "__enter__")
    assert allowed_attribute(TRAIT, "__len__")
    assert allowed_attribute(TRAIT, "_own")
    assert not allowed_attribute(PROGRAM, "__getattr__")
    assert not allowed_attribute(PROGRAM, "cr_frame")
