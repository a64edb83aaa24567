"""The files that an answer is about, and which of them it may name."""

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
    """Files by path, and the paths that may change, come to be or go."""

    files: Mapping[str, str]
    editable: frozenset[str]

    def allowed(self, written: str) -> str:
        """The path that is meant, if it may be changed.

        Raises:
            Unfit: it leaves the folder, or is none of those that may.
        """
        path = plain_path(written)
        if path not in self.editable:
            raise Unfit(f"{quoted(written)} may not be changed; what may: {listed(self.editable)}")
        return path

    def only(self, part: str) -> str:
        """The path of an answer that names none.

        Raises:
            Unfit: there is more than one that it could mean.
        """
        if len(self.editable) != 1:
            raise Unfit(f"{part} does not say which file it is about; name one of {listed(self.editable)}")
        return next(iter(self.editable))

    def text(self, path: str) -> str:
        """The file, empty where it does not exist yet."""
        return self.files.get(path, "")


def plain_path(written: str) -> str:
    """A path within the folder, without ``./``.

    Raises:
        Unfit: it is absolute, goes up, or is no path.
    """
    path = PurePosixPath(written)
    absolute = path.is_absolute() or written.startswith("~") or _DRIVE.match(written)
    if absolute or ".." in re.split(r"[\\/]", written):
        raise Unfit(f"{quoted(written)} lies outside the folder; paths are relative and never go up")
    if not path.parts or not written.isprintable():
        raise Unfit(f"{quoted(written)} is no path of a file")
    return str(path)


def label_in(line: str) -> str | None:
    """The path that a line says: ``### FILE: x.py``."""
    found = _LABEL.fullmatch(line.strip().strip("*").strip())
    return _bare(found[1]) if found else None


def path_in(line: str, known: frozenset[str]) -> str | None:
    """The path that stands alone on a line, with a label or without; None where the line is prose."""
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
