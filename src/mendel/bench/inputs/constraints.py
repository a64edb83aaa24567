"""Bounds in ``Annotated``: ``Annotated[int, Ge(0)]``, ``Annotated[str, Field(max_length=8)]``."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from mendel.bench.inputs.kinds import BytesKind, DictKind, FloatKind, IntKind, Kind, ManyKind, TextKind

_BY_CLASS = {"Ge": "ge", "Gt": "gt", "Le": "le", "Lt": "lt", "MinLen": "min_length", "MaxLen": "max_length"}
_STEP = {"ge": 0, "gt": 1, "le": 0, "lt": -1}  # from an exclusive bound to the nearest whole number that is allowed


def constrained(kind: Kind, metadata: Sequence[ast.expr]) -> Kind:
    """Return the kind within the bounds that are known by name; all other metadata is ignored."""
    for name, value in _bounds(metadata):
        kind = _bounded(kind, name, value)
    return kind


def _bounds(metadata: Sequence[ast.expr]) -> Iterator[tuple[str, float]]:
    for call in metadata:
        if not isinstance(call, ast.Call):
            continue
        maker = ast.unparse(call.func).rsplit(".", 1)[-1]
        if maker in _BY_CLASS and call.args:
            yield from _number(_BY_CLASS[maker], call.args[0])
        for keyword in call.keywords:
            yield from _number(keyword.arg or "", keyword.value)


def _number(name: str, node: ast.expr) -> Iterator[tuple[str, float]]:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return
    if isinstance(value, int | float) and abs(value) < 2**53:
        yield name, value


def _bounded(kind: Kind, name: str, value: float) -> Kind:
    if isinstance(kind, IntKind) and name in _STEP:
        field = "low" if name in ("ge", "gt") else "high"
        return kind.model_copy(update={field: int(value) + _STEP[name]})
    if isinstance(kind, FloatKind) and name in _STEP:
        return kind.model_copy(update={"low" if name in ("ge", "gt") else "high": value + _STEP[name] * 1e-6})
    if isinstance(kind, TextKind | BytesKind | ManyKind | DictKind) and name in ("min_length", "max_length"):
        return kind.model_copy(update={"least" if name == "min_length" else "most": max(0, int(value))})
    return kind
