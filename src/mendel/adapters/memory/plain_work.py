"""Where plain functions run: in worker processes, or in threads."""

from __future__ import annotations

from abc import ABC, abstractmethod

from mendel.adapters.memory.outcomes import Outcome
from mendel.contracts.base import JsonObject
from mendel.ports.handlers import Handler


class PlainWork(ABC):
    """Performs tasks whose handlers are plain functions."""

    @abstractmethod
    async def run(self, handler: Handler, payload: JsonObject, deadline_s: float | None) -> Outcome:
        """What came of the task. Cancelling this call stops the task."""

    @abstractmethod
    async def close(self) -> None:
        """Stop everything; nothing is run any more."""
