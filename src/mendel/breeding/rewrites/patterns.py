"""Patterns: Python text with holes, matched against syntax trees.

``$x`` matches any expression or target, ``?x`` a name, ``$$x`` on a line of its own any number of statements. A hole
that occurs twice must match equal code. Sums and products also match with swapped sides, comparisons mirrored,
``x += y`` also as ``x = x + y``, and an assignment also with an annotation.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mendel.ports.syntax import expression_tree, module_tree

Bound = ast.expr | tuple[ast.stmt, ...]
Bindings = Mapping[str, Bound]

_PREFIXES: Final = {"$$": "hole_many_", "$": "hole_any_", "?": "hole_name_"}
_HOLE: Final = re.compile(r"(\$\$|\$|\?)(?=[a-z])")
# Fields without effect on what code does.
_IGNORED: Final = frozenset({"ctx", "type_comment", "annotation", "returns", "kind"})
MIRRORED: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}


def expression_pattern(text: str) -> ast.expr:
    """Parse a pattern of one expression."""
    return expression_tree(_spelled(text)).body


def statement_pattern(text: str) -> list[ast.stmt]:
    """Parse a pattern of consecutive statements."""
    return module_tree(_spelled(text)).body


def match_expression(pattern: ast.expr, node: ast.expr) -> Iterator[Bindings]:
    """Yield the bindings of every way in which the pattern matches the node."""
    return _match(pattern, node, {})


def match_statements(pattern: list[ast.stmt], block: Sequence[ast.stmt]) -> Iterator[tuple[int, Bindings]]:
    """Yield every way in which the pattern matches the beginning of the block: number of statements, and bindings."""
    return _sequence(pattern, block, 0, {})


def kinds(pattern: ast.AST) -> tuple[type[ast.AST], ...]:
    """Return the kinds of nodes that a pattern can match; a cheap check, since most nodes are of other kinds."""
    if _hole(pattern) is not None or (isinstance(pattern, ast.stmt) and _many(pattern) is not None):
        return (ast.AST,)
    others = {ast.Assign: (ast.AnnAssign,), ast.AugAssign: (ast.Assign,)}
    return (type(pattern), *others.get(type(pattern), ()))


def same(one: ast.AST, other: ast.AST) -> bool:
    """Return whether two nodes are equal, regardless of whether they read or write."""
    return next(_fields(one, other, {}), None) is not None if type(one) is type(other) else False


def _spelled(text: str) -> str:
    return _HOLE.sub(lambda found: _PREFIXES[found[1]], text)  # holes become names, so that Python's parser reads them


def _hole(pattern: object) -> tuple[str, str] | None:
    """Return the kind and the name of a hole; None if the pattern is not one."""
    spelled = getattr(pattern, "id", None) or (pattern.arg if isinstance(pattern, ast.arg) else None)
    if not isinstance(spelled, str) or not spelled.startswith("hole_"):
        return None
    _, kind, name = spelled.split("_", 2)
    return kind, name


def _many(pattern: ast.stmt) -> str | None:
    hole = _hole(pattern.value) if isinstance(pattern, ast.Expr) else None
    return hole[1] if hole is not None and hole[0] == "many" else None


def _match(pattern: Any, node: Any, found: Bindings) -> Iterator[Bindings]:  # noqa: ANN401 - a field can hold anything
    hole = _hole(pattern)
    if hole is not None:
        yield from _filled(hole, node, found)
    elif isinstance(pattern, list):
        yield from _lists(pattern, node, found)
    elif isinstance(pattern, ast.AST):
        for mine, other in _spellings(pattern, node):
            yield from _fields(mine, other, found)
    elif type(pattern) is type(node) and pattern == node:
        yield found


def _filled(hole: tuple[str, str], node: object, found: Bindings) -> Iterator[Bindings]:
    kind, name = hole
    if isinstance(node, ast.arg):
        node = ast.copy_location(ast.Name(id=node.arg, ctx=ast.Load()), node)
    if not isinstance(node, ast.expr) or (kind == "name" and not isinstance(node, ast.Name)):
        return
    known = found.get(name)
    if known is None:
        yield {**found, name: node}
    elif isinstance(known, ast.expr) and same(known, node):
        yield found


def _lists(patterns: list[Any], nodes: object, found: Bindings) -> Iterator[Bindings]:
    if not isinstance(nodes, list):
        return
    if any(isinstance(each, ast.stmt) for each in patterns):
        yield from (bound for taken, bound in _sequence(patterns, nodes, 0, found) if taken == len(nodes))
    elif len(patterns) == len(nodes):
        yield from _pairs(list(zip(patterns, nodes, strict=True)), found)


def _pairs(pairs: list[tuple[Any, Any]], found: Bindings) -> Iterator[Bindings]:
    if not pairs:
        yield found
        return
    (pattern, node), *rest = pairs
    for bound in _match(pattern, node, found):
        yield from _pairs(rest, bound)


def _sequence(
    patterns: list[ast.stmt], block: Sequence[ast.stmt], taken: int, found: Bindings
) -> Iterator[tuple[int, Bindings]]:
    if not patterns:
        yield taken, found
        return
    first, *rest = patterns
    many = _many(first)
    if many is not None:
        for end in range(taken, len(block) + 1):
            yield from _sequence(rest, block, end, {**found, many: tuple(block[taken:end])})
    elif taken < len(block):
        for bound in _match(first, block[taken], found):
            yield from _sequence(rest, block, taken + 1, bound)


def _fields(pattern: ast.AST, node: ast.AST, found: Bindings) -> Iterator[Bindings]:
    names = [name for name in pattern._fields if name not in _IGNORED]
    yield from _pairs([(getattr(pattern, name, None), getattr(node, name, None)) for name in names], found)


def _spellings(pattern: ast.AST, node: object) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield equivalent spellings of pattern and node in which both have the same type."""
    if not isinstance(node, ast.AST):
        return
    if type(pattern) is type(node):
        yield pattern, node
        yield from ((turned, node) for turned in _turned(pattern))
        yield from ((pattern, parted) for parted in _parted(pattern, node))
    elif isinstance(pattern, ast.Assign) and isinstance(node, ast.AnnAssign) and node.value is not None:
        yield pattern, ast.copy_location(ast.Assign(targets=[node.target], value=node.value), node)
    elif isinstance(pattern, ast.AugAssign) and isinstance(node, ast.Assign) and len(node.targets) == 1:
        spelled = ast.BinOp(left=pattern.target, op=pattern.op, right=pattern.value)
        yield ast.Assign(targets=[pattern.target], value=spelled), node


