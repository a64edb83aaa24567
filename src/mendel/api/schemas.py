"""What goes over the wire about runs; the page's types are generated from it."""

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
"""Who brings a run forward: a process of this server, somebody else who was heard of lately, or nobody."""


class Wire(BaseModel):
    """A body that is sent or taken; nothing in it goes unnamed."""

    # Answers name every field, those that have a default, too.
    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)


class RunSummary(Wire):
    """A run in a list. ``spark`` is how the best came about: pairs of (scored so far, fitness)."""

    run_id: str
    sequence: int = Field(description="The last event that this is made of.")
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
    champions: dict[str, str] = Field(default_factory=dict, description="By niche, those that the gate let in.")
    final_candidate_id: str | None = None
    energy_spent: int = 0
    caps: dict[str, int | None] | None = None
    tokens: int = 0
    cost_microusd: int = 0
    model_calls: int = 0
    started_at: datetime | None = None
    last_event_at: datetime | None = None
    ended: int | None = Field(default=None, description="The event with which it ended.")
    reason: str | None = None
    conducted: Conducted = "nobody"
    damage: str | None = Field(default=None, description="Why there is less to say than usual: the log is damaged.")
    spark: list[tuple[int, float]] = []


class RunPage(Wire):
    """Some of the runs; ``next`` asks for those after them."""

    runs: list[RunSummary]
    next: str | None = None
    total: int = Field(description="How many there are that fit the filter.")


class RunDetail(RunSummary):
    """A run, with what it was configured with."""

    config: RunConfig | None = None


class Columns(Wire):
    """The rows of a table, column by column; a value that a row does not have is null."""

    key: list[str]
    first: list[int] = Field(description="The event that each row began with.")
    last: list[int] = Field(description="The event that changed it last.")
    values: dict[str, list[JsonValue]]


class History(Wire):
    """All rows of a run: enough to show it as it was after any of its events."""

    run_id: str
    sequence: int
    tables: Mapping[TableName, Columns]


def _event_schema() -> dict[str, Any]:
    """That of an event; what it carries depends on its type, and docs/events.md has all of them.

    Only those have an ``alias`` whose domain registered one for that phase of the step.
    """
    schema = AliasedEvent.model_json_schema(mode="serialization")
    schema["required"].remove("alias")
    known = schema.pop("$defs")
    schema["properties"]["payload"] = {"type": "object", "additionalProperties": True}
    schema["properties"]["actor"] = known["Actor"]
    return schema


class EventPage(Wire):
    """Events in order; ``next`` is the ``since`` that asks for those after them."""

    run_id: str
    events: list[Annotated[SerializeAsAny[Event], WithJsonSchema(_event_schema())]]
    next: int | None = None


Since = Annotated[int, Field(ge=-1, le=2**53, description="The last event that is known; those after it are sent.")]
