"""Strings that match a regular expression, drawn by numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

Draw = Callable[[int], int]
"""A number below the one given."""

_PLAIN: Final = "abcdefghijklmnopqrstuvwxyz0123456789"
_MORE: Final = 4
_EXAMPLES: Final = {"CATEGORY_DIGIT": "0123456789", "CATEGORY_WORD": _PLAIN, "CATEGORY_SPACE": " "}
_ALPHABET: Final = _PLAIN + _PLAIN[:26].upper() + "-_. :/"


class Unmatched(ValueError):
    """No text was found that matches."""


def matching(pattern: str, draw: Draw) -> str:
    """A text in which ``pattern`` is found.

    Raises:
        Unmatched: the pattern needs more than literals, sets, repeats, groups and branches.
    """
    parsed: Iterable[Any] = re._parser.parse(pattern)  # type: ignore[attr-defined] # there is no public parser
    text = _all(parsed, draw)
    if re.search(pattern, text) is None:
        raise Unmatched(f"no text was found that matches {pattern!r}")
    return text


def _all(parts: Iterable[Any], draw: Draw) -> str:
    return "".join(_some(str(name), argument, draw) for name, argument in parts)


def _some(name: str, argument: Any, draw: Draw) -> str:
    if name == "LITERAL":
        return chr(argument)
    if name == "IN":
        return _one_of(argument, draw)
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, parts = argument
        return "".join(_all(parts, draw) for _ in range(least + draw(min(int(most) - least, _MORE) + 1)))
    if name == "SUBPATTERN":
        return _all(argument[-1], draw)
    if name == "BRANCH":
        return _all(argument[1][draw(len(argument[1]))], draw)
    if name in ("ANY", "NOT_LITERAL"):
        return _PLAIN[draw(26)] if argument != ord("a") else "b"
    return ""  # anchors and look-rounds take no room; whether they hold is seen in the end


def _one_of(items: list[Any], draw: Draw) -> str:
    if str(items[0][0]) == "NEGATE":
        left = [c for c in _ALPHABET if not any(_holds(str(name), argument, c) for name, argument in items[1:])]
        return left[draw(len(left))] if left else ""
    name, argument = items[draw(len(items))]
    if str(name) == "RANGE":
        return chr(argument[0] + draw(argument[1] - argument[0] + 1))
    if str(name) == "CATEGORY":
        some = _EXAMPLES.get(str(argument), "-")
        return some[draw(len(some))]
    return chr(argument)


def _holds(name: str, argument: Any, character: str) -> bool:
    if name == "RANGE":
        return bool(argument[0] <= ord(character) <= argument[1])
    if name == "CATEGORY":
        return character in _EXAMPLES.get(str(argument), "")
    return bool(argument == ord(character))
