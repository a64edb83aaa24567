"""Port ``Clock``: the current time, and waiting for a later one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import datetime


class Clock(ABC):
    """Time as the conductor sees it.

    Only the conductor reads a clock; ``fold`` and ``decide`` use nothing but the times of recorded events.
    """

    @abstractmethod
    def now(self) -> datetime:
        """Return the time in UTC; it never goes back within a process."""

    @abstractmethod
    async def until(self, moment: datetime) -> None:
        """Return once it is ``moment`` or later."""
