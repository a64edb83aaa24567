"""Clocks: the machine's, and one that a test moves by hand."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Final

from mendel.contracts.times import utc_now
from mendel.ports.clock import Clock

_STEP_S: Final = 1.0
_START: Final = datetime(2000, 1, 1, tzinfo=UTC)


class _Timeline:
    """The wall clock made to go forward only.

    While the wall clock is behind what was told already, time goes on at half its pace until that has caught up: it
    neither stands still for as long as the clock was set back, nor stays ahead for ever.
    """

    def __init__(self, wall: Callable[[], datetime], monotonic: Callable[[], float]) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._lock = Lock()
        self._told = wall()
        self._told_at = monotonic()

    def now(self) -> datetime:
        """The time, never before what was told last."""
        with self._lock:
            at = self._monotonic()
            self._told = max(self._wall(), self._told + timedelta(seconds=(at - self._told_at) / 2))
            self._told_at = at
            return self._told


_timeline = _Timeline(utc_now, time.monotonic)


class SystemClock(Clock):
    """The machine's clock; all of a process tell one time."""

    def now(self) -> datetime:
        """The time, in UTC; it never goes back within a process."""
        return _timeline.now()

    async def until(self, moment: datetime) -> None:
        """Return once it is ``moment`` or later; looks at the clock every second, in case that is set forward."""
        while (left := (moment - self.now()).total_seconds()) > 0:  # noqa: ASYNC110 - nobody announces a clock's moves
            await asyncio.sleep(min(left, _STEP_S))


class ManualClock(Clock):
    """Stands still until it is moved; for tests."""

    def __init__(self, start: datetime = _START) -> None:
        self._now = start
        self._moved = asyncio.Event()

    def now(self) -> datetime:
        """The time it was moved to."""
        return self._now

    async def until(self, moment: datetime) -> None:
        """Return once the clock was moved to ``moment`` or beyond."""
        while self._now < moment:
            await self._moved.wait()

    def advance(self, seconds: float) -> None:
        """Move the clock forward and wake whoever waited for that.

        Raises:
            ValueError: ``seconds`` is negative; a clock does not go back.
        """
        if seconds < 0:
            raise ValueError(f"a clock does not go back, not by {-seconds} s either")
        self._now += timedelta(seconds=seconds)
        self._moved.set()
        self._moved = asyncio.Event()
