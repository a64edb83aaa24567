"""The event envelope: the draft of an event, and the stored event."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import AwareDatetime, Field, SerializeAsAny, StringConstraints, ValidationInfo, field_validator

from mendel.contracts.actors import Actor
from mendel.contracts.base import Contract, Count
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.registry import payload_model
from mendel.contracts.ids import CandidateId, GenerationId, GenomeId, OperationId, UuidText, new_event_id

Correlation = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f]+$", max_length=200)]
"""One line of free text; stores rely on the absence of control characters."""

HashText = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]

GENESIS = "0" * 64
"""The ``prev_hash`` of the first event of a run."""


class EventDraft(Contract):
    """An event before it is stored; ``append`` turns it into an ``Event``."""

    id: UuidText = Field(default_factory=new_event_id)
    type: str
    actor: Actor
    generation_id: GenerationId | None = None
    genome_id: GenomeId | None = None
    candidate_id: CandidateId | None = None
    operation_id: OperationId | None = None
    correlation_id: Correlation | None = None
    trace_id: Correlation | None = None
    observation_id: Correlation | None = None
    payload: SerializeAsAny[Payload]  # otherwise only the fields of Payload itself would be written

    @field_validator("payload", mode="before")
    @classmethod
    def _fits_its_type(cls, value: object, info: ValidationInfo) -> object:
        model = payload_model(str(info.data.get("type")))  # missing if the type itself was invalid
        return value if type(value) is model else model.model_validate(value)  # not a subclass: it could add fields

    @classmethod
    def of(
        cls,
        payload: Payload,
        *,
        actor: Actor = Actor.RUNTIME,
        generation_id: str | None = None,
        genome_id: str | None = None,
        candidate_id: str | None = None,
        operation_id: str | None = None,
        correlation_id: str | None = None,
        trace_id: str | None = None,
        observation_id: str | None = None,
    ) -> Self:
        """Return the draft of an event with ``payload``."""
        return cls(
            type=payload.type,
            actor=actor,
            generation_id=generation_id,
            genome_id=genome_id,
            candidate_id=candidate_id,
            operation_id=operation_id,
            correlation_id=correlation_id,
            trace_id=trace_id,
            observation_id=observation_id,
            payload=payload,
        )


class Event(EventDraft):
    """An event as stored in the log.

    ``sequence`` alone defines the order of a run's events. ``hash`` covers every other field; ``prev_hash`` is the hash
    of the previous event.
    """

    run_id: UuidText
    sequence: Count
    schema_version: Annotated[int, Field(ge=1)]
    occurred_at: AwareDatetime
    prev_hash: HashText
    hash: HashText
