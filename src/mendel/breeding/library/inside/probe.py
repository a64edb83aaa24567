"""Probes that an instrumented program calls while it runs in the sandbox: they copy locals and count lines.

A program controls its process and can tamper with this module; it then misleads only its own variation.
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
    """A value is not plain data, or too large."""


class Enough(BaseException):
    """The limit on counted lines is reached; a BaseException, so that the program's handlers do not catch it."""


class Copier:
    """Copies one value if it is small plain data."""

    def __init__(self) -> None:
        self._left = MOST_ITEMS

    def copied(self, value: Any, depth: int = 0) -> Any:  # noqa: ANN401 - any object at all
        """Return a copy; raise ``Strange`` for anything else."""
        kind = type(value)  # exact types: a subclass may run methods of the program
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
    """Return copies of the values that are small plain data."""
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
    """Records of one call of the program: (block, before, after, names that still refer to the same object)."""

    def __init__(self) -> None:
        self.records: list[tuple[int, dict[str, Any], dict[str, Any], list[str]]] = []
        self.counts: dict[int, int] = {}

    def due(self, block: int) -> bool:
        """Return whether to record this execution of a block: the first four, then increasingly rare ones."""
        count = self.counts[block] = self.counts.get(block, 0) + 1
        rare = _power(count) or (count % 3 == 0 and _power(count // 3))
        return (count <= 4 or rare) and len(self.records) < MOST_RECORDS

    def put(self, block: int, before: dict[str, Any], after: dict[str, Any], same: list[str]) -> None:
        """Record one execution."""
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
        """Handle the start of a block of statements."""
        self._open.pop(block, None)  # the previous execution may have ended by an exception
        if self._log.due(block):
            self._open[block] = plain(values), dict(values)

    def after(self, block: int, values: dict[str, Any]) -> None:
        """Handle the end of a block of statements."""
        if block in self._open:
            before, objects = self._open.pop(block)
            same = [name for name in before if name in values and values[name] is objects[name]]
            self._log.put(block, before, plain(values), same)

    def tail(self, block: int, values: dict[str, Any]) -> None:
        """Handle the start of a block that ends when the function returns."""
        if self._log.due(block):
            self._tails.append((block, plain(values), dict(values)))

    def out(self, value: Any) -> Any:  # noqa: ANN401 - whatever the function returns
        """Handle the function's return: compare the objects that the names had at the start of each tail."""
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
        """Return the locals before an expression is evaluated; None if this execution is not recorded."""
        return plain(values) if self._log.due(block) else None

    def value(self, block: int, before: dict[str, Any] | None, value: Any) -> Any:  # noqa: ANN401 - as above
        """Record the value of an expression after its evaluation, and return it."""
        if before is not None:
            after = plain({"return": value})
            if after:
                self._log.put(block, before, after, [])
        return value


def observe(entry: str, args: tuple[Any, ...]) -> list[Any]:
    """Call the program once and return the records; an exception in the program only ends the recording."""
    global LOG  # noqa: PLW0603 - each new Visit reads it
    LOG = Log()
    try:
        operator.attrgetter(entry)(import_module(MODULE))(*args)
    except Exception:  # noqa: BLE001 - a program may raise anything; the records up to here count
        return LOG.records
    return LOG.records


class Lines:
    """Counts the executions of each line of the program."""

    def __init__(self) -> None:
        self.hits: dict[int, int] = {}
        self._left = MOST_LINES

    def trace(self, frame: FrameType, event: str, _argument: object) -> Callable[..., Any] | None:
        """Count a line; the interpreter calls this function at every line."""
        if frame.f_globals.get("__name__") != MODULE:  # lines of libraries do not count
            return None
        if event == "line":
            self.hits[frame.f_lineno] = self.hits.get(frame.f_lineno, 0) + 1
            self._left -= 1
            if self._left < 0:
                raise Enough
        return self.trace


def cover(entry: str, args: tuple[Any, ...]) -> dict[int, int]:
    """Call the program once and count the executions of each line, until it returns, raises or reaches the limit."""
    function = operator.attrgetter(entry)(import_module(MODULE))
    lines = Lines()
    sys.settrace(lines.trace)
    try:
        function(*args)
    except (Exception, Enough):  # noqa: BLE001 - a program may raise anything; the counts up to here count
        return lines.hits
    finally:
        sys.settrace(None)
    return lines.hits
