"""What goes over the wire about a run as a whole: how it does, and what a replay of it goes through."""

from __future__ import annotations

from pydantic import Field

from mendel.api.schemas import Conducted
from mendel.projections.health import HealthView
from mendel.projections.replay_summary import ReplaySummaryView


class Health(HealthView):
    """How a run is doing right now, and who brings it forward."""

    conducted: Conducted
    stalled: bool = Field(description="It should be conducted, and has not been heard of for three heartbeats.")


class Replay(ReplaySummaryView):
    """What a replay goes through and has to arrive at; digests are those that the run recorded at its end."""

    events: int
    head_hash: str
    command: str = Field(description="What replays it, in a process that can reach nobody.")
