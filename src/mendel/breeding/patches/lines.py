r"""Texts as lines that keep their own ends: ``\n`` ends a line, and a ``\r`` before it belongs to the end.

Nothing else does. Form feeds and the separators of Unicode are characters of a line, as they are to diffs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from mendel.breeding.patches.outcomes import Unfit

_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True)
class Replacement:
    """Lines ``start`` to ``end``, from 0 and without the last, become ``lines``; ``part`` of the answer says so."""

    start: int
    end: int
    lines: tuple[str, ...]
    part: str


def answer_lines(answer: str) -> list[str]:
    """The lines of an answer, without their ends, whatever these are."""
    return answer.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")


def lines_of(text: str) -> list[str]:
    """The lines with their ends."""
    return _LINE.findall(text)


def content(line: str) -> str:
    """A line without its end."""
    return line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line


def newline_of(text: str) -> str:
    """How most lines end."""
    windows = text.count("\r\n")
    return "\r\n" if windows > text.count("\n") - windows else "\n"


def spliced(text: str, replacements: Sequence[Replacement], *, ended: bool | None = None) -> str:
    """The text with all replacements made at once; what they leave alone stays as it is, byte for byte.

    New lines end as most of the others. Whether the last line has an end is kept, unless ``ended`` says it.

    Raises:
        Unfit: two of them change the same place.
    """
    old, newline = lines_of(text), newline_of(text)
    pieces: list[str] = []
    last = 0
    for each in _in_order(replacements):
        pieces += [*old[last : each.start], *(line + newline for line in each.lines)]
        last = each.end
    pieces += old[last:]
    if ended is None:
        ended = not old or old[-1].endswith("\n")
    return _joined(pieces, newline, ended=ended)


def rewritten(text: str, lines: Sequence[str]) -> str:
    """Other lines in place of all, with the ends that the text has."""
    return spliced(text, [Replacement(0, len(lines_of(text)), tuple(lines), "the file")])


def _in_order(replacements: Sequence[Replacement]) -> list[Replacement]:
    ordered = sorted(replacements, key=lambda each: (each.start, each.end))
    for first, second in pairwise(ordered):
        if second.start < first.end or second.start == first.start:
            raise Unfit(
                f"{first.part} and {second.part} both change line {second.start + 1}; let one of them change it"
            )
    return ordered


def _joined(pieces: Sequence[str], newline: str, *, ended: bool) -> str:
    """The pieces, each of which ends its line; the last one as asked."""
    whole = [piece if piece.endswith("\n") else piece + newline for piece in pieces]
    if whole and not ended:
        whole[-1] = content(whole[-1])
    return "".join(whole)
