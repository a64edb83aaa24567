"""What goes over the wire about a run as a whole: how it does, and what a replay of it goes through."""

from __future__ import annotations

from pydantic import Field

from mendel.api.schemas import Conducted, Wire
from mendel.contracts.caps import RunCaps
from mendel.contracts.payloads import DomainPayload
from mendel.projections.health import HealthView
from mendel.projections.replay_summary import ReplaySummaryView


class Health(HealthView):
    """How a run is doing right now, and who brings it forward."""

    conducted: Conducted
    stalled: bool = Field(description="It should be conducted, and has not been heard of for three heartbeats.")


class Parameters(Wire):
    """What was set of a run, as it holds now; of a run that is over, as it held at its end.

    Slots and caps are null where the log does not begin with a configuration.
    """

    run_id: str
    slots: int | None
    caps: RunCaps | None = Field(description="As they are in force: those that a command lowered are lower.")
    parameters: DomainPayload | None = Field(description="Those of the domain; null where none were ever set.")
    since: int | None = Field(description="The event from which on the domain's parameters hold.")


class Replay(ReplaySummaryView):
    """What a replay goes through and has to arrive at; digests are those that the run recorded at its end."""

    events: int
    head_hash: str
    command: str = Field(description="What replays it, in a process that can reach nobody.")
