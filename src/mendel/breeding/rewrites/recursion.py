"""Memoised recursion: a cached inner function, with indices in place of sliced arguments.

The cache belongs to one call of the outer function, never to the module: a call must not profit from earlier ones.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from mendel.breeding.code import Edit, Function
from mendel.breeding.rewrites import scope, texts
from mendel.breeding.rewrites.rules import operator
from mendel.breeding.view import View, body_of, writes

Role = Literal["same", "front", "back", "free"]
"""A parameter's value in recursive calls: unchanged, without its front, without its end, or anything else."""

_IMPORTS: Final = ("import functools",)
_EMPTY: Final = frozenset({"''", '""', "[]", "()"})


@dataclass(frozen=True)
class Recursion:
    """A recursive function, analysed for memoisation."""

    view: View
    function: Function
    roles: dict[str, Role]

    @cached_property
    def inner(self) -> str:
        """The name of the inner function."""
        return scope.fresh(self.view.code, f"{self.function.name}_from")

    @cached_property
    def varying(self) -> dict[str, str]:
        """The varying parameters, and their names in the inner function."""
        ends = {"front": "_at", "back": "_end"}
        kept = {name: role for name, role in self.roles.items() if role != "same"}
        return {
            name: scope.fresh(self.view.code, name + ends[role]) if role in ends else name
            for name, role in kept.items()
        }

    def swaps(self, node: ast.AST) -> dict[ast.expr | ast.stmt, str]:
        """Return the replacements needed in a part of the body."""
        if isinstance(node, ast.expr):
            text = self._inside(node)
            if text is not None:
                return {node: text}
        return {key: text for child in ast.iter_child_nodes(node) for key, text in self.swaps(child).items()}

    def text(self, node: ast.expr) -> str:
        """Return an expression's text for the inner function."""
        swaps = self.swaps(node)
        return swaps[node] if node in swaps else texts.text_of(self.view.code, node, swaps)

    def body(self) -> str:
        """Return the body's text for the inner function."""
        block = body_of(self.function)
        return texts.block_text(self.view.code, block, {k: v for each in block for k, v in self.swaps(each).items()})

    def _inside(self, node: ast.expr) -> str | None:
        if is_call_of(node, self.function.name) and isinstance(node, ast.Call):
            return self._call(node)
        subject = _subject(node)
        role = self.roles.get(subject or "")
        if subject is None or role not in {"front", "back"}:
            return None
        shift = _Front(subject, self.varying[subject]) if role == "front" else _Back(subject, self.varying[subject])
        return self._shifted(node, shift)

    def _call(self, node: ast.Call) -> str:
        given = [
            self._handed(name, value)
            for (name, role), value in zip(self.roles.items(), node.args, strict=True)
            if role != "same"
        ]
        return f"{self.inner}({', '.join(given)})"

    def _handed(self, name: str, value: ast.expr) -> str:
        """Return the argument of a recursive call: the new index, or the value of a free parameter."""
        role, index = self.roles[name], self.varying[name]
        if role == "free":
            return self.text(value)
        if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
            moved = value.slice.lower if role == "front" else _taken_off(value.slice)
            return f"{index} {'+' if role == 'front' else '-'} {texts.atom(self.text(moved))}" if moved else index
        return index

    def _shifted(self, node: ast.expr, shift: _Front | _Back) -> str | None:
        code = self.view.code
        if isinstance(node, ast.Name):
            tested = _is_tested(self.view, node)
            return shift.some if tested else shift.rest
        if isinstance(node, ast.UnaryOp):
            return shift.none
        if isinstance(node, ast.Compare):
            return shift.none if isinstance(node.ops[0], ast.Eq) else shift.some
        if isinstance(node, ast.Call):
            return shift.length
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return shift.piece(*(self.text(each) if each else "" for each in (node.slice.lower, node.slice.upper)))
        if isinstance(node, ast.Subscript):
            return shift.element(self.text(node.slice))
        return code.of(node)


@dataclass(frozen=True)
class _Front:
    """Expressions for parts of a sequence from an index on."""

    name: str
    index: str

    @property
    def rest(self) -> str:
        return f"{self.name}[{self.index}:]"

    @property
    def some(self) -> str:
        return f"({self.index} < len({self.name}))"

    @property
    def none(self) -> str:
        return f"({self.index} >= len({self.name}))"

    @property
    def length(self) -> str:
        return f"(len({self.name}) - {self.index})"

    def element(self, place: str) -> str:
        if place.startswith("-"):  # the end of the sequence stays, so negative indices do too
            return f"{self.name}[{place}]"
        return f"{self.name}[{self.index}]" if place == "0" else f"{self.name}[{self.index} + {texts.atom(place)}]"

    def piece(self, lower: str, upper: str) -> str:
        stop = upper if not upper or upper.startswith("-") else f"{self.index} + {texts.atom(upper)}"
        return f"{self.name}[{self.index} + {texts.atom(lower or '0')}:{stop}]"


