"""Sized generators of inputs, which favour edge cases: empty, single, range ends, equal values, sorted order.

A generator draws one value from a ``random.Random`` and a size in [0, 1]. Generators can be combined::

    arguments(lists(integers(-100, 100), 2_000), integers(0, 2_100))

Case ``i`` depends only on the seed and ``i``, so cases are independent of each other and identically distributed, and a
longer draw begins with the cases of a shorter one.
"""

from __future__ import annotations

import calendar
import copy
import datetime as dt
import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import ConfigError, SpecFailed
from mendel.contracts.plain_values import spelled

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")
U = TypeVar("U")

MOST_TRIES: Final = 1_000
"""Maximum number of values in a row that a filter refuses, or that are duplicates, before the generator gives up."""

_EDGE: Final = 0.2  # share of draws from the edges of a range
_SMALL: Final = 100
_GRAIN: Final = 1 << 20
_ONE_DAY: Final = dt.timedelta(days=1)


class Generator(ABC, Generic[T_co]):
    """A source of values."""

    @abstractmethod
    def draw(self, rng: random.Random, size: float) -> T_co:
        """Draw a value of up to the given size: 0 allows only small values, 1 allows all.

        Raises:
            SpecFailed: no suitable value was found.
        """

    def map(self, change: Callable[[T_co], U]) -> Generator[U]:
        """Return a generator of ``change(value)``."""
        return _Mapped(self, change)

    def filter(self, keep: Callable[[T_co], bool]) -> Generator[T_co]:
        """Return a generator of values that ``keep`` accepts; 1,000 refusals in a row raise ``SpecFailed``."""
        return _Filtered(self, keep)


def drawn(generator: Generator[T], seed: int, index: int) -> T:
    """Draw case ``index`` of ``seed``."""
    rng = random.Random(Entropy("inputs", seed).word(index))  # noqa: S311  # nosec B311
    return generator.draw(rng, _size(rng))


def integers(low: int, high: int) -> Generator[int]:
    """Generate integers from ``low`` to ``high``, both included."""
    _ordered(low, high)
    return _Integers(low, high)


def floats(low: float, high: float, *, specials: bool = False) -> Generator[float]:
    """Generate floats from ``low`` to ``high``; with ``specials`` also nan, both infinities and negative zero."""
    _ordered(low, high)
    if not math.isfinite(low) or not math.isfinite(high):
        raise ConfigError(f"the range of floats must be finite, not {low} to {high}; specials=True adds infinities")
    return _Floats(low, high, specials=specials)


def booleans() -> Generator[bool]:
    """Generate False or True."""
    return sampled((False, True))


def sampled(options: Sequence[T]) -> Generator[T]:
    """Generate one of ``options``, all equally likely."""
    if not options:
        raise ConfigError("there is nothing to sample: give at least one option")
    return _Sampled(tuple(options))


def constant(value: T) -> Generator[T]:
    """Generate copies of ``value``; a change to one copy does not affect the others."""
    return _Sampled((value,))


def one_of(*generators: Generator[Any]) -> Generator[Any]:
    """Generate a value of one of the generators, all equally likely."""
    if not generators:
        raise ConfigError("one_of needs at least one generator")
    return _OneOf(generators)


def tuples(*of: Generator[Any]) -> Generator[tuple[Any, ...]]:
    """Generate tuples with one value of each generator."""
    return _Tuples(of)


def arguments(*generators: Generator[Any]) -> Generator[tuple[Any, ...]]:
    """Generate the arguments of a call, one from each generator."""
    return _Tuples(generators)


def lists(of: Generator[T], max_size: int, min_size: int = 0, *, unique: bool = False) -> Generator[list[T]]:
    """Generate lists of ``min_size`` to ``max_size`` values; often empty, single, with equal values, or sorted.

    With ``unique``, no value occurs twice; a list is then shorter than its drawn length if too few different values
    come up, but never shorter than ``min_size``.
    """
    _sizes(min_size, max_size)
    return _Lists(of, min_size, max_size, unique=unique)


def text(alphabet: str, max_size: int, min_size: int = 0) -> Generator[str]:
    """Generate strings over ``alphabet``."""
    return lists(sampled(alphabet), max_size, min_size).map("".join)


def dictionaries(keys: Generator[T], values: Generator[U], max_size: int, min_size: int = 0) -> Generator[dict[T, U]]:
    """Generate dictionaries with ``min_size`` to ``max_size`` keys."""
    _sizes(min_size, max_size)
    return _Dictionaries(_Lists(keys, min_size, max_size, unique=True), values)


