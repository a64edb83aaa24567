"""Ship the modules that run inside the sandbox: their source text is added to the program's files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

from mendel.contracts.evaluations import Program

_INSIDE: Final = "mendel.breeding.library.inside"


@cache
def _sources() -> Mapping[str, str]:
    folder = _INSIDE.replace(".", "/")
    found = sorted((file.name, file) for file in resources.files(_INSIDE).iterdir() if file.name.endswith(".py"))
    return {f"{folder}/{name}": file.read_text(encoding="utf-8") for name, file in found}


def inside(module: str, function: str, candidate: str | None = None) -> Program:
    """Return a program that calls a function of a shipped module, optionally with a candidate's text as a file."""
    files = dict(_sources()) | ({} if candidate is None else {"candidate.py": candidate})
    return Program(files, f"{_INSIDE}.{module}:{function}")


def is_plain(value: Any) -> bool:  # noqa: ANN401 - results are untrusted objects of any type
    """Return whether a value contains only types that a probe copies; anything else did not come from a probe."""
    kind = type(value)
    if kind in (list, tuple, set, frozenset):
        return all(map(is_plain, value))
    if kind is dict:
        return all(is_plain(key) and is_plain(each) for key, each in value.items())
    return kind in (bool, int, float, str, bytes, type(None))
