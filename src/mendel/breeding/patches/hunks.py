"""A parser for unified diffs: files, hunks and their lines, read from the lines of an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, cast

from mendel.breeding.patches.outcomes import Unfit, quoted

Sign = Literal[" ", "-", "+"]
_HEADER: Final = re.compile(r"@@+ -([0-9]{1,9})(?:,([0-9]{1,9}))? \+[0-9]{1,9}(?:,([0-9]{1,9}))? @@")
_REFUSED: Final = re.compile(r"(?:rename|copy) (?:from|to) |Binary files .* differ|GIT binary patch")
NOWHERE: Final = "/dev/null"


@dataclass(frozen=True)
class HunkLine:
    """A line of context, a removed (``-``) or an added line (``+``); not ``ended``: the file ends without a newline."""

    sign: Sign
    text: str
    ended: bool = True


@dataclass(frozen=True)
class Hunk:
    """The lines of one change; ``start`` is the first old line by the header, from 1, or 0 without a valid header."""

    start: int
    lines: tuple[HunkLine, ...]
    line: int = field(default=0, compare=False)

    def lines_of(self, sign: Sign) -> list[HunkLine]:
        """Return the lines before (``-``) or after the change (``+``), including context."""
        return [line for line in self.lines if line.sign in (" ", sign)]

    def side(self, sign: Sign) -> list[str]:
        """Return the texts of these lines."""
        return [line.text for line in self.lines_of(sign)]


@dataclass(frozen=True)
class FileDiff:
    """The changes of a file, and the names above its hunks; None is ``/dev/null``, two None are no names at all."""

    old: str | None
    new: str | None
    hunks: tuple[Hunk, ...]


class Reader:
    """Reads the lines of a diff in one pass; ``first`` is the line number of its first line in the answer."""

    def __init__(self, lines: Sequence[str], first: int) -> None:
        self._lines = lines
        self._first = first
        self._at = 0

    def diffs(self) -> Iterator[FileDiff]:
        """Yield the diff of every file.

        Raises:
            Unfit: a part is not a valid diff, or of a kind that is not supported.
        """
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if _REFUSED.match(line):
                raise Unfit(f"{self._here()}: {quoted(line)}; files can be changed, but not renamed, copied or binary")
            if self._is_head(self._at):
                yield self._file()
            elif line.startswith("@@"):
                yield FileDiff(None, None, tuple(self._hunks()))
            else:
                self._at += 1

    def _file(self) -> FileDiff:
        old, new = _name(self._lines[self._at]), _name(self._lines[self._at + 1])
        place = self._here()
        self._at += 2
        hunks = tuple(self._hunks())
        if not hunks or (old is None and new is None):
            raise Unfit(f"{place}: {quoted(new or old or NOWHERE)} is named, but no hunk (`@@ … @@`) of it follows")
        return FileDiff(old, new, hunks)

    def _hunks(self) -> Iterator[Hunk]:
        self._skip_blank()
        while self._at < len(self._lines) and self._lines[self._at].startswith("@@"):
            yield self._hunk()
            self._skip_blank()

    def _hunk(self) -> Hunk:
        header, number = _HEADER.match(self._lines[self._at]), self._first + self._at
        self._at += 1
        start = int(header[1]) if header else 0
        body = self._by_counts(int(header[2] or 1), int(header[3] or 1)) if header else None  # a missing count means 1
        lines = tuple(body if body is not None else self._by_looks())
        if all(line.sign == " " for line in lines):
            raise Unfit(f"line {number} of the answer: the hunk changes nothing; mark lines with `-` and `+`")
        return Hunk(start, lines, number)

    def _by_counts(self, old: int, new: int) -> list[HunkLine] | None:
        """Return as many lines as the header says; None if its counts are clearly wrong."""
        at, found = self._at, list[HunkLine]()
        # A line `\ No newline at end of file` may follow the last counted line.
        while (old > 0 or new > 0 or self._is_mark(at)) and at < len(self._lines):
            if not self._take(at, found):
                return None
            if not self._is_mark(at):
                old, new = old - (found[-1].sign != "+"), new - (found[-1].sign != "-")
            at += 1
        blank_behind = not self._lines[at - 1]  # may as well follow the hunk, and dropping it loses nothing
        if old or new or blank_behind or self._goes_on(at):
            return None
        self._at = at
        return found

    def _by_looks(self) -> list[HunkLine]:
        """Return all lines up to the next heading."""
        end = self._at
        while end < len(self._lines) and not self._is_boundary(end):
            end += 1
        last = end
        while last > self._at and not self._lines[last - 1]:
            last -= 1
        found = list[HunkLine]()
        for at in range(self._at, last):
            if not self._take(at, found):
                raise Unfit(
                    f"line {self._first + at} of the answer, {quoted(self._lines[at])}, begins with none of"
                    " ` `, `+` and `-`, as a line of a hunk does"
                )
        self._at = end
        return found

    def _take(self, at: int, found: list[HunkLine]) -> bool:
        """Add one line to a hunk; an empty line is context that lost its leading blank."""
        line = self._lines[at]
        if self._is_mark(at) and found:
            found[-1] = HunkLine(found[-1].sign, found[-1].text, ended=False)
            return True
        if line[:1] not in ("", " ", "+", "-"):
            return False
        found.append(HunkLine(cast("Sign", line[:1] or " "), line[1:]))
        return True

    def _is_mark(self, at: int) -> bool:
        return at < len(self._lines) and self._lines[at].startswith("\\ ")

    def _is_head(self, at: int) -> bool:
        return self._starts(at, "--- ") and self._starts(at + 1, "+++ ")

    def _is_boundary(self, at: int) -> bool:
        return self._starts(at, "@@") or self._starts(at, "diff --git ") or self._is_head(at)

    def _goes_on(self, at: int) -> bool:
        """Return whether the hunk continues after the last line by the header's counts; no line may be lost."""
        while at < len(self._lines) and not self._lines[at]:
            at += 1
        if self._starts(at, " "):
            return True
        while at < len(self._lines) and not self._is_boundary(at):
            if self._starts(at, ("+", "-")):
                return True
            at += 1
        return False

    def _starts(self, at: int, prefix: str | tuple[str, ...]) -> bool:
        return at < len(self._lines) and self._lines[at].startswith(prefix)

    def _skip_blank(self) -> None:
        while self._at < len(self._lines) and not self._lines[self._at].strip():
            self._at += 1

    def _here(self) -> str:
        return f"line {self._first + self._at} of the answer"


def _name(line: str) -> str | None:
    """Return the name in a heading, without the timestamp that may follow after a tab."""
    name = line[4:].partition("\t")[0].strip()
    return None if name == NOWHERE else name
