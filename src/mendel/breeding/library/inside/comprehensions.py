"""Comprehensions with one loop and the wanted values; their parts are small expressions over the elements."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mendel.breeding.library.inside.bank import Account, Bank, Expression, Spent
from mendel.breeding.library.inside.catalogue import Call

MOST_SOURCES = 7
MOST_ELEMENTS = 24
"""Maximum number of elements used in the search; results are checked on all elements afterwards."""
INNER_BANK = 160
MOST_PREDICATES = 80
MOST_CONDITIONAL = 40
_SEQUENCES = ("list", "tuple", "str")

SMALL = frozenset(
    each.strip()
    for each in """
    {A} + {B} | {A} - {B} | {A} * {B} | {A} % {B} | {A} // {B} | {A} < {B} | {A} <= {B} | {A} == {B}
    {A} != {B} | {A} in {B} | {A} not in {B} | {A}[{b}] | len({a}) | abs({a}) | {A}[0] | {A}[-1]
    -{A} | {A}[::-1] | sum({a}) | min({a}) | max({a}) | min({a}, {b}) | max({a}, {b}) | {A}.lower()
    str({a}) | {A}.upper() | {A}.isdigit() | {A}.isalpha() | {A}.isalnum() | {A}.isupper()
    {A}.islower() | int({a}) | {A}.startswith({b}) | {A}.endswith({b}) | ord({a}) | {A}.count({b})
    sorted({a}) | {A}.strip() | {A}[1:] | {A} % {B} == 0 | {A} % 2 == 0 | {A} % 2 == 1 | {A} * {A}
    {A}.isspace()
    """.replace("\n", "|").split("|")
)
"""The callables that parts of a comprehension may use."""


@dataclass(frozen=True)
class Source:
    """The iterable of a comprehension: the names it binds, its text, and its elements in each environment."""

    binder: str
    text: str
    elements: list[list[tuple[Any, ...]]]


@dataclass(frozen=True)
class Shape:
    """One way to fold the elements: ``{of}`` is the expression for each, ``{over}`` the loop with its condition."""

    text: str
    fold: Callable[[Iterator[Any]], Any]
    kinds: tuple[str, ...]
    conditional: bool = True


def _first(otherwise: object) -> Callable[[Iterator[Any]], Any]:
    return lambda values: next(values, otherwise)


def _largest(values: Iterator[Any]) -> object:
    return max(values, default=0)


def _smallest(values: Iterator[Any]) -> object:
    return min(values, default=0)


SHAPES = (
    Shape("[{of} for {over}]", list, ("list",)),
    Shape("any({of} for {over})", any, ("bool",), conditional=False),
    Shape("all({of} for {over})", all, ("bool",), conditional=False),
    Shape("sum({of} for {over})", sum, ("int", "float")),
    Shape("max(({of} for {over}), default=0)", _largest, ("int", "float")),
    Shape("min(({of} for {over}), default=0)", _smallest, ("int", "float")),
    Shape("{{{of} for {over}}}", set, ("set",)),
    Shape('"".join({of} for {over})', "".join, ("str",)),
    Shape("next(({of} for {over}), None)", _first(None), ("mixed", "int", "str", "tuple", "float")),
    Shape("next(({of} for {over}), -1)", _first(-1), ("int",)),
    Shape("tuple({of} for {over})", tuple, ("tuple",)),
)


def sources(bank: Bank, bound: Sequence[str]) -> list[Source]:
    """Return the possible iterables of a comprehension, the simplest first."""
    names = [each for each in bank.by_size.get(1, ()) if each.free]
    several = [each for each in names if each.kind in (*_SEQUENCES, "set", "dict")]
    rows = [each for each in several if each.kind in _SEQUENCES]
    made = [source_of(bound[0], each.text, each.values) for each in several]
    made += _of_pairs(several, rows, f"{bound[0]}, {bound[1]}")
    return made + _of_numbers(rows, [each for each in names if each.kind == "int"], bound[0])


def _of_pairs(several: Sequence[Expression], rows: Sequence[Expression], binder: str) -> list[Source]:
    made = [_pairs(binder, f"zip({x.text}, {y.text})", zip, x, y) for x, y in itertools.combinations(rows, 2)]
    made += [_pairs(binder, f"{each.text}.items()", dict.items, each) for each in several if each.kind == "dict"]
    made += [_pairs(binder, f"itertools.pairwise({each.text})", itertools.pairwise, each) for each in rows]
    return made + [_pairs(binder, f"enumerate({each.text})", enumerate, each) for each in rows]


def _of_numbers(rows: Sequence[Expression], numbers: Sequence[Expression], binder: str) -> list[Source]:
    made = [source_of(binder, f"range(len({x.text}))", [range(len(value)) for value in x.values]) for x in rows]
    made += [source_of(binder, f"range({n.text})", list(map(_range, n.values))) for n in numbers]
    return made + [
        source_of(binder, f"range({n.text}, {m.text})", list(map(_range, n.values, m.values)))
        for n, m in itertools.permutations(numbers, 2)
    ]


def _pairs(binder: str, text: str, pair: Callable[..., Any], *given: Expression) -> Source:
    columns = zip(*(each.values for each in given), strict=True)
    return Source(binder, text, [list(pair(*values)) for values in columns])


def _range(*bounds: int) -> range:
    # A huge range would cost too much; an empty one fits nothing.
    return range(*bounds) if all(-1_000 < each < 1_000 for each in bounds) else range(0)


def source_of(binder: str, text: str, values: Sequence[Iterable[Any]]) -> Source:
    """Return a source of single elements."""
    return Source(binder, text, [[(each,) for each in value] for value in values])


class Inner:
    """The search for one source: a bank over its elements, folded by the shapes."""

    def __init__(self, source: Source, wanted: Sequence[Any], kind: str, account: Account) -> None:
        self._source = source
        self._kind = kind
        self._account = account
        self.chosen = _chosen(source.elements)
        self._wanted = [wanted[number] for number in self.chosen]
        lengths = [len(source.elements[number]) for number in self.chosen]
        ends = list(itertools.accumulate(lengths))
        self._spans = [slice(end - length, end) for end, length in zip(ends, lengths, strict=True)]
        self._bank = Bank(INNER_BANK, account.share(0.5))

    def prepare(self, outer: Bank, calls: Sequence[Call]) -> None:
        """Fill the bank: the bound names first, then outer names and constants, then the results of callables."""
        rows = [row for number in self.chosen for row in self._source.elements[number]]
        for place, name in enumerate(self._source.binder.split(", ")):
            self._bank.add(name, [row[place] for row in rows], 1)
        for each in _around(outer):
            spread = zip(self.chosen, self._spans, strict=True)
            values = [each.values[number] for number, span in spread for _ in range(span.stop - span.start)]
            # Not free, because a part must depend on the element.
            self._bank.add(each.text, values, 1, bare=each.bare, free=False)
        try:
            items = [each for each in calls if each.text == "{A}[{b}]"]
            small = [each for each in calls if each.text in SMALL]
            for _ in itertools.chain(self._bank.seed(items), self._bank.seed(items, 1), self._bank.grow(small, 5)):
                pass
        except Spent:
            return

    def texts(self) -> Iterator[str]:
        """Yield texts that fit the chosen elements, those without a condition first."""
        parts = [each for size in sorted(self._bank.by_size) for each in self._bank.by_size[size]]
        shapes = [each for each in SHAPES if self._kind in each.kinds]
        for shape in shapes:
            yield from self._fitting(shape, parts, None)
        if self._kind == "dict":
            yield from self._mappings(parts)
        if self._kind in ("int", "float"):
            yield from self._products(parts)
        predicates = [each for each in parts if each.kind == "bool" and each.free][:MOST_PREDICATES]
        for predicate in predicates:
            for shape in shapes:
                if shape.conditional:
                    yield from self._fitting(shape, parts[:MOST_CONDITIONAL], predicate)

    def _fitting(self, shape: Shape, parts: Sequence[Expression], predicate: Expression | None) -> Iterator[str]:
        for part in parts:
            if part is not predicate and self._fits(shape, part.values, predicate):
                yield self._text(shape.text, part, predicate)

    def _fits(self, shape: Shape, values: list[Any], predicate: Expression | None) -> bool:
        for span, wanted in zip(self._spans, self._wanted, strict=True):
            self._account.charge()
            kept = iter(values[span]) if predicate is None else itertools.compress(values[span], predicate.values[span])
            try:
                given = shape.fold(kept)
                if type(given) is not type(wanted) or given != wanted:
                    return False
            except Exception:  # noqa: BLE001 - elements that this shape cannot fold do not fit
                return False
        return True

    def _text(self, shape: str, part: Expression, predicate: Expression | None) -> str:
        over = f"{self._source.binder} in {self._source.text}"
        return shape.format(of=part.text, over=over + (f" if {predicate.text}" if predicate else ""))

    def _mappings(self, parts: Sequence[Expression]) -> Iterator[str]:
        """Yield dict comprehensions from one part to another."""
        keys = [each for each in parts if each.free and each.kind in ("int", "str", "tuple")][:12]
        shape = Shape("{{{of} for {over}}}", dict, ("dict",))
        for key, value in itertools.product(keys, parts):
            if self._fits(shape, list(zip(key.values, value.values, strict=True)), None):
                yield f"{{{key.text}: {value.text} for {self._source.binder} in {self._source.text}}}"

    def _products(self, parts: Sequence[Expression]) -> Iterator[str]:
        """Yield sums of products of two parts, which are too large for the bank."""
        numbers = [each for each in parts if each.free and each.kind in ("int", "float") and each.size >= 2]
        shape = Shape("sum({of} for {over})", sum, ())
        for left, right in itertools.combinations_with_replacement(numbers, 2):
            if self._fits(shape, list(map(operator.mul, left.values, right.values)), None):
                text = f"{left.spelled()} * {right.spelled()}"
                yield self._text(shape.text, Expression(text, [], "int", left.size + right.size), None)


def _around(outer: Bank) -> list[Expression]:
    """Return expressions that are constant within an environment: names, literals, and some items and lengths."""
    items = [
        each for each in outer.by_size.get(2, ()) if each.call in ("{A}[{b}]", "len({a})") and "-" not in each.text
    ]
    return [each for each in outer.by_size.get(1, ()) if each.text not in _DULL] + items[:6]


_DULL = ("''", "[]", "None", "True", "False")


def _chosen(elements: Sequence[Sequence[Any]]) -> list[int]:
    """Choose at least one environment, preferably with about five elements, at most ``MOST_ELEMENTS`` in total."""
    by_use = sorted(range(len(elements)), key=lambda number: (abs(len(elements[number]) - 5), number))
    chosen: list[int] = []
    total = 0
    for number in by_use:
        if chosen and total + len(elements[number]) > MOST_ELEMENTS:
            continue
        chosen.append(number)
        total += len(elements[number])
    return chosen


def _possible(source: Source, wanted: Sequence[Any], kind: str) -> bool:
    """Return whether there are any elements, and enough of them if every wanted item needs its own."""
    if kind not in ("list", "tuple", "set", "dict"):
        return any(source.elements)
    return any(source.elements) and all(len(w) <= len(e) for w, e in zip(wanted, source.elements, strict=True))


def comprehensions(
    bank: Bank, wanted: Sequence[Any], kind: str, given: Sequence[Source], calls: Sequence[Call], account: Account
) -> Iterator[str]:
    """Yield comprehensions that fit the chosen elements; the caller must check the remaining ones."""
    possible = {each.text: each for each in given if _possible(each, wanted, kind)}
    found = list(possible.values())[:MOST_SOURCES]
    for number, source in enumerate(found):
        inner = Inner(source, wanted, kind, account.share(1 / (len(found) - number)))  # equal shares of the budget
        try:
            inner.prepare(bank, calls)
            yield from inner.texts()
        except Spent:
            continue
