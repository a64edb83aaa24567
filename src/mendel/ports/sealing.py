"""The boundary that every event passes on its way into the log, whichever store keeps it.

Validate, ceiling, scrub, canonical bytes, hash chain: in that order, before anything is written. What comes out is
what is stored, and only that is ever folded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

import orjson
from pydantic import JsonValue, ValidationError
from pydantic_core import PydanticSerializationError

from mendel.contracts.base import JsonObject
from mendel.contracts.canonical import MAX_PAYLOAD_DEPTH, canonical, check_shape, check_size
from mendel.contracts.errors import ContractError, InvalidPayload, PayloadTooDeep, PayloadUnserialisable
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.registry import SCHEMA_VERSION, payload_model
from mendel.contracts.evidence_refs import BLOB_KEY
from mendel.contracts.payloads import PAYLOADS, PayloadRegistry, explain
from mendel.contracts.scrub import Scrubber
from mendel.ports.records import Record, Tip, digest

_BLOB_TRACE = f'"{BLOB_KEY}":'.encode()


class Sealed(NamedTuple):
    """A draft that passed the boundary; only its place in the chain is missing."""

    draft: EventDraft
    payload: Payload
    data: bytes


class Sealer:
    """Validates, bounds and scrubs drafts."""

    def __init__(self, scrubber: Scrubber, payloads: PayloadRegistry = PAYLOADS) -> None:
        self._scrubber = scrubber
        self._payloads = payloads

    def seal(self, draft: EventDraft) -> Sealed:
        """``draft`` as it may be stored.

        Raises:
            ContractError: it may not, and nothing of it was kept.
        """
        try:
            return self._seal(draft)
        except ContractError as error:
            # What was refused may stand in the message, as the name of a key; the cause may print it whole.
            raise type(error)(self._scrubber.text(str(error))) from None

    def _seal(self, draft: EventDraft) -> Sealed:
        value = _plain(draft.payload)
        check_shape(value)
        data = canonical(value)
        check_size(data)
        data = self._scrubbed(value, data)
        payload = _validated(draft, data)
        self._check_registered(payload)
        return Sealed(self._scrub_envelope(_valid_envelope(draft, payload)), payload, data)

    def object(self, value: JsonObject) -> bytes:
        """The canonical bytes of open data such as a command's, bounded and scrubbed; raises as ``seal``."""
        check_shape(value)
        data = canonical(value)
        check_size(data)
        return self._scrubbed(value, data)

    def _scrubbed(self, value: JsonValue, data: bytes) -> bytes:
        if not self._scrubber.suspects(data):
            return data
        scrubbed = canonical(self._scrubber.value(value))
        check_size(scrubbed)
        return scrubbed

    def _check_registered(self, payload: Payload) -> None:
        for piece in payload.domain_payloads():
            self._payloads.check(piece)

    def _scrub_envelope(self, draft: EventDraft) -> EventDraft:
        texts = (draft.correlation_id, draft.trace_id, draft.observation_id)
        ids = (draft.generation_id, draft.genome_id, draft.candidate_id, draft.operation_id)
        joined = "\n".join([text for text in (*texts, *ids) if text is not None])
        if not self._scrubber.suspects(joined.encode()):
            return draft
        if any(self._scrubber.text(text) != text for text in ids if text is not None):
            raise InvalidPayload(f"an id of the {draft.type} event looks like a secret; ids are derived, never keys")
        clean = dict(zip(_FREE_TEXTS, (text and self._scrubber.text(text) for text in texts), strict=True))
        return _valid_envelope(draft.model_copy(update=clean), draft.payload)


_FREE_TEXTS = ("correlation_id", "trace_id", "observation_id")


def _plain(payload: Payload) -> JsonValue:
    """The payload as JSON values; pydantic stops at a depth far above our ceiling and far below the stack's."""
    try:
        value: JsonValue = payload.model_dump(mode="json", by_alias=True)
    except PydanticSerializationError as error:
        raise PayloadUnserialisable(f"the payload cannot be written as JSON: {error}") from error
    except ValueError as error:
        raise PayloadTooDeep(f"the payload nests deeper than {MAX_PAYLOAD_DEPTH} levels, or in a circle") from error
    return value


def _validated(draft: EventDraft, data: bytes) -> Payload:
    """The payload read back from the bytes that will be stored, as every reader reads it."""
    try:
        return payload_model(draft.type).model_validate_json(data)
    except ValidationError as error:
        raise InvalidPayload(f"{draft.type}: {explain(error)}") from error


def _valid_envelope(draft: EventDraft, payload: Payload) -> EventDraft:
    """``draft`` validated anew, as ``model_copy`` lets anything into one: stores rely on what its fields exclude."""
    try:
        return type(draft).model_validate({**draft.__dict__, "payload": payload})
    except ValidationError as error:
        raise InvalidPayload(f"the envelope of a {draft.type} event: {explain(error)}") from error


def chain(run_id: str, batch: Sequence[Sealed], tip: Tip, now: datetime) -> tuple[list[Record], Tip]:
    """Give each of ``batch`` its place after ``tip``. Recorded time never runs backwards within a run.

    Rejected: stamping by the database. The hash covers the time, so it must be known before the write; and a
    batch that is written again after a lost answer must be the same batch.
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
    """The blobs that a payload refers to, wherever in it they stand."""
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
    unhashed = Record(
        run_id=run_id,
        sequence=sequence,
        event_id=draft.id,
        type=draft.type,
        schema_version=SCHEMA_VERSION,
        occurred_at=occurred_at,
        actor=draft.actor.value,
        generation_id=draft.generation_id,
        genome_id=draft.genome_id,
        candidate_id=draft.candidate_id,
        operation_id=draft.operation_id,
        correlation_id=draft.correlation_id,
        trace_id=draft.trace_id,
        observation_id=draft.observation_id,
        payload=sealed.data,
        prev_hash=prev_hash,
        hash="",
    )
    return Record(*unhashed[:-1], hash=digest(unhashed))
