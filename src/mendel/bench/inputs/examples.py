"""A plan from example calls alone, or a plan from types that examples refine."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, Final

from mendel.bench.inputs.inference import kind_of
from mendel.bench.inputs.kinds import ManyKind, alike, is_matrix
from mendel.bench.inputs.plan import InputPlan, Parameter, Relation, Tie
from mendel.bench.inputs.ties import likely
from mendel.contracts.errors import NoInputs
from mendel.guard.spec import Args

_ENOUGH: Final = 3
"""Number of examples that must agree before a tie is taken for a rule."""


def plan_from_examples(examples: Sequence[Args], names: Sequence[str] = ()) -> InputPlan:
    """Return what the examples have in common: kinds, ranges, alphabets, and ties between arguments.

    ``names`` are the parameter names, if known; they help to guess ties.

    Raises:
        NoInputs: there is no example, or one contains something that cannot cross into the sandbox.
    """
    if not examples:
        raise NoInputs("there are no examples to make inputs from")
    columns = [[each[place] for each in examples if place < len(each)] for place in range(max(map(len, examples)))]
    parameters = [
        _parameter(names[place] if place < len(names) else f"argument_{place + 1}", column, len(examples))
        for place, column in enumerate(columns)
    ]
    relations = {relation.to: relation for relation in likely(parameters)}
    relations |= {relation.to: relation for relation in _seen(examples, parameters)}
    ordered = tuple(relations[to] for to in sorted(relations))
    return InputPlan(parameters=tuple(parameters), relations=ordered, origin="examples")


def refined(plan: InputPlan, examples: Sequence[Args]) -> InputPlan:
    """Return the plan with what examples add to types: order, the length of rows, and ties that always held."""
    fitting = [each for each in examples if len(each) <= len(plan.parameters)]
    if not fitting or plan.receiver == "record":
        return plan
    seen = plan_from_examples(fitting, [parameter.name for parameter in plan.parameters])
    pairs = itertools.zip_longest(plan.parameters, seen.parameters)
    parameters = tuple(_sharper(mine, other) for mine, other in pairs)
    relations = {relation.to: relation for relation in plan.relations}
    relations |= {relation.to: relation for relation in seen.relations if relation.always}
    return plan.model_copy(
        update={"parameters": parameters, "relations": tuple(relations[to] for to in sorted(relations))}
    )


def _parameter(name: str, column: list[Any], examples: int) -> Parameter:
    kind = kind_of(column)
    if isinstance(kind, ManyKind) and kind.kind == "list" and (_always_ascending(column) or "sorted" in name.lower()):
        kind = kind.model_copy(update={"ascending": True})
    return Parameter(name=name, of=kind, optional=len(column) < examples)


def _always_ascending(column: list[Any]) -> bool:
    """Whether several lists were long enough to tell, and all were in ascending order."""
    telling = [value for value in column if isinstance(value, list) and len(value) > 2]
    try:
        return len(telling) > 1 and all(left <= right for value in telling for left, right in itertools.pairwise(value))
    except TypeError:
        return False


def _sharper(mine: Parameter, seen: Parameter | None) -> Parameter:
    if seen is None or not isinstance(mine.of, ManyKind) or not isinstance(seen.of, ManyKind):
        return mine
    if not alike(mine.of, seen.of):
        return mine
    ascending = mine.of.ascending or seen.of.ascending
    return mine.model_copy(update={"of": mine.of.model_copy(update={"ascending": ascending, "rows": seen.of.rows})})


def _seen(examples: Sequence[Args], parameters: Sequence[Parameter]) -> list[Relation]:
    """Return the ties that held in every example, if there are enough; the narrowest tie for each argument."""
    found: dict[int, Relation] = {}
    for tie, holds in _HOLDS.items():  # from the narrowest tie to the widest
        for of, to in itertools.permutations(range(len(parameters)), 2):
            pairs = [(each[of], each[to]) for each in examples if max(of, to) < len(each)]
            if to not in found and _backwards(tie, of, to, found) and len(pairs) >= _ENOUGH and holds(pairs):
                found[to] = Relation(tie=tie, of=of, to=to, always=True)
    return list(found.values())


def _backwards(tie: Tie, of: int, to: int, found: dict[int, Relation]) -> bool:
    """Whether a tie may be written in this direction: a symmetric one only once, and towards the later argument."""
    return tie not in ("same_length", "same_shape", "product") or (of < to and of not in found)


Pairs = list[tuple[Any, Any]]


def _each(check: Callable[[Any, Any], bool]) -> Callable[[Pairs], bool]:
    def holds(pairs: Pairs) -> bool:
        try:
            return all(check(left, right) for left, right in pairs)
        except (TypeError, IndexError):
            return False

    return holds


def _is_index(collection: Any, value: Any) -> bool:  # noqa: ANN401 - whatever the example has
    return type(value) is int and 0 <= value < len(collection)


def _is_count(collection: Any, value: Any) -> bool:  # noqa: ANN401 - whatever the example has
    return type(value) is int and 0 <= value <= len(collection)


def _is_element(collection: Any, value: Any) -> bool:  # noqa: ANN401 - whatever the example has
    return isinstance(collection, list | tuple | set | frozenset) and value in collection


def _is_part(text: Any, part: Any) -> bool:  # noqa: ANN401 - whatever the example has
    return isinstance(text, str) and isinstance(part, str) and part in text


def _same_length(pairs: Pairs) -> bool:
    lists = all(isinstance(left, list) and isinstance(right, list) and len(left) == len(right) for left, right in pairs)
    return lists and len({len(left) for left, _ in pairs}) > 1  # equal lengths throughout may be a coincidence


def _dimensions(value: Any) -> tuple[int, int]:  # noqa: ANN401 - whatever the example has
    if not is_matrix(kind_of([value])):
        raise TypeError("not a matrix")
    return len(value), len(value[0]) if value else 0


def _product(pairs: Pairs) -> bool:
    shapes = [(_dimensions(left), _dimensions(right)) for left, right in pairs]
    return all(left[1] == right[0] for left, right in shapes) and any(left != right for left, right in shapes)


def _careful(holds: Callable[[Pairs], bool]) -> Callable[[Pairs], bool]:
    def checked(pairs: Pairs) -> bool:
        try:
            return holds(pairs)
        except TypeError:
            return False

    return checked


_HOLDS: Final[dict[Tie, Callable[[Pairs], bool]]] = {
    "key": _each(lambda mapping, value: isinstance(mapping, dict) and value in mapping),
    "element": _each(_is_element),
    "pattern": _each(_is_part),
    "index": _each(_is_index),
    "count": _each(_is_count),
    "product": _careful(_product),
    "same_shape": _each(lambda left, right: _dimensions(left) == _dimensions(right)),
    "same_length": _same_length,
}
