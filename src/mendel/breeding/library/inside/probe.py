"""What an instrumented program calls while it runs in the sandbox: it copies locals, and counts lines.

A program owns its process and can write here what it likes; then it fools its own variation and nobody else.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from importlib import import_module
from types import FrameType
from typing import Any

MOST_ITEMS = 120
MOST_CHARACTERS = 400
MOST_BITS = 512
MOST_DEPTH = 4
MOST_RECORDS = 400
MOST_LINES = 60_000
MODULE = "candidate"
OWN = "_mendel"
_ATOMS = (bool, float, type(None))


class Strange(Exception):
    """A value that is no plain data, or too large."""


class Enough(BaseException):
    """So many lines ran that nobody needs to see more."""


class Copier:
    """Copies one value, as long as it is small plain data."""

    def __init__(self) -> None:
        self._left = MOST_ITEMS

    def copied(self, value: Any, depth: int = 0) -> Any:  # noqa: ANN401 - any object at all
        """A copy; ``Strange`` for anything else."""
        kind = type(value)
        self._left -= 1
        if self._left < 0 or depth > MOST_DEPTH:
            raise Strange
        if kind in _ATOMS or (kind is int and value.bit_length() < MOST_BITS):
            return value
        if kind in (str, bytes) and len(value) <= MOST_CHARACTERS:
            return value
        if kind in (list, tuple, set, frozenset) and len(value) <= self._left:
            return kind(self.copied(each, depth + 1) for each in value)
        if kind is dict and len(value) <= self._left:
            return {self.copied(key, depth + 1): self.copied(each, depth + 1) for key, each in value.items()}
        raise Strange


def plain(values: dict[str, Any]) -> dict[str, Any]:
    """Copies of those that are small plain data."""
    made = {}
    for name, value in values.items():
        if name.startswith(OWN):
            continue
        try:
            made[name] = Copier().copied(value)
        except Strange:
            continue
    return made


class Log:
    """What was seen in one call of the program: (block, before, after, names that are still the same object)."""

    def __init__(self) -> None:
        self.records: list[tuple[int, dict[str, Any], dict[str, Any], list[str]]] = []
        self.counts: dict[int, int] = {}

    def due(self, block: int) -> bool:
        """Whether this execution of a block is looked at: the first few, then ever rarer ones."""
        count = self.counts[block] = self.counts.get(block, 0) + 1
        rare = _power(count) or (count % 3 == 0 and _power(count // 3))
        return (count <= 4 or rare) and len(self.records) < MOST_RECORDS

    def put(self, block: int, before: dict[str, Any], after: dict[str, Any], same: list[str]) -> None:
        """Keep one execution."""
        if len(self.records) < MOST_RECORDS:
            self.records.append((block, before, after, same))


def _power(count: int) -> bool:
    return count & (count - 1) == 0


LOG = Log()


class Visit:
    """One call of an instrumented function."""

    def __init__(self) -> None:
        self._log = LOG
        self._open: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {}
        self._tails: list[tuple[int, dict[str, Any], dict[str, Any]]] = []

    def before(self, block: int, values: dict[str, Any]) -> None:
        """A block of statements begins."""
        self._open.pop(block, None)
        if self._log.due(block):
            self._open[block] = plain(values), dict(values)

    def after(self, block: int, values: dict[str, Any]) -> None:
        """It ended."""
        if block in self._open:
            before, objects = self._open.pop(block)
            same = [name for name in before if name in values and values[name] is objects[name]]
            self._log.put(block, before, plain(values), same)

    def tail(self, block: int, values: dict[str, Any]) -> None:
        """A block begins that goes on until the function returns."""
        if self._log.due(block):
            self._tails.append((block, plain(values), dict(values)))

    def out(self, value: Any) -> Any:  # noqa: ANN401 - whatever the function returns
        """The function returns this; what the names named when the block began is looked at again."""
        for block, before, objects in self._tails:
            after = plain({name: objects[name] for name in before})
            try:
                after["return"] = Copier().copied(value)
            except Strange:
                continue
            same = [name for name in before if objects[name] is value]
            self._log.put(block, before, after, same)
        return value

    def env(self, block: int, values: dict[str, Any]) -> dict[str, Any] | None:
        """An expression is about to be evaluated."""
        return plain(values) if self._log.due(block) else None

    def value(self, block: int, before: dict[str, Any] | None, value: Any) -> Any:  # noqa: ANN401 - as above
        """It was."""
        if before is not None:
            after = plain({"return": value})
            if after:
                self._log.put(block, before, after, [])
        return value


def observe(entry: str, args: tuple[Any, ...]) -> list[Any]:
    """Call the program once; what was seen. An exception of the program's ends the looking, nothing more."""
    global LOG  # noqa: PLW0603 - the program's module asks for it by this name
    LOG = Log()
    try:
        operator.attrgetter(entry)(import_module(MODULE))(*args)
    except Exception:  # noqa: BLE001 - whatever it raises is its own affair
        return LOG.records
    return LOG.records


class Lines:
    """Counts how often each line of the program runs."""

    def __init__(self) -> None:
        self.hits: dict[int, int] = {}
        self._left = MOST_LINES

    def trace(self, frame: FrameType, event: str, _argument: object) -> Callable[..., Any] | None:
        """What the interpreter calls at every line."""
        if frame.f_globals.get("__name__") != MODULE:
            return None
        if event == "line":
            self.hits[frame.f_lineno] = self.hits.get(frame.f_lineno, 0) + 1
            self._left -= 1
            if self._left < 0:
                raise Enough
        return self.trace


def cover(entry: str, args: tuple[Any, ...]) -> dict[int, int]:
    """Call the program once; how often each line ran, up to where it returned, raised or ran for too long."""
    function = operator.attrgetter(entry)(import_module(MODULE))
    lines = Lines()
    sys.settrace(lines.trace)
    try:
        function(*args)
    except (Exception, Enough):  # noqa: BLE001 - whatever it raises is its own affair
        return lines.hits
    finally:
        sys.settrace(None)
    return lines.hits
