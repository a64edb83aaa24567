"""Clocks: the machine's, and a manual one for tests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Final

from mendel.contracts.times import utc_now
from mendel.ports.clock import Clock

_STEP_S: Final = 1.0  # how often a waiting clock looks at the time
_START: Final = datetime(2000, 1, 1, tzinfo=UTC)


class _Timeline:
    """A wall clock that never goes back.

    While the wall clock is behind the last reported time, this clock runs at half speed until the wall clock has caught
    up. So it neither stops for as long as the wall clock was set back, nor stays ahead for ever.
    """

    def __init__(self, wall: Callable[[], datetime], monotonic: Callable[[], float]) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._lock = Lock()
        self._told = wall()
        self._told_at = monotonic()

    def now(self) -> datetime:
        """Return the time, never before the last one returned."""
        with self._lock:
            at = self._monotonic()
            self._told = max(self._wall(), self._told + timedelta(seconds=(at - self._told_at) / 2))
            self._told_at = at
            return self._told


_timeline = _Timeline(utc_now, time.monotonic)


class SystemClock(Clock):
    """The machine's clock, shared by all users within a process."""

    def now(self) -> datetime:
        """Return the time in UTC; it never goes back within a process."""
        return _timeline.now()

    async def until(self, moment: datetime) -> None:
        """Return once it is ``moment`` or later; checks every second, in case the clock is set forward."""
        while (left := (moment - self.now()).total_seconds()) > 0:  # noqa: ASYNC110 - a clock change triggers no event
            await asyncio.sleep(min(left, _STEP_S))


class ManualClock(Clock):
    """A clock that stands still until it is moved; for tests."""

    def __init__(self, start: datetime = _START) -> None:
        self._now = start
        self._moved = asyncio.Event()

    def now(self) -> datetime:
        """Return the time that it was moved to."""
        return self._now

    async def until(self, moment: datetime) -> None:
        """Return once the clock has been moved to ``moment`` or beyond."""
        while self._now < moment:
            await self._moved.wait()

    def advance(self, seconds: float) -> None:
        """Move the clock forward and wake every task that waits for the new time.

        Raises:
            ValueError: ``seconds`` is negative; the clock cannot go back.
        """
        if seconds < 0:
            raise ValueError(f"the clock cannot go back by {-seconds} s; pass 0 or more")
        self._now += timedelta(seconds=seconds)
        self._moved.set()
        self._moved = asyncio.Event()  # tasks that wait longer use the new one
