"""How what runs inside gets there: its source text beside the program's own, under its own name."""

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
    """The program that calls a function of a module that is shipped, with a candidate's text beside it or without."""
    files = dict(_sources()) | ({} if candidate is None else {"candidate.py": candidate})
    return Program(files, f"{_INSIDE}.{module}:{function}")


def is_plain(value: Any) -> bool:  # noqa: ANN401 - whatever came out
    """Whether a value is built of the types that a probe copies; anything else did not come from one."""
    kind = type(value)
    if kind in (list, tuple, set, frozenset):
        return all(map(is_plain, value))
    if kind is dict:
        return all(is_plain(key) and is_plain(each) for key, each in value.items())
    return kind in (bool, int, float, str, bytes, type(None))
