"""Opens a log that is lost when its process ends."""

from __future__ import annotations

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.ports.log_context import LogContext


async def open_log(context: LogContext) -> MemoryEventLog:
    """Open an empty log."""
    return MemoryEventLog(scrubber=context.scrubber)
