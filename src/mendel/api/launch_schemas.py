"""What goes over the wire about launching and commanding runs."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AwareDatetime, ConfigDict, Field, JsonValue, model_validator

from mendel.api.panels import Panel
from mendel.api.schemas import Conducted, Wire
from mendel.contracts.base import Name, Text
from mendel.contracts.caps import Cap, RunCaps
from mendel.contracts.run_config import Pace
from mendel.contracts.step_words import StepWords


class CapsAsked(Wire):
    """Limits of a run; what is left open has its default, or the ceiling where that is lower."""

    model_config = ConfigDict(strict=True)

    max_population: Cap | None = None
    max_generations: Cap | None = None
    max_candidates: Cap | None = None
    energy_budget: Cap | None = None
    max_spawn_depth: Cap | None = None
    max_tool_calls: Cap | None = None
    max_tokens: Cap | None = None
    max_cost_microusd: Cap | None = None
    wall_clock_ms: Cap | None = None
    max_evaluations: Cap | None = None


class RunRequest(Wire):
    """A run to be begun. ``inputs`` are those of the domain's form; a domain without a form takes ``config``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    domain: Name
    problem: Text | None = Field(default=None, description="What the run is about, in words.")
    rng_seed: Annotated[int, Field(strict=True, ge=0, le=2**53 - 1)] | None = Field(
        default=None, description="The number behind every draw; if none is given, the key determines it."
    )
    caps: CapsAsked = CapsAsked()
    pace: Pace | None = None
    selector: Name | None = Field(default=None, description="Who chooses parents.")
    model_profile: Literal["offline", "live"] | None = Field(
        default=None, description="`live` lets the models of the settings join; else nobody is asked."
    )
    slots: Annotated[int, Field(strict=True, ge=1, le=10_000)] | None = Field(
        default=None, description="Operations at once."
    )
    config: dict[str, JsonValue] | None = Field(default=None, description="The domain's own configuration.")
    inputs: dict[str, JsonValue] | None = Field(default=None, description="What the domain's form asks for.")


class Launched(Wire):
    """The run that was begun, now or when it was first asked for with this key."""

    run_id: str


class Estimate(Wire):
    """What a run can take at worst: its caps end it there."""

    energy: int
    tokens: int
    cost_microusd: int
    model_calls: int
    wall_clock_ms: int
    notes: list[str] = Field(default_factory=list)


class CommandBody(Wire):
    """Why; it stands in the log."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_extra={"examples": [{"reason": "it has found enough"}]}
    )

    reason: Annotated[str, Field(min_length=1, max_length=500)] | None = None


class Commanded(Wire):
    """A command that was left for the run; ``already`` says that it had been, with this key."""

    run_id: str
    command_id: str
    kind: Literal["stop", "kill", "cancel"]
    already: bool


class ProposalBody(Wire):
    """Something proposed from outside; its domain says whether it is one."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_extra={"examples": [{"content": {"values": [0.25, -0.5, 0.75]}}]}
    )

    content: dict[str, JsonValue] = Field(description="The proposal, in the form that the domain takes.")


class Proposed(Wire):
    """A proposal that was left for the run; ``already`` says that it had been, with this key."""

    run_id: str
    proposal_id: str
    already: bool


class Proposal(Wire):
    """A proposal and what became of it: ``waiting`` until the conductor has answered.

    ``reason`` says why it was refused; ``genome_id`` is the genome that was made of one that was accepted.
    """

    proposal_id: str
    status: Literal["waiting", "accepted", "refused"]
    reason: str | None = None
    genome_id: str | None = None
    content: dict[str, JsonValue]
    issued_at: AwareDatetime


class Proposals(Wire):
    """Everything that was proposed to a run, in the order of asking."""

    proposals: list[Proposal]


class ParametersBody(Wire):
    """What is to hold from now on in a run that is not over; what is left out stays as it is."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_extra={"examples": [{"domain": {"length": 0.1}, "slots": 2}]}
    )

    slots: Annotated[int, Field(ge=1, le=10_000)] | None = None
    caps: CapsAsked | None = Field(default=None, description="Lower ones; no request raises a cap.")
    domain: dict[str, JsonValue] | None = Field(default=None, description="In the form that the domain takes.")

    @model_validator(mode="after")
    def _sets_something(self) -> Self:
        if self.slots is None and self.caps is None and self.domain is None:
            raise ValueError("slots, caps or domain are set, not nothing")
        return self


class ParametersSent(Wire):
    """Parameters that were left for the run; ``already`` says that they had been, with this key."""

    run_id: str
    command_id: str
    already: bool


class Resumed(Wire):
    """Who conducts the run now."""

    run_id: str
    conducted: Conducted


class CapsView(Wire):
    """The caps that a run has if it asks for none, and the most that it may ask for."""

    defaults: RunCaps
    ceilings: RunCaps


class FormExample(Wire):
    """Inputs that work."""

    title: str
    inputs: dict[str, JsonValue]


class FormView(Wire):
    """What a launch form asks for: a JSON schema, and examples that fit it."""

    model_config = ConfigDict(extra="forbid", frozen=True, serialize_by_alias=True)

    asked: dict[str, JsonValue] = Field(alias="schema", description="JSON schema of `inputs`, or of `config`.")
    part: Literal["inputs", "config"] = Field(description="Which part of a RunRequest it describes.")
    examples: list[FormExample] = Field(default_factory=list)


class DomainView(Wire):
    """A domain, and how a run of it is begun from here."""

    name: str
    title: str
    what: str
    launchable: bool
    refusal: str | None = Field(default=None, description="Why it cannot be launched from here, and what to do.")
    form: FormView | None = None
    panels: list[Panel] = Field(default_factory=list, description="What it adds to the page of a run and of its proof.")
    steps: list[StepWords] = Field(default_factory=list, description="What its steps are called.")
