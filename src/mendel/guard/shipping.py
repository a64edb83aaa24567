"""The source of a function with what it refers to in its own module, so that it runs where nothing else is.

What ships is text: those statements of the module that define or change the names that the function uses, and the names
that these use in turn. The rest, a script that calls the gate for example, stays behind. Nothing is run to find out.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from types import FunctionType
from typing import Any, Final

from mendel.contracts.errors import NotShippable

_LATE_ANNOTATIONS: Final = "from __future__ import annotations"
"""Types are for readers; what they refer to need not be shipped."""


def source_of_callable(function: Callable[..., Any]) -> tuple[str, str]:
    """The text of a module that defines ``function``, and the name it has there.

    Raises:
        NotShippable: with the name of what stands in the way.
    """
    plain = _plain_function(function)
    definition, name = _definition(plain)
    module = _Module(_module_text(plain))
    used = _used(ast.parse(definition)) - {name}
    nowhere = sorted(each for each in used & set(plain.__globals__) if not module.defines(each) and each != "__name__")
    if nowhere:
        kind = type(plain.__globals__[nowhere[0]]).__name__
        raise NotShippable(
            f"{plain.__qualname__} refers to {nowhere[0]}, a {kind} that no statement of its module defines;"
            " give its file instead"
        )
    return _text((*module.statements_for(used, besides=name), definition)), name


def source_of_name(text: str, name: str) -> str:
    """What of a module's text defines ``name``; all of it where that cannot be told."""
    try:
        module = _Module(text)
    except (SyntaxError, ValueError, RecursionError):
        return text
    return _text(module.statements_for({name})) if module.defines(name) else text


def _text(parts: Collection[str]) -> str:
    return "\n\n".join((_LATE_ANNOTATIONS, *parts)) + "\n"


def _plain_function(function: Callable[..., Any]) -> FunctionType:
    described = getattr(function, "__qualname__", None) or type(function).__qualname__
    if not isinstance(function, FunctionType):
        raise NotShippable(
            f"{described} is a {type(function).__name__} and no function written in Python;"
            " wrap it in one: def solve(…): return …"
        )
    if function.__code__.co_freevars:
        names = ", ".join(function.__code__.co_freevars)
        raise NotShippable(f"{described} is a closure over {names}, which cannot be shipped; make it an argument")
    if hasattr(function, "__wrapped__"):
        raise NotShippable(f"{described} is wrapped by a decorator; give the function itself, or its file")
    return function


def _module_text(function: FunctionType) -> str:
    module = inspect.getmodule(function)
    try:
        return inspect.getsource(module) if module is not None else ""
    except (OSError, TypeError):
        return ""


def _definition(function: FunctionType) -> tuple[str, str]:
    if function.__name__ == "<lambda>":
        return f"solve = {_lambda(function)}", "solve"
    try:
        text = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError) as error:
        raise NotShippable(f"{function.__qualname__} has no source that could be read; give its file") from error
    return text.rstrip(), function.__name__


def _lambda(function: FunctionType) -> str:
    """The one lambda of its line; where there are two, nobody can tell which."""
    line = function.__code__.co_firstlineno
    nodes = ast.walk(ast.parse(_module_text(function)))
    found = [node for node in nodes if isinstance(node, ast.Lambda) and node.lineno == line]
    if len(found) != 1:
        raise NotShippable(f"the lambda is one of {len(found)} in its line; give it a line of its own, or a name")
    return ast.unparse(found[0])


class _Module:
    """The statements of a module, by the names they define or change."""

    def __init__(self, text: str) -> None:
        self._body = ast.parse(text).body
        self._places: defaultdict[str, set[int]] = defaultdict(set)
        for place, node in enumerate(self._body):
            for name in _touched(node):
                self._places[name].add(place)

    def defines(self, name: str) -> bool:
        """Whether some statement does."""
        return name in self._places

    def statements_for(self, names: Collection[str], besides: str | None = None) -> list[str]:
        """What defines ``names`` and all that these need, in the order of the module."""
        wanted: set[int] = set()
        todo, seen = sorted(names), {besides}
        while todo:
            name = todo.pop()
            if name in seen or name not in self._places:
                continue
            seen.add(name)
            for place in sorted(self._places[name] - wanted):
                wanted.add(place)
                todo += sorted(_used(self._body[place]))
        kept = [self._body[place] for place in sorted(wanted)]
        return [ast.unparse(node) for node in kept if not _from_future(node)]


def _touched(node: ast.stmt) -> Iterator[str]:
    """The names that a statement binds, or whose objects it changes: ``x = …``, ``x[…] = …``, ``x.append(…)``."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        yield from _root(node.value.func)
    for inner in ast.walk(node):
        if isinstance(inner, ast.alias):
            yield inner.asname or inner.name.partition(".")[0]
        elif isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield inner.name
        elif isinstance(inner, ast.Name | ast.Attribute | ast.Subscript) and isinstance(inner.ctx, ast.Store | ast.Del):
            yield from _root(inner)


def _root(node: ast.expr) -> Iterator[str]:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def _from_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _used(tree: ast.AST) -> set[str]:
    """The names that are looked up when it runs; those in annotations are not."""
    return set(_looked_up(tree))


def _looked_up(tree: ast.AST) -> Iterator[str]:
    if isinstance(tree, ast.Name) and isinstance(tree.ctx, ast.Load):
        yield tree.id
    for field, value in ast.iter_fields(tree):
        if field not in ("annotation", "returns"):
            for child in value if isinstance(value, list) else (value,):
                if isinstance(child, ast.AST):
                    yield from _looked_up(child)
