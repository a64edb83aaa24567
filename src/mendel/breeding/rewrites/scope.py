"""The use of names in a part of a program: reads, bindings and mutations, and expressions that can be moved."""

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
PURE_METHODS: Final = frozenset(  # by name alone, because types are unknown
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
    """Yield every node of one or several trees."""
    for root in [nodes] if isinstance(nodes, ast.AST) else nodes:
        yield from ast.walk(root)


def mentions(nodes: Nodes, name: str) -> list[ast.Name]:
    """Return the nodes that read, bind or delete a name."""
    return [node for node in walk(nodes) if isinstance(node, ast.Name) and node.id == name]


def loads(nodes: Nodes, name: str) -> list[ast.Name]:
    """Return the nodes that read a name."""
    return [node for node in mentions(nodes, name) if isinstance(node.ctx, ast.Load)]


def mutated(nodes: Nodes) -> set[str]:
    """Return the names whose value a method call or a deletion may mutate."""
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
    """Return the names that have an element or attribute assigned."""
    return {
        node.value.id
        for node in walk(nodes)
        if isinstance(node, ast.Subscript | ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
    }


def resized(nodes: Nodes) -> set[str]:
    """Return the names that are bound, or whose value a method may mutate."""
    return writes(nodes) | mutated(nodes)


def changed(nodes: Nodes) -> set[str]:
    """Return the names that are bound, or whose value may be mutated, including element assignments."""
    return resized(nodes) | slots(nodes)


def pure(node: ast.AST) -> bool:
    """Return whether evaluating a node twice, or elsewhere, makes no difference, as far as the text shows."""
    return all(_is_pure(each) for each in ast.walk(node))


def _is_pure(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        by_name = isinstance(node.func, ast.Name) and node.func.id in PURE_CALLS
        return by_name or (isinstance(node.func, ast.Attribute) and node.func.attr in PURE_METHODS)
    return not isinstance(node, _NOT_PURE)


def is_text(node: ast.expr) -> bool:
    """Return whether an expression clearly is a string: a literal, ``str(…)``, a join, or a sum with one of them."""
    if isinstance(node, ast.BinOp):
        return is_text(node.left) or (isinstance(node.op, ast.Add) and is_text(node.right))
    if isinstance(node, ast.Call):
        made = isinstance(node.func, ast.Name) and node.func.id in {"str", "chr", "repr"}
        return made or (isinstance(node.func, ast.Attribute) and node.func.attr in {"join", "lower", "upper", "strip"})
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def jumps(body: Sequence[ast.AST], *kinds: type[ast.stmt]) -> bool:
    """Return whether statements of these kinds in the body leave or continue the loop that it belongs to."""
    return any(_jumps(node, kinds) for node in body)


def _jumps(node: ast.AST, kinds: tuple[type[ast.stmt], ...]) -> bool:
    if isinstance(node, kinds):
        return True
    if isinstance(node, ast.ClassDef | ast.Lambda | Function):
        return False
    inside = ast.iter_child_nodes(node)
    if isinstance(node, LOOPS):
        outer = tuple(kind for kind in kinds if kind is ast.Return)  # an inner loop keeps its own break and continue
        return any(_jumps(each, outer if each not in node.orelse else kinds) for each in inside)
    return any(_jumps(each, kinds) for each in inside)


def all_names(code: Code) -> set[str]:
    """Return every name used in the file, for any purpose."""
    found = {node.id for node in ast.walk(code.tree) if isinstance(node, ast.Name)}
    found |= {node.arg for node in ast.walk(code.tree) if isinstance(node, ast.arg)}
    found |= {node.name for node in ast.walk(code.tree) if isinstance(node, ast.ClassDef | Function)}
    aliases = [node for node in ast.walk(code.tree) if isinstance(node, ast.alias)]
    return found | {(alias.asname or alias.name).split(".")[0] for alias in aliases}


def fresh(code: Code, stem: str, taken: Iterable[str] = ()) -> str:
    """Return an unused name that begins with the stem."""
    used = all_names(code) | BUILTINS | set(taken)
    stem = re.sub(r"\W", "", stem) or "value"
    return next(
        name for number in range(1, 10_000) if (name := stem if number == 1 else f"{stem}_{number}") not in used
    )


def bound_inside(node: ast.AST) -> set[str]:
    """Return the names bound by comprehensions and lambdas within an expression."""
    found = {each.id for inner in ast.walk(node) if isinstance(inner, COMPREHENSIONS) for each in _targets(inner)}
    return found | {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}


def _targets(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> list[ast.Name]:
    return [name for part in node.generators for name in ast.walk(part.target) if isinstance(name, ast.Name)]


def free(node: Nodes) -> set[str]:
    """Return the names that nodes read and do not bind in their own comprehensions or lambdas."""
    inside: set[str] = set()
    for root in [node] if isinstance(node, ast.AST) else node:
        inside |= bound_inside(root)
    return reads(node) - inside


def chosen_names(function: Function) -> set[str]:
    """Return the function's local names: its parameters and the names it binds."""
    return {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)} | writes(function)
