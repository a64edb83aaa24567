"""The contract suite of port ``Clock``: subclass it and override the fixtures ``clock`` and, if needed, ``advance``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from mendel.ports.clock import Clock

Advance = Callable[[float], None]


@pytest.mark.asyncio
class ClockContract:
    """What every clock must do. ``advance`` moves a clock that does not move by itself."""

    @pytest.fixture
    def clock(self) -> Clock:
        raise NotImplementedError("override this fixture with the clock under test")

    @pytest.fixture
    def advance(self) -> Advance:
        return lambda _: None

    async def test_it_tells_utc(self, clock: Clock) -> None:
        assert clock.now().utcoffset() == timedelta(0)

    async def test_it_never_goes_back(self, clock: Clock, advance: Advance) -> None:
        told = []
        for _ in range(1_000):
            told.append(clock.now())
            advance(0.001)
        assert told == sorted(told)

    async def test_what_has_passed_is_not_waited_for(self, clock: Clock) -> None:
        async with asyncio.timeout(60):
            await clock.until(clock.now())
            await clock.until(clock.now() - timedelta(days=1))

    async def test_it_is_the_moment_when_waiting_ends(self, clock: Clock, advance: Advance) -> None:
        moments = [clock.now() + timedelta(milliseconds=wait) for wait in (30, 10, 20)]  # not in order
        waiting = [asyncio.create_task(_waited(clock, moment)) for moment in moments]
        await asyncio.sleep(0)
        assert not any(task.done() for task in waiting)
        for _ in range(3):
            advance(0.01)
            await asyncio.sleep(0)
        async with asyncio.timeout(60):
            assert all(await asyncio.gather(*waiting))

    async def test_whoever_stops_waiting_disturbs_nobody(self, clock: Clock, advance: Advance) -> None:
        moment = clock.now() + timedelta(milliseconds=20)
        gone, waiting = (asyncio.create_task(_waited(clock, moment)) for _ in range(2))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.sleep(0)
        advance(0.02)
        async with asyncio.timeout(60):
            assert await waiting
        assert gone.cancelled()


async def _waited(clock: Clock, moment: datetime) -> bool:
    """Wait until ``moment`` and return whether it has been reached."""
    await clock.until(moment)
    return clock.now() >= moment
