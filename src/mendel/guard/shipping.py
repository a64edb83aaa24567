"""Extracting a function's source together with everything it refers to in its own module.

The result is text: the statements of the module that define or change the names that the function uses, and in turn the
names that these statements use. Other statements, such as a script that calls the gate, are left out. The analysis runs
no code.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import symtable
import sys
import textwrap
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from types import FunctionType
from typing import Any, Final

from mendel.contracts.errors import NotShippable
from mendel.ports.syntax import module_tree

_LATE_ANNOTATIONS: Final = "from __future__ import annotations"
"""Keeps annotations unevaluated, so that the names in them need not be shipped."""

_BUILTINS: Final = frozenset(vars(builtins))


def source_of_callable(function: Callable[..., Any]) -> tuple[str, str]:
    """Return the text of a module that defines ``function``, and the function's name in it.

    Raises:
        NotShippable: the function cannot be shipped; the message names the obstacle.
    """
    plain = _plain_function(function)
    module = _Module(_module_text(plain))
    definition, name = _definition(plain, module)
    used = _Names(definition)
    for each in sorted(used.all - {name, "__name__"} - _BUILTINS):
        # A name that has a value, or that loading needs, must be shipped; any other raises NameError when used anyway.
        if not module.defines(each) and (each in plain.__globals__ or each in used.outside):
            raise NotShippable(
                f"{plain.__qualname__} refers to {each}, which no statement of its module defines; give its file"
            )
    return _text((*module.statements_for(used.all, besides=name), definition)), name


def source_of_name(text: str, name: str) -> str:
    """Return the part of a module's text that defines ``name``; the whole text where that part cannot be determined."""
    try:
        module = _Module(text)
    except (SyntaxError, ValueError, RecursionError):
        return text
    return _text(module.statements_for({name})) if module.defines(name) else text


def with_absolute_imports(text: str, package: str) -> str:
    """Make relative imports in a module's text absolute, since the lint checks each file without its package."""
    try:
        tree = module_tree(text)
    except (SyntaxError, ValueError, RecursionError):
        return text
    relative = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]
    parts = package.split(".") if package else []
    for node in relative:
        base = parts[: len(parts) - node.level + 1]  # one dot is the package itself
        if base and node.level <= len(parts):
            node.module, node.level = ".".join([*base, *filter(None, [node.module])]), 0
    return ast.unparse(tree) + "\n" if relative else text


def _text(parts: Collection[str]) -> str:
    return "\n\n".join((_LATE_ANNOTATIONS, *parts)) + "\n"


def _plain_function(function: Callable[..., Any]) -> FunctionType:
    described = getattr(function, "__qualname__", None) or type(function).__qualname__
    if not isinstance(function, FunctionType):
        raise NotShippable(
            f"{described} is a {type(function).__name__}, not a function written in Python;"
            " wrap it in one: def solve(…): return …"
        )
    if function.__code__.co_freevars:
        names = ", ".join(function.__code__.co_freevars)
        raise NotShippable(f"{described} is a closure over {names}, whose values cannot be shipped; pass arguments")
    if hasattr(function, "__wrapped__"):
        raise NotShippable(f"{described} is wrapped by a decorator; give the function itself, or its file")
    return function


def _module_text(function: FunctionType) -> str:
    if function.__code__.co_filename == "<string>" and function.__module__ == "__main__" and "-c" in sys.orig_argv:
        return sys.orig_argv[sys.orig_argv.index("-c") + 1]  # `python -c`: the text exists only there
    module = inspect.getmodule(function)
    try:
        return inspect.getsource(module) if module is not None else ""
    except (OSError, TypeError):
        return ""


def _definition(function: FunctionType, module: _Module) -> tuple[str, str]:
    """Return a function's own statement and its name, from the module's text or else by :mod:`inspect`."""
    name = "solve" if function.__name__ == "<lambda>" else function.__name__
    found = module.functions_at(function.__code__.co_firstlineno, function.__name__)
    if len(found) == 1:
        text = ast.unparse(found[0])
        return (f"solve = {text}" if isinstance(found[0], ast.Lambda) else text), name
    if function.__name__ == "<lambda>":
        raise NotShippable(f"the lambda is one of {len(found)} on its line; give it its own line, or a name")
    try:
        return ast.unparse(module_tree(textwrap.dedent(inspect.getsource(function)))), name
    except (OSError, TypeError, SyntaxError) as error:
        raise NotShippable(f"the source of {function.__qualname__} cannot be read; give its file") from error


