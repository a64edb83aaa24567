"""Rule: only syntax of the profile's allow-list."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendel.contracts.lint import LintCode
from mendel.ports.lint.readings import Reading, Remark

_SPOKEN: Final = {
    "AsyncFunctionDef": ("async def", "write a plain function"),
    "Await": ("await", "call the function directly"),
    "AsyncFor": ("async for", "loop over a list"),
    "AsyncWith": ("async with", "call what you need directly"),
    "With": ("with", "use try and finally"),
    "Global": ("global", "keep state in self"),
    "TryStar": ("except*", "use except"),
}
_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_METACLASSES: Final = frozenset({"abc.ABCMeta", "enum.EnumMeta", "enum.EnumType"})
_CLASS_HINT: Final = "inherit from a class, or write the methods out"


def check_syntax(reading: Reading) -> Iterator[Remark]:
    """Check for nodes that the profile does not allow."""
    for kind, nodes in reading.survey.by_type.items():
        if kind.__name__ not in reading.policy.syntax:
            spoken, hint = _SPOKEN.get(kind.__name__, (kind.__name__, "write it in plainer Python"))
            message = f"`{spoken}` is not part of the profile {reading.policy.profile}"
            yield from (_remark(node, message, hint) for node, _ in nodes if hasattr(node, "lineno"))
    yield from _async_comprehensions(reading)
    yield from _class_keywords(reading)


def _remark(node: ast.AST, message: str, hint: str) -> Remark:
    return Remark(LintCode.AST_SYNTAX_FORBIDDEN, node, message, hint)


def _async_comprehensions(reading: Reading) -> Iterator[Remark]:
    for kind in _COMPREHENSIONS:
        for node, _ in reading.survey.all(kind):
            loops: list[ast.comprehension] = getattr(node, "generators", [])
            for loop in loops:
                if loop.is_async:
                    yield _remark(loop.target, "a comprehension contains `async for`", "loop over a list")


def _class_keywords(reading: Reading) -> Iterator[Remark]:
    for node, scope in reading.survey.all(ast.ClassDef):
        for keyword in node.keywords:
            if reading.policy.profile == "trait":
                yield _remark(keyword, "the class has a keyword argument", _CLASS_HINT)
            elif keyword.arg in ("metaclass", None) and not reading.paths(keyword.value, scope) & _METACLASSES:
                yield _remark(keyword, "the class has a metaclass of its own", _CLASS_HINT)
