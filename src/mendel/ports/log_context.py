"""The context from which any event log is opened.

A plug-in of the group ``mendel.event_logs`` is a callable that takes a ``LogContext`` and returns an ``EventLog``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from mendel.contracts.scrub import Scrubber
from mendel.ports.event_log import EventLog


def _say_nothing(line: str) -> None:
    """The default of ``announce``, for callers without an observer."""


@dataclass(frozen=True)
class LogContext:
    """Where and how to open a log.

    ``create`` is false for readers: a log that was never written is an error for them, and nothing is created.
    """

    home: Path
    create: bool = True
    scrubber: Scrubber = field(default_factory=Scrubber)
    database_url: str | None = None
    owner_url: str | None = None
    patience_s: float | None = None
    announce: Callable[[str], None] = _say_nothing


OpenLog = Callable[[LogContext], Awaitable[EventLog]]
