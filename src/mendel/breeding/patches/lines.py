r"""Texts as lines that keep their own endings: ``\n`` ends a line, and a ``\r`` before it belongs to the ending.

Form feeds and Unicode separators do not end a line, as in diffs.
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
    """Replaces lines ``start`` up to ``end``, from 0, with ``lines``; ``part`` names the part of the answer."""

    start: int
    end: int
    lines: tuple[str, ...]
    part: str


def answer_lines(answer: str) -> list[str]:
    """Return the lines of an answer without their endings."""
    return answer.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")


def lines_of(text: str) -> list[str]:
    """Return the lines with their endings."""
    return _LINE.findall(text)


def content(line: str) -> str:
    """Return a line without its ending."""
    return line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line


def newline_of(text: str) -> str:
    """Return the ending of most lines."""
    windows = text.count("\r\n")
    return "\r\n" if windows > text.count("\n") - windows else "\n"


def spliced(text: str, replacements: Sequence[Replacement], *, ended: bool | None = None) -> str:
    """Apply all replacements at once; the other lines stay unchanged, byte for byte.

    New lines get the most frequent ending. ``ended`` tells whether the last line has an ending; by default, as before.

    Raises:
        Unfit: two replacements change the same place.
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
    """Replace all lines, keeping the text's line endings."""
    return spliced(text, [Replacement(0, len(lines_of(text)), tuple(lines), "the file")])


def _in_order(replacements: Sequence[Replacement]) -> list[Replacement]:
    ordered = sorted(replacements, key=lambda each: (each.start, each.end))
    for first, second in pairwise(ordered):
        if second.start < first.end or second.start == first.start:  # two insertions at one place have no order
            raise Unfit(
                f"{first.part} and {second.part} both change line {second.start + 1}; let one of them change it"
            )
    return ordered


def _joined(pieces: Sequence[str], newline: str, *, ended: bool) -> str:
    """Join the pieces, adding missing line endings; ``ended`` decides about the last one."""
    whole = [piece if piece.endswith("\n") else piece + newline for piece in pieces]
    if whole and not ended:
        whole[-1] = content(whole[-1])
    return "".join(whole)
