"""Answers that rewrite files: a fenced block with the whole text, below ``### FILE: path`` if there are several.

A file keeps its line endings, including whether its last line has one. Files not in the answer stay unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mendel.breeding.patches.fences import Fence, fenced, fences_in
from mendel.breeding.patches.lines import answer_lines, rewritten
from mendel.breeding.patches.outcomes import Unfit, counted, gathered, quoted
from mendel.breeding.patches.sources import Sources, label_in


@dataclass(frozen=True)
class WholeFile:
    """All lines of a file; without a ``path``, of the only editable file."""

    path: str | None
    lines: tuple[str, ...]


def parsed(answer: str) -> tuple[WholeFile, ...]:
    """Parse the files of an answer, ignoring text around them.

    Raises:
        Unfit: there is no block, one is incomplete, or there are several and one has no path.
    """
    lines = answer_lines(answer)
    fences = fences_in(lines)
    if not fences:
        raise Unfit("there is no fenced block in the answer; answer with the whole file between ``` and ```")
    files = tuple(_files(lines, fences))
    unnamed = [fence for fence, file in zip(fences, files, strict=True) if file.path is None]
    if unnamed and len(files) > 1:
        raise Unfit(_unnamed(unnamed, len(files)))
    return files


def written(files: Sequence[WholeFile]) -> str:
    """Write the files as text that :func:`parsed` reads back unchanged."""
    return "".join(f"{line}\n" for file in files for line in _written(file))


def applied(rewrites: Sequence[WholeFile], sources: Sources) -> tuple[dict[str, str], str]:
    """Return the files after the rewrites, and a note about the changes.

    Raises:
        Unfit: a file occurs twice, or is not editable.
    """
    paths = gathered(rewrites, lambda each: _path(each, sources))
    for path in paths:
        if paths.count(path) > 1:
            raise Unfit(f"{path} comes {paths.count(path)} times in the answer; answer with one block of it")
    files = {path: rewritten(sources.text(path), each.lines) for path, each in zip(paths, rewrites, strict=True)}
    return {**sources.files, **files}, f"{', '.join(paths)} rewritten"


def _path(file: WholeFile, sources: Sources) -> str:
    path = sources.only("the fenced block") if file.path is None else sources.allowed(file.path)
    if not any(line.strip() for line in file.lines):
        raise Unfit(f"the fenced block of {path} is empty; write the whole file into it")
    return path


def _files(lines: Sequence[str], fences: Sequence[Fence]) -> Iterator[WholeFile]:
    """Yield every block with the label above it; refuse a label without a block."""
    behind = 0
    for fence in fences:
        between = [line for line in lines[behind : fence.opened] if line.strip()]
        _refuse_idle(between[:-1])
        yield WholeFile(label_in(between[-1]) if between else None, fence.lines)
        behind = fence.closed + 1
    _refuse_idle(lines[behind:])


def _refuse_idle(lines: Sequence[str]) -> None:
    for line in lines:
        if label_in(line) is not None and line.startswith("#"):
            raise Unfit(f"{quoted(line)} has no fenced block right below it")


def _unnamed(fences: Sequence[Fence], number: int) -> str:
    places = ", ".join(str(fence.opened + 1) for fence in fences[:4])
    return (
        f"the answer has {counted(number, 'fenced block')}, and it is not said which file those in line {places} are;"
        " write `### FILE: path` on the line above each block, or answer with one block. A text that has ``` in it goes"
        " between longer fences"
    )


def _written(file: WholeFile) -> Iterator[str]:
    if file.path is not None:
        yield f"### FILE: {file.path}"
    yield from fenced(file.lines)
