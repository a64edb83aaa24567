"""Write changed files as an answer; :mod:`mendel.breeding.patches.answers` applies it with the same result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Final

from mendel.breeding.patches import blocks, unified, whole
from mendel.breeding.patches.blocks import Block
from mendel.breeding.patches.fences import fenced
from mendel.breeding.patches.hunks import FileDiff, Hunk, HunkLine
from mendel.breeding.patches.lines import content, lines_of
from mendel.breeding.patches.outcomes import Form
from mendel.breeding.patches.places import Page
from mendel.breeding.patches.whole import WholeFile

CONTEXT: Final = 3
"""Number of unchanged lines around a change; around a block, more if needed to make its place unique."""

_Group = list[tuple[str, int, int, int, int]]


def answer_of(before: Mapping[str, str], after: Mapping[str, str], form: Form) -> str:
    """Write an answer that turns ``before`` into ``after``, which must have the same paths and differ in lines.

    Only a diff expresses whether the last line ends with a newline; line endings follow the old file in every form.
    """
    changed = [path for path in before if before[path] != after[path]]
    if form == "diff":
        diffs = [_diff(path, before[path], after[path]) for path in changed]
        return "\n".join([*fenced(unified.written(diffs).split("\n")[:-1], "diff"), ""])
    if form == "replace":
        return blocks.written([block for path in changed for block in _blocks(path, before[path], after[path])])
    return whole.written([WholeFile(path, _contents(lines_of(after[path]))) for path in changed])


def _diff(path: str, before: str, after: str) -> FileDiff:
    old, new = lines_of(before), lines_of(after)
    hunks = tuple(Hunk(group[0][1] + 1, tuple(_lines(group, old, new))) for group in _groups(old, new, CONTEXT))
    return FileDiff(f"a/{path}", f"b/{path}", hunks)


def _lines(group: _Group, old: list[str], new: list[str]) -> Iterator[HunkLine]:
    for kind, old_start, old_end, new_start, new_end in group:
        if kind == "equal":
            yield from (HunkLine(" ", content(line), line.endswith("\n")) for line in old[old_start:old_end])
            continue
        yield from (HunkLine("-", content(line), line.endswith("\n")) for line in old[old_start:old_end])
        yield from (HunkLine("+", content(line), line.endswith("\n")) for line in new[new_start:new_end])


def _blocks(path: str, before: str, after: str) -> list[Block]:
    """Return blocks whose searched lines occur exactly once."""
    old, new, page = lines_of(before), lines_of(after), Page(path, before)
    context = CONTEXT
    while True:
        found = [_block(path, group, old, new) for group in _groups(old, new, context)]
        if context > len(old) or all(len(page.exact(block.search)) == 1 for block in found):
            return found
        context *= 2  # ends at the latest when a block contains the whole file


def _block(path: str, group: _Group, old: list[str], new: list[str]) -> Block:
    first, last = group[0], group[-1]
    return Block(path, _contents(old[first[1] : last[2]]), _contents(new[first[3] : last[4]]))


def _groups(old: list[str], new: list[str], context: int) -> list[_Group]:
    return [list(group) for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(context)]


def _contents(lines: list[str]) -> tuple[str, ...]:
    return tuple(map(content, lines))
