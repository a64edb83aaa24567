"""How large what may change of a program is."""

from __future__ import annotations

from collections.abc import Mapping

from mendel.breeding.code import parsed
from mendel.breeding.regions import size_within
from mendel.domains.programs.models import ProgramTask


def size_of(task: ProgramTask, files: Mapping[str, str]) -> int:
    """In nodes of the tree, over all files that may change."""
    return sum(size_within(parsed(text, path), task.roots[path]) for path, text in files.items())
