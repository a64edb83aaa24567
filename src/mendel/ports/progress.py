"""How long work tells whoever waits for it how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int], None]
"""Is told how many events are done, now and then."""


def no_progress(done: int) -> None:
    """For callers that do not want to know."""
