"""What an operator sees of a program: the code, which of it may change, whom it may borrow from, and where to look."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeVar

from mendel.breeding.code import Code, Function, blocks

N = TypeVar("N", bound=ast.AST)
LOOPS: Final = (ast.For, ast.While, ast.AsyncFor)
COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SITES: Final = ("inner", "loop", "return", "plain")
"""Classes of places: in an innermost loop, in another loop or its head, in a return, anywhere else."""


@dataclass(frozen=True)
class View:
    """A program as operators see it.

    ``roots`` are the names of the functions that may change, the one that is called first. ``donors`` are others to
    borrow from, ancestors and the other parent. ``heat`` weighs lines: where time goes, or where faults are.
    ``packages`` may be imported beyond the standard library.
    """

    code: Code
    roots: tuple[str, ...]
    donors: tuple[Code, ...] = ()
    heat: Mapping[int, float] = field(default_factory=dict)
    packages: tuple[str, ...] = ()

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """Those functions that may change and are there."""
        return tuple(found for name in self.roots if (found := self.code.function(name)) is not None)

    def statements(self) -> Iterator[ast.stmt]:
        """Every statement that may change, docstrings left out."""
        for function in self.functions:
            yield from statements_in(function)

    def expressions(self) -> Iterator[ast.expr]:
        """Every expression that may change and is evaluated when the function is called."""
        for statement in self.statements():
            for node in own_nodes(statement):
                if isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
                    yield node

    def nodes(self, *kinds: type[N]) -> list[N]:
        """Every node of these kinds that may change."""
        found: list[N] = []
        for function in self.functions:
            for statement in body_of(function):
                found += [node for node in ast.walk(statement) if isinstance(node, kinds)]
        return found

    def function_of(self, node: ast.AST) -> Function:
        """The innermost function that the node stands in.

        Raises:
            KeyError: it stands in none.
        """
        while not isinstance(node, Function):
            node = self.code.parents[node]
        return node

    def statement_of(self, node: ast.AST) -> ast.stmt:
        """The statement that the node belongs to, or is."""
        while not isinstance(node, ast.stmt):
            node = self.code.parents[node]
        return node

    def loops_around(self, node: ast.AST) -> list[ast.stmt]:
        """The loops in whose body or head the node stands, the innermost first, up to its function."""
        found: list[ast.stmt] = []
        while not isinstance(node, Function | ast.Module):
            node = self.code.parents[node]
            if isinstance(node, LOOPS):
                found.append(node)
        return found

    def site(self, node: ast.AST) -> str:
        """Which of ``SITES`` the node is at."""
        around = self.loops_around(node)
        if around and not any(isinstance(each, LOOPS) for each in ast.walk(around[0]) if each is not around[0]):
            return "inner"
        if around or isinstance(node, LOOPS):
            return "loop"
        return "return" if isinstance(self.statement_of(node), ast.Return) else "plain"

    def weight(self, node: ast.AST) -> float:
        """How promising the node's line is."""
        line = getattr(node, "lineno", None) or self.statement_of(node).lineno
        return self.heat.get(line, 1.0)

    def names_before(self, node: ast.AST) -> list[str]:
        """Names of the function that certainly or perhaps have a value where the node stands, parameters first."""
        function = self.function_of(node)
        line = getattr(node, "lineno", function.lineno)
        bound = [each for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
        around = {id(inner) for loop in self.loops_around(node) for inner in ast.walk(loop)}
        earlier = [name.id for name in bound if name.lineno < line or id(name) in around]
        return list(dict.fromkeys([*parameters(function), *earlier]))


def parameters(function: Function) -> list[str]:
    """The names of a function's parameters."""
    given = function.args
    found = [*given.posonlyargs, *given.args, *([given.vararg] if given.vararg else []), *given.kwonlyargs]
    return [each.arg for each in [*found, *([given.kwarg] if given.kwarg else [])]]


def body_of(function: Function) -> list[ast.stmt]:
    """A function's statements without its docstring."""
    first = function.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return function.body[1:]
    return function.body


def statements_in(function: Function) -> Iterator[ast.stmt]:
    """Every statement of a function, nested ones after the one that holds them."""
    for statement in body_of(function):
        yield from _nested(statement)


def _nested(statement: ast.stmt) -> Iterator[ast.stmt]:
    yield statement
    for _, block in blocks(statement):
        for inner in block:
            yield from _nested(inner)
    for handler in [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]:
        for inner in handler.body:
            yield from _nested(inner)


def own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement that are not in a statement nested in it, nor in an annotation."""
    waiting: list[ast.AST] = [child for child in ast.iter_child_nodes(statement) if child is not _annotation(statement)]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.stmt):
            continue
        yield node
        waiting += ast.iter_child_nodes(node)


def _annotation(statement: ast.stmt) -> ast.AST | None:
    return statement.annotation if isinstance(statement, ast.AnnAssign) else None


def reads(node: ast.AST | Sequence[ast.AST]) -> set[str]:
    """The names that are read in a node."""
    return {each.id for each in _names(node) if isinstance(each.ctx, ast.Load)}


def writes(node: ast.AST | Sequence[ast.AST]) -> set[str]:
    """The names that are bound or deleted in a node."""
    return {each.id for each in _names(node) if not isinstance(each.ctx, ast.Load)}


def _names(node: ast.AST | Sequence[ast.AST]) -> Iterator[ast.Name]:
    for root in [node] if isinstance(node, ast.AST) else node:
        yield from (each for each in ast.walk(root) if isinstance(each, ast.Name))
