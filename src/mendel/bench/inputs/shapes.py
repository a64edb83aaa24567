"""Shapes of inputs: those that breeding may see, and those that only the gate sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from mendel.bench.inputs.kinds import (
    ArrayKind,
    DictKind,
    FloatKind,
    IntKind,
    Kind,
    ManyKind,
    PlainKind,
    RecordKind,
    TextKind,
    TupleKind,
    UnionKind,
    inside,
    is_matrix,
    outer_parts,
    sized_part,
)
from mendel.bench.inputs.plan import InputPlan

SEEN_SHAPES: Final = ("random", "few_distinct", "nearly_sorted", "runs", "oblong", "ragged", "uneven")
HELD_SHAPES: Final = (
    "empty",
    "single",
    "sorted",
    "reversed",
    "equal",
    "organ_pipe",
    "negative",
    "huge",
    "unicode",
    "nan",
)


def usable_shapes(plan: InputPlan, shapes: Sequence[str]) -> tuple[str, ...]:
    """Return the shapes that inputs of this plan can have.

    Raises:
        ValueError: a shape is unknown.
    """
    unknown = [shape for shape in shapes if shape not in _USABLE]
    if unknown:
        raise ValueError(f"unknown shape {unknown[0]!r}; known are {', '.join(_USABLE)}")
    return tuple(shape for shape in shapes if _USABLE[shape](plan))


def _sized(plan: InputPlan) -> list[Kind]:
    """Return the parts of the parameters that have a length."""
    small = plan.small
    outer = [parameter.of for place, parameter in enumerate(plan.parameters) if place not in small]
    return [part for kind in outer for part in outer_parts(kind)]


def _shrinkable(length: int) -> Callable[[InputPlan], bool]:
    def usable(plan: InputPlan) -> bool:
        sized = _sized(plan)
        fits = all(getattr(kind, "least", 0) <= length <= _most(kind) for kind in sized)
        return plan.counted or (bool(sized) and fits)

    return usable


def _most(kind: Kind) -> float:
    most = getattr(kind, "most", None)
    return float("inf") if most is None else float(most)


def _repeatable(plan: InputPlan) -> bool:
    return bool(_sized(plan))


def _arrangeable(plan: InputPlan) -> bool:
    return any(not isinstance(kind, ManyKind) or _in_order(kind) for kind in _sized(plan))


def _in_order(kind: ManyKind) -> bool:
    """Whether the values have an order, and any order is allowed."""
    return kind.kind in ("list", "sequence") and not kind.ascending


def _sortable(plan: InputPlan) -> bool:
    return any(not isinstance(kind, ManyKind) or kind.kind in ("list", "sequence") for kind in _sized(plan))


def _equalled(plan: InputPlan) -> bool:
    numbers = [parameter for parameter in plan.parameters if isinstance(parameter.of, IntKind)]
    return bool(_sized(plan)) or len(numbers) > 1


def _numbers(kind: Kind) -> Iterator[Kind]:
    """Yield the kinds of numbers, except weights of graphs, whose range algorithms on graphs rely on."""
    if isinstance(kind, DictKind) and kind.graph:
        return
    if isinstance(kind, IntKind | FloatKind | PlainKind | ArrayKind):
        yield kind
    parts: Sequence[Kind] = ()
    if isinstance(kind, ManyKind):
        parts = (kind.of,)
    elif isinstance(kind, DictKind):
        parts = (kind.keys, kind.values)
    elif isinstance(kind, TupleKind | UnionKind):
        parts = kind.items if isinstance(kind, TupleKind) else kind.options
    elif isinstance(kind, RecordKind):
        parts = [field.of for field in kind.fields]
    for part in parts:
        yield from _numbers(part)


def _any_number(test: Callable[[Kind], bool]) -> Callable[[InputPlan], bool]:
    """Return a test of the numbers in a plan; arguments tied to another have no value of their own."""

    def usable(plan: InputPlan) -> bool:
        tied = {relation.to for relation in plan.relations}
        free = [each.of for place, each in enumerate(plan.parameters) if place not in tied or sized_part(each.of)]
        return any(test(number) for kind in free for number in _numbers(kind))

    return usable


def _unbounded(kind: Kind) -> bool:
    return isinstance(kind, IntKind | FloatKind) and kind.high is None


def _below_zero(kind: Kind) -> bool:
    return isinstance(kind, IntKind | FloatKind) and kind.low is None


def _may_be_nan(kind: Kind) -> bool:
    if isinstance(kind, FloatKind):
        return kind.low is None and kind.high is None
    return kind.kind == "complex" or (isinstance(kind, ArrayKind) and kind.dtype == "float64")


def _huge(plan: InputPlan) -> bool:
    """Whether numbers may be huge: not if a whole number determines the amount of work."""
    return _any_number(_unbounded)(plan) and not plan.counted


def _any_text(plan: InputPlan) -> bool:
    texts = [each for parameter in plan.parameters for each in inside(parameter.of) if isinstance(each, TextKind)]
    return any(not text.alphabet for text in texts)


def _matrices(plan: InputPlan) -> list[ManyKind]:
    return [kind for kind in _sized(plan) if isinstance(kind, ManyKind) and is_matrix(kind)]


def _oblong(plan: InputPlan) -> bool:
    matrices = _matrices(plan)
    tied = any(relation.tie in ("same_shape", "product") and relation.always for relation in plan.relations)
    return bool(matrices) and all(kind.rows != "square" for kind in matrices) and (len(matrices) == 1 or tied)


def _ragged(plan: InputPlan) -> bool:
    matrices = _matrices(plan)
    return len(matrices) == 1 and matrices[0].rows in ("free", "ragged")


def _uneven(plan: InputPlan) -> bool:
    return any(relation.tie == "same_length" and not relation.always for relation in plan.relations)


_USABLE: Final[dict[str, Callable[[InputPlan], bool]]] = {
    "random": lambda _: True,
    "few_distinct": _repeatable,
    "nearly_sorted": _arrangeable,
    "runs": _arrangeable,
    "oblong": _oblong,
    "ragged": _ragged,
    "uneven": _uneven,
    "empty": _shrinkable(0),
    "single": _shrinkable(1),
    "sorted": _sortable,
    "reversed": _arrangeable,
    "equal": _equalled,
    "organ_pipe": _arrangeable,
    "negative": _any_number(_below_zero),
    "huge": _huge,
    "unicode": _any_text,
    "nan": _any_number(_may_be_nan),
}
