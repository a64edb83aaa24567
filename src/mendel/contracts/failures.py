"""Failures of code that is not ours: why a model or a search brought nothing, and where a plug-in raised."""

from __future__ import annotations

import sys
from pathlib import PurePath
from traceback import walk_tb
from typing import Literal

CallFailure = Literal[
    "not_configured",
    "auth",
    "rate_limited",
    "bad_request",
    "overloaded",
    "timeout",
    "connection",
    "answer_too_large",
    "unreadable",
    "not_recorded",
]
"""``unreadable``: the answer is none of the kind that is spoken. ``not_recorded``: a replay was asked something new."""


def raised_at(error: BaseException) -> str | None:
    """Where a plug-in's code raised ``error``: the innermost line of the first package that is not ours.

    The name of the file and its folder, never its whole path, which would differ from machine to machine.
    """
    package, place = None, None
    for frame, line in walk_tb(error.__traceback__):
        root = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package is None and root != "mendel" and root not in sys.stdlib_module_names:
            package = root
        if root == package:
            place = f"{'/'.join(PurePath(frame.f_code.co_filename).parts[-2:])}, line {line}"
    return place