@dataclass(frozen=True)
class _Back:
    """Expressions for parts of a sequence up to an end."""

    name: str
    index: str

    @property
    def rest(self) -> str:
        return f"{self.name}[:{self.index}]"

    @property
    def some(self) -> str:
        return f"({self.index} > 0)"

    @property
    def none(self) -> str:
        return f"({self.index} <= 0)"

    @property
    def length(self) -> str:
        return self.index

    def element(self, place: str) -> str:
        return f"{self.name}[{self.index} - {place[1:]}]" if place.startswith("-") else f"{self.name}[{place}]"

    def piece(self, lower: str, upper: str) -> str:
        stop = f"{self.index} - {upper[1:]}" if upper.startswith("-") else upper or self.index
        return f"{self.name}[{lower}:{stop}]"


def _subject(node: ast.expr) -> str | None:
    """Return the name that a node reads: itself, its length, its emptiness, an element or a slice of it."""
    if isinstance(node, ast.Name):
        return node.id
    inner: ast.expr | None = None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = node.operand
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.NotEq):
        inner = node.left if ast.unparse(node.comparators[0]) in _EMPTY else None
    elif is_call_of(node, "len") and isinstance(node, ast.Call) and len(node.args) == 1:
        inner = node.args[0]
    elif isinstance(node, ast.Subscript) and not (isinstance(node.slice, ast.Slice) and node.slice.step):
        inner = node.value
    return inner.id if isinstance(inner, ast.Name) else None


def _is_tested(view: View, node: ast.Name) -> bool:
    """Return whether only the truth value of a name is used at its place."""
    parent = view.code.parents[node]
    if isinstance(parent, ast.If | ast.While | ast.IfExp) and parent.test is node:
        return True
    return isinstance(parent, ast.BoolOp) and (parent.values[-1] is not node or not isinstance(parent.op, ast.Or))


def is_call_of(node: ast.AST, name: str) -> bool:
    """Return whether a node calls the function with that name."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _taken_off(piece: ast.Slice) -> ast.expr | None:
    """Return the number of elements that ``x[:-k]`` removes from the end."""
    upper = piece.upper
    return upper.operand if isinstance(upper, ast.UnaryOp) and isinstance(upper.op, ast.USub) else None


def self_calls(function: Function) -> list[ast.Call]:
    """Return a function's calls of itself; empty if its signature or one of the calls is not purely positional."""
    found = [node for node in ast.walk(function) if is_call_of(node, function.name) and isinstance(node, ast.Call)]
    given = function.args
    count = len(given.posonlyargs) + len(given.args)
    odd = given.vararg or given.kwarg or given.kwonlyargs or function.decorator_list
    plain = all(len(call.args) == count and not call.keywords for call in found)
    starred = any(isinstance(each, ast.Starred) for call in found for each in call.args)
    return found if plain and count and not odd and not starred and not _is_generator(function) else []


def _is_generator(function: Function) -> bool:
    return isinstance(function, ast.AsyncFunctionDef) or any(
        isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function)
    )


def _role(name: str, values: list[ast.expr]) -> Role:
    kept = [isinstance(value, ast.Name) and value.id == name for value in values]
    if all(kept):
        return "same"
    pieces = [value for value, same in zip(values, kept, strict=True) if not same]
    if all(_is_piece(value, name, front=True) for value in pieces):
        return "front"
    return "back" if all(_is_piece(value, name, front=False) for value in pieces) else "free"


def _is_piece(value: ast.expr, name: str, *, front: bool) -> bool:
    if not (isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice) and not value.slice.step):
        return False
    piece = value.slice
    named = isinstance(value.value, ast.Name) and value.value.id == name
    if front:
        # `x[-1:]` keeps the end only, so it is not the rest of the sequence.
        return named and piece.upper is None and piece.lower is not None and not isinstance(piece.lower, ast.UnaryOp)
    return named and piece.lower is None and _taken_off(piece) is not None