class _Names:
    """The global names that a text uses: anywhere (``all``), and ``outside`` of functions, that is, while it loads."""

    def __init__(self, text: str) -> None:
        table = symtable.symtable(_without_annotations(text), "module", "exec")
        self.outside = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced()}
        self.all = self.outside | {name for inner in table.get_children() for name in _globals(inner)}


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    for symbol in table.get_symbols():
        if symbol.is_global():
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _globals(inner)


class _WithoutAnnotations(ast.NodeTransformer):
    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)


def _without_annotations(text: str) -> str:
    return ast.unparse(_WithoutAnnotations().visit(module_tree(text)))


class _Module:
    """The statements of a module, by the names they define or change."""

    def __init__(self, text: str) -> None:
        self._tree = module_tree(text)
        self._places: defaultdict[str, set[int]] = defaultdict(set)
        body = self._tree.body
        self._functions = {name for node in body if isinstance(node, _DEFINITIONS) for name in [node.name]}
        for place, node in enumerate(body):
            for name in self._touched(node):
                self._places[name].add(place)

    def defines(self, name: str) -> bool:
        """Return whether a statement of the module defines or changes ``name``."""
        return name in self._places

    def functions_at(self, line: int, name: str) -> list[_Function]:
        """Return the functions of that name that begin on a line, at any nesting depth."""
        nodes = (node for node in ast.walk(self._tree) if isinstance(node, _FUNCTIONS))
        return [node for node in nodes if getattr(node, "name", "<lambda>") == name and _first_line(node) == line]

    def statements_for(self, names: Collection[str], besides: str | None = None) -> list[str]:
        """Return the statements that define ``names`` and all names that these need, in the module's order."""
        wanted: set[int] = set()
        todo, seen = sorted(names), {besides}  # the caller adds the definition of `besides` itself
        while todo:
            name = todo.pop()
            if name in seen or name not in self._places:
                continue
            seen.add(name)
            for place in sorted(self._places[name] - wanted):
                wanted.add(place)
                todo += sorted(_Names(ast.unparse(self._tree.body[place])).all)
        kept = [self._tree.body[place] for place in sorted(wanted)]
        return [ast.unparse(node) for node in kept if not _from_future(node)]

    def _touched(self, node: ast.stmt) -> Iterator[str]:
        """Yield the names that a statement binds or modifies: ``x = …``, ``x[…] = …``, ``x.append(…)``."""
        if isinstance(node, _DEFINITIONS):  # its body binds local names only
            yield node.name
            return
        for inner in ast.walk(node):
            if isinstance(inner, ast.alias):
                yield inner.asname or inner.name.partition(".")[0]
            elif isinstance(inner, _DEFINITIONS):
                yield inner.name
            elif isinstance(inner, _PLACES) and isinstance(inner.ctx, ast.Store | ast.Del):
                yield from _root(inner)
            elif isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Call):
                yield from self._changed(inner.value)

    def _changed(self, call: ast.Call) -> Iterator[str]:
        """Yield the names that a call statement may change: its object, and data among its arguments.

        Functions among the arguments do not count, so that a script's ``check(solve)`` is left out.
        """
        if isinstance(call.func, ast.Attribute):
            yield from _root(call.func)
        if isinstance(call.func, ast.Attribute) or (
            isinstance(call.func, ast.Name) and call.func.id in self._functions
        ):
            yield from (each.id for each in call.args if isinstance(each, ast.Name) and each.id not in self._functions)


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_PLACES = (ast.Name, ast.Attribute, ast.Subscript)
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def _first_line(node: _Function) -> int:
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return min([node.lineno, *(each.lineno for each in decorators)])


def _root(node: ast.expr) -> Iterator[str]:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def _from_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"
