"""Edits of text in any language: lines are deleted, swapped or copied, and numbers changed."""

from __future__ import annotations

import re
from typing import Final

from mendel.breeding.patches.lines import content, lines_of
from mendel.contracts.entropy import Entropy

TRIES: Final = 16  # an edit may change nothing, such as a swap of equal lines
MOST_LINES: Final = 3
_NUMBER: Final = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")  # not a part of a name or of a version such as 1.2.3
_KINDS: Final = ("delete", "number", "swap", "copy")
_WEIGHTS: Final = (3.0, 3.0, 2.0, 1.0)  # in the order of `_KINDS`
_SEVERAL: Final = 0.3
_SHOWN: Final = 60


def edited(text: str, entropy: Entropy) -> tuple[str, str] | None:
    """Return the text after one edit, and a note of it; None if no edit changes it."""
    for turn in range(TRIES):
        drawn = entropy.child(turn)
        kind = _KINDS[drawn.weighted(_WEIGHTS, "kind")]
        made, note = _number(text, drawn) if kind == "number" else _moved(lines_of(text), kind, drawn)
        if made.strip() and made != text:  # an empty text is no program
            return made, note
    return None


def _moved(lines: list[str], kind: str, entropy: Entropy) -> tuple[str, str]:
    if not lines:
        return "", ""
    at = entropy.below(len(lines), "line")
    if kind == "delete":
        more = entropy.below(MOST_LINES, "lines") if entropy.unit("several") < _SEVERAL else 0
        end = min(len(lines), at + 1 + more)
        return "".join([*lines[:at], *lines[end:]]), f"deletes {_shown(lines[at:end])}"
    if kind == "swap":
        other = min(len(lines) - 1, at + 1)
        lines[at], lines[other] = _ended(lines[other]), lines[at]
        return "".join(lines), f"swaps {_shown([lines[other], lines[at]])}"
    source = lines[entropy.below(len(lines), "source")]
    return "".join([*map(_ended, lines[:at]), _ended(source), *lines[at:]]), f"copies {_shown([source])}"


def _number(text: str, entropy: Entropy) -> tuple[str, str]:
    places = list(_NUMBER.finditer(text))
    if not places:
        return text, ""
    found = entropy.pick(places, "place")
    new = entropy.pick(_others(found[0]), "value")
    return text[: found.start()] + new + text[found.end() :], f"{found[0]} becomes {new}"


def _others(number: str) -> list[str]:
    """Return numbers near the given one, and far from it."""
    if "." in number:
        value = float(number)
        return [f"{each:.12g}" for each in (value * 2, value / 2, value * 1.1, value * 0.9, value + 1, 0.0)]
    whole = int(number[:18])  # fits 64 bits
    return [str(each) for each in (whole + 1, max(0, whole - 1), whole * 2, whole // 2, whole * 10, whole // 10, 0, 1)]


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n"


def _shown(lines: list[str]) -> str:
    """Return a few lines as one printable line."""
    told = " / ".join(content(line).strip() for line in lines)
    return "".join(each for each in told if each.isprintable())[:_SHOWN]