def _recursion(view: View, node: ast.AST, *, indexed: bool) -> Recursion | None:
    if not isinstance(node, Function) or not view.code.alone(body_of(node)[0]):
        return None
    calls = self_calls(node)
    names = [each.arg for each in [*node.args.posonlyargs, *node.args.args]]
    roles: dict[str, Role] = {
        name: _role(name, [call.args[place] for call in calls]) for place, name in enumerate(names)
    }
    bound = writes(node)
    # Without indices, a slice is passed as a value like any other.
    plain: dict[str, Role] = {name: "free" if role in {"front", "back"} else role for name, role in roles.items()}
    # A rebound parameter has no fixed role.
    steady = {name: role if name not in bound else "free" for name, role in (roles if indexed else plain).items()}
    useful = bool(calls) and any(role != "same" for role in steady.values())
    if not useful or (indexed and not set(steady.values()) & {"front", "back"}):
        return None
    return Recursion(view, node, steady)


def index_recursion(view: View, node: ast.AST) -> Iterator[Edit]:
    """Turn recursion on ``x[1:]`` into memoised recursion on an index."""
    found = _recursion(view, node, indexed=True)
    if found is not None:
        starts = {"front": "0", "back": "len({})"}
        given = [starts.get(found.roles[name], "{}").format(name) for name in found.varying]
        yield from _remembering(found, given, "recursion on indices")


def memoised(view: View, node: ast.AST) -> Iterator[Edit]:
    """Memoise a recursive function by an inner one; lists can be passed as tuples, which are hashable."""
    found = _recursion(view, node, indexed=False)
    if found is None:
        return
    yield from _remembering(found, list(found.varying), "memoised")
    sequences = _sequences(found.function) & set(found.varying)
    if sequences:
        given = [f"tuple({name})" if name in sequences else name for name in found.varying]
        yield from _remembering(found, given, "memoised with tuples")


def _sequences(function: Function) -> set[str]:
    """Return names that are indexed, measured or iterated, and so may be lists."""
    found: set[str] = set()
    for node in ast.walk(function):
        held: ast.AST | None = None
        if isinstance(node, ast.Subscript):
            held = node.value
        elif isinstance(node, ast.For | ast.comprehension):
            held = node.iter
        elif is_call_of(node, "len") and isinstance(node, ast.Call) and node.args:
            held = node.args[0]
        if isinstance(held, ast.Name):
            found.add(held.id)
    return found


def _remembering(found: Recursion, given: list[str], note: str) -> Iterator[Edit]:
    parameters = ", ".join(found.varying.values())
    head, call = f"def {found.inner}({parameters}):\n", f"return {found.inner}({', '.join(given)})"
    block = body_of(found.function)
    cached = f"@functools.cache\n{head}{texts.nested(found.body())}\n{call}"
    change = texts.window(found.view.code, block, cached)
    if change is not None:
        yield Edit((change,), note, _IMPORTS)
    kept = texts.window(found.view.code, block, _by_dict(found, head, call))
    if kept is not None:
        yield Edit((kept,), f"{note} in a dict")


def _by_dict(found: Recursion, head: str, call: str) -> str:
    """Memoise with a dict, which takes one stack frame per level instead of two."""
    memo = scope.fresh(found.view.code, "memo")
    names = list(found.varying.values())
    key = names[0] if len(names) == 1 else f"({', '.join(names)})"
    block = body_of(found.function)
    swaps = {old: new for each in block for old, new in found.swaps(each).items()}
    for each in (node for statement in block for node in ast.walk(statement)):
        if isinstance(each, ast.Return) and each.value is not None:
            inside = {old: new for old, new in swaps.items() if any(node is old for node in ast.walk(each.value))}
            value = inside.get(each.value) or texts.text_of(found.view.code, each.value, inside)
            swaps = {old: new for old, new in swaps.items() if old not in inside}
            swaps[each] = f"return {memo}.setdefault({key}, {value})"
    body = f"if {key} in {memo}:\n    return {memo}[{key}]\n{texts.block_text(found.view.code, block, swaps)}"
    return f"{memo} = {{}}\n{head}{texts.nested(body)}\n{call}"


def decorated(view: View, node: ast.AST) -> Iterator[Edit]:
    """Memoise a function inside a function by a decorator."""
    if not isinstance(node, Function) or node in view.functions or node.decorator_list:
        return
    if node.args.args and view.code.alone(node) and not _is_generator(node):
        yield Edit((view.code.before(node, "@functools.cache"),), "memoised", _IMPORTS)


MEMOISE = operator("memoise", 2.0, memoised, decorated)
INDEX_RECURSION = operator("index_recursion", 2.0, index_recursion)
