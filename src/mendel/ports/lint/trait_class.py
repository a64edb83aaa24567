"""Rule: a trait is one class with the base ``Trait``, no required arguments and ``async def execute(self, entity)``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendel.contracts.lint import LintCode
from mendel.ports.lint.readings import Reading, Remark
from mendel.ports.lint.scopes import parameters
from mendel.ports.lint.sources import shown

BASE: Final = "Trait"
_SHAPE: Final = "write `class Name(Trait):` with `async def execute(self, entity):`"
_DEFAULTS: Final = "give every parameter a default"


def trait_classes(reading: Reading) -> list[ast.ClassDef]:
    """Return the classes of the module that derive from ``Trait``, directly or through another of its classes."""
    found: list[ast.ClassDef] = []
    names = {BASE}
    for node in reading.survey.tree.body:
        if isinstance(node, ast.ClassDef) and any(_last_name(base) in names for base in node.bases):
            found.append(node)
            names.add(node.name)
    return found


def _last_name(base: ast.expr) -> str:
    if isinstance(base, ast.Name):
        return base.id
    return base.attr if isinstance(base, ast.Attribute) else ""


def check_trait_class(reading: Reading) -> Iterator[Remark]:
    """Check that the host can find the class, create an instance and run it."""
    yield from _own_base(reading)
    found = trait_classes(reading)
    if not found:
        yield _no_trait(None, f"no class at the top of the file derives from {BASE}", _SHAPE)
    for other in found[1:]:
        yield _no_trait(other, f"{shown(other.name)} is a second trait", "keep one trait per file")
    for node in found:
        yield from _execute(node)
        yield from _constructor(reading, node)


def _no_trait(node: ast.AST | None, message: str, hint: str) -> Remark:
    return Remark(LintCode.AST_NO_TRAIT_CLASS, node, message, hint)


def _own_base(reading: Reading) -> Iterator[Remark]:
    for node in reading.survey.root.bound.get(BASE, ()):
        if not isinstance(node, ast.Import | ast.ImportFrom):  # imports have a rule of their own
            yield _no_trait(node, f"{BASE} is redefined", f"derive from the {BASE} that the world provides")


def _methods(node: ast.ClassDef, name: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    functions = (item for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef))
    return [function for function in functions if function.name == name]


def _execute(node: ast.ClassDef) -> Iterator[Remark]:
    found = _methods(node, "execute")
    if not found:
        yield _no_trait(node, f"{shown(node.name)} has no method execute", _SHAPE)
    for method in found:
        if not isinstance(method, ast.AsyncFunctionDef):
            yield _no_trait(method, "execute is not asynchronous", _SHAPE)
        elif method.decorator_list or not _takes_an_entity(method.args):
            yield _no_trait(method, "execute does not take exactly self and the entity", _SHAPE)
        elif _yields(method):
            yield _no_trait(method, "execute yields, so that it cannot be awaited", "act on the entity and return")


def _takes_an_entity(args: ast.arguments) -> bool:
    return len(parameters(args)) == len(args.posonlyargs) + len(args.args) == 2 and not args.defaults


def _yields(method: ast.AsyncFunctionDef) -> bool:
    stack: list[ast.AST] = list(method.body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            stack.extend(ast.iter_child_nodes(node))
    return False


def _constructor(reading: Reading, node: ast.ClassDef) -> Iterator[Remark]:
    for method in _methods(node, "__init__"):
        args = method.args
        positional = [*args.posonlyargs, *args.args]
        required = positional[1 : len(positional) - len(args.defaults)]
        required += [arg for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True) if default is None]
        yield from (_required(arg, arg.arg) for arg in required)
    if _is_dataclass(reading, node):
        yield from (_required(field, name) for field, name in _required_fields(node))


def _required(node: ast.AST, name: str) -> Remark:
    message = f"the trait cannot be made without {shown(name)}"
    return Remark(LintCode.AST_INIT_REQUIRED_ARGS, node, message, _DEFAULTS)


def _is_dataclass(reading: Reading, node: ast.ClassDef) -> bool:
    names = (item.func if isinstance(item, ast.Call) else item for item in node.decorator_list)
    return any("dataclasses.dataclass" in reading.paths(name, reading.survey.root) for name in names)


def _required_fields(node: ast.ClassDef) -> Iterator[tuple[ast.AST, str]]:
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and item.value is None and isinstance(item.target, ast.Name):
            outermost = item.annotation.value if isinstance(item.annotation, ast.Subscript) else item.annotation
            if _last_name(outermost) != "ClassVar":  # no field of the dataclass
                yield item, item.target.id
