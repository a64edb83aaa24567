"""Fenced blocks of an answer, as in Markdown: three or more backticks or tildes at the beginning of a line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mendel.breeding.patches.outcomes import Unfit, quoted

_OPENING: Final = re.compile(r"(`{3,}|~{3,})([^`]*)")


@dataclass(frozen=True)
class Fence:
    """A block: the text after its opening fence, its lines, and the lines of its two fences in the answer, from 0."""

    info: str
    lines: tuple[str, ...]
    opened: int
    closed: int


def fences_in(lines: Sequence[str]) -> list[Fence]:
    """Return every fenced block, in order.

    Raises:
        Unfit: the last one is never closed, so the answer is incomplete.
    """
    found: list[Fence] = []
    at = 0
    while at < len(lines):
        opening = _OPENING.fullmatch(lines[at])
        if opening:
            found.append(_fence(lines, at, opening[1], opening[2].strip()))
            at = found[-1].closed
        at += 1
    return found


def outside(lines: Sequence[str], fences: Sequence[Fence]) -> list[str]:
    """Return the lines outside all blocks."""
    found, last = list[str](), 0
    for fence in fences:
        found += lines[last : fence.opened]
        last = fence.closed + 1
    return [*found, *lines[last:]]


def is_fence(line: str) -> bool:
    """Return whether the line opens or closes a block."""
    return _OPENING.fullmatch(line) is not None


def fenced(lines: Sequence[str], info: str = "") -> list[str]:
    """Enclose lines in fences that are longer than any fence in them."""
    longest = max((len(line) - len(line.lstrip("`")) for line in lines), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{info}", *lines, fence]


def _fence(lines: Sequence[str], opened: int, fence: str, info: str) -> Fence:
    for at in range(opened + 1, len(lines)):
        line = lines[at].rstrip()
        if len(line) >= len(fence) and not line.strip(fence[0]):
            return Fence(info, tuple(lines[opened + 1 : at]), opened, at)
    raise Unfit(
        f"the fence {quoted(lines[opened])} in line {opened + 1} of the answer is never closed; the answer seems to be"
        " cut off: answer again, whole"
    )
