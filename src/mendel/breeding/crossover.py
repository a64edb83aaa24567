"""Crossover: replace a node of one parent with a node of the other at the same position or with the same target."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from mendel.breeding.code import Code, Edit, Function, blocks
from mendel.breeding.donors import imports_for
from mendel.breeding.rewrites import texts
from mendel.breeding.rewrites.patterns import same
from mendel.breeding.view import View, body_of
from mendel.contracts.entropy import Entropy

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class _Pair:
    """Two nodes with the same role that differ between the parents."""

    mine: ast.stmt | ast.expr
    other: ast.stmt | ast.expr


def crossover(view: View, other: Code, entropy: Entropy) -> Edit | None:
    """Take one node from the other parent; return None if no matching nodes differ."""
    pairs = [pair for function, theirs in _functions(view, other) for pair in _differing(function, theirs)]
    if not pairs:
        return None
    pair = entropy.pick(pairs, "pair")
    imports = imports_for(other, pair.other)
    if isinstance(pair.mine, ast.stmt) and isinstance(pair.other, ast.stmt):
        text = texts.block_text(other, [pair.other])
        return Edit((view.code.replaced(pair.mine, text),), "a statement of the other parent", imports)
    if isinstance(pair.mine, ast.expr) and isinstance(pair.other, ast.expr):
        text = texts.fitted(view, pair.mine, other.of(pair.other))
        return Edit((texts.swap(view.code, pair.mine, text),), "an expression of the other parent", imports)
    return None


def _functions(view: View, other: Code) -> Iterator[tuple[Function, Function]]:
    for name in view.roots:
        mine, theirs = view.code.function(name), other.function(name)
        if mine is not None and theirs is not None:
            yield mine, theirs


def _differing(mine: Function, theirs: Function) -> list[_Pair]:
    """Return differing statements at the same position or with the same target, and the expressions in them."""
    placed, others = dict(_placed(body_of(mine), ())), dict(_placed(body_of(theirs), ()))
    found = [(each, others[path]) for path, each in placed.items() if path in others]
    by_target = {target: each for each in others.values() for target in _targets(each)}
    found += [(each, by_target[target]) for each in placed.values() for target in _targets(each) if target in by_target]
    # Keyed by identity: a pair that matches by position and by target must count once.
    unlike = {(id(one), id(two)): (one, two) for one, two in found if not same(one, two)}
    pairs = [_Pair(one, two) for one, two in unlike.values()]
    return [*pairs, *(pair for one, two in unlike.values() for pair in _expressions(one, two))]


def _placed(block: list[ast.stmt], path: Path) -> Iterator[tuple[Path, ast.stmt]]:
    for place, node in enumerate(block):
        yield (*path, place), node
        for name, inner in blocks(node):
            yield from _placed(inner, (*path, place, name))


def _targets(node: ast.stmt) -> list[str]:
    """Return keys that identify a statement by its effect: its targets, or that it returns."""
    if isinstance(node, ast.Assign):
        return [ast.unparse(each) for each in node.targets]
    if isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For):
        return [ast.unparse(node.target)]
    return ["return"] if isinstance(node, ast.Return) else []


def _expressions(mine: ast.stmt, other: ast.stmt) -> Iterator[_Pair]:
    """Yield differing expressions with the same role in two statements of the same kind."""
    if type(mine) is not type(other):
        return
    for name in mine._fields:
        one, two = getattr(mine, name), getattr(other, name)
        if isinstance(one, ast.expr) and isinstance(two, ast.expr) and not same(one, two):
            yield _Pair(one, two)
            yield from _inside(one, two)


def _inside(mine: ast.expr, other: ast.expr) -> Iterator[_Pair]:
    if type(mine) is not type(other) or isinstance(mine, ast.JoinedStr):  # f-string parts have no text of their own
        return
    # The nodes may have different numbers of children; common positions are paired.
    for one, two in zip(ast.iter_child_nodes(mine), ast.iter_child_nodes(other), strict=False):
        if isinstance(one, ast.expr) and isinstance(two, ast.expr) and not same(one, two):
            yield _Pair(one, two)
            yield from _inside(one, two)
