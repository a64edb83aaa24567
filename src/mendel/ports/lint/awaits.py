"""Nothing is awaited that is known to be synchronous."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

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


def check_awaits(reading: Reading, entities: Entities) -> Iterator[Remark]:
    """Awaited values, awaited fields of an entity, awaited calls of synchronous functions."""
    for node, scope in reading.survey.all(ast.Await):
        spoken = _synchronous(reading, entities, node.value, scope)
        if spoken:
            message = f"{spoken} is synchronous and cannot be awaited"
            yield Remark(LintCode.AST_AWAIT_ON_SYNC, node, message, "remove `await`")


def _synchronous(reading: Reading, entities: Entities, value: ast.expr, scope: Scope) -> str | None:
    """How to speak of ``value`` if it is known not to be awaitable."""
    if isinstance(value, _VALUES):
        return "a plain value"
    if isinstance(value, ast.Attribute) and entities.holds(value.value, scope):
        return f"the entity's {shown(value.attr)}" if value.attr in reading.entity.names else None
    if isinstance(value, ast.Call):
        return _call(reading, entities, value.func, scope)
    return None


def _call(reading: Reading, entities: Entities, function: ast.expr, scope: Scope) -> str | None:
    paths = reading.paths(function, scope)
    if paths:
        ours = all(
            path.rpartition(".")[0] in reading.policy.modules and not reading.policy.grants(path) for path in paths
        )
        return shown(min(paths)) if ours else None
    if isinstance(function, ast.Name):
        return _name(reading, function, scope)
    if isinstance(function, ast.Attribute):
        return _method(reading, entities, function, scope)
    return None


def _name(reading: Reading, function: ast.Name, scope: Scope) -> str | None:
    home = scope.find(function.id)
    if home is None:
        return function.id if function.id in BUILTINS - {"anext"} else None
    return function.id if _plain(reading, home.bound[function.id]) else None


def _method(reading: Reading, entities: Entities, function: ast.Attribute, scope: Scope) -> str | None:
    if entities.holds(function.value, scope):
        return f"the entity's {function.attr}" if function.attr in reading.entity.sync_methods else None
    if not (isinstance(function.value, ast.Name) and function.value.id == "self"):
        return None
    home = _class_of(scope)
    found = home.bound.get(function.attr, []) if home else []
    return f"self.{function.attr}" if _plain(reading, found) else None


def _class_of(scope: Scope | None) -> Scope | None:
    while scope is not None and scope.kind != "class":
        scope = scope.parent
    return scope


def _plain(reading: Reading, bindings: list[ast.AST]) -> bool:
    """Whether a name is bound once, to an undecorated ``def`` that has no coroutine to hand out."""
    if len(bindings) != 1 or not isinstance(function := bindings[0], ast.FunctionDef) or function.decorator_list:
        return False
    coroutines = {node.name for node, _ in reading.survey.all(ast.AsyncFunctionDef)} | reading.entity.async_methods
    called = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return not any(getattr(func, "attr", getattr(func, "id", None)) in coroutines for func in called)
