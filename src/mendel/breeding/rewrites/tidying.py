"""Remove dead code: unreachable statements, assignments that are never read, and conditions with a known value."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from mendel.breeding.code import Change, Code, Edit, Function, blocks
from mendel.breeding.rewrites import conditions, scope, texts
from mendel.breeding.rewrites.rules import operator
from mendel.breeding.view import View

JUMPS: Final = (ast.Return, ast.Break, ast.Continue, ast.Raise)
_NOTE: Final = "removes dead code"
_ROUNDS: Final = 20


def unreachable(block: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a block after the first jump."""
    place = next((number for number, each in enumerate(block) if isinstance(each, JUMPS)), len(block))
    return block[place + 1 :]


def dead(function: Function) -> list[ast.stmt]:
    """Return the statements of a function without effect: unreachable, or assignments of names that are never read."""
    found: list[ast.stmt] = []
    for node in ast.walk(function):
        for _, block in blocks(node):
            found += unreachable(block)
    read = {each.id for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
    shared = {name for each in ast.walk(function) if isinstance(each, ast.Global | ast.Nonlocal) for name in each.names}
    kept = read | shared
    found += [each for each in ast.walk(function) if isinstance(each, ast.stmt) and _is_unread(each, kept)]
    return _outermost(found)


def _is_unread(node: ast.stmt, kept: set[str]) -> bool:
    """Return whether a statement only assigns names that are never read."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    names = [each.id for each in targets if isinstance(each, ast.Name)]
    value = getattr(node, "value", None)
    assigned = isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and len(names) == len(targets)
    return assigned and isinstance(value, ast.expr) and scope.pure(value) and not kept & set(names)


def _outermost(found: Iterable[ast.stmt]) -> list[ast.stmt]:
    """Return each statement once, without those nested in another."""
    listed = list({id(each): each for each in found}.values())
    inside = {id(inner) for each in listed for inner in ast.walk(each) if inner is not each}
    return [each for each in listed if id(each) not in inside]


def tidy(view: View, node: ast.AST) -> Iterator[Edit]:
    """Remove a function's dead statements, all at once, or one condition with a known value."""
    if not isinstance(node, Function) or not any(node is each for each in view.functions):
        return
    changes = _removals(view.code, _outermost([*dead(node), *_idle(view.code, node)]))
    if changes:
        yield Edit(changes, _NOTE)
    for change in conditions.settled(view, node):
        yield Edit((change,), _NOTE)


def _idle(code: Code, function: Function) -> Iterator[ast.stmt]:
    """Yield statements that do nothing because of their condition, except ``elif``, which is part of another one."""
    for node in ast.walk(function):
        if isinstance(node, ast.stmt) and conditions.idle(node) and not conditions.is_elif(code, node):
            yield node


def _removals(code: Code, statements: list[ast.stmt]) -> tuple[Change, ...]:
    """Remove whole lines; an emptied block keeps one ``pass``."""
    gone = {id(each) for each in statements}
    made: list[Change] = []
    for each in statements:
        block = code.block_of(each)
        emptied = all(id(other) in gone for other in block)
        lone = (emptied and each is block[0]) or not texts.has_lines(code, each)
        made.append(code.replaced(each, "pass") if lone else code.removed(each))
    return tuple(made)


def tidied(code: Code, roots: Iterable[str]) -> Code:
    """Return the code without dead code in the functions ``roots``; the same object if there is none."""
    view = View(code, tuple(roots))
    for _ in range(_ROUNDS):  # a removal may make other code dead
        edits = (edit for function in view.functions for edit in tidy(view, function))
        made = next(filter(None, map(view.code.edited, edits)), None)
        if made is None:
            return view.code
        view = View(made, view.roots)
    return view.code


TIDY = operator("tidy", 0.5, tidy)
