"""The entry point of this package: apply a model's answer to the files that the model was shown."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from mendel.breeding.patches import blocks, unified, whole
from mendel.breeding.patches.outcomes import Form, NotApplicable, Patched, Unfit, not_applicable
from mendel.breeding.patches.sources import Sources


@dataclass(frozen=True)
class Bounds:
    """Limits: characters of an answer, its number of hunks, blocks or files, and characters of a changed file."""

    answer_characters: int = 1_000_000
    parts: int = 200
    file_characters: int = 500_000


USUAL: Final = Bounds()
_NO_TEXT: Final = re.compile("[\0\ud800-\udfff]")


def apply_answer(
    answer: str,
    files: Mapping[str, str],
    form: Form,
    *,
    editable: Collection[str] | None = None,
    bounds: Bounds = USUAL,
) -> Patched | NotApplicable:
    """Apply an answer completely; if a part cannot be applied, change nothing and return the reasons.

    ``editable`` are the paths that may change, by default all of ``files``. An answer may create an editable path that
    is not in ``files``, and a diff may delete one: callers that require certain files must check that they exist. An
    answer that changes nothing cannot be applied. No answer makes this function raise.
    """
    sources = Sources(files, frozenset(files if editable is None else editable))
    try:
        _refuse_unreadable(answer, bounds)
        made, note = _applied(answer, form, sources, bounds)
        _refuse_made(made, sources, bounds)
    except Unfit as unfit:
        return not_applicable(unfit.complaints)
    return Patched(made, f"{form}: {note}")


def _applied(answer: str, form: Form, sources: Sources, bounds: Bounds) -> tuple[dict[str, str], str]:
    if form == "diff":
        diffs = unified.parsed(answer)
        _refuse_many(sum(len(diff.hunks) for diff in diffs), "hunks", bounds)
        return unified.applied(diffs, sources)
    if form == "replace":
        found = blocks.parsed(answer, sources.editable | frozenset(sources.files))
        _refuse_many(len(found), "blocks", bounds)
        return blocks.applied(found, sources)
    rewrites = whole.parsed(answer)
    _refuse_many(len(rewrites), "files", bounds)
    return whole.applied(rewrites, sources)


def _refuse_unreadable(answer: str, bounds: Bounds) -> None:
    if len(answer) > bounds.answer_characters:
        raise Unfit(f"the answer has {len(answer):,} characters; at most {bounds.answer_characters:,} are read")
    if not answer.strip():
        raise Unfit("the answer is empty")
    if _NO_TEXT.search(answer):
        raise Unfit("the answer has characters in it that no text has: NUL, or half of a pair")


def _refuse_many(number: int, parts: str, bounds: Bounds) -> None:
    if number > bounds.parts:
        raise Unfit(f"the answer has {number} {parts}; at most {bounds.parts} are taken")


def _refuse_made(made: Mapping[str, str], sources: Sources, bounds: Bounds) -> None:
    changed = [path for path in made if made[path] != sources.files.get(path)]
    for path in changed:
        if len(made[path]) > bounds.file_characters:
            raise Unfit(f"{path} would have {len(made[path]):,} characters; at most {bounds.file_characters:,} may be")
    if not changed and len(made) == len(sources.files):  # a deletion changes no text, but the number of files
        raise Unfit("the answer changes nothing: every file would stay as it is")
