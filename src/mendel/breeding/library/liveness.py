"""Liveness analysis: the names that may still be read after a statement, by a backward walk over a function."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mendel.breeding.code import Function
from mendel.breeding.view import LOOPS, own_nodes

Names = frozenset[str]
_NONE: Names = frozenset()
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Liveness:
    """``after[statement]`` are the names whose values may be read after the statement.

    Names that inner functions read, and global and nonlocal names, are always alive.
    """

    def __init__(self, function: Function) -> None:
        self.after: dict[ast.stmt, Names] = {}
        self._always = _captured(function)
        self._block(function.body, _NONE, _NONE, _NONE)

    def _block(self, block: Sequence[ast.stmt], behind: Names, on_break: Names, on_continue: Names) -> Names:
        """Return the names alive before a block, if ``behind`` are alive after it."""
        for statement in reversed(block):
            # Accumulated, because loops visit their bodies several times.
            self.after[statement] = self.after.get(statement, _NONE) | behind | self._always
            behind = self._statement(statement, behind, on_break, on_continue)
        return behind

    def _statement(self, node: ast.stmt, behind: Names, on_break: Names, on_continue: Names) -> Names:
        if isinstance(node, ast.Break):
            return on_break
        if isinstance(node, ast.Continue):
            return on_continue
        if isinstance(node, LOOPS):
            return self._loop(node, behind, on_break, on_continue)
        if isinstance(node, ast.If):
            inner = [self._block(each, behind, on_break, on_continue) for each in (node.body, node.orelse)]
            return inner[0] | inner[1] | _read(node)
        if isinstance(node, ast.Try | ast.TryStar):
            return self._try(node, behind, on_break, on_continue)
        if isinstance(node, ast.With | ast.AsyncWith):
            return (self._block(node.body, behind, on_break, on_continue) - _bound(node)) | _read(node)
        if isinstance(node, ast.Match):
            cases = [self._block(each.body, behind, on_break, on_continue) for each in node.cases]
            return behind.union(*cases) | _read(node)  # perhaps no case matches
        if isinstance(node, ast.Return | ast.Raise):
            return _read(node)
        return (behind - _bound(node)) | _read(node)

    def _loop(
        self, node: ast.For | ast.While | ast.AsyncFor, behind: Names, on_break: Names, on_continue: Names
    ) -> Names:
        otherwise = self._block(node.orelse, behind, on_break, on_continue)
        bound = _NONE if isinstance(node, ast.While) else _bound(node)
        head = otherwise | _read(node)
        while True:  # to a fixed point: names alive at the head are alive at the end of the body
            inner = self._block(node.body, head, behind, head)
            grown = head | (inner - bound)
            if grown == head:
                return head
            head = grown

    def _try(self, node: ast.Try | ast.TryStar, behind: Names, on_break: Names, on_continue: Names) -> Names:
        """Return the names alive before a ``try``: any statement may jump to a handler, so its reads stay alive."""
        end = self._block(node.finalbody, behind, on_break, on_continue)
        handled = _NONE.union(*(self._block(each.body, end, on_break, on_continue) for each in node.handlers))
        handled |= _NONE.union(*(_names(each.type) for each in node.handlers if each.type)) | end
        otherwise = self._block(node.orelse, end, on_break, on_continue)
        before = self._block(node.body, otherwise | handled, on_break | handled, on_continue | handled) | handled
        for statement in node.body:
            for inner in ast.walk(statement):
                if isinstance(inner, ast.stmt) and inner in self.after:  # nested statements can raise, too
                    self.after[inner] |= handled
        return before


def _names(node: ast.AST) -> Names:
    return frozenset(
        each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load | ast.Del)
    )


def _read(node: ast.stmt) -> Names:
    """Return the names that the statement itself reads, including the target of ``x += 1``."""
    if isinstance(node, _SCOPES):
        return _names(node)
    read = {each.id for each in own_nodes(node) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Store)}
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        read.add(node.target.id)
    return frozenset(read)


def _bound(node: ast.stmt) -> Names:
    """Return the names that the statement certainly binds."""
    if isinstance(node, _SCOPES):
        return frozenset({node.name})
    if isinstance(node, ast.AugAssign) or (isinstance(node, ast.AnnAssign) and node.value is None):
        return _NONE
    return frozenset(
        each.id for each in own_nodes(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    )


def _captured(function: Function) -> Names:
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Global | ast.Nonlocal):
            found |= set(node.names)
        elif isinstance(node, _SCOPES) and node is not function:
            found |= _names(node)
    return frozenset(found)
