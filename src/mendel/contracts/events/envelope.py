"""The envelope: an event before the log has it, and the event as it was stored."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import AwareDatetime, Field, SerializeAsAny, StringConstraints, ValidationInfo, field_validator

from mendel.contracts.actors import Actor
from mendel.contracts.base import Contract, Count
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.registry import payload_model
from mendel.contracts.ids import CandidateId, GenerationId, GenomeId, OperationId, UuidText, new_event_id

Correlation = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f]+$", max_length=200)]
"""One line of free text: stores may rely on its having no control characters."""

HashText = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]

GENESIS = "0" * 64
"""What the first event of a run names as its predecessor's hash."""


class EventDraft(Contract):
    """What somebody wants to have happened; ``append`` makes an ``Event`` of it."""

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
    payload: SerializeAsAny[Payload]

    @field_validator("payload", mode="before")
    @classmethod
    def _fits_its_type(cls, value: object, info: ValidationInfo) -> object:
        model = payload_model(str(info.data.get("type")))
        return value if type(value) is model else model.model_validate(value)

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
        """The draft of an event that carries ``payload``."""
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
    """What happened, as it stands in the log.

    ``sequence`` alone orders a run's events. ``hash`` covers every other field; ``prev_hash`` is the hash of
    the event before.
    """

    run_id: UuidText
    sequence: Count
    schema_version: Annotated[int, Field(ge=1)]
    occurred_at: AwareDatetime
    prev_hash: HashText
    hash: HashText
