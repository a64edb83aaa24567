"""A plan as a Hypothesis strategy: small inputs, and the corner cases that Hypothesis favours."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from copy import deepcopy
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from mendel.bench.inputs import kinds
from mendel.bench.inputs.arranging import ascending
from mendel.bench.inputs.dice import Dice
from mendel.bench.inputs.drawing import needed_arguments
from mendel.bench.inputs.graph_values import graph
from mendel.bench.inputs.hand import Hand
from mendel.bench.inputs.kinds import Kind, inside, is_matrix
from mendel.bench.inputs.plan import InputPlan
from mendel.bench.inputs.tying import tied
from mendel.bench.inputs.values import value
from mendel.contracts.plain_values import Record
from mendel.contracts.value_json import from_json
from mendel.guard.inputs import draw as guard_draw
from mendel.guard.spec import Args, TaskSpec

if TYPE_CHECKING:  # Hypothesis takes a while to import
    from hypothesis.strategies import SearchStrategy

_LONGEST: Final = 24  # of a collection that contains no other
_INNER: Final = 6  # of one inside another, and of one that contains others
_REACH: Final = 10**9
_COUNTED: Final = 50
_FIRST: Final = dt.datetime(1970, 1, 1)
_LAST: Final = dt.datetime(2100, 12, 31)


def hypothesis_inputs(plan: InputPlan, n: int, seed: int) -> list[Args]:
    """Return ``n`` inputs drawn by Hypothesis, the same for the same seed; ties hold as they do in our own draws.

    Raises:
        SpecFailed: Hypothesis finds none.
    """
    return deepcopy(list(_drawn(plan, n, seed)))  # copies, since a user's own rules may change their arguments


@lru_cache(maxsize=8)
def _drawn(plan: InputPlan, n: int, seed: int) -> tuple[Args, ...]:
    """Draw once: a run needs the same inputs for vetting, for sizing and for breeding."""
    made = guard_draw(TaskSpec(name="hypothesis", gen_inputs=_arguments(plan)), n, seed)
    return tuple(_tied(plan, args, Dice("hypothesis", seed, index)) for index, args in enumerate(made))


def _tied(plan: InputPlan, args: Args, dice: Dice) -> Args:
    return tuple(tied(plan, list(args), Hand(dice, _LONGEST, "random", plan.counted)))


def _arguments(plan: InputPlan) -> SearchStrategy[tuple[Any, ...]]:
    from hypothesis import strategies as st

    made = [_counted(each.of) if plan.counted else _of(each.of) for each in plan.parameters]
    lengths = range(needed_arguments(plan), len(made) + 1)
    return st.one_of([st.tuples(*made[:length]) for length in lengths])


def _counted(kind: Kind) -> SearchStrategy[Any]:
    """Return small whole numbers if these determine the amount of work."""
    from hypothesis import strategies as st

    if not isinstance(kind, kinds.IntKind):
        return _of(kind)
    low = max(0, kind.low or 0)
    return st.integers(low, max(low, min(low + _COUNTED, kind.high if kind.high is not None else low + _COUNTED)))


def _of(kind: Kind, level: int = 0) -> SearchStrategy[Any]:
    return _STRATEGIES[type(kind)](kind, level)


def _plain(kind: kinds.PlainKind, _level: int) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    if kind.kind == "none":
        return st.none()
    if kind.kind == "bool":
        return st.booleans()
    if kind.kind == "complex":
        return st.complex_numbers(max_magnitude=1e6, allow_nan=False)
    return st.decimals(-1_000_000, 1_000_000, allow_nan=False, places=2)


def _integers(kind: kinds.IntKind, _level: int) -> SearchStrategy[int]:
    from hypothesis import strategies as st

    low = kind.low if kind.low is not None else min(-_REACH, (kind.high or 0) - _REACH)
    return st.integers(low, kind.high if kind.high is not None else max(_REACH, low + _REACH))


def _floats(kind: kinds.FloatKind, _level: int) -> SearchStrategy[float]:
    from hypothesis import strategies as st

    low = kind.low if kind.low is not None else min(-float(_REACH), (kind.high or 0.0) - _REACH)
    high = kind.high if kind.high is not None else max(float(_REACH), low + _REACH)
    return st.floats(low, high, allow_nan=False, allow_infinity=False)


def _texts(kind: kinds.TextKind, level: int) -> SearchStrategy[str]:
    from hypothesis import strategies as st

    alphabet: Any = kind.alphabet or st.characters(min_codepoint=32, max_codepoint=126)
    return st.text(alphabet, min_size=kind.least, max_size=_most(kind, level))


def _bytes(kind: kinds.BytesKind, level: int) -> SearchStrategy[bytes | bytearray]:
    from hypothesis import strategies as st

    made = st.binary(min_size=kind.least, max_size=_most(kind, level))
    return made.map(bytearray) if kind.kind == "bytearray" else made


def _most(kind: kinds.TextKind | kinds.BytesKind | kinds.ManyKind | kinds.DictKind, level: int) -> int:
    longest = max(_LONGEST if level == 0 and _is_flat(kind) else _INNER // max(1, level), kind.least)
    return longest if kind.most is None else max(kind.least, min(kind.most, longest))


def _is_flat(kind: Kind) -> bool:
    """Whether no other collection is in it; texts in a list are short enough not to count."""
    return sum(isinstance(each, kinds.ManyKind | kinds.DictKind | kinds.ArrayKind) for each in inside(kind)) < 2


def _moments(kind: kinds.MomentKind, _level: int) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    if kind.kind == "date":
        return st.dates(_FIRST.date(), _LAST.date())
    if kind.kind == "datetime":
        return st.datetimes(_FIRST, _LAST)
    return st.times() if kind.kind == "time" else st.timedeltas(dt.timedelta(days=-1000), dt.timedelta(days=1000))


def _many(kind: kinds.ManyKind, level: int) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    if is_matrix(kind) and kind.rows != "ragged":
        return _matrices(kind, level)
    unique = kind.kind in ("set", "frozenset")  # or the set would be smaller than the list
    made = st.lists(_of(kind.of, level + 1), min_size=kind.least, max_size=_most(kind, level), unique=unique)
    if kind.ascending:
        return made.map(ascending)
    return made if kind.kind == "list" else made.map(_CONTAINERS[kind.kind])


def _matrices(kind: kinds.ManyKind, level: int) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    cell = _of(kind.of.of if isinstance(kind.of, kinds.ManyKind) else kind.of, level + 2)

    def of(shape: tuple[int, int]) -> SearchStrategy[Any]:
        rows, columns = shape if kind.rows != "square" else (shape[0], shape[0])
        return st.lists(st.lists(cell, min_size=columns, max_size=columns), min_size=rows, max_size=rows)

    sides = st.integers(1, 5 if level == 0 else 2)
    square = sides.map(lambda side: (side, side))
    return (st.tuples(sides, sides) if kind.rows == "rectangular" else square).flatmap(of)


def _tuples(kind: kinds.TupleKind, level: int) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    return st.tuples(*(_of(item, level) for item in kind.items))


def _dicts(kind: kinds.DictKind, level: int) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    if kind.graph:
        return _graphs(kind, level)
    return st.dictionaries(
        _of(kind.keys, level + 1), _of(kind.values, level + 1), min_size=kind.least, max_size=_most(kind, level)
    )


def _graphs(kind: kinds.DictKind, level: int) -> SearchStrategy[Any]:
    """Return graphs: Hypothesis chooses the nodes, and the number that seeds the dice for the edges."""
    from hypothesis import strategies as st

    def of(nodes: list[Any], number: int) -> dict[Any, Any]:
        hand = Hand(Dice("graph", number), len(nodes), "random")
        return graph(kind, hand, nodes, lambda weight: value(weight, hand, 2))

    nodes = st.lists(_of(kind.keys, level + 1), min_size=max(1, kind.least), max_size=_most(kind, level), unique=True)
    return st.builds(of, nodes, st.integers(0, 2**32))


def _records(kind: kinds.RecordKind, level: int) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    needed = {field.name: _of(field.of, level) for field in kind.fields if field.required}
    others = {field.name: _of(field.of, level) for field in kind.fields if not field.required}
    made = st.fixed_dictionaries(needed, optional=others)
    if kind.kind == "typed_dict":
        return made
    return made.map(lambda items: Record(kind.name, tuple((field.name, items[field.name]) for field in kind.fields)))


def _unions(kind: kinds.UnionKind, level: int) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    return st.one_of([_of(option, level) for option in kind.options])


def _literals(kind: kinds.LiteralKind, _level: int) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    return st.sampled_from([from_json(each) for each in kind.values])


def _arrays(kind: kinds.ArrayKind, level: int) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    def of(size: int, number: int) -> Any:  # noqa: ANN401 - an array
        return value(kind, Hand(Dice("array", number), size, "random"))

    return st.builds(of, st.integers(1, (_LONGEST if level == 0 else _INNER) // kind.dimensions), st.integers(0, 2**32))


_CONTAINERS: Final[dict[str, Callable[[list[Any]], Any]]] = {"sequence": tuple, "set": set, "frozenset": frozenset}
_STRATEGIES: Final[dict[type, Callable[[Any, int], SearchStrategy[Any]]]] = {
    kinds.IntKind: _integers,
    kinds.FloatKind: _floats,
    kinds.PlainKind: _plain,
    kinds.TextKind: _texts,
    kinds.BytesKind: _bytes,
    kinds.MomentKind: _moments,
    kinds.LiteralKind: _literals,
    kinds.ManyKind: _many,
    kinds.TupleKind: _tuples,
    kinds.DictKind: _dicts,
    kinds.RecordKind: _records,
    kinds.UnionKind: _unions,
    kinds.ArrayKind: _arrays,
}
