"""Find lines in a file: exactly, without regard to trailing whitespace, or up to a constant difference in indentation.

A place counts only if it is the only one. Lines are searched as one joined string, so that the cost is the sum of the
lengths of file and search, not their product.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mendel.breeding.patches.lines import content, lines_of
from mendel.breeding.patches.outcomes import Unfit, counted, quoted

MOST_PLACES: Final = 16
"""Places after which a search stops: a search with more matches is ambiguous anyway."""
_MOST_COMPARED: Final = 2_000  # comparing is expensive: only the beginning of files and lines
_LONGEST_COMPARED: Final = 100
_NEAR: Final = 0.6


@dataclass(frozen=True)
class Shift:
    """The difference in indentation between the file and the answer: ``added`` or ``taken`` off."""

    added: str = ""
    taken: str = ""

    def applied(self, lines: Sequence[str]) -> tuple[str, ...]:
        """Shift other lines by the same difference.

        Raises:
            Unfit: a line has less indentation than must be removed.
        """
        return tuple(self._line(line) if line.strip() else line for line in lines)

    def _line(self, line: str) -> str:
        if not line.startswith(self.taken):
            raise Unfit(f"{quoted(line)} is indented less than the lines that it replaces; write them as they stand")
        return self.added + line.removeprefix(self.taken)


@dataclass(frozen=True)
class Place:
    """A line of a file, from 0, and the difference in indentation from the searched lines."""

    line: int
    shift: Shift = Shift()


class Page:
    """A file prepared for searching."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.lines = [content(line) for line in lines_of(text)]

    @cached_property
    def _exact(self) -> str:
        return _joined(self.lines)

    @cached_property
    def _loose(self) -> str:
        return _joined([line.rstrip() for line in self.lines])

    @cached_property
    def _stripped(self) -> str:
        return _joined([line.strip() for line in self.lines])

    def exact(self, wanted: Sequence[str]) -> list[Place]:
        """Find the lines exactly; stops shortly after ``MOST_PLACES``."""
        return [Place(line) for line in _found(self._exact, wanted)] if self.lines else []

    def loose(self, wanted: Sequence[str]) -> list[Place]:
        """Find the lines without regard to trailing whitespace."""
        return [Place(line) for line in _found(self._loose, [each.rstrip() for each in wanted])] if self.lines else []

    def shifted(self, wanted: Sequence[str]) -> list[Place]:
        """Find the lines without regard to trailing whitespace and a constant difference in indentation."""
        if not self.lines:
            return []
        places = _found(self._stripped, [each.strip() for each in wanted])
        shifts = ((line, _shift(self.lines[line : line + len(wanted)], wanted)) for line in places)
        return [Place(line, shift) for line, shift in shifts if shift is not None]

    def stands_at(self, line: int, wanted: Sequence[str], *, exactly: bool) -> bool:
        """Return whether the lines are at that line; unless ``exactly``, trailing whitespace is ignored."""
        there = self.lines[line : line + len(wanted)] if line >= 0 else []
        if exactly:
            return there == list(wanted)
        return [each.rstrip() for each in there] == [each.rstrip() for each in wanted]

    def nearest(self, wanted: Sequence[str]) -> str:
        """Describe the closest match in the file, for a complaint about lines that were not found."""
        sought = next((each for each in wanted if each.strip()), "")
        if not sought:
            return f"{self.path} has no such blank lines"
        return self._begun(wanted) or self._alike(sought)

    def _begun(self, wanted: Sequence[str]) -> str | None:
        """Describe the place with the most matching lines, counted from the first."""
        starts = _found(self._stripped, [wanted[0].strip()]) if self.lines and wanted[0].strip() else []
        if not starts:
            return None
        start = max(starts, key=lambda each: (self._agreeing(each, wanted), -each))
        length = self._agreeing(start, wanted)
        if length == len(wanted):
            return f"it stands at line {start + 1} of {self.path}, but is indented differently there"
        there = start + length
        found = quoted(self.lines[there]) if there < len(self.lines) else "the end of the file"
        return (
            f"its first {counted(length, 'line')} can be found at line {start + 1} of {self.path}, but then"
            f" {quoted(wanted[length])} is wanted, and line {there + 1} is {found}"
        )

    def _agreeing(self, start: int, wanted: Sequence[str]) -> int:
        length = 0
        for one, other in zip(self.lines[start : start + len(wanted)], wanted, strict=False):
            if one.strip() != other.strip():
                break
            length += 1
        return length

    def _alike(self, sought: str) -> str:
        # Reversed, so that the first of equal lines is kept.
        known = {line.strip()[:_LONGEST_COMPARED]: at for at, line in reversed(list(self._compared()))}
        close = difflib.get_close_matches(sought.strip()[:_LONGEST_COMPARED], known, n=1, cutoff=_NEAR)
        if not close:
            return f"{quoted(sought)} is nowhere in {self.path}, nor anything like it"
        at = known[close[0]]
        return f"{quoted(sought)} is nowhere in {self.path}; the nearest is line {at + 1}, {quoted(self.lines[at])}"

    def _compared(self) -> Iterator[tuple[int, str]]:
        for at, line in enumerate(self.lines[:_MOST_COMPARED]):
            if line.strip():
                yield at, line


def told(places: Sequence[Place]) -> str:
    """List the lines of places for a sentence, from 1."""
    shown = ", ".join(str(place.line + 1) for place in places[:4])
    return f"lines {shown}" if len(places) <= 4 else f"lines {shown} and more"


def _joined(lines: Sequence[str]) -> str:
    return "\n" + "\n".join(lines) + "\n"  # enclosed, so that only whole lines match


def _found(text: str, wanted: Sequence[str]) -> list[int]:
    """Return the lines at which ``wanted`` begins; places may overlap."""
    sought, found = _joined(wanted), list[int]()
    at = line = counted_to = 0
    while len(found) <= MOST_PLACES:
        at = text.find(sought, at)
        if at < 0:
            break
        line += text.count("\n", counted_to, at)
        counted_to = at
        found.append(line)
        at += 1
    return found


def _shift(there: Sequence[str], wanted: Sequence[str]) -> Shift | None:
    """Return the difference in indentation between otherwise equal lines; None if it is not constant."""
    pairs = [(_indent(one), _indent(other)) for one, other in zip(there, wanted, strict=True) if one.strip()]
    if not pairs:
        return Shift()
    first, other = pairs[0]
    shift = Shift(added=first.removesuffix(other)) if first.endswith(other) else Shift(taken=other.removesuffix(first))
    same = all(one == shift.added + two.removeprefix(shift.taken) and two.startswith(shift.taken) for one, two in pairs)
    return shift if same else None


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
