"""Checks of a source text before parsing, and positions as an editor shows them."""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

from mendel.contracts.lint import LintCode

SHOWN = 60
"""Maximum number of quoted characters in a message."""

_NEWLINE = re.compile(r"\r\n|\r|\n")
_NOT_TEXT = re.compile("[\0\ud800-\udfff]|\\A\ufeff")  # NUL, lone surrogates, a byte order mark
_COOKIE = re.compile(r"\A(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)")
_UTF8 = re.compile(r"utf[-_]?8(?:[-_]sig)?\Z", re.IGNORECASE)
# Brackets, comments and strings. Possessive quantifiers prevent backtracking on hostile texts.
_PIECES = re.compile(
    r"""
      [([{] | [\])}]
    | \#[^\r\n]*+
    | \"\"\"(?:[^"\\]++|\\.|"(?!""))*+(?:\"\"\")?
    | '''(?:[^'\\]++|\\.|'(?!''))*+(?:''')?
    | "(?:[^"\\\r\n]++|\\.)*+"?
    | '(?:[^'\\\r\n]++|\\.)*+'?
    """,
    re.VERBOSE | re.DOTALL,
)


class Place(NamedTuple):
    """A position as editors count it: both from 1, the column in characters."""

    line: int
    column: int


class Complaint(NamedTuple):
    """A finding without the path of its file."""

    code: LintCode
    place: Place
    message: str
    hint: str


class Source:
    """A text and its lines, as Python splits them."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends; never empty."""
        return _NEWLINE.split(self.text)

    def place(self, line: int, byte_column: int) -> Place:
        """Return the place of a tree node, given its column in UTF-8 bytes from 0."""
        return self.within(line, byte_column if self.text.isascii() else self._characters(line, byte_column))

    def within(self, line: int, column: int) -> Place:
        """Return the nearest existing place to ``line`` (from 1) and ``column`` (from 0)."""
        row = min(max(line, 1), len(self.lines))
        return Place(row, min(max(column, 0), len(self.lines[row - 1])) + 1)

    def at(self, index: int) -> Place:
        """Return the place of the character at ``index``."""
        before = _NEWLINE.split(self.text[:index])
        return self.within(len(before), len(before[-1]))

    def _characters(self, line: int, byte_column: int) -> int:
        row = min(max(line, 1), len(self.lines))
        ahead = self.lines[row - 1].encode("utf-8", "surrogatepass")[: max(byte_column, 0)]
        return len(ahead.decode("utf-8", "ignore"))


def shown(text: str) -> str:
    """Return ``text`` for quoting in a message: short, on one line, printable."""
    cut = text if len(text) <= SHOWN else text[:SHOWN] + "…"
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in cut)


def text_complaint(source: Source, most_bytes: int, most_nesting: int) -> Complaint | None:
    """Return why ``source`` must not be passed to the parser, or None."""
    return _too_large(source, most_bytes) or _not_text(source) or _cookie(source) or _nesting(source, most_nesting)


def _too_large(source: Source, most: int) -> Complaint | None:
    text = source.text
    size = len(text) if text.isascii() or len(text) > most else len(text.encode("utf-8", "surrogatepass"))
    if size <= most:
        return None
    message = f"the text has at least {size:,} bytes; {most:,} are allowed"
    return Complaint(LintCode.SOURCE_TOO_LARGE, Place(1, 1), message, "keep what is needed, and compute tables instead")


def _not_text(source: Source) -> Complaint | None:
    found = _NOT_TEXT.search(source.text)
    if found is None:
        return None
    message = f"the text contains U+{ord(found[0]):04X}, which no source file may contain"
    hint = "remove it; in a string, write it as an escape"
    return Complaint(LintCode.SOURCE_BAD_TEXT, source.at(found.start()), message, hint)


def _cookie(source: Source) -> Complaint | None:
    """Refuse encodings other than UTF-8: the interpreter would read another text than the one checked here."""
    found = _COOKIE.match(source.text)
    if found is None or _UTF8.match(found[1]):
        return None
    message = f"the text declares the encoding {shown(found[1])}"
    return Complaint(LintCode.SOURCE_BAD_TEXT, source.at(found.start(1)), message, "remove the line; source is UTF-8")


def _nesting(source: Source, most: int) -> Complaint | None:
    depth = 0
    for piece in _PIECES.finditer(source.text):
        first = piece[0]
        if first in "([{":
            depth += 1
        elif first in ")]}":
            depth -= 1
        if depth > most:
            message = f"brackets nest deeper than {most} levels"
            return Complaint(LintCode.SOURCE_TOO_DEEP, source.at(piece.start()), message, "name the inner parts")
    return None
