from tests.ports.lint.cases import found, trait
from tests.support.rows import check_rows

NONE, INIT = "AST_NO_TRAIT_CLASS", "AST_INIT_REQUIRED_ARGS"
DATACLASS = "from dataclasses import dataclass\nfrom typing import ClassVar\n@dataclass\n"
EXECUTE = "    async def execute(self, entity): pass\n"


@check_rows(
    ("source", "findings"),
    [
        ("", [(NONE, 1, 1)]),
        ("class A: pass", [(NONE, 1, 1)]),
        ("class A(Trait): pass", [(NONE, 1, 1)]),
        ("class A(Trait):\n    def execute(self, entity): pass", [(NONE, 2, 5)]),
        ("class A(Trait):\n    async def execute(self): pass", [(NONE, 2, 5)]),
        ("class A(Trait):\n    async def execute(self, entity, x): pass", [(NONE, 2, 5)]),
        ("class A(Trait):\n    async def execute(self, entity, *, x=1): pass", [(NONE, 2, 5)]),
        ("class A(Trait):\n    async def execute(self, entity): yield 1", [(NONE, 2, 5)]),
        (f"class A(Trait):\n{EXECUTE}class B(A):\n{EXECUTE}", [(NONE, 3, 1)]),
        (f"class Trait:\n    pass\nclass A(Trait):\n{EXECUTE}", [(NONE, 1, 1)]),
        (f"class A(Trait):\n{EXECUTE}    def __init__(self, a, b=1, *, c, d=2): pass", [(INIT, 3, 24), (INIT, 3, 35)]),
        (f"class A(Trait):\n{EXECUTE}    def __init__(self, a=1, *args, **kwargs): pass", []),
        (
            f"{DATACLASS}class A(Trait):\n    a: int\n    b: int = 1\n    c: ClassVar[int]\n{EXECUTE}",
            [(INIT, 5, 5)],
        ),
        ("def f():\n    class A(Trait): pass", [(NONE, 1, 1)]),
    ],
)
def test_the_shape_of_a_trait(source, findings):
    assert found(source, "trait") == findings


def test_a_generator_within_is_fine():
    assert found(trait("def g():\n    yield 1\nentity.energy = sum(g())"), "trait") == []


def test_the_base_may_come_from_a_granted_module():
    source = f"from world import Trait\nclass A(Trait):\n{EXECUTE}"
    assert found(source, "trait", allow_imports=["world"]) == []
