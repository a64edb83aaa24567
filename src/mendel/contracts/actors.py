"""Who did it: the closed union of actors an event may name."""

from __future__ import annotations

from enum import StrEnum


class Actor(StrEnum):
    """The eight roles that may stand on an event. No plug-in adds a ninth."""

    OPERATOR = "operator"
    RUNTIME = "runtime"
    GENOME = "genome"
    CRITIC = "critic"
    CHECK_RUNNER = "check_runner"
    JUDGE = "judge"
    SELECTION = "selection"
    GATE = "gate"
