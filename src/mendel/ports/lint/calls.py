"""Rule: some calls are allowed in one form only: access to attributes by a literal name, ``type`` of one value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendel.contracts.lint import LintCode
from mendel.ports.lint.attributes import allowed_attribute, banned
from mendel.ports.lint.readings import Reading, Remark
from mendel.ports.lint.scopes import Scope
from mendel.ports.lint.vocabulary import BARE_CALLS, BUILTINS, BY_LITERAL_NAME, LITERAL_CALLS

_TYPE_HINT: Final = "call it as type(value); write classes out with `class`"
_ANNOTATED: Final = (ast.arg, ast.AnnAssign, ast.FunctionDef, ast.Subscript, ast.Compare)
_TYPE_TESTS: Final = frozenset({"isinstance", "issubclass"})


def check_calls(reading: Reading) -> Iterator[Remark]:
    """Check every use of such a function, called or passed on."""
    for name, scope in reading.survey.loads():
        if name.id in BY_LITERAL_NAME and name.id in reading.policy.builtins and reading.builtin(name, scope):
            yield from _by_literal_name(reading, name, BY_LITERAL_NAME[name.id])
        elif name.id == "type" and reading.builtin(name, scope) and not _plain_type(reading, name, scope):
            message = "`type` is used for more than the type of a value"
            yield Remark(LintCode.AST_BANNED_CALL, name, message, _TYPE_HINT)
        yield from _imported(reading, name, scope)
    for attribute, scope in reading.survey.all(ast.Attribute):
        if attribute.attr in BY_LITERAL_NAME and attribute.attr in reading.policy.dunders:
            yield from _by_literal_name(reading, attribute, BY_LITERAL_NAME[attribute.attr])
        yield from _imported(reading, attribute, scope)


def _call_of(reading: Reading, function: ast.AST) -> ast.Call | None:
    parent = reading.survey.parents[function]
    return parent if isinstance(parent, ast.Call) and parent.func is function else None


def _by_literal_name(reading: Reading, function: ast.expr, index: int) -> Iterator[Remark]:
    call = _call_of(reading, function)
    given = call.args[: index + 1] if call else []
    if len(given) <= index or not _is_text(given[index]) or any(isinstance(arg, ast.Starred) for arg in given):
        yield _not_written_out(function)
    else:
        yield from _names_allowed(reading, given[index])


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _not_written_out(function: ast.expr) -> Remark:
    message = "an attribute is accessed by a name that is not a literal"
    return Remark(LintCode.AST_BANNED_CALL, function, message, "write `value.name`, or use a dictionary")


def _names_allowed(reading: Reading, literal: ast.expr) -> Iterator[Remark]:
    text = literal.value if isinstance(literal, ast.Constant) else ""
    for name in str(text).split("."):
        if not allowed_attribute(reading.policy, name):
            yield banned(literal, name)


def _plain_type(reading: Reading, name: ast.Name, scope: Scope) -> bool:
    parent = reading.survey.parents[name]
    if isinstance(parent, ast.Call):
        tested = isinstance(parent.func, ast.Name) and parent.func.id in _TYPE_TESTS and parent.args[1:] == [name]
        return tested or _sorts(reading, parent, scope) or (parent.func is name and _one_value(reading, parent, scope))
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, ast.BitOr)  # an annotation such as type | None
    return isinstance(parent, _ANNOTATED)


def _sorts(reading: Reading, call: ast.Call, scope: Scope) -> bool:
    """Allow ``map(type, values)`` and ``groupby(values, type)``, which take the type of one value at a time."""
    mapped = isinstance(call.func, ast.Name) and call.func.id == "map" and scope.find("map") is None
    return (mapped and len(call.args) == 2) or "itertools.groupby" in reading.paths(call.func, scope)


def _one_value(reading: Reading, call: ast.Call, scope: Scope) -> bool:
    """Allow ``type(x)``, but not of a class: the result would be a metaclass, which can create classes."""
    if len(call.args) != 1 or call.keywords:
        return False
    value = call.args[0]
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id != "type"
    if isinstance(value, ast.Name) and value.id in BUILTINS:
        return not reading.builtin(value, scope)
    return not isinstance(value, ast.Starred)


def _imported(reading: Reading, node: ast.Name | ast.Attribute, scope: Scope) -> Iterator[Remark]:
    for path in reading.paths(node, scope):
        if path in LITERAL_CALLS:
            yield from _literal_call(reading, node, path)
        elif path in BARE_CALLS:
            call = _call_of(reading, node)
            if call is None or call.keywords or len(call.args) > BARE_CALLS[path] or _starred(call):
                message = f"{path} is called with a choice of attributes to copy"
                yield Remark(LintCode.AST_BANNED_CALL, node, message, "call it with the functions alone")


def _starred(call: ast.Call) -> bool:
    return any(isinstance(argument, ast.Starred) for argument in call.args)


def _literal_call(reading: Reading, function: ast.Name | ast.Attribute, path: str) -> Iterator[Remark]:
    """Check ``attrgetter`` and ``methodcaller``: every argument that may be a name must be a literal."""
    call = _call_of(reading, function)
    named = [] if call is None else call.args[:1] if path == "operator.methodcaller" else call.args
    if not named or not all(map(_is_text, named)):
        yield _not_written_out(function)
        return
    for literal in named:
        yield from _names_allowed(reading, literal)
