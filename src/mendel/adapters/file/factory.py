"""Opens the file log of a Mendel home."""

from __future__ import annotations

from mendel.adapters.file.event_log import FileEventLog
from mendel.adapters.file.storage import exists
from mendel.contracts.errors import LogNotFound
from mendel.ports.log_context import LogContext


async def open_log(context: LogContext) -> FileEventLog:
    """Open the log below ``home/runs``.

    Raises:
        LogNotFound: there is none, and ``create`` is not set.
    """
    folder = context.home / "runs"
    if not context.create and not exists(folder):
        raise LogNotFound(f"there is no log in {context.home} yet")
    return FileEventLog(folder, scrubber=context.scrubber, patience_s=context.patience_s)
