"""The runs that a server resumes when it starts."""

from __future__ import annotations

from contextlib import aclosing

from mendel.api.idempotency import ACCEPTED
from mendel.contracts.statuses import RunStatus
from mendel.ports.event_log import EventLog


async def interrupted(log: EventLog) -> list[str]:
    """Return the unfinished runs, oldest first, including those that a server accepted but did not start.

    A run that was only recorded (`mendel run --hold`) is not resumed automatically.
    """
    found: list[str] = []
    for run in reversed(await log.runs()):
        if run.damage is not None or run.status is None or run.status.terminal:
            continue
        if run.status is not RunStatus.CONFIGURED or await _accepted(log, run.run_id):
            found.append(run.run_id)
    return found


async def _accepted(log: EventLog, run_id: str) -> bool:
    async with aclosing(log.read(run_id)) as events:
        async for event in events:
            return (event.correlation_id or "").startswith(ACCEPTED)
    return False
