"""The grammar of unified diffs: files, hunks and their lines, read from the lines of an answer."""

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
    """A line of context, one that goes (``-``) or one that comes (``+``); not ``ended``: nothing comes after it."""

    sign: Sign
    text: str
    ended: bool = True


@dataclass(frozen=True)
class Hunk:
    """Lines that belong together; ``start`` is where the old ones are said to begin, from 1, and 0 if nobody says."""

    start: int
    lines: tuple[HunkLine, ...]
    line: int = field(default=0, compare=False)

    def lines_of(self, sign: Sign) -> list[HunkLine]:
        """The lines before it (``-``) or after it (``+``), with the context."""
        return [line for line in self.lines if line.sign in (" ", sign)]

    def side(self, sign: Sign) -> list[str]:
        """Their texts."""
        return [line.text for line in self.lines_of(sign)]


@dataclass(frozen=True)
class FileDiff:
    """What becomes of one file, by the names above its hunks; None is no file, and twice None no name at all."""

    old: str | None
    new: str | None
    hunks: tuple[Hunk, ...]


class Reader:
    """Goes through the lines of a diff once; ``first`` is the number of the first one in the whole answer."""

    def __init__(self, lines: Sequence[str], first: int) -> None:
        self._lines = lines
        self._first = first
        self._at = 0

    def diffs(self) -> Iterator[FileDiff]:
        """Every file of it.

        Raises:
            Unfit: something of it is no diff, or one of a kind that is not taken.
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
        body = self._by_counts(int(header[2] or 1), int(header[3] or 1)) if header else None
        lines = tuple(body if body is not None else self._by_looks())
        if all(line.sign == " " for line in lines):
            raise Unfit(f"line {number} of the answer: the hunk changes nothing; mark lines with `-` and `+`")
        return Hunk(start, lines, number)

    def _by_counts(self, old: int, new: int) -> list[HunkLine] | None:
        """As many lines as the header says; None where it is plainly wrong."""
        at, found = self._at, list[HunkLine]()
        while (old > 0 or new > 0 or self._is_mark(at)) and at < len(self._lines):
            if not self._take(at, found):
                return None
            if not self._is_mark(at):
                old, new = old - (found[-1].sign != "+"), new - (found[-1].sign != "-")
            at += 1
        blank_behind = not self._lines[at - 1]  # as likely beside the hunk as in it, and no loss to it
        if old or new or blank_behind or self._goes_on(at):
            return None
        self._at = at
        return found

    def _by_looks(self) -> list[HunkLine]:
        """All lines up to the next heading."""
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
        """One line of a hunk more; an empty one is context that lost its blank."""
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
        """Whether lines of the hunk stand behind its last one by the header's counts: none of them may get lost."""
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
    """The name in a heading, without the time that may stand behind a tab."""
    name = line[4:].partition("\t")[0].strip()
    return None if name == NOWHERE else name
