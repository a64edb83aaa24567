from tests.ports.lint.cases import found
from tests.support.rows import check_rows

CALL, ATTRIBUTE = "AST_BANNED_CALL", "AST_BANNED_ATTR"


@check_rows(
    ("source", "findings"),
    [
        ("getattr(1, 'real')", []),
        ("getattr(1, 'gi_frame')", [(ATTRIBUTE, 1, 12)]),
        ("x = 'a'\ngetattr(1, x)", [(CALL, 2, 1)]),
        ("getattr(1)", [(CALL, 1, 1)]),
        ("x = [1]\ngetattr(*x, 'a')", [(CALL, 2, 1)]),
        ("x = hasattr", [(CALL, 1, 5)]),
        ("type(1); type(1).__name__", []),
        ("type('A', (), {})", [(CALL, 1, 1)]),
        ("type(type(1))", [(CALL, 1, 1)]),
        ("type(int)", [(CALL, 1, 1)]),
        ("def f(object): return type(object)", []),
        ("x = [type]", [(CALL, 1, 6)]),
        ("isinstance(1, type)", []),
        ("list(map(type, [1]))", []),
        ("list(map(type, ['A'], [()], [{}]))", [(CALL, 1, 10)]),
        ("import operator as o\no.attrgetter('a.b')", []),
        ("import operator as o\no.attrgetter('a.mro')", [(ATTRIBUTE, 2, 14)]),
        ("import operator as o\nx = o.attrgetter", [(CALL, 2, 5)]),
        ("from operator import methodcaller as m\nm('strip', 1)", []),
        ("from operator import methodcaller as m\nm(1)", [(CALL, 2, 1)]),
        ("from functools import wraps\nwraps(int)", []),
        ("from functools import wraps\nwraps(int, ['x'])", [(CALL, 2, 1)]),
        ("from functools import wraps\nx = wraps", [(CALL, 2, 5)]),
    ],
)
def test_calls_in_one_form_only(source, findings):
    assert found(source) == findings


def test_a_trait_has_no_attributes_by_name():
    assert (CALL, 3, 9) in found(
        "class A(Trait):\n    async def execute(self, entity):\n        getattr(1, 'real')", "trait"
    )
