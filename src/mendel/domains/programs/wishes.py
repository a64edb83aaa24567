"""A user's wish: a function in a file, with all options."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mendel.bench.own_files import spec_file
from mendel.bench.records import ObjectiveName, SpecFile, SpecTable
from mendel.breeding.code import Code
from mendel.breeding.regions import editable, refuse_idle_marks
from mendel.contracts.errors import ConfigError, NoSuchFunction

_SHOWN: Final = 8


@dataclass(frozen=True)
class Wish:
    """A function to improve; ``files`` are further ones that may change.

    The rules are those of ``task``, a ``task.py``; without one, those of ``table``.
    """

    path: Path
    function: str
    files: tuple[Path, ...] = ()
    tests: tuple[Path, ...] = ()
    task: Path | None = None
    table: SpecTable | None = None
    objectives: Mapping[ObjectiveName, float] | None = None
    packages: tuple[str, ...] = ()
    mutator: str = "offline"

    def spec(self) -> SpecFile | SpecTable | None:
        """Return the record of its rules for a run.

        Raises:
            ConfigError: the ``task.py`` cannot be read.
        """
        return spec_file(self.task.resolve()) if self.task is not None else self.table

    @classmethod
    def parse(cls, target: str) -> tuple[Path, str]:
        """Parse ``FILE:FUNC`` or ``FILE:Class.method`` into path and name.

        Raises:
            ConfigError: it has another form.
        """
        where, colon, name = target.rpartition(":")
        if not colon or not where or not all(part.isidentifier() for part in name.split(".")):
            raise ConfigError(f"{target!r} does not read FILE:FUNC, such as examples/bad_sort.py:sort")
        return Path(where), name


def find(code: Code, name: str) -> None:
    """Make sure that the file has the function.

    Raises:
        NoSuchFunction: it does not; the message offers the nearest names.
    """
    known = [each for each, _ in code.functions()]
    if name not in known:
        raise NoSuchFunction(f"{code.path} has no function {name!r}; {_instead(code, name, known)}")


def _instead(code: Code, name: str, known: list[str]) -> str:
    """Return a suggestion of what the user may have meant."""
    methods = [each for each in known if each.startswith(f"{name}.")]
    if methods:
        plain = [each for each in methods if not each.rpartition(".")[2].startswith("__")]
        return f"it is a class: name one of its methods, such as {' or '.join((plain or methods)[:2])}"
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.6)  # a typing mistake, most likely
    if near:
        return f"did you mean {' or '.join(near)}?"
    if not known:
        return "it has no functions at all"
    kind = f"{name} exists, but is not a function; " if _is_assigned(code, name) else ""
    return f"{kind}it has {', '.join(known[:_SHOWN])}{', …' if len(known) > _SHOWN else ''}"


def _is_assigned(code: Code, name: str) -> bool:
    named = (node.id for node in ast.walk(code.tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return name in named


def roots_of(codes: Mapping[str, Code], main: str, function: str) -> dict[str, tuple[str, ...]]:
    """Return what may change, by file: what is marked; else all, but in ``main`` the function and what it calls.

    A file without anything that may change is left out; it is copied into the sandbox unchanged.

    Raises:
        ConfigError: marks are wrong, or leave nothing that the function calls.
    """
    roots = {name: editable(code, function if name == main else None) for name, code in codes.items()}
    if not any(found for name, found in roots.items() if name != main):  # else the change may be in another file
        refuse_idle_marks(codes[main], function, roots[main])
    return {name: found for name, found in roots.items() if found}
