"""Actors: the closed set of originators of an event."""

from __future__ import annotations

from enum import StrEnum


class Actor(StrEnum):
    """Originator of an event. A plug-in cannot add another one."""

    OPERATOR = "operator"
    RUNTIME = "runtime"
    GENOME = "genome"
    CRITIC = "critic"
    CHECK_RUNNER = "check_runner"
    JUDGE = "judge"
    SELECTION = "selection"
    GATE = "gate"