def dates(low: dt.date = dt.date(1970, 1, 1), high: dt.date = dt.date(2100, 12, 31)) -> Generator[dt.date]:
    """Generate dates from ``low`` to ``high``; often the first or last of a month or year, or next to 29 February."""
    _ordered(low, high)
    return _Dates(low, high)


def graphs(
    max_nodes: int,
    *,
    weighted: bool | Generator[Any] = False,
    directed: bool = False,
    acyclic: bool = False,
    edge_list: bool = False,
) -> Generator[Any]:
    """Generate graphs over the nodes 0 … n-1, without loops or double edges.

    Shapes include empty graphs, paths, rings, stars, trees, cliques and clusters. The default form is a dictionary from
    every node to the list of its neighbours (with weights: to a dictionary neighbour: weight). With ``edge_list`` it is
    ``(n, [(from, to), …])`` (with weights: ``(from, to, weight)``). ``weighted`` is True for weights of 1 to 100, or a
    generator of weights. ``acyclic`` means directed and without cycles.
    """
    _sizes(0, max_nodes)
    weights = integers(1, _SMALL) if weighted is True else weighted or None
    return _Graphs(max_nodes, weights, directed=directed or acyclic, acyclic=acyclic, edge_list=edge_list)


@dataclass(frozen=True)
class _Mapped(Generator[U], Generic[T, U]):
    source: Generator[T]
    change: Callable[[T], U]

    def draw(self, rng: random.Random, size: float) -> U:
        return self.change(self.source.draw(rng, size))


@dataclass(frozen=True)
class _Filtered(Generator[T]):
    source: Generator[T]
    keep: Callable[[T], bool]

    def draw(self, rng: random.Random, size: float) -> T:
        for tried in range(MOST_TRIES):
            # The filter may keep only larger values, so each refusal raises the size.
            value = self.source.draw(rng, max(size, tried / MOST_TRIES))
            if self.keep(value):
                return value
        raise SpecFailed(
            f"a filter refused {MOST_TRIES:,} values in a row; generate only values that it keeps, with map for example"
        )


