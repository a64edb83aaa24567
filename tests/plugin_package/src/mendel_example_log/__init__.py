"""A log from another package: the file log, in a folder of its own."""

from mendel.adapters.file.event_log import FileEventLog
from mendel.ports.log_context import LogContext


class ExampleEventLog(FileEventLog):
    """Keeps its runs elsewhere."""


async def open_log(context: LogContext) -> ExampleEventLog:
    """The log below ``home/example``."""
    return ExampleEventLog(context.home / "example", scrubber=context.scrubber)
