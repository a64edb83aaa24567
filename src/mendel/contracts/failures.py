"""Why somebody outside brought nothing: what models, searches and tools have in common."""

from __future__ import annotations

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
