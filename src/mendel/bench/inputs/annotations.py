"""Annotations read from the syntax tree. Nothing of the user's module is imported or run."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from mendel.bench.inputs import vocabulary as words
from mendel.bench.inputs.classes import ClassReader
from mendel.bench.inputs.constraints import constrained
from mendel.bench.inputs.kinds import (
    NONE,
    ArrayKind,
    DictKind,
    IntKind,
    Kind,
    LiteralKind,
    ManyKind,
    TupleKind,
    UnionKind,
)
from mendel.bench.inputs.scope import Scope
from mendel.bench.inputs.unusable import IsCode, Unusable
from mendel.contracts.errors import PayloadUnserialisable
from mendel.contracts.value_json import to_json

_MANY = (
    (words.LISTS, "list"),
    (words.SETS, "set"),
    (words.FROZEN_SETS, "frozenset"),
)


@dataclass(frozen=True)
class Reader:
    """Reads the annotations of a file; ``within`` are the names being resolved, ``variables`` the type variables."""

    scope: Scope
    within: tuple[str, ...] = ()
    variables: frozenset[str] = frozenset()

    def kind(self, node: ast.expr) -> Kind:
        """Return the kind of an annotation.

        Raises:
            Unusable: no input can be made of it; the message gives the reason.
        """
        if isinstance(node, ast.Constant):
            return self._constant(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return union(self.kind(node.left), self.kind(node.right))
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.Name) and node.id in self.variables:
            return IntKind()  # a type variable may be any type, so the simplest one will do
        if isinstance(node, ast.Name) and (node.id in self.scope.aliases or node.id in self.scope.classes):
            return self._own(node.id)
        return self._named(node)

    def _constant(self, node: ast.Constant) -> Kind:
        if node.value is None:
            return NONE
        if not isinstance(node.value, str):
            raise Unusable(f"is {ast.unparse(node)}, which is not a type")
        try:
            inner = ast.parse(node.value.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise Unusable(f"is the text {node.value!r}, which is not a type") from None
        return self.kind(inner)

    def _named(self, node: ast.expr) -> Kind:
        name = self.scope.dotted(node) or ""
        if name in words.SCALARS:
            return words.SCALARS[name]
        shown = ast.unparse(node)
        if name in words.ARRAYS:
            return ArrayKind()
        if name in words.REFUSED:
            kind = IsCode if name in words.CODE else Unusable
            raise kind(f"is {shown}, which {words.REFUSED[name]}")
        if name in words.LISTS | words.SETS | words.FROZEN_SETS:
            raise Unusable(f"is {shown} without the type of its items; write {shown}[int], say")
        if name in words.TUPLES:
            raise Unusable(f"is {shown} without the type of its items; write {shown}[int, ...], say")
        if name in words.DICTS:
            raise Unusable(f"is {shown} without the types of its keys and values; write {shown}[str, int], say")
        raise Unusable(f"is {shown}, a type for which no input can be made")

    def _own(self, name: str) -> Kind:
        """Resolve a name that the file itself defines."""
        if name in self.within:
            raise Unusable(f"is {name}, which refers to itself")
        inner = replace(self, within=(*self.within, name))  # a name that occurs again while it is resolved is recursive
        if name in self.scope.classes:
            return ClassReader(self.scope, inner.kind).kind(self.scope.classes[name])
        value = self.scope.aliases[name]
        return inner._made(name, value) if isinstance(value, ast.Call) else inner.kind(value)

    def _made(self, name: str, call: ast.Call) -> Kind:
        """Resolve ``NewType("Id", int)``, ``TypeVar("T", bound=int)`` and the functional forms of classes."""
        maker = (self.scope.dotted(call.func) or "").rsplit(".", 1)[-1]
        if maker == "NewType" and len(call.args) == 2:
            return self.kind(call.args[1])
        if maker == "TypeVar":
            bound = [keyword.value for keyword in call.keywords if keyword.arg == "bound"]
            options = [*call.args[1:], *bound]
            return self.kind(options[0]) if options else IntKind()
        if maker == "TypedDict" and len(call.args) == 2 and isinstance(call.args[1], ast.Dict):
            return ClassReader(self.scope, self.kind).functional(name, call)
        raise Unusable(f"is {name}, for which no input can be made")

    def _subscript(self, node: ast.Subscript) -> Kind:
        name = self.scope.dotted(node.value)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name in words.UNIONS:
            return union(*map(self.kind, parts))
        if name in words.OPTIONALS:
            return union(self.kind(parts[0]), NONE)
        if name in words.LITERALS:
            return LiteralKind(values=tuple(to_json(_literal(part)) for part in parts))
        if name in words.ANNOTATED:
            return constrained(self.kind(parts[0]), parts[1:])
        if name in words.TRANSPARENT:
            return self.kind(parts[0])
        return self._container(name, node, parts)

    def _container(self, name: str | None, node: ast.Subscript, parts: list[ast.expr]) -> Kind:
        for names, kind in _MANY:
            if name in names and len(parts) == 1:
                return self._many(kind, parts[0])
        if name in words.DICTS and len(parts) == 2:
            keys = hashable(self.kind(parts[0]), parts[0])
            return DictKind(keys=keys, values=self.kind(parts[1]))
        if name in words.TUPLES:
            return self._tuple(parts)
        if name in words.ARRAYS:
            return self._array(parts)
        return self._named(node.value)

    def _many(self, kind: str, part: ast.expr) -> Kind:
        of = self.kind(part)
        if kind == "list":
            return ManyKind(of=of)
        return ManyKind(kind="set" if kind == "set" else "frozenset", of=hashable(of, part))

    def _tuple(self, parts: list[ast.expr]) -> Kind:
        last = parts[-1] if parts else None
        if len(parts) == 2 and isinstance(last, ast.Constant) and last.value is Ellipsis:
            return ManyKind(kind="sequence", of=self.kind(parts[0]))
        return TupleKind(items=tuple(map(self.kind, parts)))

    def _array(self, parts: list[ast.expr]) -> Kind:
        """Resolve ``NDArray[np.float64]``, or ``np.ndarray[tuple[int, int], np.dtype[np.float64]]``."""
        dimensions = 1
        if len(parts) == 2 and isinstance(parts[0], ast.Subscript) and isinstance(parts[0].slice, ast.Tuple):
            dimensions = min(3, len(parts[0].slice.elts))  # the most that an array kind supports
        element = parts[-1].slice if isinstance(parts[-1], ast.Subscript) else parts[-1]
        name = self.scope.dotted(element) or ""
        if name not in words.DTYPES:
            raise Unusable(f"is an array of {ast.unparse(element)}, for which no input can be made")
        return ArrayKind(dtype=words.DTYPES[name], dimensions=dimensions)


def union(*kinds: Kind) -> Kind:
    """Return the union of the kinds, flattened and without duplicates."""
    flat: list[Kind] = []
    for kind in kinds:
        flat += kind.options if isinstance(kind, UnionKind) else (kind,)
    different = [kind for place, kind in enumerate(flat) if kind not in flat[:place]]
    return different[0] if len(different) == 1 else UnionKind(options=tuple(different))


def hashable(kind: Kind, node: ast.expr) -> Kind:
    """Return the kind if its values can be keys.

    Raises:
        Unusable: they cannot.
    """
    if unhashable(kind):
        raise Unusable(f"has keys of {ast.unparse(node)}, which cannot be hashed")
    return kind


def unhashable(kind: Kind) -> bool:
    """Whether values of the kind cannot be keys, or members of a set, inside or outside the sandbox."""
    if isinstance(kind, ManyKind):
        return kind.kind in ("list", "set") or unhashable(kind.of)
    if isinstance(kind, TupleKind):
        return any(map(unhashable, kind.items))
    if isinstance(kind, UnionKind):
        return any(map(unhashable, kind.options))
    return kind.kind in ("dict", "bytearray", "array", "record", "typed_dict")


def _literal(node: ast.expr) -> object:
    try:
        value = ast.literal_eval(node)
        to_json(value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError, PayloadUnserialisable):
        raise Unusable(f"allows the value {ast.unparse(node)}, which is not plain data") from None
    return value
