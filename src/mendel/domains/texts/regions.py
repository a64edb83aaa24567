"""The parts of a text that may change: those between two marks, in the comment syntax of any language.

A mark is a line of its own, ``mendel: evolve`` or ``mendel: end`` with only comment signs around it:
``# mendel: evolve``, ``/* mendel: end */``, ``-- mendel: evolve``, ``REM mendel: end``. A file without marks may change
completely. Text that resembles a mark but is not one is refused, or a line that was to be kept might be changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mendel.breeding.patches.lines import lines_of
from mendel.contracts.errors import ConfigError

EVOLVE: Final = "evolve"
END: Final = "end"
# `rem`, `dnl` and `c` begin comments in some languages.
_ALONE: Final = re.compile(r"\W*(?:(?:rem|dnl|c)\s+)?mendel\s*:\s*(\w+)\W*", re.IGNORECASE)
_BEHIND: Final = re.compile(rf"\bmendel\s*:\s*({EVOLVE}|{END}|begin|keep)\W*$", re.IGNORECASE)  # not alone


@dataclass(frozen=True)
class Parts:
    """A text as pieces in turn: kept, free, kept, free … kept. Joined, they are the text."""

    pieces: tuple[str, ...]

    @property
    def kept(self) -> tuple[str, ...]:
        """The pieces that may not change; all of them empty if the whole text may."""
        return self.pieces[::2]

    @property
    def free(self) -> tuple[str, ...]:
        """The pieces that may change."""
        return self.pieces[1::2]

    @property
    def marked(self) -> bool:
        """Whether marks limit what may change."""
        return any(self.kept)

    def with_free(self, place: int, text: str) -> str:
        """Return the text with another free piece at ``place``."""
        pieces = list(self.pieces)
        pieces[2 * place + 1] = text
        return "".join(pieces)


def parts_of(text: str, path: str) -> Parts:
    """Split a text into its pieces.

    Raises:
        ConfigError: a mark is unknown, or lacks its counterpart; the message gives its line and what to do.
    """
    marks = list(_marks(text, path))
    if not marks:
        return Parts(("", text, ""))
    lines, pieces, begin = lines_of(text), list[str](), 0
    for place, (number, word) in enumerate(marks):
        if word != (EVOLVE, END)[place % 2]:  # marks must alternate
            raise _refusal(path, number, _unmatched(word))
        at = number if word == EVOLVE else number - 1
        pieces.append("".join(lines[begin:at]))
        begin = at
    if len(marks) % 2:
        raise _refusal(path, marks[-1][0], f"`mendel: {EVOLVE}` has no `mendel: {END}` below it; add that")
    return Parts((*pieces, "".join(lines[begin:])))


def changed_outside(original: str, changed: str, path: str) -> str | None:
    """Return which change is not allowed; None if all are."""
    before = parts_of(original, path)
    try:
        now = parts_of(changed, path)
    except ConfigError as error:
        return str(error)
    if now.kept == before.kept:
        return None
    if len(now.kept) != len(before.kept) or now.marked != before.marked:
        return f"{path}: the marks `mendel: {EVOLVE}` and `mendel: {END}` have to stay, and no others may come"
    return f"{path}: only what stands between `mendel: {EVOLVE}` and `mendel: {END}` may change"


def _marks(text: str, path: str) -> Iterator[tuple[int, str]]:
    """Yield the line number, from 1, and the word of each mark."""
    for number, line in enumerate(lines_of(text), 1):
        if "mendel" not in line.lower():  # fast path: true of almost every line
            continue
        alone = _ALONE.fullmatch(line)
        if alone is None:
            if _BEHIND.search(line):
                raise _refusal(path, number, "a mark follows something else; give it a line of its own")
            continue
        word = alone[1].lower()
        if word not in (EVOLVE, END):
            raise _refusal(path, number, f"no mark `mendel: {alone[1]}`; known are {EVOLVE}, {END}")
        yield number, word


def _unmatched(word: str) -> str:
    if word == END:
        return f"`mendel: {END}` without a `mendel: {EVOLVE}` above it; add that, or remove the mark"
    return f"`mendel: {EVOLVE}` within a region; close the one above it with `mendel: {END}` first"


def _refusal(path: str, line: int, told: str) -> ConfigError:
    return ConfigError(f"{path}, line {line}: {told}")
