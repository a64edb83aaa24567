"""Variables with literal values in source text."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from mendel.bench.inputs.literal_calls import NOT_LITERAL, literal


def known_after(statement: ast.stmt, names: Mapping[str, object]) -> dict[str, object]:
    """Return the variables known after a statement; one that it binds stays known only if the value is a literal."""
    known = {name: value for name, value in names.items() if name not in _touched(statement)}
    target, value = _assignment(statement)
    if target is not None and value is not None:
        try:
            known[target] = literal(value, names)
        except NOT_LITERAL:
            known.pop(target, None)
    return known


def _assignment(statement: ast.stmt) -> tuple[str | None, ast.expr | None]:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id, statement.value
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return statement.target.id, statement.value
    return None, None


def _touched(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds or deletes, or may change by a method call or an item assignment."""
    found: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.value, ast.Name):
            changes = isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load)
            found |= {node.value.id} if changes else set()
    return found
