from tests.ports.lint.cases import found, trait
from tests.support.rows import check_rows

LEVEL = "AST_MODULE_LEVEL_CODE"
HEAD = trait("pass")


@check_rows(
    ("code", "column"),
    [
        ("len([])", 1),
        ("for x in []: pass", 1),
        ("if 1: pass", 1),
        ("X = len([])", 5),
        ("X = [y for y in [1]]", 5),
        ("X = 10 ** 10", 5),
        ("X = 1 << 99", 5),
        ("X: len([]) = 1", 4),
        ("def f(x=len([])): pass", 9),
        ("def f(x: len([])): pass", 10),
        ("def f() -> len([]): pass", 12),
        ("class B:\n    x = len([])", 9),
        ("class B:\n    len([])", 5),
        ("class B(len([])): pass", 9),
        ("@len\ndef f(): pass", 2),
        ("@property\n@len\ndef f(): pass", 2),
        ("del Wander", 1),
    ],
)
def test_what_would_run_while_a_trait_is_loaded(code, column):
    findings = [item for item in found(HEAD + code, "trait") if item[0] == LEVEL]
    assert [item[2] for item in findings][:1] == [column]


@check_rows(
    "code",
    [
        "X = 1",
        "X = -2 * 3.5, {'a': [1, 2]}, frozenset({1})",
        "F = lambda: len([])",
        "X: int = 3",
        "import functools\n@functools.lru_cache(maxsize=3)\ndef f(): pass",
        "class B:\n '''Doc.'''\n x = 1\n @property\n def y(self): return 1\n @y.setter\n def y(self, v): pass",
        "import dataclasses as d\n@d.dataclass(frozen=True)\nclass B:\n    x: list = d.field(default_factory=list)",
    ],
)
def test_what_only_defines(code):
    assert found(HEAD + code, "trait") == []
