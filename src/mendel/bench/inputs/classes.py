"""Classes of the user's file that inputs can be instances of: dataclasses and typed dictionaries."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mendel.bench.inputs.kinds import FieldKind, Kind, RecordKind
from mendel.bench.inputs.scope import Scope
from mendel.bench.inputs.unusable import Unusable

_NOT_CROSSING = {
    "Enum": "an Enum",
    "IntEnum": "an Enum",
    "StrEnum": "an Enum",
    "Flag": "an Enum",
    "IntFlag": "an Enum",
    "NamedTuple": "a NamedTuple",
    "Protocol": "a Protocol",
}


@dataclass(frozen=True)
class ClassReader:
    """Reads the classes of one file; ``kind_of`` reads the annotations of their fields."""

    scope: Scope
    kind_of: Callable[[ast.expr], Kind]

    def kind(self, node: ast.ClassDef) -> Kind:
        """Return the kind of the class's instances.

        Raises:
            Unusable: no instance can be made outside the sandbox.
        """
        bases = [self._last(base) for base in node.bases]
        if "TypedDict" in bases:
            return RecordKind(kind="typed_dict", name=node.name, fields=tuple(self._items(node)))
        if is_dataclass(node):
            return RecordKind(kind="record", name=node.name, fields=tuple(self._fields(node)))
        told = next((_NOT_CROSSING[base] for base in bases if base in _NOT_CROSSING), "not a dataclass")
        raise Unusable(f"is {node.name}, {told}, which cannot cross into the sandbox")

    def functional(self, name: str, call: ast.Call) -> Kind:
        """Return the kind of a functional form such as ``TypedDict("Point", {"x": int})``."""
        items = call.args[1]
        if not isinstance(items, ast.Dict):
            raise Unusable(f"is {name}, whose keys are not literals")
        total = not any(keyword.arg == "total" and _is_false(keyword.value) for keyword in call.keywords)
        fields = []
        for key, value in zip(items.keys, items.values, strict=True):
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                raise Unusable(f"is {name}, whose keys are not literals")
            fields.append(FieldKind(name=key.value, of=self.kind_of(value), required=total))
        return RecordKind(kind="typed_dict", name=name, fields=tuple(fields))

    def _fields(self, node: ast.ClassDef) -> Iterator[FieldKind]:
        for base in node.bases:
            yield from self._inherited(node, base)
        for name, annotation, value in _annotated(node):
            marker = self._last(annotation.value) if isinstance(annotation, ast.Subscript) else self._last(annotation)
            if marker == "ClassVar":  # not a field
                continue
            if marker == "InitVar" or _without_init(value):
                raise Unusable(f"is {node.name}, whose {name} is computed by its own code")
            yield FieldKind(name=name, of=self._part(node, name, annotation))

    def _inherited(self, node: ast.ClassDef, base: ast.expr) -> Iterator[FieldKind]:
        parent = self.scope.classes.get(base.id) if isinstance(base, ast.Name) else None
        if parent is None or not is_dataclass(parent) or parent is node:
            raise Unusable(f"is {node.name}, which inherits from {ast.unparse(base)}, not a dataclass of this file")
        yield from self._fields(parent)

    def _items(self, node: ast.ClassDef) -> Iterator[FieldKind]:
        if len(node.bases) > 1 or not isinstance(node.bases[0], ast.Name | ast.Attribute):
            raise Unusable(f"is {node.name}, which inherits from more than TypedDict")
        total = not any(keyword.arg == "total" and _is_false(keyword.value) for keyword in node.keywords)
        for name, annotation, _ in _annotated(node):
            marker = self._last(annotation.value) if isinstance(annotation, ast.Subscript) else None
            if isinstance(annotation, ast.Subscript) and marker == "NotRequired":
                yield FieldKind(name=name, of=self._part(node, name, annotation.slice), required=False)
            else:
                required = total or marker == "Required"
                yield FieldKind(name=name, of=self._part(node, name, annotation), required=required)

    def _part(self, node: ast.ClassDef, name: str, annotation: ast.expr) -> Kind:
        try:
            return self.kind_of(annotation)
        except Unusable as error:
            raise Unusable(f"is {node.name}, whose {name} {error}") from None

    def _last(self, node: ast.expr) -> str:
        """Return the last part of a name, regardless of its module."""
        return (self.scope.dotted(node) or ast.unparse(node)).rsplit(".", 1)[-1]


def is_dataclass(node: ast.ClassDef) -> bool:
    """Whether the class has the decorator of dataclasses."""
    makers = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    return any(ast.unparse(maker).rsplit(".", 1)[-1] == "dataclass" for maker in makers)


def _annotated(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr, ast.expr | None]]:
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id, statement.annotation, statement.value


def _without_init(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and any(
        keyword.arg == "init" and _is_false(keyword.value) for keyword in value.keywords
    )


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False
