"""Readable error messages for settings documents, with their lines."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from mendel.contracts.payloads import plain
from mendel.settings.keys import is_list
from mendel.settings.masking import is_secret

Place = tuple[str | int, ...]

_LINES_LOOKED_THROUGH: Final = 1_000  # every line parses the document again: quadratic time
_SHOWN_CHARACTERS: Final = 60  # of a wrong value in a message
_KINDS: Final[Mapping[type, str]] = {
    str: "a string",
    bool: "a boolean",
    int: "an integer",
    float: "a number",
    list: "an array",
    dict: "a table",
}


class KnownKeys(Protocol):
    """The keys allowed in a document; for settings, a :class:`~mendel.settings.catalog.Catalog`."""

    @property
    def fields(self) -> Mapping[str, FieldInfo]:
        """Every key with its field definition."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every key, including those within arrays of tables."""

    @property
    def sections(self) -> tuple[str, ...]:
        """The dotted name of every table."""


@dataclass(frozen=True)
class DocumentKeys:
    """The keys of a document other than settings, such as a run file."""

    fields: Mapping[str, FieldInfo]

    @property
    def names(self) -> tuple[str, ...]:
        """Every key."""
        return tuple(self.fields)

    @property
    def sections(self) -> tuple[str, ...]:
        """The dotted name of every table."""
        return tuple(dict.fromkeys(table for key in self.fields if (table := key.rpartition(".")[0])))


def complaint(error: ErrorDetails, catalog: KnownKeys) -> tuple[tuple[str, ...], str]:
    """Return the key of a validation error, and a message."""
    location = tuple(part for part in error["loc"] if isinstance(part, str))
    if error["type"] == "extra_forbidden":
        return location, unknown(location, catalog)
    if error["type"] == "missing":
        return location, "it is required"
    found = _found(catalog.fields.get(".".join(location)), error["input"])
    if error["type"] in ("model_type", "dict_type"):
        return location, f"expected a table, found {found}"
    if error["type"] == "tuple_type":
        return location, f"expected an array, found {found}; put brackets around it: {location[-1]} = […]"
    if error["type"] == "too_short":
        return location, "expected one value or more, found none; omit the key for the default"
    message = plain(error["msg"]).replace("Input should be ", "expected ", 1)
    return location, f"{message[:1].lower()}{message[1:]}, found {found}"


def _found(field: FieldInfo | None, value: object) -> str:
    """Describe the found value; show it only if it cannot be a secret in the wrong place."""
    if field is None or is_secret(field) or is_list(field) or not isinstance(value, str | int | float):
        return _KINDS.get(type(value), f"a {type(value).__name__}")
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "…"


def unknown(path: tuple[str, ...], catalog: KnownKeys) -> str:
    """Return the message about an unknown key: with the nearest key, or with its siblings."""
    near = _nearest(path, catalog)
    if near:
        return f"unknown key; did you mean {near}?"
    names = catalog.names
    # The keys of the innermost known table around the unknown key.
    beside = (f"{'.'.join(path[:length])}." for length in range(len(path) - 1, 0, -1))
    found = ([key for key in names if key.startswith(prefix)] for prefix in (*beside, f"{path[0]}."))
    return f"unknown key; known are {', '.join(next(filter(None, found), list(names)))}"


def _nearest(path: tuple[str, ...], catalog: KnownKeys) -> str | None:
    """Return the same name in another section, else the nearest sibling, full key (in an unknown section) or name."""
    names, sections = catalog.names, catalog.sections
    if len(path) == 1 and any(name.partition(".")[0] == path[0] for name in names):
        return None  # the name of a section: its keys are listed instead
    section = ".".join(path[:-1])
    beside = {name.rpartition(".")[2]: name for name in (*names, *sections) if name.rpartition(".")[0] == section}
    everywhere = {name.rpartition(".")[2]: name for name in reversed(names)}  # of equal names the first one counts
    if path[-1] in everywhere:
        return everywhere[path[-1]]
    wholes = {name: name for name in (*names, *sections)} if section not in sections else {}
    for written, known in ((path[-1], beside), (".".join(path), wholes), (path[-1], everywhere)):
        for near in difflib.get_close_matches(written, known, n=1):
            return known[near]
    return None


# --- lines -----------------------------------------------------------------------------------------------


def line_of(place: Place, lines: Mapping[Place, int]) -> int | None:
    """Return the line of a place, or of the nearest enclosing place in the document."""
    around = (place[:length] for length in range(len(place), 0, -1))
    return next((lines[each] for each in around if each in lines), None)


def key_lines(text: str) -> Mapping[Place, int]:
    """Return the line of each key in a valid document; empty for a very long document.

    The standard library's parser reports no positions. A statement ends at each line up to which the document parses,
    so the keys that are new there begin on the line after the previous such line.
    """
    lines = text.split("\n")
    found: dict[Place, int] = {}
    start = 1
    for end in range(1, len(lines) + 1 if len(lines) <= _LINES_LOOKED_THROUGH else 0):
        try:
            document = tomllib.loads("\n".join(lines[:end]))
        except tomllib.TOMLDecodeError:
            continue
        for path in _places(document):
            found.setdefault(path, start)
        start = end + 1
    return found


def _places(value: object) -> Iterator[Place]:
    """Yield every place in a document: keys of tables, and indices of tables in arrays."""
    inner: dict[str | int, object] = {}
    if isinstance(value, dict):
        inner = dict(value)
    elif isinstance(value, list):
        inner = {number: each for number, each in enumerate(value) if isinstance(each, dict)}
    for name, each in inner.items():
        yield (name,)
        yield from ((name, *rest) for rest in _places(each))
