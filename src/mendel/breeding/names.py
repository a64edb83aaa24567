"""Names that nothing binds: an edit that leaves one behind is not worth a birth."""

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
    """Names that are read and bound nowhere, or in their function only behind every place that reads them first.

    Not the whole truth: what a branch may leave unbound is not seen, nor what an earlier round of a loop may bind.
    """
    known = code.__dict__.get("_unbound")
    if known is None:
        known = code.__dict__["_unbound"] = frozenset(_unbound(code))
    return cast("frozenset[str]", known)


def _unbound(code: Code) -> Iterator[str]:
    survey = Survey(code.tree)
    if any(alias.name == "*" for node, _ in survey.all(ast.ImportFrom) for alias in node.names):
        return
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
    """Whether a name's home is not the function that reads it, so that the order of lines says nothing."""
    return home is not scope.function or home.kind != "function"


def _firm(survey: Survey, scope: Scope, name: str) -> list[ast.AST]:
    """What binds a name without reading it."""
    return [each for each in scope.bound[name] if not isinstance(survey.parents.get(each), ast.AugAssign)]


def _bound_before(survey: Survey, scope: Scope, read: ast.Name) -> bool:
    """Whether something that binds the name stands before the place that reads it, or beside it in a loop."""
    if any(not isinstance(each, ast.Name) for each in scope.bound[read.id]):
        return True
    around = _statements_around(survey, read)
    loops = {id(each) for each in around if isinstance(each, _LOOPS)}
    for binding in _firm(survey, scope, read.id):
        own = _statements_around(survey, binding)
        if own and own[:1] == around[:1] and isinstance(own[0], _ASSIGNED):
            continue
        in_loop = loops & {id(each) for each in own}
        if in_loop or (_line(binding), _column(binding)) < (read.lineno, read.col_offset):
            return True
    return False


def _statements_around(survey: Survey, node: ast.AST) -> list[ast.stmt]:
    """The statement that holds a node, then those around it, up to its function."""
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
