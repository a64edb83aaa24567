"""How long-running work reports its progress."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int], None]
"""Receives the number of events processed so far, from time to time."""


def no_progress(done: int) -> None:
    """Ignore the progress."""
