"""What names mean in a piece of a program: who reads, binds and changes them, and what can be computed elsewhere."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mendel.breeding.code import Code, Function
from mendel.breeding.view import COMPREHENSIONS, LOOPS, reads, writes

BUILTINS: Final = frozenset(dir(builtins))
PURE_CALLS: Final = frozenset(
    {
        *("abs", "all", "any", "bin", "bool", "chr", "complex", "dict", "divmod", "enumerate", "filter", "float"),
        *("frozenset", "hash", "hex", "int", "isinstance", "len", "list", "map", "max", "min", "oct", "ord", "pow"),
        *("range", "repr", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "type", "zip"),
    }
)
PURE_METHODS: Final = frozenset(
    {
        *("bit_length", "capitalize", "casefold", "copy", "count", "difference", "endswith", "find", "format", "get"),
        *("index", "intersection", "isalnum", "isalpha", "isdigit", "isdisjoint", "islower", "isspace", "issubset"),
        *("issuperset", "isupper", "items", "join", "keys", "lower", "lstrip", "replace", "rfind", "rindex", "rsplit"),
        *("rstrip", "split", "splitlines", "startswith", "strip", "swapcase", "symmetric_difference", "title"),
        *("translate", "union", "upper", "values", "zfill", "sqrt", "log", "exp", "sin", "cos", "floor", "ceil"),
        *("isqrt", "gcd"),
    }
)
_NOT_PURE: Final = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
Nodes = ast.AST | Sequence[ast.AST]


def walk(nodes: Nodes) -> Iterator[ast.AST]:
    """Every node of a tree or of several."""
    for root in [nodes] if isinstance(nodes, ast.AST) else nodes:
        yield from ast.walk(root)


def mentions(nodes: Nodes, name: str) -> list[ast.Name]:
    """Where a name is read, bound or deleted."""
    return [node for node in walk(nodes) if isinstance(node, ast.Name) and node.id == name]


def loads(nodes: Nodes, name: str) -> list[ast.Name]:
    """Where a name is read."""
    return [node for node in mentions(nodes, name) if isinstance(node.ctx, ast.Load)]


def mutated(nodes: Nodes) -> set[str]:
    """Names whose value a method or a deletion may change."""
    found: set[str] = set()
    for node in walk(nodes):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            target = node.func.value
            if isinstance(target, ast.Name) and node.func.attr not in PURE_METHODS:
                found.add(target.id)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Del) and isinstance(node.value, ast.Name):
            found.add(node.value.id)
    return found


def slots(nodes: Nodes) -> set[str]:
    """Names of which an element or an attribute is bound anew."""
    return {
        node.value.id
        for node in walk(nodes)
        if isinstance(node, ast.Subscript | ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
    }


def resized(nodes: Nodes) -> set[str]:
    """Names that are bound anew or whose value a method may change."""
    return writes(nodes) | mutated(nodes)


def changed(nodes: Nodes) -> set[str]:
    """Names that are bound anew or whose value is changed, an element included."""
    return resized(nodes) | slots(nodes)


def pure(node: ast.AST) -> bool:
    """Whether computing it twice, or elsewhere, makes no difference, as far as can be seen."""
    return all(_is_pure(each) for each in ast.walk(node))


def _is_pure(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        by_name = isinstance(node.func, ast.Name) and node.func.id in PURE_CALLS
        return by_name or (isinstance(node.func, ast.Attribute) and node.func.attr in PURE_METHODS)
    return not isinstance(node, _NOT_PURE)


def is_text(node: ast.expr) -> bool:
    """Whether an expression plainly is a string: a literal, ``str(…)``, a join, or a sum with one of them."""
    if isinstance(node, ast.BinOp):
        return is_text(node.left) or (isinstance(node.op, ast.Add) and is_text(node.right))
    if isinstance(node, ast.Call):
        made = isinstance(node.func, ast.Name) and node.func.id in {"str", "chr", "repr"}
        return made or (isinstance(node.func, ast.Attribute) and node.func.attr in {"join", "lower", "upper", "strip"})
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def jumps(body: Sequence[ast.AST], *kinds: type[ast.stmt]) -> bool:
    """Whether a loop of this body is left or continued from within by statements of these kinds."""
    return any(_jumps(node, kinds) for node in body)


def _jumps(node: ast.AST, kinds: tuple[type[ast.stmt], ...]) -> bool:
    if isinstance(node, kinds):
        return True
    if isinstance(node, ast.ClassDef | ast.Lambda | Function):
        return False
    inside = ast.iter_child_nodes(node)
    if isinstance(node, LOOPS):
        outer = tuple(kind for kind in kinds if kind is ast.Return)
        return any(_jumps(each, outer if each not in node.orelse else kinds) for each in inside)
    return any(_jumps(each, kinds) for each in inside)


def all_names(code: Code) -> set[str]:
    """Every name that the file uses for anything."""
    found = {node.id for node in ast.walk(code.tree) if isinstance(node, ast.Name)}
    found |= {node.arg for node in ast.walk(code.tree) if isinstance(node, ast.arg)}
    found |= {node.name for node in ast.walk(code.tree) if isinstance(node, ast.ClassDef | Function)}
    aliases = [node for node in ast.walk(code.tree) if isinstance(node, ast.alias)]
    return found | {(alias.asname or alias.name).split(".")[0] for alias in aliases}


def fresh(code: Code, stem: str, taken: Iterable[str] = ()) -> str:
    """A name that nobody uses yet."""
    used = all_names(code) | BUILTINS | set(taken)
    stem = re.sub(r"\W", "", stem) or "value"
    return next(
        name for number in range(1, 10_000) if (name := stem if number == 1 else f"{stem}_{number}") not in used
    )


def bound_inside(node: ast.AST) -> set[str]:
    """Names that an expression's own comprehensions and lambdas bind."""
    found = {each.id for inner in ast.walk(node) if isinstance(inner, COMPREHENSIONS) for each in _targets(inner)}
    return found | {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}


def _targets(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> list[ast.Name]:
    return [name for part in node.generators for name in ast.walk(part.target) if isinstance(name, ast.Name)]


def free(node: Nodes) -> set[str]:
    """Names that a piece reads and does not bind itself in a comprehension or lambda."""
    inside: set[str] = set()
    for root in [node] if isinstance(node, ast.AST) else node:
        inside |= bound_inside(root)
    return reads(node) - inside


def chosen_names(function: Function) -> set[str]:
    """Names that are the function's own: parameters and whatever it binds."""
    return {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)} | writes(function)
