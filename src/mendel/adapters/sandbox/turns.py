"""Limits how many programs run at once: one per core, plus one more while the running ones are young.

Starting and ending a process is mostly waiting for the kernel. So while every running program has only just started,
one more may start. Short programs then leave no core idle; long ones, soon past that age, have a core each.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

YOUNG_S: Final = 0.01  # time in which a program counts as young


class Turns:
    """Turns to run a program, granted first come, first served."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._began: deque[float] = deque()
        self._waiting: deque[asyncio.Future[float]] = deque()

    async def take(self) -> float:
        """Wait for a turn; return its start time, which :meth:`give_back` requires."""
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
            elif not turn.cancelled():  # the turn was granted just before the cancellation
                self.give_back(turn.result())
            raise

    def give_back(self, began: float) -> None:
        """End a turn and start those of the longest-waiting callers, as far as there is room."""
        self._began.remove(began)
        now = asyncio.get_running_loop().time()
        while self._waiting and self._free(now):
            turn = self._waiting.popleft()
            if not turn.done():  # cancelled, but still in the queue
                turn.set_result(self._begin(now))

    def _begin(self, now: float) -> float:
        self._began.append(now)
        return now

    def _free(self, now: float) -> bool:
        running = len(self._began)
        return running < self._size or (running == self._size and now - self._began[0] < YOUNG_S)
