"""Fewer iterations: shrink the ranges of inner loops, and unroll loops."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mendel.breeding.code import Edit
from mendel.breeding.rewrites import scope, texts
from mendel.breeding.rewrites.rules import operator
from mendel.breeding.view import View, writes

MOST_ROUNDS = 8
"""Maximum number of iterations of a loop that is unrolled completely."""


def is_range(node: ast.AST) -> bool:
    """Return whether a node is ``range(…)`` with positional arguments."""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"
    return isinstance(node, ast.Call) and called and 1 <= len(node.args) <= 3 and not node.keywords


def _indices_around(view: View, node: ast.AST) -> list[str]:
    """Return the variables of the ``for`` loops around a node, innermost first, without the loop it is the head of."""
    found: list[str] = []
    child, parent = node, view.code.parents[node]
    while not isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
        if isinstance(parent, ast.For) and child in parent.body and isinstance(parent.target, ast.Name):
            found.append(parent.target.id)
        child, parent = parent, view.code.parents[parent]
    return found


def shrunk(view: View, node: ast.AST) -> Iterator[Edit]:
    """Let a range in a loop begin after the outer index or end before it; a search for divisors ends at the root."""
    if not is_range(node) or not isinstance(node, ast.Call):
        return
    given = [view.code.of(each) for each in node.args]
    start, stop, *step = given if len(given) > 1 else ["0", *given]
    for index in _indices_around(view, node)[:2]:
        for first, last in _bounds(index, start, texts.atom(stop)):
            yield _ranged(view, node, [first, last, *step])
    if not step and _divides(view, node):
        yield _ranged(view, node, [start, f"math.isqrt({stop}) + 1"], "import math")
        yield _ranged(view, node, [start, f"{texts.atom(stop)} // 2 + 1"])
    elif len(node.args) == 3 and step[0].isidentifier():
        yield _ranged(view, node, [f"{step[0]} * {step[0]}", stop, *step])


def _divides(view: View, node: ast.Call) -> bool:
    """Return whether the loop over the range computes remainders, as a search for divisors does."""
    parent = view.code.parents[node]
    return any(isinstance(each, ast.Mod) for each in ast.walk(parent))


def _bounds(index: str, start: str, stop: str) -> Iterator[tuple[str, str]]:
    if index == start or start.startswith(f"{index} "):
        return  # the range depends on the outer index already
    yield f"{index} + 1", stop
    yield index, stop
    yield start, f"{stop} - {index}"
    yield start, f"{stop} - {index} - 1"
    yield start, index


def _ranged(view: View, node: ast.Call, given: list[str], *imports: str) -> Edit:
    shown = given[1:] if given[0] == "0" and len(given) == 2 else given
    return Edit((view.code.replaced(node, f"range({', '.join(shown)})"),), "a shorter range", imports)


def unrolled(view: View, node: ast.AST) -> Iterator[Edit]:
    """Unroll a loop over a range: completely if it is short and constant, else two or four iterations at a time."""
    if not (isinstance(node, ast.For) and isinstance(node.target, ast.Name) and is_range(node.iter)) or node.orelse:
        return
    index = node.target.id
    if scope.jumps(node.body, ast.Break, ast.Continue) or index in writes(node.body):
        return
    given = node.iter.args if isinstance(node.iter, ast.Call) else []
    if len(given) == 1 and isinstance(given[0], ast.Constant):
        yield from _written_out(view, node, index, given[0].value)
    elif len(given) < 3:
        yield from (_by(view, node, index, size) for size in (2, 4))


def _written_out(view: View, node: ast.For, index: str, rounds: object) -> Iterator[Edit]:
    if isinstance(rounds, int) and 0 < rounds <= MOST_ROUNDS:
        text = "\n".join(_round(view, node, index, str(number)) for number in range(rounds))
        change = texts.window(view.code, [node], text)
        if change is not None:
            yield Edit((change,), "written out")


def _by(view: View, node: ast.For, index: str, size: int) -> Edit:
    given = [view.code.of(each) for each in getattr(node.iter, "args", [])]
    start, stop = given if len(given) == 2 else ("0", given[0])
    whole, plain = scope.fresh(view.code, "whole"), texts.block_text(view.code, node.body)
    rounds = [plain, *(_round(view, node, index, f"({index} + {number})") for number in range(1, size))]
    reach = f"{texts.atom(stop)} - {texts.atom(start)}" if start != "0" else stop
    # The first loop stops at the last full group; the second does the remaining iterations one by one.
    text = "\n".join(
        [
            f"{whole} = {texts.atom(stop)} - max(0, {reach}) % {size}",
            f"for {index} in range({start}, {whole}, {size}):",
            *(texts.nested(each) for each in rounds),
            f"for {index} in range(max({start}, {whole}), {stop}):",
            texts.nested(plain),
        ]
    )
    change = texts.window(view.code, [node], text)
    return Edit((change,) if change is not None else (), f"{size} rounds at a time")


def _round(view: View, node: ast.For, index: str, text: str) -> str:
    swaps: texts.Swaps = dict.fromkeys(scope.loads(node.body, index), text)
    return texts.block_text(view.code, node.body, swaps)


SHRINK_RANGE = operator("shrink_range", 1.5, shrunk)
UNROLL = operator("unroll", 0.3, unrolled)
