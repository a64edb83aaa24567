"""Shared by the tests of the static policy."""

from mendel.ports.lint import lint

TRAIT = """class Wander(Trait):
    async def execute(self, entity):
        {}
"""


def trait(body: str) -> str:
    """A whole trait whose execute does ``body``; its first line is line 3, column 9."""
    return TRAIT.format(body.replace("\n", "\n        "))


def found(source: str, profile: str = "program", **options) -> list[tuple[str, int, int]]:
    """Code, line and column of every finding."""
    return [(item.code.value, item.line, item.column) for item in lint(source, profile, **options)]
