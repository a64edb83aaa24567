"""Calls with literal arguments, found in a syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Final

from mendel.contracts.plain_values import spelled
from mendel.guard.spec import Args

Names = Mapping[str, object]
"""Variables with known values."""

MOST_SPELLED: Final = 1_000_000
"""Longer examples are left out, because every run's log would contain them."""

NOT_LITERAL: Final = (ValueError, TypeError, SyntaxError, RecursionError, MemoryError, KeyError, OverflowError)
"""Errors of a value that is not a literal, or not one that may cross into the sandbox."""


def arguments(call: ast.Call, names: Names) -> Args | None:
    """Return the positional arguments of a call; None if one is not a literal, or is given by keyword."""
    if call.keywords or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    try:
        found = tuple(literal(each, names) for each in call.args)
        short = len(spelled(found)) <= MOST_SPELLED
    except NOT_LITERAL:
        return None
    return found if short else None


def literal(node: ast.expr, names: Names) -> object:
    """Return the value of a literal, or of a known variable; a new object each time.

    Raises:
        ValueError: it is not a literal.
    """
    return ast.literal_eval(_Filled(names).visit(ast.parse(ast.unparse(node), mode="eval").body))  # on a copy


def is_call_of(node: ast.AST, name: str) -> bool:
    """Whether the node calls ``name``, or ``something.name``."""
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    return (isinstance(function, ast.Name) and function.id == name) or (
        isinstance(function, ast.Attribute) and function.attr == name
    )


def distinct(examples: Iterable[Args]) -> list[Args]:
    """Return each example once, in order."""
    found: dict[bytes, Args] = {}
    for each in examples:
        found.setdefault(spelled(each), each)
    return list(found.values())


class _Filled(ast.NodeTransformer):
    """Replaces known variables by their values."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._names:
            return node
        return ast.parse(repr(self._names[node.id]), mode="eval").body
