"""Answers that rewrite files: a fenced block with the whole text, after ``### FILE: path`` where there are several.

A file keeps how its lines end, and whether the last one does. What is not in the answer stays as it is.
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
    """All lines of one file; without a ``path`` it is the only one that may change."""

    path: str | None
    lines: tuple[str, ...]


def parsed(answer: str) -> tuple[WholeFile, ...]:
    """The files of an answer; words around them do not matter.

    Raises:
        Unfit: there is no block, one that is not whole, or several of which it is not said what they are.
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
    """The files as text that :func:`parsed` reads as the same."""
    return "".join(f"{line}\n" for file in files for line in _written(file))


def applied(rewrites: Sequence[WholeFile], sources: Sources) -> tuple[dict[str, str], str]:
    """The files after it, and what was done.

    Raises:
        Unfit: a file comes twice, or may not be changed.
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
    """Every block with the label above it; a label above no block is refused."""
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
