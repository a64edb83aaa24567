"""Small expressions and their values: bottom-up enumeration with observational equivalence."""

from __future__ import annotations

import itertools
import marshal
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mendel.breeding.library.inside.catalogue import MOST_ITEMS, Call, filled

MOST_BITS = 2_048


@dataclass(frozen=True)
class Expression:
    """A text, its value in each environment, and the type of the values; ``free`` unless it is a constant.

    ``bare`` texts need brackets next to an operator; ``call`` is the outermost callable.
    """

    text: str
    values: list[Any]
    kind: str
    size: int
    bare: bool = False
    free: bool = True
    call: str = ""

    def spelled(self) -> str:
        """Return the text for use next to an operator."""
        return f"({self.text})" if self.bare else self.text


class Spent(Exception):
    """The limit on work or time is reached."""


class Account:
    """The remaining budget of a search: calls, and seconds as a last resort."""

    def __init__(self, calls: int, seconds: float) -> None:
        self.calls = calls
        self._until = time.perf_counter() + seconds
        self._look = 0

    def charge(self, calls: int = 1) -> None:
        """Subtract calls; raise ``Spent`` if none are left."""
        self.calls -= calls
        self._look += calls
        if self._look > 500:  # reading the clock at every call would cost too much
            self._look = 0
            if time.perf_counter() > self._until:
                self.calls = 0
        if self.calls <= 0:
            raise Spent

    def share(self, part: float) -> Account:
        """Split off an account with a share of the remaining calls."""
        made = Account(max(1, int(self.calls * part)), self._until - time.perf_counter())
        self.calls -= made.calls
        return made


# --- values -------------------------------------------------------------------------------------------------------


def spelling(value: object) -> bytes:
    """Return bytes that are equal for values of equal type and content; ``ValueError`` for other than plain data.

    Version 2 of marshal is used because it writes no references, which depend on more than the value.
    """
    kind = type(value)
    if kind is float and value != value:  # the bits of nan vary
        return b"nan"
    if kind in (set, frozenset):
        return kind.__name__.encode() + b"".join(sorted(map(spelling, value)))  # type: ignore[call-overload]
    if kind is dict:
        return b"dict" + b"".join(sorted(spelling(k) + b":" + spelling(v) for k, v in value.items()))  # type: ignore[attr-defined]
    if kind in (list, tuple) and any(type(each) in _SLOW for each in value):  # type: ignore[attr-defined]
        return kind.__name__.encode() + b"%d" % len(value) + b",".join(map(spelling, value))  # type: ignore[arg-type,call-overload]
    return marshal.dumps(value, 2)  # type: ignore[arg-type]


_SLOW = {set, frozenset, dict, float, list, tuple}  # marshal keeps the order of sets and dicts, and the bits of nan


def bounded(value: object) -> bool:
    """Return whether a value is small enough for further computation."""
    if type(value) is int:
        return -(1 << MOST_BITS) < value < 1 << MOST_BITS
    return not isinstance(value, str | list | tuple | set | dict) or len(value) <= MOST_ITEMS


def kind_of(values: Sequence[object]) -> str:
    """Return the name of the type of all values, or ``mixed``."""
    kinds = {type(value) for value in values}
    return kinds.pop().__name__ if len(kinds) == 1 else "mixed"


class Bank:
    """Small expressions over some environments, no two with the same values in all of them."""

    def __init__(self, most: int, account: Account) -> None:
        self._most = most
        self._account = account
        self._known: set[tuple[bytes, ...]] = set()
        self.by_size: dict[int, list[Expression]] = {}
        self.found = 0

    def add(
        self, text: str, values: list[Any], size: int, *, bare: bool = False, free: bool = True, call: str = ""
    ) -> Expression | None:
        """Add an expression; return None if a value is too large, or an expression with the same values exists."""
        if not all(map(bounded, values)):
            return None
        try:
            key = tuple(map(spelling, values))
        except (ValueError, TypeError, RecursionError):
            return None
        if key in self._known:
            return None
        self._known.add(key)
        made = Expression(text, values, kind_of(values), size, bare, free, call)
        self.by_size.setdefault(size, []).append(made)
        self.found += 1
        return made

    def seed(self, calls: Sequence[Call], beyond: int = 0) -> Iterator[Expression]:
        """Apply callables to the existing expressions, and add the results with size 2, smaller than they are.

        ``beyond`` is the total by which arguments exceed the size of atoms.
        """
        for call in calls:
            # A list, because the bank grows meanwhile.
            for arguments in list(self.combined(call, len(call.arguments) + beyond)):
                made = self._applied(call, arguments, 2)
                if made is not None:
                    yield made

    def grow(self, calls: Sequence[Call], largest: int) -> Iterator[Expression]:
        """Apply every callable to the existing expressions, small ones first; yield each new expression at once."""
        for size in range(2, largest + 1):
            for call in calls:
                for arguments in self.combined(call, size - 1):
                    made = self._applied(call, arguments, size)
                    if made is not None:
                        yield made
                    if self.found >= self._most:
                        return

    def combined(self, call: Call, total: int) -> Iterator[tuple[Expression, ...]]:
        """Yield the tuples of arguments that fit a callable and have this total size."""
        for sizes in _parts(total, len(call.arguments)):
            choices = [
                [each for each in self.by_size.get(size, ()) if each.kind in kinds]
                for size, kinds in zip(sizes, call.arguments, strict=True)
            ]
            for chosen in itertools.product(*choices):
                if any(each.free for each in chosen):  # a call of constants only is a constant
                    yield chosen

    def _applied(self, call: Call, arguments: tuple[Expression, ...], size: int) -> Expression | None:
        self._account.charge()
        columns = [each.values for each in arguments]
        try:
            values = [call.function(*each) for each in zip(*columns, strict=True)]
        except Exception:  # noqa: BLE001 - whatever a callable raises, these arguments do not fit
            return None
        self._account.charge(len(values))
        return self.add(written(call, arguments), values, size, bare=call.bare, call=call.text)


def _parts(total: int, count: int) -> Iterator[tuple[int, ...]]:
    if count == 1:
        yield (total,)
        return
    for first in range(1, total - count + 2):
        for rest in _parts(total - first, count - 1):
            yield (first, *rest)


def written(call: Call, arguments: Sequence[Expression]) -> str:
    """Return the text of a call."""
    return filled(call.text, [each.text for each in arguments], [each.spelled() for each in arguments])
