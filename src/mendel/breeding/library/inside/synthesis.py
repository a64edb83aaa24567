"""Find short expressions with the wanted values. Runs in the sandbox, because the values come from a candidate.

The search is limited by counts of work, so its result does not depend on the clock, except for a final time limit. It
has three stages: the *bank* of small expressions; one more callable applied to the bank, evaluated in one environment
first; and, if nothing was found, comprehensions. Every result has been evaluated as text in every environment.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from mendel.breeding.library.inside.bank import Account, Bank, Expression, Spent, kind_of, spelling, written
from mendel.breeding.library.inside.catalogue import Call, catalogue, namespace
from mendel.breeding.library.inside.comprehensions import Source, comprehensions, source_of, sources

MOST_FOUND = 8
MOST_HINTED = 200
LEAST_FOR_COMPREHENSIONS = 5
"""Minimum number of environments: with fewer, some comprehension nearly always fits by chance."""
BANK = 400
LARGEST_IN_BANK = 4
CLOSE = 1e-9
LARGEST = 9
SLICES = ("{A}[{b}:{c}]", "{A}[{b} : {B} + {C}]", "{A}[{b}]", "{A}[:{b}]", "{A}[{b}:]")
"""Callables so frequent in programs that their results count as small."""
CONSTANTS: tuple[Any, ...] = (0, 1, 2, -1, "", [], None, True, False)


@dataclass(frozen=True)
class Problem:
    """Environments, the wanted value in each, and the material that expressions may use."""

    environments: Sequence[Mapping[str, Any]]
    wanted: Sequence[Any]
    constants: Sequence[Any]
    bound: Sequence[str]
    hints: Sequence[str]
    packages: tuple[str, ...]


@cache
def _tools(packages: tuple[str, ...]) -> tuple[dict[str, Any], list[Call]]:
    names = namespace(packages)
    return names, catalogue(names)


def synthesise(
    environments: list[dict[str, Any]],
    wanted: list[Any],
    constants: list[Any],
    bound: list[str],
    hints: list[str],
    packages: list[str],
    calls: int,
    seconds: float,
) -> list[str]:
    """Return the expressions with the wanted value in every environment, the shortest first, at most ``MOST_FOUND``.

    ``bound`` are two names that comprehensions may bind, ``hints`` iterables they could use. ``calls`` limits the
    work; ``seconds`` is a final time limit.
    """
    if not environments or len(environments) != len(wanted):
        return []
    order = sorted(range(len(wanted)), key=lambda number: (-_worth(wanted[number]), number))
    problem = Problem(
        [environments[each] for each in order],
        [wanted[each] for each in order],
        constants,
        bound,
        hints,
        tuple(packages),
    )
    return _Search(problem, Account(calls, seconds)).found()


def _worth(value: object) -> int:
    """Estimate how well a wanted value discriminates; the most discriminating environment is tried first."""
    return min(len(spelling(value)), 400)


def _rounded_alike(text: str, given: object, wanted: object) -> bool:
    """Return whether NumPy floats are close: it adds in another order. The task decides whether that is acceptable."""
    if "np." not in text or type(given) is not type(wanted):
        return False
    if isinstance(given, float) and isinstance(wanted, float):
        return math.isclose(given, wanted, rel_tol=CLOSE, abs_tol=CLOSE)
    listed = isinstance(given, list) and isinstance(wanted, list) and len(given) == len(wanted)
    pairs = zip(given, wanted, strict=True) if isinstance(given, list) and isinstance(wanted, list) and listed else ()
    return listed and all(one == other or _rounded_alike(text, one, other) for one, other in pairs)


class _Search:
    def __init__(self, problem: Problem, account: Account) -> None:
        self._problem = problem
        self._names, self._calls = _tools(problem.packages)
        self._kind = kind_of(problem.wanted)
        self._key = tuple(map(spelling, problem.wanted))
        self._account = account
        self._bank = Bank(BANK, account.share(0.25))
        self._used: set[str] = set()
        self._hits: list[Expression] = []

    def found(self) -> list[str]:
        """Return texts that hold in every environment."""
        good: list[str] = []
        try:
            for text in self._texts():
                if text not in good and self._holds(text):
                    good.append(text)
                if len(good) == MOST_FOUND:
                    break
        except Spent:
            pass
        return sorted(good, key=len)

    def _texts(self) -> Iterator[str]:
        smallest = None
        for size, text in self._simple():
            smallest = size if smallest is None else smallest
            if size > smallest + 1:  # only expressions nearly as small as the smallest are offered
                return
            yield text
        if smallest is None and len(self._problem.wanted) >= LEAST_FOR_COMPREHENSIONS:
            found = sources(self._bank, self._problem.bound) + list(self._derived())
            hinted = [source for text in self._problem.hints if (source := self._hinted(text)) is not None]
            yield from comprehensions(
                self._bank, self._problem.wanted, self._kind, [*hinted, *found], self._calls, self._account
            )

    def _derived(self) -> Iterator[Source]:
        """Yield lists from the bank as sources of comprehensions."""
        lists = [each for size in (2, 3, 4) for each in self._bank.by_size.get(size, ()) if each.kind == "list"]
        for each in lists[:3]:
            yield source_of(self._problem.bound[0], each.text, each.values)

    def _hinted(self, text: str) -> Source | None:
        """Return the source for an iterable of the program; None if it cannot be evaluated in every environment."""
        try:
            code = compile(text, "<source>", "eval")
            values = [
                list(islice(eval(code, {**self._names, **each}), MOST_HINTED))  # noqa: S307 - in the sandbox  # nosec B307
                for each in self._problem.environments
            ]
        except Exception:  # noqa: BLE001 - a hint that does not work is ignored
            return None
        return source_of(self._problem.bound[0], text, values)

    def _simple(self) -> Iterator[tuple[int, str]]:
        for each in self._banked():
            if tuple(map(spelling, each.values)) == self._key:
                self._used.add(each.call)
                self._hits.append(each)
                yield each.size, each.text
        for equals in self._bank.by_size.values():
            equals.sort(key=lambda expression: len(expression.text))  # shorter arguments first
        own = self._account.share(0.35)  # the rest is for comprehensions
        try:
            yield from self._on_top(own)
        except Spent:
            return

    def _banked(self) -> Iterator[Expression]:
        try:
            yield from self._atoms()
            yield from self._bank.seed([each for each in self._calls if each.text in SLICES])
            yield from self._bank.grow(self._calls, LARGEST_IN_BANK)
        except Spent:
            return

    def _atoms(self) -> Iterator[Expression]:
        environments = self._problem.environments
        for name in sorted(environments[0]):
            if all(name in each for each in environments):
                made = self._bank.add(name, [each[name] for each in environments], 1)
                if made is not None:
                    yield made
        for constant in (*CONSTANTS, *self._problem.constants):
            negative = isinstance(constant, int | float) and constant < 0
            values = [constant] * len(environments)
            self._bank.add(repr(constant), values, 1, bare=negative, free=False)

    def _on_top(self, account: Account) -> Iterator[tuple[int, str]]:
        """Apply one more callable to the bank, checking the first environment first; use each callable once."""
        calls = [each for each in self._calls if self._kind == "mixed" or each.result in (None, self._kind)]
        for total in range(1, LARGEST):
            for call in calls:
                for arguments in self._bank.combined(call, total):
                    account.charge()
                    if self._leads(call, arguments) and self._everywhere(call, arguments):
                        self._used.add(call.text)
                        yield total + 1, written(call, arguments)

    def _leads(self, call: Call, arguments: tuple[Expression, ...]) -> bool:
        """Return whether a call has the wanted value in the first environment."""
        wanted = self._problem.wanted[0]
        try:
            given = call.function(*[each.values[0] for each in arguments])
            same = type(given) is type(wanted) and bool(given == wanted or given != given)  # nan differs from itself
            return same or _rounded_alike(call.text, given, wanted)
        except Exception:  # noqa: BLE001 - whatever it raises, these arguments do not fit
            return False

    def _everywhere(self, call: Call, arguments: tuple[Expression, ...]) -> bool:
        # A callable counts once, and a call on a solution is only a longer one.
        if call.text in self._used or any(each is hit for each in arguments for hit in self._hits):
            return False
        columns = zip(*(each.values for each in arguments), strict=True)
        try:
            return all(self._same(call.text, number, call.function(*each)) for number, each in enumerate(columns))
        except Exception:  # noqa: BLE001 - as above
            return False

    def _same(self, text: str, number: int, given: object) -> bool:
        """Return whether a value is the wanted one in an environment, up to rounding if the text uses NumPy."""
        exact = spelling(given) == self._key[number]
        return exact or _rounded_alike(text, given, self._problem.wanted[number])

    def _holds(self, text: str) -> bool:
        """Return whether evaluating the text gives the wanted values, without mutating its inputs."""
        code = compile(text, "<expression>", "eval")
        for number, environment in enumerate(self._problem.environments):
            names = {**self._names, **deepcopy(dict(environment))}  # a copy, because the text may mutate its inputs
            try:
                same = self._same(text, number, eval(code, names))  # noqa: S307 - in the sandbox, a text made here  # nosec B307
                kept = all(spelling(names[name]) == spelling(value) for name, value in environment.items())
            except Exception:  # noqa: BLE001 - as above
                return False
            if not (same and kept):
                return False
        return True
