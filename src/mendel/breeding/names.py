"""Detect names that are read but never bound: an edit that introduces one is not worth a birth."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import Final, cast

from mendel.breeding.code import Code
from mendel.ports.lint.scopes import Scope, Survey

_GIVEN: Final = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__"}
_LOOPS: Final = (ast.For, ast.While, ast.AsyncFor)
_ASSIGNED: Final = (ast.Assign, ast.AnnAssign)


def unbound(code: Code) -> frozenset[str]:
    """Return names that are read but bound nowhere, or, in a function, bound only after the read.

    The analysis is approximate: it detects neither names that a branch may leave unbound, nor names that a loop binds
    too late in its first iteration.
    """
    known = code.__dict__.get("_unbound")  # kept on the object: parents are examined for every child
    if known is None:
        known = code.__dict__["_unbound"] = frozenset(_unbound(code))
    return cast("frozenset[str]", known)


def _unbound(code: Code) -> Iterator[str]:
    survey = Survey(code.tree)
    if any(alias.name == "*" for node, _ in survey.all(ast.ImportFrom) for alias in node.names):
        return  # a star import may bind any name
    yield from (name.id for name, scope in survey.loads() if not _has_value(survey, name, scope))
    for scope in survey.scopes:
        if scope.kind == "function":
            yield from (name for name in scope.bound if not _firm(survey, scope, name))


def _has_value(survey: Survey, name: ast.Name, scope: Scope) -> bool:
    home = scope.find(name.id)
    if home is None:
        return name.id in _GIVEN
    return _elsewhere(home, scope) or _bound_before(survey, home, name)


def _elsewhere(home: Scope, scope: Scope) -> bool:
    """Return whether the name does not belong to the reading function, so that the order of lines proves nothing."""
    return home is not scope.function or home.kind != "function"


def _firm(survey: Survey, scope: Scope, name: str) -> list[ast.AST]:
    """Return the nodes that bind a name without reading it first, as an augmented assignment does."""
    return [each for each in scope.bound[name] if not isinstance(survey.parents.get(each), ast.AugAssign)]


def _bound_before(survey: Survey, scope: Scope, read: ast.Name) -> bool:
    """Return whether a binding of the name precedes the read, or shares a loop with it."""
    if any(not isinstance(each, ast.Name) for each in scope.bound[read.id]):
        return True
    around = _statements_around(survey, read)
    loops = {id(each) for each in around if isinstance(each, _LOOPS)}
    for binding in _firm(survey, scope, read.id):
        own = _statements_around(survey, binding)
        if own and own[:1] == around[:1] and isinstance(own[0], _ASSIGNED):
            continue  # in `x = x + 1` the read comes first, although the target is further left
        in_loop = loops & {id(each) for each in own}
        if in_loop or (_line(binding), _column(binding)) < (read.lineno, read.col_offset):
            return True
    return False


def _statements_around(survey: Survey, node: ast.AST) -> list[ast.stmt]:
    """Return the statements that contain a node, innermost first, up to its function."""
    found: list[ast.stmt] = []
    while not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module):
        if isinstance(node, ast.stmt):
            found.append(node)
        node = survey.parents[node]
    return found


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def _column(node: ast.AST) -> int:
    return getattr(node, "col_offset", 0)
