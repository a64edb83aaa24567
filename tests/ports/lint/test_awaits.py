from tests.ports.lint.cases import found, trait
from tests.ports.lint.test_trait_entity import WORLD
from tests.support.rows import check_rows

AWAIT = ("AST_AWAIT_ON_SYNC", 3, 9)


@check_rows(
    ("body", "rest"),
    [
        ("await 1", ""),
        ("await [1]", ""),
        ("await len([])", ""),
        ("await entity.energy", ""),
        ("await entity.near()", ""),
        ("await self.plain()", ""),
        ("await plain()", ""),
        ("await math.sqrt(2)", "import math\n"),
    ],
)
def test_what_cannot_be_awaited(body, rest):
    source = trait(body) + "    def plain(self): return 1\ndef plain(): return 1\n" + rest
    assert found(source, "trait", entity=WORLD) == [AWAIT]


@check_rows(
    "body",
    [
        "await entity.move()",
        "await self.later()",
        "await later()",
        "await self.hands_out()",
        "await self.unknown",
        "await self.unknown()",
        "f = self.later\nawait f()",
        "await granted.call()",
        "await twice()",
    ],
)
def test_what_may_be(body):
    source = (
        "import granted\n"
        + trait(body)
        + "    async def later(self): return 1\n    def hands_out(self): return later()\n"
        "async def later(): return 1\ndef twice(): return 1\nasync def twice(): return 1\n"
    )
    assert found(source, "trait", entity=WORLD, allow_imports=["granted"]) == []
