"""Conditions with a statically known value: replace them by the branch they choose."""

from __future__ import annotations

import ast
import operator
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from typing import Final

from mendel.breeding.code import Change, Code, Function
from mendel.breeding.rewrites import scope, texts
from mendel.breeding.view import View

Range = tuple[float, float]
Choice = ast.If | ast.While
_LENGTH: Final[Range] = (0, inf)
_ORDERS: Final[Mapping[type[ast.cmpop], Callable[[float, float], bool]]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_LOOSE: Final = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.NamedExpr)
"""Expressions that need brackets next to ``and`` and ``or``."""


def truth(test: ast.expr) -> bool | None:
    """Return the value that a condition always has; None if it varies, or if evaluating it has side effects."""
    return _truth(test) if scope.pure(test) else None


def _truth(test: ast.expr) -> bool | None:
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _truth(test.operand)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        return _of_parts([_truth(each) for each in test.values], deciding=isinstance(test.op, ast.Or))
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = _range(test.left), _range(test.comparators[0])
        return _compared(left, test.ops[0], right) if left is not None and right is not None else None
    return None


def _of_parts(known: Sequence[bool | None], *, deciding: bool) -> bool | None:
    """Combine parts: a true part decides an ``or``, a false part an ``and``; otherwise all must be known."""
    if deciding in known:
        return deciding
    return None if None in known else not deciding


def _range(node: ast.expr) -> Range | None:
    """Return the inclusive bounds of a number; None if they are unknown."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
        return _LENGTH
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        of = _range(node.operand)
        return None if of is None else (-of[1], -of[0])
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value, node.value
    return None


def _compared(left: Range, comparison: ast.cmpop, right: Range) -> bool | None:
    """Return the result of a comparison if all pairs of bounds agree on it; None otherwise."""
    apart = left[1] < right[0] or right[1] < left[0]
    if isinstance(comparison, ast.Eq | ast.NotEq):
        return isinstance(comparison, ast.NotEq) if apart else None
    order = _ORDERS.get(type(comparison))
    if order is None:
        return None
    # Two infinite ends only mean that both numbers are unbounded: they say nothing about the order.
    told = {order(mine, other) for mine in left for other in right if not mine == other == inf}
    return told.pop() if len(told) == 1 else None


def idle(node: ast.stmt) -> bool:
    """Return whether a statement does nothing: its condition never holds, and it has no ``else``."""
    return isinstance(node, Choice) and not node.orelse and truth(node.test) is False and not _yields(node)


def is_elif(code: Code, node: ast.AST) -> bool:
    """Return whether a statement is the ``elif`` of another."""
    return isinstance(node, ast.If) and code.of(node).startswith("elif")


def settled(view: View, function: Function) -> Iterator[Change]:
    """Yield a change for every known condition of a function that puts the chosen branch in its place; may overlap."""
    for node in ast.walk(function):
        change = _settled(view, node)
        if change is not None:
            yield change


def _settled(view: View, node: ast.AST) -> Change | None:
    if not isinstance(node, ast.If | ast.While | ast.IfExp):
        return None
    always = truth(node.test)
    if always is None:
        return _without_settled_parts(view, node.test)
    if isinstance(node, ast.IfExp):
        chosen = node.body if always else node.orelse
        return texts.swap(view.code, node, texts.whole(view.code.of(chosen)))
    if (isinstance(node, ast.While) and always) or _yields(node):  # an endless loop is not its body once
        return None
    return _chosen(view.code, node, node.body if always else node.orelse)


def _without_settled_parts(view: View, test: ast.expr) -> Change | None:
    """Simplify ``a and True`` to ``a``, as only its truth value counts."""
    if not isinstance(test, ast.BoolOp):
        return None
    passing = isinstance(test.op, ast.And)
    left = [each for each in test.values if truth(each) is not passing]
    if len(left) == len(test.values):
        return None
    parts = [view.code.of(each) for each in left]
    if len(left) > 1:
        parts = [f"({text})" if isinstance(each, _LOOSE) else text for each, text in zip(left, parts, strict=True)]
    text = (" and " if passing else " or ").join(parts)
    return view.code.replaced(test, texts.fitted(view, test, text))


def _chosen(code: Code, node: Choice, block: list[ast.stmt]) -> Change | None:
    """Put the block in the statement's place; None if that cannot be done by lines."""
    if any(_over_lines(each) for each in scope.walk(block)):
        return None
    if is_elif(code, node):
        return _in_chain(code, node, block)
    if not block:
        return None
    text = texts.block_text(code, block)
    # An `elif` that comes first becomes `if`.
    return texts.window(code, [node], text.removeprefix("el") if is_elif(code, block[0]) else text)


def _in_chain(code: Code, node: Choice, block: list[ast.stmt]) -> Change | None:
    """Replace an ``elif`` by ``else``, by the next ``elif``, or by nothing."""
    if not block:
        start, end = code.span(node)
        newline = code.text.find("\n", end)
        start = code.text.rfind("\n", 0, start) + 1
        lines = Change(start, len(code.text) if newline < 0 else newline + 1, "")
        return lines if texts.has_lines(code, node) else None
    text = texts.block_text(code, block)
    return texts.window(code, [node], text if is_elif(code, block[0]) else f"else:\n{textwrap.indent(text, code.unit)}")


def _over_lines(node: ast.AST) -> bool:
    """Return whether a node is a string over several lines, which dedenting would change."""
    return isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno != node.lineno


def _yields(node: ast.stmt) -> bool:
    """Return whether a statement makes its function a generator, even if it never runs."""
    return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node))
