"""Parts of a function that one expression could replace: its body or the rest of it, loops, and some expressions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from mendel.breeding.code import Function, blocks
from mendel.breeding.library.liveness import Liveness
from mendel.breeding.view import (
    COMPREHENSIONS,
    LOOPS,
    View,
    body_of,
    own_nodes,
    parameters,
    reads,
    statements_in,
    writes,
)

Kind = Literal["tail", "run", "expression"]
MOST_BLOCKS: Final = 24
_LEAD: Final = 3
"""Maximum number of assignments directly before a loop that count as part of it."""
_NEVER: Final = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_ASSIGNMENTS: Final = (ast.Assign, ast.AnnAssign, ast.AugAssign)


@dataclass(frozen=True)
class Block:
    """Statements or an expression of a function, and the names it uses.

    A *tail* ends with the function's return, and its value is the returned one; a *run* leaves values in the names
    ``alive``; an *expression* has its own value. ``read`` are the names it reads, ``given`` the function's parameters.
    """

    kind: Kind
    function: Function
    nodes: tuple[ast.stmt, ...] | tuple[ast.expr]
    read: frozenset[str]
    alive: frozenset[str]
    given: frozenset[str]

    @property
    def lines(self) -> int:
        """The number of lines of the block."""
        first, last = self.nodes[0], self.nodes[-1]
        return (last.end_lineno or last.lineno) - first.lineno + 1


def blocks_of(view: View) -> list[Block]:
    """Return the blocks worth examining, the largest first, at most ``MOST_BLOCKS``."""
    found = [block for function in view.functions for block in _blocks(view, function)]
    return sorted(found, key=lambda block: (-block.lines, block.nodes[0].lineno))[:MOST_BLOCKS]


def _blocks(view: View, function: Function) -> Iterator[Block]:
    # Generators and coroutines only; `:=` is excluded for expressions, below.
    if isinstance(function, ast.AsyncFunctionDef) or any(isinstance(node, _NEVER[:3]) for node in ast.walk(function)):
        return
    given = frozenset(parameters(function))
    for tail in _tails(function):
        yield Block("tail", function, tuple(tail), frozenset(reads(tail)), frozenset(), given)
    liveness = Liveness(function)
    for run in _runs(function):
        yield Block("run", function, tuple(run), _read_by(run), liveness.after.get(run[-1], frozenset()), given)
    for expression in _expressions(view, function):
        yield Block("expression", function, (expression,), frozenset(reads(expression)), frozenset(), given)


def _read_by(run: Sequence[ast.stmt]) -> frozenset[str]:
    """Return the names that statements read; ``x += 1`` reads x."""
    added = {
        node.target.id
        for statement in run
        for node in ast.walk(statement)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    }
    return frozenset(reads(run) | added)


def _lists(function: Function) -> Iterator[list[ast.stmt]]:
    """Yield every block of a function, its body first."""
    yield body_of(function)
    for statement in statements_in(function):
        if not isinstance(statement, _SCOPES):
            yield from (block for _, block in blocks(statement))


def _tails(function: Function) -> Iterator[list[ast.stmt]]:
    for number, block in enumerate(_lists(function)):
        if not block or (number > 0 and not isinstance(block[-1], ast.Return)):
            continue  # only the function's own body, which comes first, may also end without a return
        for start in range(len(block)):
            if _begins_tail(block, start, whole=number == start == 0) and _closed(block[start:], returns=True):
                yield block[start:]


def _begins_tail(block: Sequence[ast.stmt], start: int, *, whole: bool) -> bool:
    """Return whether a tail may begin here: at the whole body, a loop, or an assignment shortly before a loop."""
    ahead = block[start : start + _LEAD]
    loop = next((place for place, each in enumerate(ahead) if isinstance(each, LOOPS)), None)
    return whole or (loop is not None and all(isinstance(each, _ASSIGNMENTS) for each in ahead[:loop]))


def _runs(function: Function) -> Iterator[list[ast.stmt]]:
    for block in _lists(function):
        for end, statement in enumerate(block):
            if not isinstance(statement, LOOPS):
                continue
            for start in range(end, max(-1, end - _LEAD - 1), -1):  # the loop alone, then with assignments before it
                if start < end and not isinstance(block[start], _ASSIGNMENTS):
                    break
                if _closed(block[start : end + 1], returns=False):
                    yield block[start : end + 1]


def _closed(run: Sequence[ast.stmt], *, returns: bool) -> bool:
    """Return whether control leaves only at the end, or by an allowed return, and only local variables are bound."""
    if any(_leaves(statement) for statement in run):
        return False
    unfit = (ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom, *_SCOPES[:3], *(() if returns else (ast.Return,)))
    return not any(isinstance(node, unfit) for statement in run for node in ast.walk(statement))


def _leaves(statement: ast.stmt) -> bool:
    """Return whether the statement contains a break or continue of an outer loop."""
    if isinstance(statement, ast.Break | ast.Continue):
        return True
    nested = [each for name, block in blocks(statement) if not _loops(statement, name) for each in block]
    nested += [each for part in _parts(statement) for each in part.body]
    return any(map(_leaves, nested))


def _loops(statement: ast.stmt, name: str) -> bool:
    return isinstance(statement, LOOPS) and name == "body"


def _parts(statement: ast.stmt) -> list[ast.ExceptHandler | ast.match_case]:
    return [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]


def _expressions(view: View, function: Function) -> Iterator[ast.expr]:
    """Yield calls of the file's own functions, comprehensions, calls that take one, and subscripts of calls."""
    own = {name for name, _ in view.code.functions()}
    for statement in statements_in(function):
        for node in own_nodes(statement):
            if isinstance(node, ast.expr) and _of_interest(node, own) and _stands_free(view, node):
                yield node


def _of_interest(node: ast.expr, own: set[str]) -> bool:
    if isinstance(node, ast.Call):
        named = isinstance(node.func, ast.Name) and node.func.id in own
        return named or any(isinstance(each, COMPREHENSIONS) for each in node.args)
    if isinstance(node, ast.Subscript):
        return isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Call)
    return isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp)


def _stands_free(view: View, node: ast.expr) -> bool:
    """Return whether the expression is evaluated in the function's own scope, and binds no names."""
    if any(isinstance(each, _NEVER) for each in ast.walk(node)):
        return False
    around: ast.AST = view.code.parents[node]
    while not isinstance(around, ast.stmt):
        if isinstance(around, (*COMPREHENSIONS, ast.Lambda, ast.JoinedStr)):
            return False
        around = view.code.parents[around]
    return not isinstance(around, _SCOPES)


def changed_by(block: Block) -> set[str]:
    """Return the names that a run of statements binds."""
    return writes(block.nodes)
