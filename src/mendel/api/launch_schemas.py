"""API models for launching and commanding runs."""

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
    """The caps of a run; an omitted cap has its default, or the ceiling if that is lower."""

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
    """A run to start, with ``inputs`` for the domain's form, or ``config`` for a domain without a form."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    domain: Name
    problem: Text | None = Field(default=None, description="A short description of the run.")
    rng_seed: Annotated[int, Field(strict=True, ge=0, le=2**53 - 1)] | None = Field(
        default=None, description="The random seed; if omitted, it is derived from the idempotency key."
    )
    caps: CapsAsked = CapsAsked()
    pace: Pace | None = None
    selector: Name | None = Field(default=None, description="The method that chooses parents.")
    model_profile: Literal["offline", "live"] | None = Field(
        default=None, description="`live` uses the models in the settings; `offline`, the default, calls no model."
    )
    slots: Annotated[int, Field(strict=True, ge=1, le=10_000)] | None = Field(
        default=None, description="Maximum number of operations in flight."
    )
    config: dict[str, JsonValue] | None = Field(default=None, description="The domain's own configuration.")
    inputs: dict[str, JsonValue] | None = Field(default=None, description="Inputs for the domain's launch form.")


class Launched(Wire):
    """The run that this request, or an earlier one with the same key, started."""

    run_id: str


class Estimate(Wire):
    """The worst-case cost of a run, at which its caps end it."""

    energy: int
    tokens: int
    cost_microusd: int
    model_calls: int
    wall_clock_ms: int
    notes: list[str] = Field(default_factory=list)


class CommandBody(Wire):
    """The reason for the command, which is recorded in the log."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_extra={"examples": [{"reason": "it has found enough"}]}
    )

    reason: Annotated[str, Field(min_length=1, max_length=500)] | None = None


class Commanded(Wire):
    """A submitted command; ``already`` is true if an earlier request with this key submitted it."""

    run_id: str
    command_id: str
    kind: Literal["stop", "kill", "cancel"]
    already: bool


class ProposalBody(Wire):
    """A proposed candidate, which the run's domain accepts or refuses."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_extra={"examples": [{"content": {"values": [0.25, -0.5, 0.75]}}]}
    )

    content: dict[str, JsonValue] = Field(description="The proposal, in the form that the domain requires.")


class Proposed(Wire):
    """A submitted proposal; ``already`` is true if an earlier request with this key submitted it."""

    run_id: str
    proposal_id: str
    already: bool


class Proposal(Wire):
    """A proposal and its outcome: ``waiting`` until the conductor has processed it.

    ``reason`` explains a refusal; ``genome_id`` is the genome made from an accepted proposal.
    """

    proposal_id: str
    status: Literal["waiting", "accepted", "refused"]
    reason: str | None = None
    genome_id: str | None = None
    content: dict[str, JsonValue]
    issued_at: AwareDatetime


class Proposals(Wire):
    """All proposals to a run, oldest first."""

    proposals: list[Proposal]


class ParametersBody(Wire):
    """New parameters of an unfinished run; omitted ones stay unchanged."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_extra={"examples": [{"domain": {"length": 0.1}, "slots": 2}]}
    )

    slots: Annotated[int, Field(ge=1, le=10_000)] | None = None
    caps: CapsAsked | None = Field(default=None, description="Lower caps; no request can raise a cap.")
    domain: dict[str, JsonValue] | None = Field(default=None, description="In the form that the domain requires.")

    @model_validator(mode="after")
    def _sets_something(self) -> Self:
        if self.slots is None and self.caps is None and self.domain is None:
            raise ValueError("give at least one of slots, caps and domain")
        return self


class ParametersSent(Wire):
    """Submitted parameters; ``already`` is true if an earlier request with this key submitted them."""

    run_id: str
    command_id: str
    already: bool


class Resumed(Wire):
    """Where the run is conducted now."""

    run_id: str
    conducted: Conducted


class CapsView(Wire):
    """The default caps of a run, and their ceilings."""

    defaults: RunCaps
    ceilings: RunCaps


class FormExample(Wire):
    """Example inputs that work."""

    title: str
    inputs: dict[str, JsonValue]


class FormView(Wire):
    """A launch form: the JSON schema of its inputs, with examples."""

    model_config = ConfigDict(extra="forbid", frozen=True, serialize_by_alias=True)

    asked: dict[str, JsonValue] = Field(alias="schema", description="JSON schema of `inputs`, or of `config`.")
    part: Literal["inputs", "config"] = Field(description="The part of a RunRequest that the schema describes.")
    examples: list[FormExample] = Field(default_factory=list)


class DomainView(Wire):
    """A domain, and the form for starting a run of it."""

    name: str
    title: str
    what: str
    launchable: bool
    refusal: str | None = Field(default=None, description="Why it cannot be launched here, and what to do.")
    form: FormView | None = None
    panels: list[Panel] = Field(default_factory=list, description="Its panels on the pages of a run and of its proof.")
    steps: list[StepWords] = Field(default_factory=list, description="Its words for its steps.")
