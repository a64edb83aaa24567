"""Plans to draw from, and a judge of what is drawn that shares nothing with the drawing."""

from __future__ import annotations

import datetime as dt
import struct
from decimal import Decimal

from mendel.bench.inputs.plan import InputPlan
from mendel.bench.inputs.signatures import plan_from_annotations
from mendel.breeding.code import Code
from mendel.contracts.plain_values import NdArray, Record, identical
from mendel.contracts.value_json import from_json

HEAD = """\
from __future__ import annotations
import datetime
import numpy as np
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal, NewType, NotRequired, Optional, TypeAlias, TypedDict, TypeVar, Union
import typing as t

T = TypeVar("T")
Vector: TypeAlias = list[float]
Id = NewType("Id", int)
@dataclass
class Point:
    x: float
    y: "float" = 0.0
class Row(TypedDict):
    name: str
    age: NotRequired[int]
"""

SIGNATURES = {
    "ints": "items: list[int]",
    "floats": "items: Sequence[float]",
    "words": "words: list[str]",
    "lone": "n: int",
    "two_numbers": "a: int, b: int",
    "text": "text: str",
    "search": "text: str, pattern: str",
    "distance": "a: str, b: str",
    "bytes": "data: bytes, more: bytearray",
    "matrix": "m: list[list[float]]",
    "product": "a: list[list[float]], b: list[list[float]]",
    "matrix_vector": "m: list[list[float]], v: list[float]",
    "graph": "graph: dict[str, dict[str, float]], start: str, end: str",
    "adjacency": "graph: dict[int, list[int]], start: int",
    "pairs": "graph: dict[str, list[tuple[str, int]]]",
    "edges": "n: int, edges: list[tuple[int, int, float]]",
    "lookup": "items: list[int], target: int",
    "top": "items: list[float], k: int = 3, reverse=False",
    "searched": "sorted_items: list[int], target: int",
    "dot": "a: list[float], b: list[float]",
    "sets": "a: set[int], b: frozenset[str]",
    "mapping": "counts: Mapping[str, int]",
    "tuples": "points: list[tuple[float, float]], box: tuple[int, ...]",
    "optional": "items: Optional[list[int]], mode: Literal['fast', 'slow', 3] = 'fast'",
    "union": "items: list[int | str | None]",
    "moments": "days: list[date], at: datetime.datetime, gap: datetime.timedelta, noon: datetime.time",
    "plain": "flag: bool, z: complex, price: Decimal",
    "alias": "v: Vector, who: Id, any: list[T]",
    "points": "points: list[Point]",
    "rows": "rows: list[Row]",
    "array": "x: np.ndarray[tuple[int, int], np.dtype[np.float64]], y: np.ndarray",
    "bounded": "n: Annotated[int, Ge(5), Le(9)], name: Annotated[str, Field(min_length=2, max_length=4)]",
    "deep": "items: dict[str, list[dict[str, set[int]]]]",
    "cube": "cube: list[list[list[int]]]",
}


def plan_of(signature: str) -> InputPlan:
    return plan_from_annotations(Code(f"{HEAD}\ndef f({signature}): ...\n"), "f")


PLANS = {name: plan_of(signature) for name, signature in SIGNATURES.items()}


def fits(kind, value) -> bool:
    """Whether a value is of the kind: by its type, its bounds and its length."""
    return _JUDGES[kind.kind](kind, value)


def _within(kind, value) -> bool:
    return (kind.low is None or value >= kind.low) and (kind.high is None or value <= kind.high)


def _long_enough(kind, value) -> bool:
    return len(value) >= kind.least and (kind.most is None or len(value) <= kind.most)


def _exactly(wanted):
    return lambda kind, value: type(value) is wanted


def _many(wanted):
    return lambda kind, value: (
        type(value) is wanted
        and _long_enough(kind, value)
        and all(fits(kind.of, item) for item in value)
        and (not kind.ascending or list(value) == sorted(value))
    )


def _dict(kind, value) -> bool:
    pairs = type(value) is dict and all(fits(kind.keys, k) and fits(kind.values, v) for k, v in value.items())
    return pairs and _long_enough(kind, value)


def _record(kind, value) -> bool:
    if kind.kind == "record":
        names = tuple(field.name for field in kind.fields)
        if type(value) is not Record or value.name != kind.name or tuple(name for name, _ in value.fields) != names:
            return False
        value = dict(value.fields)
    needed = {field.name for field in kind.fields if field.required}
    known = {field.name: field.of for field in kind.fields}
    return needed <= set(value) <= set(known) and all(fits(known[name], item) for name, item in value.items())


def _array(kind, value) -> bool:
    size = 1
    for side in value.shape:
        size *= side
    width = struct.calcsize({"float64": "d", "int64": "q"}[kind.dtype])
    right = type(value) is NdArray and value.dtype == kind.dtype and len(value.shape) == kind.dimensions
    return right and len(value.data) == size * width


_JUDGES = {
    "int": lambda kind, value: type(value) is int and _within(kind, value),
    "float": lambda kind, value: type(value) is float and (value != value or _within(kind, value)),
    "bool": _exactly(bool),
    "none": _exactly(type(None)),
    "complex": _exactly(complex),
    "decimal": _exactly(Decimal),
    "str": lambda kind, value: (
        type(value) is str and _long_enough(kind, value) and (not kind.alphabet or set(value) <= set(kind.alphabet))
    ),
    "bytes": _exactly(bytes),
    "bytearray": _exactly(bytearray),
    "date": _exactly(dt.date),
    "datetime": _exactly(dt.datetime),
    "time": _exactly(dt.time),
    "timedelta": _exactly(dt.timedelta),
    "literal": lambda kind, value: any(identical(from_json(each), value) for each in kind.values),
    "list": _many(list),
    "sequence": _many(tuple),
    "set": _many(set),
    "frozenset": _many(frozenset),
    "tuple": lambda kind, value: (
        type(value) is tuple and len(value) == len(kind.items) and all(map(fits, kind.items, value))
    ),
    "dict": _dict,
    "record": _record,
    "typed_dict": _record,
    "union": lambda kind, value: any(fits(option, value) for option in kind.options),
    "array": _array,
}
