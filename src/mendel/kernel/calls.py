"""Attempts at models, and what else was asked outside, as the log keeps them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mendel.contracts.events.energy import LlmCallTelemetry, OutputSchemaRejected, ProviderCallFailed
from mendel.contracts.events.payload import Payload
from mendel.contracts.evidence_refs import BlobRef
from mendel.contracts.lookups import Lookups
from mendel.contracts.model_calls import AttemptRecord
from mendel.contracts.work import Answer, Failure
from mendel.ports.blobs import Blobs

INLINE: Final = 16_384
"""Texts up to so many characters stand in their event; what is longer is a blob, and its beginning stands there."""
EXCERPT: Final = 2_000
_TEXT: Final = "text"


async def kept(outcome: Answer | Failure, blobs: Blobs) -> Answer | Failure:
    """The outcome with its large texts kept as blobs."""
    if outcome.lookups is not None:
        outcome = outcome.model_copy(update={"lookups": await _looked_up(outcome.lookups, blobs)})
    if all(len(each.request) <= INLINE and len(each.response) <= INLINE for each in outcome.calls):
        return outcome
    return outcome.model_copy(update={"calls": tuple([await _shortened(each, blobs) for each in outcome.calls])})


async def _looked_up(lookups: Lookups, blobs: Blobs) -> Lookups:
    written = lookups.model_dump_json()
    return lookups if len(written) <= INLINE else Lookups(blob=await blobs.put(written.encode(), "application/json"))


async def _shortened(record: AttemptRecord, blobs: Blobs) -> AttemptRecord:
    update: dict[str, str | BlobRef] = {}
    for field in ("request", "response"):
        text = str(getattr(record, field))
        if len(text) > INLINE:
            kind = "application/json" if field == "request" else "text/plain"
            update[f"{field}_blob"] = await blobs.put(text.encode(errors="surrogatepass"), kind)
            update[field] = text[:EXCERPT]
    return record.model_copy(update=update)


def told(records: Sequence[AttemptRecord], operation_id: str) -> Iterator[tuple[AttemptRecord, Payload]]:
    """The events of an operation's attempts, in their order."""
    for place, record in enumerate(records):
        if record.failure is not None:
            yield record, _failed(record, operation_id)
            continue
        yield record, _answered(record, operation_id)
        if record.validation == "rejected" and _is_last(records, place):
            yield record, _rejected(record, operation_id)


def _is_last(records: Sequence[AttemptRecord], place: int) -> bool:
    """Whether nothing more was asked for the same question."""
    return all(later.call != records[place].call for later in records[place + 1 :])


def _failed(record: AttemptRecord, operation_id: str) -> ProviderCallFailed:
    return ProviderCallFailed(
        role=record.role,
        attempt=record.attempt,
        reason=record.failure or "unreadable",
        message=record.message or "no answer",
        provider=record.provider,
        operation_id=operation_id,
        call=record.call,
        schema_name=record.schema_name,
        estimated=record.estimated,
        retry=record.retry,
    )


def _answered(record: AttemptRecord, operation_id: str) -> LlmCallTelemetry:
    return LlmCallTelemetry(
        role=record.role,
        provider=record.provider,
        validation=record.validation or "rejected",
        attempt=record.attempt,
        operation_id=operation_id,
        sampling=record.sampling.model_dump(mode="json", exclude_defaults=True),
        request=record.request_blob,
        response=record.response_blob,
        request_excerpt=record.request,
        response_excerpt=record.response,
        truncated=record.request_blob is not None or record.response_blob is not None,
        call=record.call,
        schema_name=record.schema_name,
        complaints=record.complaints,
        tool_calls=record.tool_calls,
        estimated=record.estimated,
        retry=record.retry,
    )


def _rejected(record: AttemptRecord, operation_id: str) -> OutputSchemaRejected:
    return OutputSchemaRejected(
        role=record.role,
        schema_name=record.schema_name or _TEXT,
        complaints=record.complaints or ("it is no answer",),
        repaired=record.attempt > 1,
        operation_id=operation_id,
    )
