"""Opens a log that is forgotten with its process."""

from __future__ import annotations

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.ports.log_context import LogContext


async def open_log(context: LogContext) -> MemoryEventLog:
    """An empty log."""
    return MemoryEventLog(scrubber=context.scrubber)
