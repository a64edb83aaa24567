"""Waiting for a store that is unreachable, down or full: shared by every adapter that can meet such an outage."""

from __future__ import annotations

import asyncio
import time

import structlog

from mendel.contracts.errors import MachineryError

_log = structlog.get_logger(__name__)

_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 2.0
_SAY_EVERY_S = 10.0


class Outage:
    """Waits with growing pauses, and logs when an outage begins, at intervals while it lasts, and when it ends.

    ``patience_s`` limits the total waiting time; ``None`` means for ever.
    """

    def __init__(self, store: str, patience_s: float | None) -> None:
        self._store = store
        self._patience_s = patience_s
        self._pause_s = _FIRST_PAUSE_S
        self._began: float | None = None
        self._said = float("-inf")

    async def pause(self, reason: str, give_up: type[MachineryError], *, closing: bool = False) -> None:
        """Wait before the next attempt.

        Raises:
            MachineryError: of the kind ``give_up``, when the patience is exhausted or the log is being closed.
        """
        now = time.monotonic()
        self._began = now if self._began is None else self._began
        waited = now - self._began
        if closing or (self._patience_s is not None and waited >= self._patience_s):
            raise give_up(
                f"{self._store} was unavailable for {waited:.0f} s: {reason}. Nothing unacknowledged was kept"
            )
        if now - self._said >= _SAY_EVERY_S:  # a line for every attempt would flood the log
            self._said = now
            _log.warning("log_writer_paused", store=self._store, reason=reason, waited_s=round(waited, 1))
        await asyncio.sleep(self._pause_s)
        self._pause_s = min(self._pause_s * 2, _LONGEST_PAUSE_S)

    def over(self) -> None:
        """Log the end of the outage, if there was one."""
        if self._began is not None:
            waited_s = round(time.monotonic() - self._began, 1)
            _log.warning("log_writer_resumed", store=self._store, waited_s=waited_s)
