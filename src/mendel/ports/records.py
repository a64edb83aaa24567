"""Records: events as a store keeps them, and the hash that binds each to all before it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import orjson
from pydantic import ValidationError

from mendel.contracts.actors import Actor
from mendel.contracts.errors import IntegrityReason, LogIntegrityError, UnknownEventType
from mendel.contracts.events.envelope import GENESIS, Event
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.registry import SCHEMA_VERSION, payload_model


class Record(NamedTuple):
    """One row: the columns of an event, its payload as the canonical bytes that are hashed and stored."""

    run_id: str
    sequence: int
    event_id: str
    type: str
    schema_version: int
    occurred_at: datetime
    actor: str
    generation_id: str | None
    genome_id: str | None
    candidate_id: str | None
    operation_id: str | None
    correlation_id: str | None
    trace_id: str | None
    observation_id: str | None
    payload: bytes
    prev_hash: str
    hash: str


_EVENT_FIELDS: Final = tuple("id" if column == "event_id" else column for column in Record._fields)
_ALL_SET: Final = set(_EVENT_FIELDS)
_ACTORS: Final = {actor.value: actor for actor in Actor}


class Tip(NamedTuple):
    """Where the next event of a run goes."""

    next: int = 0
    hash: str = GENESIS
    occurred_at: datetime = datetime.fromtimestamp(0, UTC)


def preimage_of(
    run_id: str,
    sequence: int,
    event_id: str,
    type_: str,
    schema_version: int,
    occurred_at: datetime,
    actor: str,
    generation_id: str | None,
    genome_id: str | None,
    candidate_id: str | None,
    operation_id: str | None,
    correlation_id: str | None,
    trace_id: str | None,
    observation_id: str | None,
    payload: bytes,
    prev_hash: str,
) -> bytes:
    """The canonical bytes that the hash of an event is the SHA-256 of: every column but the hash, by name."""
    return orjson.dumps(
        {
            "actor": actor,
            "candidate_id": candidate_id,
            "correlation_id": correlation_id,
            "event_id": event_id,
            "generation_id": generation_id,
            "genome_id": genome_id,
            "observation_id": observation_id,
            "occurred_at": occurred_at,
            "operation_id": operation_id,
            "payload": orjson.Fragment(payload),
            "prev_hash": prev_hash,
            "run_id": run_id,
            "schema_version": schema_version,
            "sequence": sequence,
            "trace_id": trace_id,
            "type": type_,
        },
        option=orjson.OPT_UTC_Z,
    )


def digest_of(*columns: Any) -> str:  # noqa: ANN401 - each has a type of its own, above
    """The hash of an event with these columns, in the order of ``Record``."""
    return hashlib.sha256(preimage_of(*columns)).hexdigest()


def preimage(record: Record) -> bytes:
    """The bytes that ``record.hash`` is the SHA-256 of."""
    return preimage_of(*record[:-1])


def digest(record: Record) -> str:
    """The hash that ``record`` should carry."""
    return digest_of(*record[:-1])


def event_of(record: Record, payload: Payload | None = None) -> Event:
    """The event that ``record`` stores; ``payload`` comes with a record that was made here of a sealed draft.

    Raises:
        LogIntegrityError: the record does not hold a valid event, though its hash may be right.
    """
    if payload is not None:
        return _assembled(record, payload)
    try:
        return Event.model_validate(_fields(record, payload_model(record.type).model_validate_json(record.payload)))
    except ValidationError as error:
        detail = f"{record.type} does not hold a valid event: {error.error_count()} errors"
        raise LogIntegrityError("unreadable", record.sequence, detail) from error
    except UnknownEventType as error:
        raise LogIntegrityError("unreadable", record.sequence, str(error)) from error


def _fields(record: Record, payload: Payload) -> dict[str, Any]:
    fields: dict[str, Any] = dict(zip(_EVENT_FIELDS, record, strict=True))
    fields["payload"] = payload
    return fields


def _assembled(record: Record, payload: Payload) -> Event:
    """The event without its validation, which its draft and payload have behind them; half the time."""
    fields = _fields(record, payload)
    fields["actor"] = _ACTORS[record.actor]
    event = Event.__new__(Event)
    object.__setattr__(event, "__dict__", fields)
    object.__setattr__(event, "__pydantic_fields_set__", _ALL_SET)
    object.__setattr__(event, "__pydantic_extra__", None)
    object.__setattr__(event, "__pydantic_private__", None)
    return event


class ChainChecker:
    """Follows a run record by record and refuses the first that cannot follow the one before.

    It never sorts and never skips.
    """

    def __init__(self, start: int = 0, prev_hash: str | None = None) -> None:
        self.next = start
        self._prev_hash = GENESIS if start == 0 else prev_hash

    def check(self, record: Record) -> None:
        """Accept ``record`` as the next one.

        Raises:
            LogIntegrityError: it is not; its reason says how.
        """
        if record.sequence != self.next:
            raise self._misplaced(record)
        if record.schema_version > SCHEMA_VERSION:
            detail = f"written with schema version {record.schema_version}; this Mendel reads up to {SCHEMA_VERSION}"
            raise LogIntegrityError("schema_too_new", record.sequence, detail)
        if self._prev_hash is not None and record.prev_hash != self._prev_hash:
            detail = "its prev_hash is not the hash of the event before; one of the two was altered"
            raise LogIntegrityError("chain_broken", record.sequence, detail)
        if digest(record) != record.hash:
            raise LogIntegrityError("altered", record.sequence, f"event {record.event_id} does not have its hash")
        self.next += 1
        self._prev_hash = record.hash

    def check_all(self, records: Sequence[Record]) -> None:
        """``check`` each in turn."""
        for record in records:
            self.check(record)

    def _misplaced(self, record: Record) -> LogIntegrityError:
        reason: IntegrityReason = "out_of_order" if record.sequence < self.next else "gap"
        found = f"found sequence {record.sequence} where {self.next} belongs"
        return LogIntegrityError(reason, self.next, found)
