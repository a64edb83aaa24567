"""The outcome of an answer: the changed files, or the reasons why it cannot be applied."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar, get_args

Form = Literal["diff", "replace", "rewrite"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)

MOST_COMPLAINTS: Final = 8
LONGEST_COMPLAINT: Final = 600
_LONGEST_QUOTE: Final = 120
_MOST_NAMES: Final = 20
Part = TypeVar("Part")
Made = TypeVar("Made")


@dataclass(frozen=True)
class Patched:
    """All files after the answer, including unchanged ones; ``note`` is a description for people."""

    files: Mapping[str, str]
    note: str


@dataclass(frozen=True)
class NotApplicable:
    """Nothing was changed. Each complaint names a part of the answer, what it expected, and what the file contains.

    There is at least one. Complaints quote the answer and the files, so they must be treated as untrusted data.
    """

    complaints: tuple[str, ...]


class Unfit(ValueError):
    """A part of an answer that cannot be read or applied. Raised and caught within this package."""

    def __init__(self, *complaints: str) -> None:
        super().__init__(*complaints)
        self.complaints = complaints


def gathered(parts: Iterable[Part], make: Callable[[Part], Made]) -> list[Made]:
    """Apply a function to every part and return the results.

    Raises:
        Unfit: with the complaints about the unfit parts; the rest is skipped after more than ``MOST_COMPLAINTS``.
    """
    made, complaints = list[Made](), list[str]()
    for part in parts:
        try:
            made.append(make(part))
        except Unfit as unfit:
            complaints += unfit.complaints
        if len(complaints) > MOST_COMPLAINTS:
            break
    if complaints:
        raise Unfit(*complaints)
    return made


def not_applicable(complaints: Sequence[str]) -> NotApplicable:
    """Return the first ``MOST_COMPLAINTS`` complaints, each cut to ``LONGEST_COMPLAINT`` characters."""
    listed = tuple(each[:LONGEST_COMPLAINT] for each in complaints[:MOST_COMPLAINTS])
    return NotApplicable((*listed, "and more of the kind") if len(complaints) > MOST_COMPLAINTS else listed)


def quoted(line: str) -> str:
    """Quote a line: unprintable characters are escaped, and a long line is cut."""
    shown = "".join(each if each.isprintable() else _spelled(each) for each in line[:_LONGEST_QUOTE])
    return f"`{shown}`" if len(line) <= _LONGEST_QUOTE else f"`{shown}`…"


def listed(names: Iterable[str]) -> str:
    """Join names for a sentence, at most ``_MOST_NAMES`` of them."""
    known = sorted(names)
    more = f" and {len(known) - _MOST_NAMES} more" if len(known) > _MOST_NAMES else ""
    return ", ".join(known[:_MOST_NAMES]) + more if known else "none"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 hunk``, ``2 hunks``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _spelled(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
