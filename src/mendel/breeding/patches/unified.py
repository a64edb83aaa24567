"""Answers in the form of unified diffs, as ``git diff`` or ``diff -u`` write them.

Models count badly, so the line numbers after ``@@`` are only a hint: a hunk is applied there if its lines match, and
otherwise where they occur exactly once. Context may differ from the file only in trailing whitespace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from mendel.breeding.patches.fences import fences_in, outside
from mendel.breeding.patches.hunks import NOWHERE, FileDiff, Hunk, HunkLine, Reader
from mendel.breeding.patches.lines import Replacement, answer_lines, spliced
from mendel.breeding.patches.outcomes import Unfit, counted, gathered, quoted
from mendel.breeding.patches.places import Page, told
from mendel.breeding.patches.sources import Sources

_NAMES: Final = frozenset({"diff", "patch", "udiff"})
_NONE: Final = (
    "there is no hunk in the answer; answer with a unified diff: `--- a/PATH`, `+++ b/PATH`, then hunks that begin with"
    " `@@ -LINE,COUNT +LINE,COUNT @@`"
)


def parsed(answer: str) -> tuple[FileDiff, ...]:
    """Parse the diffs of an answer, ignoring fences and text around them.

    Raises:
        Unfit: there is none, or a part is not a valid diff.
    """
    lines = answer_lines(answer)
    diffs = tuple(chain.from_iterable(Reader(part, first).diffs() for part, first in _parts(lines)))
    if not diffs:
        raise Unfit(_NONE)
    return diffs


def written(diffs: Sequence[FileDiff]) -> str:
    """Write the diffs as text that :func:`parsed` reads back unchanged."""
    return "".join(f"{line}\n" for diff in diffs for line in _written(diff))


def applied(diffs: Sequence[FileDiff], sources: Sources) -> tuple[dict[str, str], str]:
    """Return the files after the diffs, and a note about the changes.

    Raises:
        Unfit: a hunk does not fit, or changes a file that is not editable.
    """
    files, notes = dict(sources.files), list[str]()
    parted = _by_path(diffs, sources)
    texts = gathered(parted.items(), lambda each: _changed(*each, sources))
    for (path, parts), text in zip(parted.items(), texts, strict=True):
        if text is None:
            del files[path]
        else:
            files[path] = text
        notes.append(f"{counted(sum(len(part.hunks) for part in parts), 'hunk')} in {path}")
    return files, ", ".join(notes)


# --- reading and writing ------------------------------------------------------------------------------------------


def _parts(lines: Sequence[str]) -> Iterator[tuple[Sequence[str], int]]:
    """Yield the parts of the answer that are diffs, each with the number of its first line."""
    fences = fences_in(lines)
    chosen = [fence for fence in fences if fence.info.lower() in _NAMES or _has_hunk(fence.lines)]
    if not chosen:
        yield lines, 1
        return
    if _has_hunk(outside(lines, fences)):
        raise Unfit("some hunks of the answer stand in a fenced block and others do not; put all of them into one")
    for fence in chosen:
        yield fence.lines, fence.opened + 2  # lines are numbered from 1, and the fence's own line comes first


def _has_hunk(lines: Iterable[str]) -> bool:
    return any(line.startswith("@@") for line in lines)


def _written(diff: FileDiff) -> Iterator[str]:
    if diff.old is not None or diff.new is not None:
        yield f"--- {diff.old or NOWHERE}"
        yield f"+++ {diff.new or NOWHERE}"
    moved = 0  # how far the hunks before have shifted the new lines
    for hunk in diff.hunks:
        old, new = len(hunk.side("-")), len(hunk.side("+"))
        yield f"@@ -{hunk.start},{old} +{max(0, hunk.start + moved)},{new} @@"
        moved += new - old
        for line in hunk.lines:
            yield line.sign + line.text
            if not line.ended:
                yield "\\ No newline at end of file"


# --- applying -----------------------------------------------------------------------------------------------------


def _by_path(diffs: Sequence[FileDiff], sources: Sources) -> dict[str, list[FileDiff]]:
    found: dict[str, list[FileDiff]] = {}
    for path, diff in gathered(diffs, lambda diff: (_path(diff, sources), diff)):
        found.setdefault(path, []).append(diff)
    return found


def _path(diff: FileDiff, sources: Sources) -> str:
    """Return the path of the file that a diff changes."""
    if diff.old is None and diff.new is None:
        return sources.only("a hunk without `---` and `+++` lines above it")
    old, new = diff.old or diff.new or "", diff.new or diff.old or ""
    if old.startswith("a/") and new.startswith("b/"):
        old, new = old[2:], new[2:]
    else:
        old, new = _unprefixed(old, sources), _unprefixed(new, sources)
    if old != new:
        raise Unfit(f"{quoted(old)} would become {quoted(new)}; files cannot be renamed")
    path = sources.allowed(old)
    if diff.old is None and sources.text(path):
        raise Unfit(f"{path} is to be a new file (`--- /dev/null`), but exists; change it: `--- a/{path}`")
    return path


def _unprefixed(path: str, sources: Sources) -> str:
    """Remove the prefix ``a/`` or ``b/``, unless the path with it is editable."""
    return path[2:] if path.startswith(("a/", "b/")) and path not in sources.editable else path


def _changed(path: str, diffs: Sequence[FileDiff], sources: Sources) -> str | None:
    """Return the file after its hunks; None if it is deleted."""
    page = Page(path, sources.text(path))
    hunks = [hunk for diff in diffs for hunk in diff.hunks]
    found = gathered(enumerate(hunks, 1), lambda each: list(_replacements(page, each[1], f"hunk {each[0]} of {path}")))
    text = spliced(sources.text(path), list(chain.from_iterable(found)), ended=_ended(hunks))
    if all(diff.new is not None or diff.old is None for diff in diffs):
        return text
    if text:
        raise Unfit(f"{path} is to be deleted (`+++ /dev/null`), but not all of its lines are removed")
    return None


def _replacements(page: Page, hunk: Hunk, part: str) -> Iterator[Replacement]:
    """Yield each run of changed lines of a hunk, without its context."""
    at = start = _place(page, hunk, part)
    added: list[str] = []
    for line in (*hunk.lines, HunkLine(" ", "")):  # the extra context line ends the last run
        if line.sign == "+":
            added.append(line.text)
        elif line.sign == "-":
            at += 1
        else:
            if added or at > start:
                yield Replacement(start, at, tuple(added), part)
            at += 1
            start, added = at, []


def _place(page: Page, hunk: Hunk, part: str) -> int:
    wanted = hunk.side("-")
    if not wanted:
        if page.lines:
            raise Unfit(f"{part} has no line of the file in it, so its place is unknown; add some lines of context")
        return 0
    for places, exactly in ((page.exact, True), (page.loose, False)):
        if page.stands_at(hunk.start - 1, wanted, exactly=exactly):  # the header decides between several places
            return hunk.start - 1
        found = places(wanted)
        if len(found) > 1:
            raise Unfit(f"{part} fits more than one place, {told(found)}; add lines of context around its change")
        if found:
            return found[0].line
    raise Unfit(f"{part} (line {hunk.line} of the answer) does not fit: {page.nearest(wanted)}")


def _ended(hunks: Sequence[Hunk]) -> bool | None:
    """Return whether the file should end with a newline; None if the hunks do not specify it."""
    if all(line.ended for hunk in hunks for line in hunk.lines):
        return None
    return not any(side and not side[-1].ended for side in (hunk.lines_of("+") for hunk in hunks))
