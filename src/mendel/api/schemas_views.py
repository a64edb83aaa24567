"""API models for whole runs: health, parameters and replay."""

from __future__ import annotations

from pydantic import Field

from mendel.api.schemas import Conducted, Wire
from mendel.contracts.caps import RunCaps
from mendel.contracts.payloads import DomainPayload
from mendel.projections.health import HealthView
from mendel.projections.replay_summary import ReplaySummaryView


class Health(HealthView):
    """The current health of a run, and where it is conducted."""

    conducted: Conducted
    stalled: bool = Field(description="True if it should be active, but had no event for three heartbeats.")


class Parameters(Wire):
    """The parameters in force in a run; for a finished run, those at its end.

    Slots and caps are null if the log does not begin with a configuration.
    """

    run_id: str
    slots: int | None
    caps: RunCaps | None = Field(description="The caps in force, as lowered by commands.")
    parameters: DomainPayload | None = Field(description="The domain's parameters; null if none were set.")
    since: int | None = Field(description="The event since which the domain's parameters apply.")


class Replay(ReplaySummaryView):
    """The expected result of a replay, with the digests that the run recorded at its end."""

    events: int
    head_hash: str
    command: str = Field(description="The command that replays the run.")
