"""The input of an operator: a program, its editable functions, the donors to copy from, and weights of its lines."""

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
"""Classes of places: in an innermost loop, in another loop or a loop's head, in a return, anywhere else."""


@dataclass(frozen=True)
class View:
    """A program as operators see it.

    ``roots`` are the names of the editable functions, the entry point first. ``donors`` are other programs to copy
    from: ancestors and the other parent. ``heat`` weights lines by their share of time or their suspicion of a fault.
    ``packages`` may be imported in addition to the standard library.
    """

    code: Code
    roots: tuple[str, ...]
    donors: tuple[Code, ...] = ()
    heat: Mapping[int, float] = field(default_factory=dict)
    packages: tuple[str, ...] = ()

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """The editable functions that exist in the code."""
        return tuple(found for name in self.roots if (found := self.code.function(name)) is not None)

    def statements(self) -> Iterator[ast.stmt]:
        """Yield every editable statement, except docstrings."""
        for function in self.functions:
            yield from statements_in(function)

    def expressions(self) -> Iterator[ast.expr]:
        """Yield every editable expression that is evaluated when its function is called."""
        for statement in self.statements():
            for node in own_nodes(statement):
                if isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
                    yield node

    def nodes(self, *kinds: type[N]) -> list[N]:
        """Return every editable node of these kinds."""
        found: list[N] = []
        for function in self.functions:
            for statement in body_of(function):
                found += [node for node in ast.walk(statement) if isinstance(node, kinds)]
        return found

    def function_of(self, node: ast.AST) -> Function:
        """Return the innermost function that contains the node.

        Raises:
            KeyError: no function contains it.
        """
        while not isinstance(node, Function):
            node = self.code.parents[node]
        return node

    def statement_of(self, node: ast.AST) -> ast.stmt:
        """Return the statement that contains the node, or the node itself if it is a statement."""
        while not isinstance(node, ast.stmt):
            node = self.code.parents[node]
        return node

    def loops_around(self, node: ast.AST) -> list[ast.stmt]:
        """Return the loops that contain the node in their body or head, innermost first, up to its function."""
        found: list[ast.stmt] = []
        while not isinstance(node, Function | ast.Module):
            node = self.code.parents[node]
            if isinstance(node, LOOPS):
                found.append(node)
        return found

    def site(self, node: ast.AST) -> str:
        """Return the class of the node's place, one of ``SITES``."""
        around = self.loops_around(node)
        if around and not any(isinstance(each, LOOPS) for each in ast.walk(around[0]) if each is not around[0]):
            return "inner"
        if around or isinstance(node, LOOPS):
            return "loop"
        return "return" if isinstance(self.statement_of(node), ast.Return) else "plain"

    def weight(self, node: ast.AST) -> float:
        """Return the weight of the node's line; 1 without a measurement."""
        # Some nodes, such as comprehension clauses, have no line.
        line = getattr(node, "lineno", None) or self.statement_of(node).lineno
        return self.heat.get(line, 1.0)

    def names_before(self, node: ast.AST) -> list[str]:
        """Return the function's names that have, or may have, a value at the node, parameters first."""
        function = self.function_of(node)
        line = getattr(node, "lineno", function.lineno)
        bound = [each for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
        # A name bound later in a loop around the node has a value from the second iteration on.
        around = {id(inner) for loop in self.loops_around(node) for inner in ast.walk(loop)}
        earlier = [name.id for name in bound if name.lineno < line or id(name) in around]
        return list(dict.fromkeys([*parameters(function), *earlier]))


def parameters(function: Function) -> list[str]:
    """Return the names of a function's parameters."""
    given = function.args
    found = [*given.posonlyargs, *given.args, *([given.vararg] if given.vararg else []), *given.kwonlyargs]
    return [each.arg for each in [*found, *([given.kwarg] if given.kwarg else [])]]


def body_of(function: Function) -> list[ast.stmt]:
    """Return a function's statements without its docstring."""
    first = function.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return function.body[1:]
    return function.body


def statements_in(function: Function) -> Iterator[ast.stmt]:
    """Yield every statement of a function; nested statements follow the one that contains them."""
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
    """Yield the nodes of a statement, except those in nested statements and annotations."""
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
    """Return the names that a node reads."""
    return {each.id for each in _names(node) if isinstance(each.ctx, ast.Load)}


def writes(node: ast.AST | Sequence[ast.AST]) -> set[str]:
    """Return the names that a node binds or deletes."""
    return {each.id for each in _names(node) if not isinstance(each.ctx, ast.Load)}


def _names(node: ast.AST | Sequence[ast.AST]) -> Iterator[ast.Name]:
    for root in [node] if isinstance(node, ast.AST) else node:
        yield from (each for each in ast.walk(root) if isinstance(each, ast.Name))
