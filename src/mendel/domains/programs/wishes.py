"""What a user asks for: a function in a file, and whatever is said beside it."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mendel.breeding.code import Code
from mendel.breeding.regions import reachable
from mendel.contracts.errors import ConfigError, NoSuchFunction
from mendel.domains.programs.models import ObjectiveName


@dataclass(frozen=True)
class Wish:
    """A function to be improved. ``files`` are further editable ones; ``beside`` are shipped and stay as they are."""

    path: Path
    function: str
    files: tuple[Path, ...] = ()
    tests: tuple[Path, ...] = ()
    task: Path | None = None
    objectives: Mapping[ObjectiveName, float] | None = None
    packages: tuple[str, ...] = ()
    mutator: str = "offline"

    @classmethod
    def parse(cls, target: str) -> tuple[Path, str]:
        """``FILE:FUNC`` or ``FILE:Class.method`` as path and name.

        Raises:
            ConfigError: it reads otherwise.
        """
        where, colon, name = target.rpartition(":")
        if not colon or not where or not all(part.isidentifier() for part in name.split(".")):
            raise ConfigError(f"{target!r} does not read FILE:FUNC, such as examples/bad_sort.py:sort")
        return Path(where), name


def read(path: Path) -> str:
    """The text of a user's file.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")  # not read_text: it would change ends of lines
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is no UTF-8 text: {error.reason} at byte {error.start}") from error


def shipped_name(path: Path) -> str:
    """What the file is called behind the wall; one that would hide a module of Python's gets another name."""
    hides = path.stem in sys.stdlib_module_names or not path.stem.isidentifier()
    return "candidate.py" if hides else f"{path.stem}.py"


def find(code: Code, name: str) -> None:
    """Make sure that the file has the function.

    Raises:
        NoSuchFunction: it has not; the nearest names are offered.
    """
    known = [each for each, _ in code.functions()]
    if name in known:
        return
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
    offered = near or known[:5]
    hint = f"did you mean {' or '.join(offered)}?" if offered else "it has no functions at all"
    raise NoSuchFunction(f"{code.path} has no function {name!r}; {hint}")


def roots_of(code: Code, name: str | None) -> tuple[str, ...]:
    """What may change in a file: the function and what it calls there; every function, where none is named."""
    if name is None:
        return tuple(each for each, _ in code.functions())
    return reachable(code, name)