class _Integers(Generator[int]):
    def __init__(self, low: int, high: int) -> None:
        self._middle = min(max(0, low), high)  # the number in the range that is closest to zero
        self._below, self._above = self._middle - low, high - self._middle
        near = {low, low + 1, high - 1, high, -1, 0, 1, 2, self._middle}
        self._edges = sorted(edge for edge in near if low <= edge <= high)

    def draw(self, rng: random.Random, size: float) -> int:
        """Draw at an edge, close to zero, of any number of digits, or anywhere in the range that the size allows."""
        roll = rng.random()
        if roll < _EDGE:
            return rng.choice(self._edges)
        if roll < 0.5:
            reach = 1 + int(size * _SMALL)
            return self._middle + rng.randint(-min(self._below, reach), min(self._above, reach))
        if roll < 0.6:
            way, most = rng.choice(((-1, self._below), (1, self._above)))
            return self._middle + way * min(most, rng.getrandbits(rng.randint(1, most.bit_length() + 1)))
        share = int(size * _GRAIN)  # integer arithmetic: a float cannot hold the largest ranges
        return self._middle + rng.randint(-(self._below * share // _GRAIN), self._above * share // _GRAIN)


class _Floats(Generator[float]):
    def __init__(self, low: float, high: float, *, specials: bool) -> None:
        near = (low, high, -1.0, -0.5, 0.0, 0.1, 0.5, 1.0, 5e-324, math.nextafter(1.0, 2.0))
        special = (math.nan, math.inf, -math.inf, -0.0) if specials else ()
        self._low, self._high = float(low), float(high)
        self._edges: tuple[float, ...] = (*dict.fromkeys(float(edge) for edge in near if low <= edge <= high), *special)

    def draw(self, rng: random.Random, size: float) -> float:
        """Draw at an edge, with few decimals, of any magnitude, or anywhere in the range that the size allows."""
        roll = rng.random()
        if roll < _EDGE:
            return rng.choice(self._edges)
        middle = min(max(0.0, self._low), self._high)
        value = middle + rng.choice((self._low - middle, self._high - middle)) * size * rng.random()
        if roll < 0.4:
            value = round(value, rng.randint(0, 2))
        elif roll < 0.5:
            value *= 10.0 ** -rng.randint(1, 12)
        return min(max(value, self._low), self._high)


@dataclass(frozen=True)
class _Sampled(Generator[T]):
    options: tuple[T, ...]

    def draw(self, rng: random.Random, size: float) -> T:  # noqa: ARG002 - no option is larger than another
        return copy.deepcopy(self.options[rng.randrange(len(self.options))])


@dataclass(frozen=True)
class _OneOf(Generator[Any]):
    generators: tuple[Generator[Any], ...]

    def draw(self, rng: random.Random, size: float) -> Any:  # noqa: ANN401 - whatever the generators make
        return rng.choice(self.generators).draw(rng, size)


@dataclass(frozen=True)
class _Tuples(Generator[tuple[Any, ...]]):
    of: tuple[Generator[Any], ...]

    def draw(self, rng: random.Random, size: float) -> tuple[Any, ...]:
        return tuple(each.draw(rng, size) for each in self.of)


@dataclass(frozen=True)
class _Lists(Generator[list[T]]):
    of: Generator[T]
    least: int
    most: int
    unique: bool

    def draw(self, rng: random.Random, size: float) -> list[T]:
        length = _length(rng, size, self.least, self.most)
        items = self._distinct(rng, size, length) if self.unique else self._any(rng, size, length)
        return _arranged(items, rng)

    def _any(self, rng: random.Random, size: float, length: int) -> list[T]:
        """Draw independent values, one value throughout, or repeats of a few values."""
        roll = rng.random()
        if roll < 0.65 or length < 2:
            return [self.of.draw(rng, size) for _ in range(length)]
        pool = [self.of.draw(rng, size) for _ in range(1 if roll < 0.75 else rng.randint(2, 2 + math.isqrt(length)))]
        return [copy.deepcopy(rng.choice(pool)) for _ in range(length)]

    def _distinct(self, rng: random.Random, size: float, length: int) -> list[T]:
        found: dict[object, T] = {}
        tries = 0
        while len(found) < length and tries < MOST_TRIES:
            value = self.of.draw(rng, max(size, tries / MOST_TRIES))
            tries = tries + 1 if _key(value) in found else 0  # duplicates in a row
            found.setdefault(_key(value), value)
        if len(found) < self.least:
            raise SpecFailed(
                f"only {len(found)} different values came up, but {self.least} are needed; lower min_size, or widen"
                " the range of the values"
            )
        return list(found.values())


@dataclass(frozen=True)
class _Dictionaries(Generator[dict[T, U]], Generic[T, U]):
    keys: Generator[list[T]]
    values: Generator[U]

    def draw(self, rng: random.Random, size: float) -> dict[T, U]:
        return {key: self.values.draw(rng, size) for key in self.keys.draw(rng, size)}


@dataclass(frozen=True)
class _Dates(Generator[dt.date]):
    low: dt.date
    high: dt.date

    def draw(self, rng: random.Random, size: float) -> dt.date:  # noqa: ARG002 - no day is larger than another
        roll = rng.random()
        if roll < 0.08:
            return rng.choice((self.low, self.high))
        day = self.low + _ONE_DAY * rng.randint(0, (self.high - self.low).days)
        if roll < 0.6:
            return day
        turns = [turn for turn in _turns(day, rng) if self.low <= turn <= self.high]
        return rng.choice(turns) if turns else day


def _turns(day: dt.date, rng: random.Random) -> Iterator[dt.date]:
    """Yield dates near calendar boundaries: of the month, of the year, of February in a leap year."""
    first = day.replace(day=1)
    yield first
    if first > dt.date.min:
        yield first - _ONE_DAY
    yield from (day.replace(month=1, day=1), day.replace(month=12, day=31))
    leap = day.year - day.year % 4
    if calendar.isleap(leap) and leap >= dt.MINYEAR:
        yield dt.date(leap, 2, 29) + _ONE_DAY * rng.randint(-1, 1)


@dataclass(frozen=True)
class _Graphs(Generator[Any]):
    max_nodes: int
    weights: Generator[Any] | None
    directed: bool
    acyclic: bool
    edge_list: bool

    def draw(self, rng: random.Random, size: float) -> Any:  # noqa: ANN401 - one of four forms
        count = _length(rng, size, 0, self.max_nodes)
        pairs = _arranged(self._pairs(rng, count), rng)
        if self.edge_list:
            return count, [pair if self.weights is None else (*pair, self.weights.draw(rng, size)) for pair in pairs]
        return self._adjacency(rng, size, count, pairs)

    def _pairs(self, rng: random.Random, count: int) -> list[tuple[int, int]]:
        """Draw the edges of a random shape with shuffled node names; undirected graphs get one direction per edge."""
        names = rng.sample(range(count), count)
        found: dict[tuple[int, int], None] = {}
        for left, right in rng.choice(_SHAPES)(rng, count):
            turned = left > right if self.acyclic else rng.random() < 0.5  # upward edges only: no cycles
            edge = (right, left) if turned else (left, right)
            if left != right and (self.directed or edge[::-1] not in found):
                found[edge] = None
        return [(names[left], names[right]) for left, right in found]

    def _adjacency(self, rng: random.Random, size: float, count: int, pairs: Collection[tuple[int, int]]) -> Any:  # noqa: ANN401
        found: dict[int, dict[int, Any]] = {node: {} for node in range(count)}
        for left, right in pairs:
            weight = None if self.weights is None else self.weights.draw(rng, size)
            found[left][right] = weight
            if not self.directed:
                found[right][left] = weight
        return found if self.weights is not None else {node: list(near) for node, near in found.items()}


Pairs = Iterator[tuple[int, int]]


def _path(_rng: random.Random, count: int) -> Pairs:
    return ((node, node + 1) for node in range(count - 1))


def _ring(_rng: random.Random, count: int) -> Pairs:
    return ((node, (node + 1) % count) for node in range(count))


def _star(_rng: random.Random, count: int) -> Pairs:
    return ((0, node) for node in range(1, count))


def _tree(rng: random.Random, count: int) -> Pairs:
    return ((rng.randrange(node), node) for node in range(1, count))


def _clique(_rng: random.Random, count: int) -> Pairs:
    """Connect only some of the nodes: a large clique would have too many edges."""
    clique = min(count, 4 + math.isqrt(2 * count))
    return ((left, right) for left in range(clique) for right in range(left + 1, clique))


def _sparse(rng: random.Random, count: int) -> Pairs:
    return ((rng.randrange(count), rng.randrange(count)) for _ in range(rng.randint(0, count)))


def _dense(rng: random.Random, count: int) -> Pairs:
    return ((rng.randrange(count), rng.randrange(count)) for _ in range(4 * count))


def _clusters(rng: random.Random, count: int) -> Pairs:
    """Yield edges within several groups, and none between groups."""
    groups = rng.randint(2, 6)
    ends = ((rng.randrange(count), rng.randrange(count)) for _ in range(3 * count))
    return ((left, right) for left, right in ends if left % groups == right % groups)


def _no_edges(_rng: random.Random, _count: int) -> Pairs:
    return iter(())


# Sparse and clustered shapes are listed twice, to be drawn twice as often.
_SHAPES: Final = (_path, _ring, _star, _tree, _clique, _sparse, _sparse, _dense, _clusters, _clusters, _no_edges)


def _size(rng: random.Random) -> float:
    roll = rng.random()
    if roll < 0.05:
        return 0.0
    return 1.0 if roll < 0.2 else rng.random() ** 1.5  # small sizes are more likely


def _length(rng: random.Random, size: float, least: int, most: int) -> int:
    largest = least + round((most - least) * size)
    roll = rng.random()
    if roll < 0.15:  # close to the minimum, whatever the size: empty, single, pairs
        return min(least + rng.randrange(4), most)
    return largest if roll < 0.25 else rng.randint(least, largest)


def _arranged(items: list[T], rng: random.Random) -> list[T]:
    """Return the items as drawn, or sorted up or down where they can be compared."""
    roll = rng.random()
    if roll >= 0.2:
        return items
    try:
        return sorted(items, reverse=roll < 0.1)  # type: ignore[type-var]
    except TypeError:
        return items


def _key(value: object) -> object:
    """Return a hashable key for a value; its canonical spelling if Python cannot hash it."""
    try:
        hash(value)
    except TypeError:
        return spelled(value)
    return value


def _ordered(low: Any, high: Any) -> None:  # noqa: ANN401 - numbers or days
    if not low <= high:
        raise ConfigError(f"the range from {low} to {high} is empty: the lower end must not be above the upper one")


def _sizes(least: int, most: int) -> None:
    if not 0 <= least <= most:
        raise ConfigError(f"sizes from {least} to {most} are invalid: 0 ≤ min_size ≤ max_size must hold")
