"""Rule: loading a trait only defines it, because the host's loop waits while a module runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from mendel.contracts.lint import LintCode
from mendel.ports.lint.readings import Reading, Remark

_HINT: Final = "move it into execute or __init__; the top level is for imports, constants, functions and classes"
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_QUIET_STATEMENTS: Final = (*_DEFINITIONS, ast.Import, ast.ImportFrom, ast.Pass, ast.Assign, ast.AnnAssign)
_RUNNING: Final = (
    *(ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
_BIG_OPERATORS: Final = (ast.Pow, ast.LShift)  # a short expression may compute a huge number
# Cheap constructors of constants, fields and type variables.
_QUIET_CALLS: Final = frozenset({"frozenset", "set", "tuple", "list", "dict", "float", "field", "auto", "TypeVar"})
_DECORATORS: Final = frozenset(
    {
        *("dataclasses.dataclass", "enum.unique", "functools.cache", "functools.lru_cache", "functools.wraps"),
        *("functools.cached_property", "functools.total_ordering", "typing.final", "typing.overload"),
    }
)
_BUILTIN_DECORATORS: Final = frozenset({"staticmethod", "classmethod", "property"})


def check_import_time(reading: Reading) -> Iterator[Remark]:
    """Check for statements, expressions and decorators that would run while the module loads."""
    blocks: list[Sequence[ast.stmt]] = [reading.survey.tree.body]
    while blocks:
        for statement in blocks.pop():
            if not isinstance(statement, _QUIET_STATEMENTS) and not _is_docstring(statement):
                yield _runs(statement, f"a {type(statement).__name__} statement runs while the trait is loaded")
            if isinstance(statement, ast.ClassDef):
                blocks.append(statement.body)
            yield from _running_parts(reading, statement)


def _runs(node: ast.AST, message: str) -> Remark:
    return Remark(LintCode.AST_MODULE_LEVEL_CODE, node, message, _HINT)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _running_parts(reading: Reading, statement: ast.stmt) -> Iterator[Remark]:
    if isinstance(statement, _DEFINITIONS):
        for decorator in statement.decorator_list:
            yield from _decorator(reading, decorator)
    for part in _evaluated(statement):
        yield from _expression(part)


def _evaluated(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return [statement.value, *statement.targets]
    if isinstance(statement, ast.AnnAssign):
        return [statement.annotation, *([statement.value] if statement.value else [])]
    if isinstance(statement, ast.ClassDef):
        return statement.bases
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        return [*statement.args.defaults, *filter(None, statement.args.kw_defaults), *_annotations(statement)]
    return []


def _annotations(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    args = function.args
    named = [*args.posonlyargs, *args.args, *args.kwonlyargs, *filter(None, (args.vararg, args.kwarg))]
    return list(filter(None, (*(arg.annotation for arg in named), function.returns)))


def _expression(expression: ast.expr) -> Iterator[Remark]:
    stack: list[ast.AST] = [expression]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Lambda):
            continue  # it runs when it is called
        if isinstance(node, _RUNNING) and not _is_quiet_call(node):
            yield _runs(node, "an expression runs code while the trait is loaded")
        elif isinstance(node, ast.BinOp) and isinstance(node.op, _BIG_OPERATORS):
            yield _runs(node, "an expression may take long while the trait is loaded")
        stack.extend(ast.iter_child_nodes(node))


def _is_quiet_call(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in _QUIET_CALLS


def _decorator(reading: Reading, decorator: ast.expr) -> Iterator[Remark]:
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    plain = isinstance(function, ast.Name) and function.id in _BUILTIN_DECORATORS
    accessor = isinstance(function, ast.Attribute) and function.attr in ("setter", "getter", "deleter")
    known = reading.paths(function, reading.survey.root) & _DECORATORS
    if not (plain or accessor or known):
        yield _runs(decorator, "a decorator that is not allowed runs while the trait is loaded")
    if isinstance(decorator, ast.Call):
        for argument in (*decorator.args, *(keyword.value for keyword in decorator.keywords)):
            yield from _expression(argument)