def _turned(pattern: ast.AST) -> Iterator[ast.AST]:
    """Yield the pattern with swapped sides, where that is equivalent."""
    if isinstance(pattern, ast.BinOp) and isinstance(pattern.op, ast.Add | ast.Mult):
        yield ast.BinOp(left=pattern.right, op=pattern.op, right=pattern.left)
    if isinstance(pattern, ast.Compare) and len(pattern.ops) == 1 and type(pattern.ops[0]) in MIRRORED:
        turned = MIRRORED[type(pattern.ops[0])]()
        yield ast.Compare(left=pattern.comparators[0], ops=[turned], comparators=[pattern.left])


def _parted(pattern: ast.AST, node: ast.AST) -> Iterator[ast.AST]:
    """Yield ``a and b and c`` as ``(a and b) and c``, if the pattern has two sides."""
    if not (isinstance(pattern, ast.BoolOp) and isinstance(node, ast.BoolOp)):
        return
    if len(pattern.values) == 2 < len(node.values):
        first, last = node.values[0], node.values[-2]
        front = ast.copy_location(ast.BoolOp(op=node.op, values=node.values[:-1]), first)
        front.end_lineno, front.end_col_offset = last.end_lineno, last.end_col_offset
        yield ast.BoolOp(op=node.op, values=[front, node.values[-1]])
