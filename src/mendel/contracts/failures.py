"""Failures outside Mendel: of calls to models and searches, and exceptions of plug-ins."""

from __future__ import annotations

import sys
from pathlib import PurePath
from traceback import walk_tb
from typing import Literal

CallFailure = Literal[
    "not_configured",  # no model or tool, a missing key, or a route that the settings do not allow
    "auth",  # wrong key, no permission, or no credit left
    "rate_limited",
    "bad_request",  # anything else that the provider refuses, including redirects
    "overloaded",  # HTTP 5xx, or an error within a 200
    "timeout",
    "connection",
    "answer_too_large",
    "unreadable",
    "not_recorded",
]
"""Why a call failed. ``unreadable``: the response does not follow the protocol. ``not_recorded``: a replay received a
request that is not in the log."""


def raised_at(error: BaseException) -> str | None:
    """Return where a plug-in raised ``error``: the innermost line of the first package that is not Mendel's.

    The place has the names of the file and its folder, but no full path, which would differ between machines.
    """
    package, place = None, None
    for frame, line in walk_tb(error.__traceback__):
        root = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package is None and root != "mendel" and root not in sys.stdlib_module_names:
            package = root
        if root == package:
            place = f"{'/'.join(PurePath(frame.f_code.co_filename).parts[-2:])}, line {line}"
    return place
