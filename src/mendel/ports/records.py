"""Records: events as a store keeps them, the hash chain, and the checks that an event passes on its way into a log."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any, Final, NamedTuple

import orjson
from pydantic import JsonValue, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from mendel.contracts.actors import Actor
from mendel.contracts.base import JsonObject
from mendel.contracts.canonical import MAX_PAYLOAD_DEPTH, bounded, refuse_text
from mendel.contracts.errors import (
    ContractError,
    IntegrityReason,
    InvalidPayload,
    LogIntegrityError,
    PayloadTooDeep,
    PayloadUnserialisable,
    UnknownEventType,
)
from mendel.contracts.events.envelope import GENESIS, Event, EventDraft
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.registry import SCHEMA_VERSION, payload_model
from mendel.contracts.evidence_refs import BLOB_KEY
from mendel.contracts.payloads import PAYLOADS, PayloadRegistry, domain_payloads, explain
from mendel.contracts.scrub import Scrubber


class Record(NamedTuple):
    """One row: the columns of an event, with its payload as the canonical bytes that are hashed and stored."""

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
_ALL_SET: Final = set(_EVENT_FIELDS)  # pydantic's record of which fields were set
_ACTORS: Final = {actor.value: actor for actor in Actor}


class Tip(NamedTuple):
    """The position of a run's next event."""

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
    """Return the canonical bytes that are hashed (SHA-256) for an event: every column except the hash, by name."""
    return orjson.dumps(
        {
            # In alphabetical order, as canonical JSON requires.
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
    """Return the hash of an event with these columns, in the order of ``Record``."""
    return hashlib.sha256(preimage_of(*columns)).hexdigest()


def preimage(record: Record) -> bytes:
    """Return the bytes whose SHA-256 is ``record.hash``."""
    return preimage_of(*record[:-1])


def digest(record: Record) -> str:
    """Compute the hash that ``record`` should carry."""
    return digest_of(*record[:-1])


def event_of(record: Record, payload: Payload | None = None) -> Event:
    """Return the event that ``record`` stores. Records made from a sealed draft come with their parsed ``payload``.

    Raises:
        LogIntegrityError: the record does not contain a valid event, although its hash may be right.
    """
    if payload is not None:
        return _assembled(record, payload)
    try:
        return Event.model_validate(_fields(record, payload_model(record.type).model_validate_json(record.payload)))
    except ValidationError as error:
        detail = f"{record.type} is not a valid event: {error.error_count()} errors"
        raise LogIntegrityError("unreadable", record.sequence, detail) from error
    except UnknownEventType as error:
        raise LogIntegrityError("unreadable", record.sequence, str(error)) from error


def intact_payload(record: Record) -> Payload | None:
    """Return the payload of an intact record, or None for any other; ``verify`` reports those."""
    try:
        return event_of(record).payload if digest(record) == record.hash else None
    except LogIntegrityError:
        return None


def _fields(record: Record, payload: Payload) -> dict[str, Any]:
    fields: dict[str, Any] = dict(zip(_EVENT_FIELDS, record, strict=True))
    fields["payload"] = payload
    return fields


def _assembled(record: Record, payload: Payload) -> Event:
    """Build the event without validating it: draft and payload are validated already. This halves the time."""
    fields = _fields(record, payload)
    fields["actor"] = _ACTORS[record.actor]
    event = Event.__new__(Event)
    object.__setattr__(event, "__dict__", fields)
    object.__setattr__(event, "__pydantic_fields_set__", _ALL_SET)
    object.__setattr__(event, "__pydantic_extra__", None)
    object.__setattr__(event, "__pydantic_private__", None)
    return event


class ChainChecker:
    """Follows a run record by record and refuses the first one that does not follow its predecessor.

    It never sorts and never skips.
    """

    def __init__(self, start: int = 0, prev_hash: str | None = None) -> None:
        self.next = start
        self._prev_hash = GENESIS if start == 0 else prev_hash

    def check(self, record: Record) -> None:
        """Accept ``record`` as the next one.

        Raises:
            LogIntegrityError: it does not follow; the reason names the defect.
        """
        if record.sequence != self.next:
            raise self._misplaced(record)
        if record.schema_version > SCHEMA_VERSION:
            detail = f"written with schema version {record.schema_version}; this Mendel reads up to {SCHEMA_VERSION}"
            raise LogIntegrityError("schema_too_new", record.sequence, detail)
        if self._prev_hash is not None and record.prev_hash != self._prev_hash:
            detail = "its prev_hash differs from the hash of the previous event; one of the two was altered"
            raise LogIntegrityError("chain_broken", record.sequence, detail)
        if digest(record) != record.hash:
            raise LogIntegrityError("altered", record.sequence, f"event {record.event_id} does not match its hash")
        self.next += 1
        self._prev_hash = record.hash

    def check_all(self, records: Sequence[Record]) -> None:
        """Call ``check`` for each record in order."""
        for record in records:
            self.check(record)

    def _misplaced(self, record: Record) -> LogIntegrityError:
        reason: IntegrityReason = "out_of_order" if record.sequence < self.next else "gap"
        found = f"found sequence {record.sequence} instead of {self.next}"
        return LogIntegrityError(reason, self.next, found)


# The boundary that every event passes on its way into the log, in every store.


_REPLACEMENT = "\N{REPLACEMENT CHARACTER}".encode()
_BLOB_TRACE = f'"{BLOB_KEY}":'.encode()  # a cheap test before a payload is parsed


class Sealed(NamedTuple):
    """A validated and scrubbed draft that only lacks its position in the chain."""

    draft: EventDraft
    payload: Payload
    data: bytes


class Sealer:
    """Validates drafts, checks their size limits and removes secrets from them."""

    def __init__(self, scrubber: Scrubber, payloads: PayloadRegistry = PAYLOADS) -> None:
        self._scrubber = scrubber
        self._payloads = payloads

    def seal(self, draft: EventDraft) -> Sealed:
        """Return ``draft`` in the form in which it may be stored.

        Raises:
            ContractError: it may not be stored.
        """
        try:
            return self._seal(draft)
        except ContractError as error:
            # The message may contain refused text, such as a key's name; ``from None`` drops a cause that may quote it.
            raise type(error)(self._scrubber.text(str(error))) from None

    def _seal(self, draft: EventDraft) -> Sealed:
        value = _plain(draft.payload)
        data = bounded(value)
        if _REPLACEMENT in data:  # pydantic writes a lone surrogate in a key like this, so keys may collide
            refuse_text(draft.payload.model_dump())
        # One search covers the payload and the texts of the envelope.
        suspect = self._scrubber.suspects(b"%b\n%b" % (data, _texts(draft)))
        if suspect:
            data = self._scrubbed(value, data)
        payload = _validated(draft, data)
        for piece in domain_payloads(payload):
            self._payloads.check(piece)
        if suspect:
            draft = self._scrub_envelope(draft)
        _check_envelope(draft)
        return Sealed(draft, payload, data)

    def object(self, value: JsonObject) -> bytes:
        """Return the canonical bytes of open data (a command's payload), bounded and scrubbed; raises as ``seal``."""
        return self._scrubbed(value, bounded(value))

    def _scrubbed(self, value: JsonValue, data: bytes) -> bytes:
        if not self._scrubber.suspects(data):
            return data
        return bounded(self._scrubber.value(value))

    def _scrub_envelope(self, draft: EventDraft) -> EventDraft:
        if any(self._scrubber.text(text) != text for text in _ids(draft) if text is not None):
            raise InvalidPayload(f"an id of the {draft.type} event looks like a secret; derive ids, never use keys")
        clean = dict(zip(_FREE_TEXTS, (text and self._scrubber.text(text) for text in _free_texts(draft)), strict=True))
        return draft.model_copy(update=clean)


_FREE_TEXTS = ("correlation_id", "trace_id", "observation_id")
_free_texts = attrgetter(*_FREE_TEXTS)
_ids = attrgetter("generation_id", "genome_id", "candidate_id", "operation_id")


def _texts(draft: EventDraft) -> bytes:
    texts = [str(text) for text in (*_ids(draft), *_free_texts(draft)) if text is not None]
    return "\n".join(texts).encode("utf-8", "replace")


def _plain(payload: Payload) -> JsonValue:
    """Return the payload as JSON values. Pydantic's depth limit lies far above ours and far below the stack's."""
    try:
        value: JsonValue = payload.model_dump(mode="json", by_alias=True)
    except PydanticSerializationError as error:
        raise PayloadUnserialisable(f"the payload cannot be written as JSON: {error}") from error
    except UnicodeEncodeError as error:
        refuse_text(payload.model_dump())
        raise PayloadUnserialisable("the payload contains a lone surrogate, which is not valid text") from error
    except ValueError as error:
        raise PayloadTooDeep(f"the payload nests deeper than {MAX_PAYLOAD_DEPTH} levels or contains itself") from error
    return value


def _validated(draft: EventDraft, data: bytes) -> Payload:
    """Read the payload back from the bytes that will be stored, as every reader will."""
    try:
        return payload_model(draft.type).model_validate_json(data)
    except ValidationError as error:
        raise InvalidPayload(f"{draft.type}: {explain(error)}") from error


_ENVELOPE_FIELDS = tuple(name for name in EventDraft.model_fields if name != "payload")
_envelope = attrgetter(*_ENVELOPE_FIELDS)
_ENVELOPE: TypeAdapter[tuple[object, ...]] = TypeAdapter(
    tuple[tuple(EventDraft.model_fields[name].rebuild_annotation() for name in _ENVELOPE_FIELDS)]  # type: ignore[misc, arg-type]  # made from the fields, so that both stay the same
)


def _check_envelope(draft: EventDraft) -> None:
    """Validate the envelope again: ``model_copy`` does not, and stores rely on the constraints of its fields."""
    try:
        _ENVELOPE.validate_python(_envelope(draft), strict=True)
    except ValidationError as error:
        names = sorted({_ENVELOPE_FIELDS[int(complaint["loc"][0])] for complaint in error.errors(include_input=False)})
        raise InvalidPayload(f"the envelope of a {draft.type} event is not valid: {', '.join(names)}") from error


def chain(run_id: str, batch: Sequence[Sealed], tip: Tip, now: datetime) -> tuple[list[Record], Tip]:
    """Give each sealed draft its position after ``tip``. Recorded time never runs backwards within a run.

    Rejected: timestamps by the database. The hash covers the time, so it must be known before the write, and a batch
    that is written again after a lost acknowledgement must be the same batch.
    """
    occurred_at = max(now, tip.occurred_at)
    sequence, prev_hash = tip.next, tip.hash
    records = []
    for sealed in batch:
        record = _record(run_id, sealed, sequence, occurred_at, prev_hash)
        records.append(record)
        sequence, prev_hash = sequence + 1, record.hash
    return records, Tip(sequence, prev_hash, occurred_at)


def blob_hashes(data: bytes) -> Iterator[str]:
    """Yield the hashes of all blobs that a payload refers to, at any depth."""
    if _BLOB_TRACE in data:
        yield from _blob_hashes_in(orjson.loads(data))


def _blob_hashes_in(value: JsonValue) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(found := value.get(BLOB_KEY), str):
            yield found
        for inner in value.values():
            yield from _blob_hashes_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _blob_hashes_in(inner)


def _record(run_id: str, sealed: Sealed, sequence: int, occurred_at: datetime, prev_hash: str) -> Record:
    draft = sealed.draft
    columns = (
        run_id,
        sequence,
        draft.id,
        draft.type,
        SCHEMA_VERSION,
        occurred_at,
        draft.actor.value,
        draft.generation_id,
        draft.genome_id,
        draft.candidate_id,
        draft.operation_id,
        draft.correlation_id,
        draft.trace_id,
        draft.observation_id,
        sealed.data,
        prev_hash,
    )
    return Record(*columns, hash=digest_of(*columns))
