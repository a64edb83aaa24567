"""Rule: every name is bound somewhere, or is a builtin that the profile grants."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from itertools import islice
from typing import Final

from mendel.contracts.lint import LintCode
from mendel.ports.lint.readings import Reading, Remark, is_dunder
from mendel.ports.lint.scopes import Scope
from mendel.ports.lint.sources import shown
from mendel.ports.lint.vocabulary import BUILTINS, INSTEAD, MODULE_NAMES

_COMPARED: Final = 300  # limits of the search for similar names, which is slow
_LONGEST: Final = 40
_SUGGESTED: Final = 20


def check_names(reading: Reading) -> Iterator[Remark]:
    """Check for builtins outside the allow-list, names of the interpreter, and unbound names."""
    yield from _interpreter_names_bound(reading)
    unbound: dict[str, tuple[ast.Name, Scope]] = {}
    for name, scope in reading.survey.loads():
        if name.id in BUILTINS and name.id not in MODULE_NAMES:
            if name.id not in reading.policy.builtins and reading.builtin(name, scope):
                yield _refused(reading, name)
        elif scope.find(name.id) is None and name.id not in reading.policy.provided | MODULE_NAMES:
            if is_dunder(name.id):
                yield _interpreter(name, name.id)
            else:
                _keep_first(unbound, name, scope)
    if not _star(reading):  # a star import may bind any name
        yield from _unbound(unbound)


def _refused(reading: Reading, name: ast.Name) -> Remark:
    message = f"the builtin {name.id} is not part of the profile {reading.policy.profile}"
    hint = INSTEAD.get(name.id, "do without it; if the name is your own, choose another")
    return Remark(LintCode.AST_BANNED_CALL, name, message, hint)


def _interpreter(node: ast.AST, name: str) -> Remark:
    message = f"{shown(name)} belongs to the interpreter"
    return Remark(LintCode.AST_BANNED_ATTR, node, message, "choose a name without double underscores")


def _interpreter_names_bound(reading: Reading) -> Iterator[Remark]:
    for scope in reading.survey.scopes:
        for name, nodes in scope.bound.items():
            if is_dunder(name) and name not in reading.policy.dunders:
                yield from (_interpreter(node, name) for node in nodes)


def _keep_first(unbound: dict[str, tuple[ast.Name, Scope]], name: ast.Name, scope: Scope) -> None:
    known = unbound.get(name.id)
    if known is None or (name.lineno, name.col_offset) < (known[0].lineno, known[0].col_offset):
        unbound[name.id] = name, scope


def _star(reading: Reading) -> bool:
    return any(alias.name == "*" for node, _ in reading.survey.all(ast.ImportFrom) for alias in node.names)


def _unbound(unbound: dict[str, tuple[ast.Name, Scope]]) -> Iterator[Remark]:
    for count, (name, scope) in enumerate(unbound.values()):
        message = f"the name {shown(name.id)} is bound nowhere"
        near = _near(name.id, scope) if count < _SUGGESTED else None
        hint = f"did you mean {near}? else" if near else "assign it, import it or"
        hint = f"{hint} make it a parameter"
        yield Remark(LintCode.AST_UNBOUND_VARIABLE, name, message, hint)


def _near(name: str, scope: Scope) -> str | None:
    if len(name) > _LONGEST:
        return None
    found = difflib.get_close_matches(name, list(islice(_visible(scope), _COMPARED)), 1)
    return found[0] if found else None


def _visible(scope: Scope) -> Iterator[str]:
    inner: Scope | None = scope
    while inner is not None:
        yield from (name for name in inner.bound if len(name) <= _LONGEST)
        inner = inner.parent
