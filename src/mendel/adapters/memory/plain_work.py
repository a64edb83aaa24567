"""The interface for running plain functions: in worker processes or in threads."""

from __future__ import annotations

from abc import ABC, abstractmethod

from mendel.adapters.memory.outcomes import Outcome
from mendel.contracts.base import JsonObject
from mendel.ports.handlers import Handler


class PlainWork(ABC):
    """Performs tasks whose handlers are plain functions."""

    @abstractmethod
    async def run(self, handler: Handler, payload: JsonObject, deadline_s: float | None) -> Outcome:
        """Perform the task and return its outcome. Cancelling this call stops the task."""

    @abstractmethod
    async def close(self) -> None:
        """Stop all tasks; no more are accepted."""
