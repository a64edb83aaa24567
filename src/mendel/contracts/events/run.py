"""Events of a run: its configuration, its progress, and one of four ends."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal

from pydantic import Field

from mendel.contracts.base import Contract, Count, JsonObject, Text
from mendel.contracts.commands import CommandKind
from mendel.contracts.energy import Usage
from mendel.contracts.events.payload import Payload
from mendel.contracts.ids import CandidateId, UuidText
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import RunConfig
from mendel.contracts.statuses import RUN, status_after
from mendel.contracts.verdicts import Digest, Niche

CapName = Literal[
    "max_population",
    "max_generations",
    "max_candidates",
    "energy_budget",
    "max_spawn_depth",
    "max_tool_calls",
    "max_tokens",
    "max_cost_microusd",
    "wall_clock_ms",
    "max_evaluations",
]


RUN_STATUS_AFTER: Final = status_after(RUN)
"""State of a run after each event that changes it."""


class NicheSummary(Contract):
    """Final state of one of several niches of a run; ``winner_id`` is its champion or its best survivor."""

    niche: Niche
    challenges: Count = 0
    champion_id: CandidateId | None = None
    winner_id: CandidateId | None = None
    best_fitness: float | None = None


class RunSummary(Contract):
    """Summary at the end of a run, complete or partial; with one entry per niche if there are several."""

    generations: Count = 0
    candidates: Count = 0
    scored: Count = 0
    energy_spent: Count = 0
    usage: Usage = Usage()
    best_candidate_id: CandidateId | None = None
    best_fitness: float | None = None
    state_digest: Digest | None = None
    outcome_digest: Digest | None = None
    niches: tuple[NicheSummary, ...] = ()


class RunConfigured(Payload):
    """The run was created, with its complete configuration."""

    type: ClassVar[str] = "run.configured"
    config: RunConfig
    mendel_version: Text


class RunStarted(Payload):
    """The run started breeding."""

    type: ClassVar[str] = "run.started"


class RunCompleting(Payload):
    """Nothing more will be bred; operations in flight finish."""

    type: ClassVar[str] = "run.completing"
    reason: Text


class RunCompleted(Payload):
    """The run completed; ``final_candidate_id`` is the winner of the first niche that has one."""

    type: ClassVar[str] = "run.completed"
    final_candidate_id: CandidateId | None = None
    summary: RunSummary


class RunStopping(Payload):
    """The run is stopping on request; operations in flight finish."""

    type: ClassVar[str] = "run.stopping"
    reason: Text
    command_id: UuidText | None = None


class RunStopped(Payload):
    """The run stopped on request; the summary is partial."""

    type: ClassVar[str] = "run.stopped"
    reason: Text
    summary: RunSummary


class RunFailed(Payload):
    """The run ended because it could not continue."""

    type: ClassVar[str] = "run.failed"
    reason: Text
    cap: CapName | None = None
    summary: RunSummary


class RunCancelled(Payload):
    """The run was cancelled before it started."""

    type: ClassVar[str] = "run.cancelled"
    reason: Text
    command_id: UuidText | None = None


class RunHeartbeat(Payload):
    """The conductor is alive; the number of operations in flight is for information only."""

    type: ClassVar[str] = "run.heartbeat"
    epoch: Count
    in_flight: Count
    uptime_ms: Count


class RunCapReached(Payload):
    """A cap prevented an action from starting."""

    type: ClassVar[str] = "run.cap_reached"
    cap: CapName
    limit: Annotated[int, Field(gt=0)]
    used: Count
    detail: Text


class ConductorTookOver(Payload):
    """A conductor became the only writer of the run; the sequence of this event is its epoch."""

    type: ClassVar[str] = "conductor_took_over"
    epoch: Count
    conductor: Text


class CommandAccepted(Payload):
    """The conductor accepted a command; its effects follow as separate events.

    ``parameters`` are the new parameters as validated by the domain; they apply to all operations that start later.
    """

    type: ClassVar[str] = "command.accepted"
    command_id: UuidText
    position: Annotated[int, Field(ge=1)]
    kind: CommandKind
    payload: JsonObject = Field(default_factory=dict)
    parameters: DomainPayload | None = None


class CommandRefused(Payload):
    """The conductor refused a command."""

    type: ClassVar[str] = "command.refused"
    command_id: UuidText
    position: Annotated[int, Field(ge=1)]
    kind: CommandKind
    reason: Text
