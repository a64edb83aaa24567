"""Answers in the form of search and replace blocks.

::

    ### FILE: sort.py
    <<<<<<< SEARCH
    lines as they stand in the file
    =======
    lines in their place
    >>>>>>> REPLACE

Whole lines are searched in the file as it was before any block, and must occur exactly once. If they do not occur,
trailing whitespace is ignored; if they still do not, also a constant difference in indentation, which is then applied
to the new lines. If the text itself contains such marks, the block uses longer ones, all three of one length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from mendel.breeding.patches.fences import is_fence
from mendel.breeding.patches.lines import Replacement, answer_lines, spliced
from mendel.breeding.patches.outcomes import Unfit, counted, gathered, listed
from mendel.breeding.patches.places import Page, Place, told
from mendel.breeding.patches.sources import Sources, path_in

_SHORTEST: Final = 7
_OPENING: Final = re.compile(r"(<{7,}) ?SEARCH\s*")
_ALMOST: Final = re.compile(r"\s*(?:<{6,}|>{6,}(?=\s*REPLACE))")
_NONE: Final = (
    "there is no block in the answer; answer with blocks of `<<<<<<< SEARCH`, the lines as they stand, `=======`, the"
    " lines in their place, `>>>>>>> REPLACE`, each mark on a line of its own"
)


@dataclass(frozen=True)
class Block:
    """Lines to search and their replacement; without a ``path``, every editable file is searched."""

    path: str | None
    search: tuple[str, ...]
    replace: tuple[str, ...]
    line: int = field(default=0, compare=False)


# --- reading and writing ------------------------------------------------------------------------------------------


def parsed(answer: str, known: frozenset[str] = frozenset()) -> tuple[Block, ...]:
    """Parse the blocks of an answer, ignoring fences and text around them.

    Raises:
        Unfit: there is none, or one is incomplete.
    """
    blocks = tuple(_blocks(answer_lines(answer), known))
    if not blocks:
        raise Unfit(_NONE)
    return blocks


def written(blocks: Sequence[Block]) -> str:
    """Write the blocks as text that :func:`parsed` reads back unchanged."""
    return "".join(f"{line}\n" for block in blocks for line in _written(block))


def _blocks(lines: Sequence[str], known: frozenset[str]) -> Iterator[Block]:
    at = behind = 0
    while at < len(lines):
        opening = _OPENING.fullmatch(lines[at])
        if opening:
            middle, end = _marks(lines, at, len(opening[1]))
            path = _path_above(lines[behind:at], known)
            yield Block(path, tuple(lines[at + 1 : middle]), tuple(lines[middle + 1 : end]), at + 1)
            at = behind = end + 1
        elif _ALMOST.match(lines[at]):  # more likely a mistake than text; applying the rest would lose a change
            raise Unfit(
                f"line {at + 1} of the answer is almost the mark of a block, or one that belongs to none; a block"
                " begins with `<<<<<<< SEARCH`, at the left margin and alone on its line"
            )
        else:
            at += 1


def _marks(lines: Sequence[str], opened: int, length: int) -> tuple[int, int]:
    """Return the lines of the other two marks of a block."""
    divider, closing = "=" * length, ">" * length
    middle: int | None = None
    for at in range(opened + 1, len(lines)):
        line = lines[at].rstrip()
        if line == divider:
            if middle is not None:
                raise Unfit(_twice(opened, at, length))
            middle = at
        elif line in (f"{closing} REPLACE", f"{closing}REPLACE"):
            if middle is None:
                raise Unfit(f"the block in line {opened + 1} of the answer has no `{divider}` before line {at + 1}")
            return middle, at
        elif (nested := _OPENING.fullmatch(line)) and len(nested[1]) == length:
            raise Unfit(f"the block in line {opened + 1} of the answer does not end before the next, line {at + 1}")
    raise Unfit(
        f"the block in line {opened + 1} of the answer has no `{closing} REPLACE`; the answer seems to be cut off:"
        " answer again, whole"
    )


def _twice(opened: int, at: int, length: int) -> str:
    return (
        f"the block in line {opened + 1} of the answer has a second `{'=' * length}` in line {at + 1}; if the text has"
        f" such lines, make all three marks of the block longer than {length} characters"
    )


def _path_above(lines: Sequence[str], known: frozenset[str]) -> str | None:
    """Return the path on the last line above a block, ignoring fences and blank lines."""
    above = next((line for line in reversed(lines) if line.strip() and not is_fence(line)), "")
    return path_in(above, known)


def _written(block: Block) -> Iterator[str]:
    length = _SHORTEST
    while any(_is_mark(line, length) for line in (*block.search, *block.replace)):
        length += 1
    if block.path is not None:
        yield f"### FILE: {block.path}"
    yield "<" * length + " SEARCH"
    yield from block.search
    yield "=" * length
    yield from block.replace
    yield ">" * length + " REPLACE"


def _is_mark(line: str, length: int) -> bool:
    marks = ("<" * length + "SEARCH", "=" * length, ">" * length + "REPLACE")
    return "".join(line.split()) in marks


# --- applying -----------------------------------------------------------------------------------------------------


def applied(blocks: Sequence[Block], sources: Sources) -> tuple[dict[str, str], str]:
    """Return the files after the blocks, and a note about the changes.

    Raises:
        Unfit: a block fits no place or several, or changes a file that is not editable.
    """
    pages = {path: Page(path, sources.files[path]) for path in sorted(sources.editable & set(sources.files))}

    def change(numbered: tuple[int, Block]) -> tuple[str, Replacement]:
        number, block = numbered
        return _change(block, f"block {number} (line {block.line} of the answer)", pages, sources)

    changes: dict[str, list[Replacement]] = {}
    for path, replacement in gathered(enumerate(blocks, 1), change):
        changes.setdefault(path, []).append(replacement)
    files = {path: spliced(sources.text(path), each) for path, each in changes.items()}
    note = ", ".join(f"{counted(len(each), 'block')} in {path}" for path, each in changes.items())
    return {**sources.files, **files}, note


def _change(block: Block, part: str, pages: dict[str, Page], sources: Sources) -> tuple[str, Replacement]:
    if not block.search:
        return _filled(block, part, sources)
    chosen = list(pages.values())
    if block.path is not None:
        path = sources.allowed(block.path)
        chosen = [pages.get(path) or Page(path, "")]  # an editable file need not exist yet
    page, place = _place(block, part, chosen)
    end = place.line + len(block.search)
    return page.path, Replacement(place.line, end, place.shift.applied(block.replace), part)


def _filled(block: Block, part: str, sources: Sources) -> tuple[str, Replacement]:
    """Apply a block with an empty search, which fits only an empty file."""
    path = sources.only(part) if block.path is None else sources.allowed(block.path)
    if sources.text(path):
        raise Unfit(f"{part} searches for nothing, and {path} is not empty; search for the lines that are to change")
    return path, Replacement(0, 0, block.replace, part)


def _place(block: Block, part: str, pages: Sequence[Page]) -> tuple[Page, Place]:
    """Return the only place in the files that fits the search; the strictest comparison with a match decides."""
    for look in (Page.exact, Page.loose, Page.shifted):
        found = [(page, place) for page in pages for place in look(page, block.search)]
        if len(found) == 1:
            return found[0]
        if found:
            raise Unfit(f"{part} fits more than one place: {_told(pages, found)}; search for more lines around it")
    raise Unfit(f"{part} is not to be found: {_nearest(pages, block.search)}")


def _told(pages: Sequence[Page], found: Sequence[tuple[Page, Place]]) -> str:
    there = [(page, [place for each, place in found if each is page]) for page in pages]
    return "; ".join(f"{page.path}, {told(places)}" for page, places in there if places)


def _nearest(pages: Sequence[Page], search: Sequence[str]) -> str:
    if len(pages) == 1:
        return pages[0].nearest(search)
    return f"no file has it; say which one is meant ({listed(page.path for page in pages)}), and copy its lines exactly"
