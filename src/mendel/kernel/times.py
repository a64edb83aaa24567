"""When the conductor must look up, even if nothing happens."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from mendel.kernel.state import RunState

_FAR_MS = 100 * 366 * 24 * 3_600_000


def next_moment(state: RunState, due: Mapping[str, datetime], heartbeat_s: float, now: datetime) -> datetime:
    """The earliest of: the next heartbeat, a timer that is due, a deadline of a generation, the run's wall clock."""
    last = state.times.now or now
    moments = [after(last, int(heartbeat_s * 1_000)), *due.values(), *_deadlines(state)]
    if state.times.epoch_began is not None:
        left = state.caps.wall_clock_ms - state.times.conducted_ms()
        moments.append(after(last, left + 1))
    return min(moments)


def after(moment: datetime, for_ms: int) -> datetime:
    """So many milliseconds later; what no calendar holds is as good as a hundred years."""
    return moment + timedelta(milliseconds=min(max(0, for_ms), _FAR_MS))


def _deadlines(state: RunState) -> list[datetime]:
    limit = state.config.state_deadline_ms
    if limit is None:
        return []
    entered = [generation.entered_at for generation in state.lives()]
    return [after(moment, limit + 1) for moment in entered if moment is not None]
