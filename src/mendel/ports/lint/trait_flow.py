"""Rule: a trait cannot swallow the error that stops it, which is raised through it when it runs out of fuel.

A bare ``except``, or an exit from a ``finally`` other than its end, would drop that error.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendel.contracts.lint import LintCode
from mendel.ports.lint.readings import Reading, Remark

_LOOPS: Final = (ast.For, ast.While, ast.AsyncFor)
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def check_flow(reading: Reading) -> Iterator[Remark]:
    """Check for a bare ``except``, and for exits from a ``finally``."""
    for handler, _ in reading.survey.all(ast.ExceptHandler):
        if handler.type is None:
            message = "a bare except would also catch what stops the trait"
            yield Remark(LintCode.AST_SYNTAX_FORBIDDEN, handler, message, "catch the error that you expect")
    for statement, _ in reading.survey.all(ast.Try):
        for node in _ways_out(statement.finalbody):
            message = "leaving a finally drops what stops the trait"
            yield Remark(LintCode.AST_SYNTAX_FORBIDDEN, node, message, "leave after the finally")


def _ways_out(block: list[ast.stmt]) -> Iterator[ast.stmt]:
    stack: list[tuple[ast.AST, bool]] = [(statement, False) for statement in block]
    while stack:
        node, looping = stack.pop()
        if isinstance(node, ast.Return) or (isinstance(node, ast.Break | ast.Continue) and not looping):
            yield node
        if not isinstance(node, _FUNCTIONS):
            inside = looping or isinstance(node, _LOOPS)  # break and continue of an inner loop stay inside
            stack.extend((child, inside) for child in ast.iter_child_nodes(node))
