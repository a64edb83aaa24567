"""Rule: nothing is awaited that is known to be synchronous."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

from mendel.contracts.lint import LintCode
from mendel.ports.lint.readings import Reading, Remark
from mendel.ports.lint.scopes import Scope
from mendel.ports.lint.sources import shown
from mendel.ports.lint.trait_entity import Entities
from mendel.ports.lint.vocabulary import BUILTINS

_VALUES: Final = (
    *(ast.Constant, ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Compare, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


class _Look(NamedTuple):
    reading: Reading
    entities: Entities
    plain: frozenset[ast.AST]

    def is_plain(self, bindings: list[ast.AST]) -> bool:
        """Return whether a name is bound once, to a synchronous function."""
        return len(bindings) == 1 and bindings[0] in self.plain


def check_awaits(reading: Reading, entities: Entities) -> Iterator[Remark]:
    """Check for awaited values, awaited fields of an entity, and awaited calls of synchronous functions."""
    look = _Look(reading, entities, frozenset(_plain_functions(reading)))
    for node, scope in reading.survey.all(ast.Await):
        spoken = _synchronous(look, node.value, scope)
        if spoken:
            message = f"{spoken} is synchronous and cannot be awaited"
            yield Remark(LintCode.AST_AWAIT_ON_SYNC, node, message, "remove `await`")


def _plain_functions(reading: Reading) -> Iterator[ast.AST]:
    """Yield every undecorated ``def`` that does not call a coroutine function, and so cannot return its coroutine."""
    coroutines = {node.name for node, _ in reading.survey.all(ast.AsyncFunctionDef)} | reading.entity.async_methods
    for function, _ in reading.survey.all(ast.FunctionDef):
        called = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
        handed = any(getattr(func, "attr", getattr(func, "id", None)) in coroutines for func in called)
        if not handed and not function.decorator_list:
            yield function


def _synchronous(look: _Look, value: ast.expr, scope: Scope) -> str | None:
    """Return a description of ``value`` if it is known not to be awaitable."""
    if isinstance(value, _VALUES):
        return "a plain value"
    if isinstance(value, ast.Attribute) and look.entities.holds(value.value, scope):
        return f"the entity's {shown(value.attr)}" if value.attr in look.reading.entity.names else None
    if isinstance(value, ast.Call):
        return _call(look, value.func, scope)
    return None


def _call(look: _Look, function: ast.expr, scope: Scope) -> str | None:
    policy = look.reading.policy
    paths = look.reading.paths(function, scope)
    if paths:
        ours = all(path.rpartition(".")[0] in policy.modules and not policy.grants(path) for path in paths)
        return shown(min(paths)) if ours else None
    if isinstance(function, ast.Name):
        return _name(look, function.id, scope)
    if isinstance(function, ast.Attribute):
        return _method(look, function, scope)
    return None


def _name(look: _Look, name: str, scope: Scope) -> str | None:
    home = scope.find(name)
    if home is None:
        return name if name in BUILTINS - {"anext"} else None  # anext returns an awaitable
    return name if look.is_plain(home.bound[name]) else None


def _method(look: _Look, function: ast.Attribute, scope: Scope) -> str | None:
    if look.entities.holds(function.value, scope):
        return f"the entity's {function.attr}" if function.attr in look.reading.entity.sync_methods else None
    if not (isinstance(function.value, ast.Name) and function.value.id == "self"):
        return None
    home = _class_of(scope)
    found = home.bound.get(function.attr, []) if home else []
    return f"self.{function.attr}" if look.is_plain(found) else None


def _class_of(scope: Scope | None) -> Scope | None:
    while scope is not None and scope.kind != "class":
        scope = scope.parent
    return scope
