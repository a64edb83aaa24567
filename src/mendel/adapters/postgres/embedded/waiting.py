"""Waiting with progress messages."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

Announce = Callable[[str], None]

_FIRST_WORD_S = 2.0  # before the first announcement
_BETWEEN_WORDS_S = 5.0  # between announcements
_SHORTEST_S = 0.005  # the first pause, which grows by half each time
_LONGEST_S = 0.25  # the longest pause


def pauses(announce: Announce, what: str) -> Iterator[float]:
    """Yield the seconds waited so far, endlessly, with growing pauses between; announce `what` from time to time."""
    started = time.monotonic()
    next_word, pause = _FIRST_WORD_S, _SHORTEST_S
    while True:
        elapsed = time.monotonic() - started
        if elapsed >= next_word:
            announce(f"waiting for {what} ({elapsed:.0f} s) …")
            next_word = elapsed + _BETWEEN_WORDS_S
        yield elapsed
        time.sleep(pause)
        pause = min(pause * 1.5, _LONGEST_S)
