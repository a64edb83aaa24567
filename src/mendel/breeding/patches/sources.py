"""The files that an answer may change, and the paths it uses for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from mendel.breeding.patches.outcomes import Unfit, listed, quoted

_LABEL: Final = re.compile(r"(?:#{1,6}\s*)?file(?:name)?\s*:\s*(\S.*)", re.IGNORECASE)
_ENDING: Final = re.compile(r"\.[A-Za-z0-9]{1,8}\Z")
_LONGEST_PATH: Final = 300
_DRIVE: Final = re.compile(r"[A-Za-z]:[\\/]")
_DECORATION: Final = "`*\"' \t"


@dataclass(frozen=True)
class Sources:
    """Files by path, and the paths that may be changed, created or deleted."""

    files: Mapping[str, str]
    editable: frozenset[str]

    def allowed(self, written: str) -> str:
        """Return the normalised path if it may be changed.

        Raises:
            Unfit: it is outside the folder, or not editable.
        """
        path = plain_path(written)
        if path not in self.editable:
            raise Unfit(f"{quoted(written)} may not be changed; what may: {listed(self.editable)}")
        return path

    def only(self, part: str) -> str:
        """Return the only editable path, for a part of an answer without a path.

        Raises:
            Unfit: there is not exactly one editable path.
        """
        if len(self.editable) != 1:
            raise Unfit(f"{part} does not say which file it is about; name one of {listed(self.editable)}")
        return next(iter(self.editable))

    def text(self, path: str) -> str:
        """Return the file's text; empty if it does not exist yet."""
        return self.files.get(path, "")


def plain_path(written: str) -> str:
    """Normalise a path within the folder, removing ``./``.

    Raises:
        Unfit: it is absolute, contains ``..``, or is not a path.
    """
    path = PurePosixPath(written)
    absolute = path.is_absolute() or written.startswith("~") or _DRIVE.match(written)
    if absolute or ".." in re.split(r"[\\/]", written):  # Windows separates by backslashes, too
        raise Unfit(f"{quoted(written)} lies outside the folder; paths are relative and never go up")
    if not path.parts or not written.isprintable():
        raise Unfit(f"{quoted(written)} is no path of a file")
    return str(path)


def label_in(line: str) -> str | None:
    """Return the path of a labelled line such as ``### FILE: x.py``; None for other lines."""
    found = _LABEL.fullmatch(line.strip().strip("*").strip())
    return _bare(found[1]) if found else None


def path_in(line: str, known: frozenset[str]) -> str | None:
    """Return the path that is alone on a line, with or without a label; None if the line is prose."""
    labelled = label_in(line)
    if labelled is not None:
        return labelled
    bare = _bare(line.strip().lstrip("#").strip())
    return bare if bare in known or _like_a_path(bare) else None


def _like_a_path(text: str) -> bool:
    if not text or len(text) > _LONGEST_PATH or re.search(r"\s", text):
        return False
    return "/" in text or _ENDING.search(text) is not None


def _bare(text: str) -> str:
    return text.strip(_DECORATION).removesuffix(":").strip(_DECORATION)
