"""Guards for hoisted expressions that may raise: evaluate them before the loop only if the loop would do so."""

from __future__ import annotations

import ast
from typing import Final

from mendel.breeding.rewrites import scope
from mendel.breeding.view import View

_DIVIDES: Final = (ast.Div, ast.FloorDiv, ast.Mod)
_WALKS: Final = frozenset({"enumerate", "sorted", "reversed", "list", "tuple", "set", "iter"})
_EXTREMES: Final = frozenset({"min", "max"})


def guard_of(view: View, node: ast.expr, loop: ast.stmt) -> str | None:
    """Return the condition for evaluating an expression before its loop; None if it is safe, or no guard is known.

    The guard tests the operands that could fail (the list of ``max(s)``, the divisor), or else whether the loop runs.
    """
    culprits = [each for each in ast.walk(node) if isinstance(each, ast.expr) and _may_raise(each)]
    if not culprits:
        return None
    asked = [_asked(view, each) for each in culprits]
    inside = scope.bound_inside(node)
    if all(asked) and not any(scope.free(each) & inside for each in culprits):
        return " and ".join(dict.fromkeys(each for each in asked if each))
    return _runs(view, loop)


def _may_raise(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, _DIVIDES) and not _is_safe(node.right)
    if isinstance(node, ast.Subscript):
        return isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Slice)
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return isinstance(node, ast.Call) and called and _is_call(node, _EXTREMES | {"next"})


def _is_safe(divisor: ast.expr) -> bool:
    """Return whether a divisor is probably never zero: a constant, ``n + 1``, ``max(n, 1)``."""
    if isinstance(divisor, ast.BinOp):
        return isinstance(divisor.op, ast.Add) and isinstance(divisor.right, ast.Constant)
    named = isinstance(divisor, ast.Call) and isinstance(divisor.func, ast.Name) and divisor.func.id == "max"
    given = divisor.args if isinstance(divisor, ast.Call) and named else []
    return isinstance(divisor, ast.Constant) or any(isinstance(each, ast.Constant) for each in given)


def _is_call(node: ast.Call, names: frozenset[str]) -> bool:
    """Return whether a node calls one of the functions with one argument and without a default."""
    named = isinstance(node.func, ast.Name) and node.func.id in names
    return named and len(node.args) == 1 and not any(each.arg == "default" for each in node.keywords)


def _asked(view: View, node: ast.expr) -> str | None:
    """Return the operand that must be non-empty or non-zero for the expression not to raise; None if unknown."""
    if isinstance(node, ast.BinOp):
        measured = _measured(node.right)
        return _plain(view, measured if measured is not None else node.right)
    if isinstance(node, ast.Call):
        return _plain(view, node.args[0])
    if isinstance(node, ast.Subscript) and _is_end(node.slice):
        return _plain(view, node.value)
    return None


def _is_end(place: ast.expr) -> bool:
    """Return whether an index is the first or the last, which every non-empty list has."""
    if isinstance(place, ast.UnaryOp) and isinstance(place.op, ast.USub):
        return isinstance(place.operand, ast.Constant) and place.operand.value == 1
    return isinstance(place, ast.Constant) and type(place.value) is int and place.value == 0


def _measured(node: ast.expr) -> ast.expr | None:
    """Return the argument of a call of ``len``; None for other nodes."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and node.args:
        return node.args[0]
    return None


def _plain(view: View, node: ast.expr) -> str | None:
    return view.code.of(node) if isinstance(node, ast.Name | ast.Attribute | ast.Subscript) else None


def _runs(view: View, loop: ast.stmt) -> str | None:
    """Return a test that shows before a loop whether it has a first iteration; None if unknown."""
    if isinstance(loop, ast.While):
        always = isinstance(loop.test, ast.Constant)
        return view.code.of(loop.test) if scope.pure(loop.test) and not always else None
    head = loop.iter if isinstance(loop, ast.For) else None
    while isinstance(head, ast.Call) and isinstance(head.func, ast.Name) and head.func.id in _WALKS and head.args:
        head = head.args[0]
    if isinstance(head, ast.Call) and isinstance(head.func, ast.Name) and head.func.id == "range":
        measured = _measured(head.args[0]) if len(head.args) == 1 else None
        return view.code.of(measured if measured is not None else head)
    return _plain(view, head) if head is not None else None
