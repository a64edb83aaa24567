"""Whose turn it is to run: as many programs at once as there are cores, and a moment's grace.

To make and to end a process is mostly waiting for the kernel. So while everything that runs has only just begun, one
more may begin: short programs then leave no core idle, and long ones, which are soon older than that, have a core each.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

YOUNG_S: Final = 0.01


class Turns:
    """First come, first served. Entered for as long as a program runs."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._began: deque[float] = deque()
        self._waiting: deque[asyncio.Future[float]] = deque()

    async def take(self) -> float:
        """Wait for a turn; when it began, as :meth:`give_back` wants to know."""
        loop = asyncio.get_running_loop()
        if not self._waiting and self._free(loop.time()):
            return self._begin(loop.time())
        turn: asyncio.Future[float] = loop.create_future()
        self._waiting.append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn in self._waiting:
                self._waiting.remove(turn)
            elif not turn.cancelled():  # the turn had come at that very moment
                self.give_back(turn.result())
            raise

    def give_back(self, began: float) -> None:
        """The program has ended: whoever waits longest is next."""
        self._began.remove(began)
        now = asyncio.get_running_loop().time()
        while self._waiting and self._free(now):
            turn = self._waiting.popleft()
            if not turn.done():  # cancelled, and not gone yet
                turn.set_result(self._begin(now))

    def _begin(self, now: float) -> float:
        self._began.append(now)
        return now

    def _free(self, now: float) -> bool:
        running = len(self._began)
        return running < self._size or (running == self._size and now - self._began[0] < YOUNG_S)
