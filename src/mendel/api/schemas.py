"""API models for runs; the page's types are generated from them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, SerializeAsAny, WithJsonSchema

from mendel.contracts.events.envelope import Event
from mendel.contracts.read_models import TableName
from mendel.contracts.run_config import RunConfig
from mendel.contracts.statuses import RunStatus
from mendel.contracts.step_words import AliasedEvent

Conducted = Literal["here", "elsewhere", "nobody"]
"""Where a run is conducted: by this server, by another process that was recently active, or not at all."""


class Wire(BaseModel):
    """The base of all request and response bodies; unknown fields are rejected."""

    # Responses always contain every field, so the schema must list defaulted ones as required.
    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)


class RunSummary(Wire):
    """A run in a list. ``spark`` is the course of the best fitness: pairs of (candidates scored, fitness)."""

    run_id: str
    sequence: int = Field(description="The last event that this answer includes.")
    status: RunStatus | None
    domain: str | None
    problem: str | None
    rng_seed: int | None = None
    model_profile: str | None = None
    generation: int | None = None
    candidates: int = 0
    scored: int = 0
    events: int = 0
    best_fitness: float | None = None
    best_candidate_id: str | None = None
    champion_id: str | None = Field(default=None, description="The champion of the first niche that has one.")
    champions: dict[str, str] = Field(default_factory=dict, description="Adopted champions by niche.")
    final_candidate_id: str | None = None
    energy_spent: int = 0
    caps: dict[str, int | None] | None = None
    tokens: int = 0
    cost_microusd: int = 0
    model_calls: int = 0
    started_at: datetime | None = None
    last_event_at: datetime | None = None
    ended: int | None = Field(default=None, description="The event that ended it.")
    reason: str | None = None
    conducted: Conducted = "nobody"
    damage: str | None = Field(default=None, description="How the log is damaged; most fields are then missing.")
    spark: list[tuple[int, float]] = []


class RunPage(Wire):
    """A page of runs; ``next`` is the cursor of the next page."""

    runs: list[RunSummary]
    next: str | None = None
    total: int = Field(description="Number of runs that match the filter.")


class RunDetail(RunSummary):
    """A run with its configuration."""

    config: RunConfig | None = None


class Columns(Wire):
    """The rows of a table, column by column; missing values are null."""

    key: list[str]
    first: list[int] = Field(description="The event that created each row.")
    last: list[int] = Field(description="The event that last changed each row.")
    values: dict[str, list[JsonValue]]


class History(Wire):
    """All rows of a run, which suffice to show it as of any of its events."""

    run_id: str
    sequence: int
    tables: Mapping[TableName, Columns]


def _event_schema() -> dict[str, Any]:
    """The JSON schema of an event; its payload depends on its type, see docs/events.md.

    An event has an ``alias`` only if its domain registered one for this phase of the step.
    """
    schema = AliasedEvent.model_json_schema(mode="serialization")
    schema["required"].remove("alias")
    known = schema.pop("$defs")
    schema["properties"]["payload"] = {"type": "object", "additionalProperties": True}
    schema["properties"]["actor"] = known["Actor"]
    return schema


class EventPage(Wire):
    """A page of events, in order; ``next`` is the ``since`` of the next page."""

    run_id: str
    events: list[Annotated[SerializeAsAny[Event], WithJsonSchema(_event_schema())]]
    next: int | None = None


Since = Annotated[int, Field(ge=-1, le=2**53, description="The last known event; only later events are returned.")]
