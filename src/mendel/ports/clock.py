"""Port ``Clock``: what time it is, and waiting for a later one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import datetime


class Clock(ABC):
    """Time as the conductor sees it.

    Only the conductor looks at a clock; ``fold`` and ``decide`` know no time but that of recorded events.
    """

    @abstractmethod
    def now(self) -> datetime:
        """The time, in UTC; it never goes back within a process."""

    @abstractmethod
    async def until(self, moment: datetime) -> None:
        """Return once it is ``moment`` or later."""
