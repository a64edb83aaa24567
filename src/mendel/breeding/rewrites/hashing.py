"""Static checks before a list becomes a set: whether its elements are hashable, and whether it has duplicates."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendel.breeding.code import Function
from mendel.breeding.view import View

_UNHASHABLE: Final = frozenset(
    {"list", "dict", "set", "bytearray", "List", "Dict", "Set", "deque", "defaultdict", "Counter", "sorted"}
)
_SEQUENCES: Final = frozenset(
    {"list", "List", "Sequence", "MutableSequence", "Iterable", "Collection", "tuple", "Tuple", "deque"}
)
_DISPLAYS: Final = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_COUNTED: Final = frozenset({"len", "sum", "sorted", "list", "enumerate"})
"""Functions whose result changes with duplicates, or with the order of elements."""
_DEEPEST: Final = 4  # names may refer to each other in circles


def unhashable(function: Function, value: ast.expr, depth: int = 0) -> bool:
    """Return whether an expression clearly has an unhashable value."""
    if isinstance(value, _DISPLAYS):
        return True
    if isinstance(value, ast.Tuple):
        return any(unhashable(function, each, depth) for each in value.elts)
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in _UNHASHABLE
    if not isinstance(value, ast.Name) or depth >= _DEEPEST:
        return False
    if any(_never_hashes(each) for each in _annotations(function, value.id)):
        return True
    walked = [source for name, source in _walked(function) if name == value.id]
    bound = list(_values(function, value.id))
    return (
        all(_holds(function, each, depth + 1) for each in walked)
        and all(unhashable(function, each, depth + 1) for each in bound)
        and bool(walked or bound)
    )


def holds_unhashable(function: Function, name: str) -> bool:
    """Return whether a name clearly refers to a list of unhashable elements."""
    return _holds(function, ast.Name(name, ast.Load()), 0)


def repeats(birth: ast.expr) -> bool:
    """Return whether a list clearly repeats elements: ``[0] * n``, ``[1, 1]``."""
    if isinstance(birth, ast.BinOp) and isinstance(birth.op, ast.Mult):
        return True
    if isinstance(birth, ast.List):
        said = [ast.dump(each) for each in birth.elts if isinstance(each, ast.Constant | ast.Name)]
        return len(set(said)) < len(said)
    return isinstance(birth, ast.ListComp) and isinstance(birth.elt, ast.Constant)


def grows_freely(view: View, function: Function, name: str) -> bool:
    """Return whether elements are added without a test whether the list contains them already."""
    for node in ast.walk(function):
        method = _method(node, name)
        if method == "extend" or (method == "append" and not _asked_before(view, node, name)):
            return True
    return False


def counted(view: View, function: Function, name: str) -> bool:
    """Return whether the function uses the list in a way that depends on duplicates or on the order."""
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            parent = view.code.parents[node]
            called = isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and node in parent.args
            if called and isinstance(parent, ast.Call) and ast.unparse(parent.func) in _COUNTED:
                return True
    return False


def substring(function: Function, left: ast.expr, name: str) -> bool:
    """Return whether ``left in name`` tests for a substring, not for a single character."""
    if isinstance(left, ast.Constant) and isinstance(left.value, str) and len(left.value) != 1:
        return _is_text(function, name)
    return isinstance(left, ast.Name) and _is_text(function, left.id) and _is_text(function, name)


def _holds(function: Function, source: ast.expr, depth: int) -> bool:
    """Return whether the elements of ``source`` are clearly unhashable."""
    if isinstance(source, ast.List | ast.Tuple):
        return any(unhashable(function, each, depth) for each in source.elts)
    if isinstance(source, ast.ListComp | ast.GeneratorExp):
        return unhashable(function, source.elt, depth)
    if not isinstance(source, ast.Name) or depth >= _DEEPEST:
        return False
    name = source.id
    if any(_holds_by_annotation(each) for each in _annotations(function, name)):
        return True
    given = (_holds(function, each, depth + 1) for each in _values(function, name))
    return any(given) or any(unhashable(function, each, depth + 1) for each in _appended(function, name))


def _appended(function: Function, name: str) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and _method(node, name) == "append" and len(node.args) == 1:
            yield node.args[0]


def _annotations(function: Function, name: str) -> Iterator[ast.expr]:
    given = function.args
    for each in [*given.posonlyargs, *given.args, *given.kwonlyargs]:
        if each.arg == name and each.annotation is not None:
            yield each.annotation
    for node in ast.walk(function):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            yield node.annotation


def _head(annotation: ast.expr) -> str:
    bare = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return ast.unparse(bare).rpartition(".")[2]


def _parts(annotation: ast.expr) -> list[ast.expr]:
    if not isinstance(annotation, ast.Subscript):
        return []
    return annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]


def _never_hashes(annotation: ast.expr) -> bool:
    if _head(annotation) in {"tuple", "Tuple"}:
        return any(_never_hashes(each) for each in _parts(annotation))
    return _head(annotation) in _UNHASHABLE


def _holds_by_annotation(annotation: ast.expr) -> bool:
    return _head(annotation) in _SEQUENCES and any(_never_hashes(each) for each in _parts(annotation))


def _is_text(function: Function, name: str) -> bool:
    return any(_head(each) in {"str", "bytes"} for each in _annotations(function, name))


def _values(function: Function, name: str) -> Iterator[ast.expr]:
    """Yield the values assigned to a name."""
    for node in ast.walk(function):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if value is not None and any(isinstance(each, ast.Name) and each.id == name for each in targets):
            yield value


def _walked(function: Function) -> Iterator[tuple[str, ast.expr]]:
    """Yield the loop variables, and the iterable of each."""
    for node in ast.walk(function):
        if isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name):
            yield node.target.id, node.iter


def _method(node: ast.AST, name: str) -> str | None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        owner = node.func.value
        return node.func.attr if isinstance(owner, ast.Name) and owner.id == name else None
    return None


def _asked_before(view: View, node: ast.AST, name: str) -> bool:
    """Return whether a test around the node, or one with ``continue``, ensures that the element is not in the list."""
    while not isinstance(node, Function):
        inner, node = node, view.code.parents[node]
        if isinstance(node, ast.If) and inner in node.body and _denies(node.test, name):
            return True
    return any(
        isinstance(each, ast.If) and _says(each.test, name, ast.In) and isinstance(each.body[-1], ast.Continue)
        for each in ast.walk(node)
    )


def _denies(test: ast.expr, name: str) -> bool:
    return any(_says(each, name, ast.NotIn) for each in _conjuncts(test))


def _conjuncts(test: ast.expr) -> list[ast.expr]:
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]


def _says(test: ast.expr, name: str, how: type[ast.cmpop]) -> bool:
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], how):
        return False
    held = test.comparators[0]
    return isinstance(held, ast.Name) and held.id == name
