"""Unified diffs that ``git apply`` accepts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import unified_diff
from io import StringIO
from typing import Final

NO_NEWLINE: Final = "\\ No newline at end of file\n"
_ODD = re.compile(r'[\x00-\x1f\x7f"\\]')


def unified_patch(path: str, before: str, after: str) -> str:
    """Return a patch of the file ``path`` that turns ``before`` into ``after``; empty if they are equal.

    Lines end only at line feeds: carriage returns and other breaks are part of their line, as in git.
    """
    old, new = f"a/{path}", f"b/{path}"
    changes = unified_diff(_lines(before), _lines(after), "a", "b")
    hunks = "".join(_ended(line) for place, line in enumerate(changes) if place > 1)  # without difflib's two headers
    if not hunks:
        return ""
    return f"diff --git {_quoted(old)} {_quoted(new)}\n--- {_named(old)}\n+++ {_named(new)}\n{hunks}"


def unified_patches(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Return one patch of all files that exist on both sides and differ."""
    return "".join(unified_patch(path, text, after[path]) for path, text in sorted(before.items()) if path in after)


def _lines(text: str) -> list[str]:
    return list(StringIO(text, newline="\n"))


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}"


def _named(name: str) -> str:
    """Return a name for a header; like git, end a name that contains a blank with a tab."""
    quoted = _quoted(name)
    return f"{quoted}\t" if " " in quoted and not quoted.startswith('"') else quoted


def _quoted(name: str) -> str:
    """Quote a name that would break a header, as git does."""
    if not _ODD.search(name):
        return name
    return '"' + _ODD.sub(lambda found: f"\\{ord(found[0]):03o}", name) + '"'
