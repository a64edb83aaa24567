"""Tables that are read by columns: transpose them once, so that columns are iterated like rows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from mendel.breeding.code import Edit
from mendel.breeding.rewrites import scope, texts
from mendel.breeding.rewrites.hoisting import anchor, equal_ones, repeated
from mendel.breeding.view import View, writes


def transposed(view: View, node: ast.AST) -> Iterator[Edit]:
    """Read ``table[k][j]`` in a loop from a transposed table, which is created once."""
    if not (
        isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Subscript)
    ):
        return
    table = node.value.value
    place = anchor(view, node)
    if not isinstance(table, ast.Name) or not view.code.alone(place) or not repeated(view, node):
        return
    if table.id in writes(place) | _stored_in(place) or isinstance(node.value.slice, ast.Constant | ast.Slice):
        return
    name = scope.fresh(view.code, "columns")
    made = view.code.before(place, f"{name} = list(zip(*{table.id}))")
    turned = f"{name}[{view.code.of(node.slice)}][{view.code.of(node.value.slice)}]"
    swaps = [texts.swap(view.code, each, turned) for each in equal_ones(place, node)]
    yield Edit((made, *swaps), "columns taken once")


def _stored_in(piece: ast.AST) -> set[str]:
    """Return the names of tables with assigned elements, at any depth."""
    found: set[str] = set()
    for node in ast.walk(piece):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            base: ast.expr = node
            while isinstance(base, ast.Subscript):
                base = base.value
            found |= {base.id} if isinstance(base, ast.Name) else set()
    return found


@dataclass(frozen=True)
class Walk:
    """A loop over the rows of a table, possibly zipped with others: the table's name in it, and the nodes it covers."""

    loop: ast.AST
    table: ast.Name
    covered: tuple[ast.AST, ...]


def column_walk(view: View, node: ast.AST) -> Iterator[Edit]:
    """Let a loop over rows that reads the same element of each iterate over that column of a transposed table."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name)):
        return
    walk = _walk_of(view, node, node.value.id)
    place = anchor(view, node)
    if walk is None or isinstance(node.slice, ast.Slice) or not view.code.alone(place):
        return
    found = [each for each in equal_ones(walk.covered, node) if isinstance(each, ast.Subscript)]
    alone = len(found) == len(scope.mentions(walk.covered, node.value.id))
    steady = not scope.free(node.slice) & (scope.changed(walk.covered) | {node.value.id})
    if alone and steady and walk.table.id not in scope.changed(place) and repeated(view, walk.loop):
        columns = scope.fresh(view.code, "columns")
        made = view.code.before(place, f"{columns} = list(zip(*{walk.table.id}))")
        column = texts.swap(view.code, walk.table, f"{columns}[{view.code.of(node.slice)}]")
        swaps = [texts.swap(view.code, each, node.value.id) for each in found]
        yield Edit((made, column, *swaps), "a column walked")


def _walk_of(view: View, node: ast.AST, row: str) -> Walk | None:
    """Return the innermost loop around a node with this name for its rows."""
    parent = view.code.parents[node]
    while not isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
        if isinstance(parent, ast.For) and row in writes(parent.target):
            table = _table(parent.target, parent.iter, row)
            return Walk(parent, table, tuple(parent.body)) if table is not None else None
        if isinstance(parent, ast.ListComp | ast.SetComp | ast.GeneratorExp) and len(parent.generators) == 1:
            (part,) = parent.generators
            table = _table(part.target, part.iter, row)
            if table is not None:
                return Walk(parent, table, (parent.elt, *part.ifs))
        parent = view.code.parents[parent]
    return None


def _table(target: ast.expr, source: ast.expr, row: str) -> ast.Name | None:
    """Return the table that gives the name its rows: the loop's iterable, or one of the zipped ones."""
    targets, sources = [target], [source]
    if isinstance(target, ast.Tuple) and isinstance(source, ast.Call) and scope.loads(source.func, "zip"):
        targets, sources = target.elts, source.args
    pairs = zip(targets, sources, strict=False)
    found = (held for name, held in pairs if isinstance(name, ast.Name) and name.id == row)
    table = next(found, None)
    return table if isinstance(table, ast.Name) else None
