"""The recorded gateway: it answers an operation's requests from their records, byte for byte, and calls no model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

import orjson
from pydantic import BaseModel

from mendel.adapters.models.spoken import cleaned_messages, fitted, held_to, serialised
from mendel.contracts.errors import ModelCallFailed
from mendel.contracts.events.energy import LlmCallTelemetry, ProviderCallFailed
from mendel.contracts.events.envelope import Event
from mendel.contracts.evidence_refs import BlobRef
from mendel.contracts.model_calls import AttemptRecord, FailureReason, Sampling
from mendel.contracts.providers import ModelRole, ModelRoute, ProviderMeta
from mendel.contracts.scrub import Scrubber
from mendel.ports.blobs import Blobs
from mendel.ports.model_gateway import OTHER_PORTS, ROLES, ModelGateway, ModelRequest, ModelResponse, RolePlayed

_UNKNOWN: Final = ProviderMeta(provider="unknown", model_id="unknown")
_ASK_ANEW: Final = "a replay can only repeat the requests of the recorded run; for new answers start a new run"


class RecordedModels(ModelGateway):
    """Answers the requests of one operation in their order: the first request is its call 0, and so on.

    A request is answered only if its messages equal the recorded ones; rejected answers and failures are repeated.
    Texts stored as blobs come from ``blobs``. If the operation was performed several times, the attempts recorded
    last count.
    """

    def __init__(
        self,
        records: Iterable[AttemptRecord],
        *,
        operation_id: str = "the operation",
        blobs: Blobs | None = None,
        scrubber: Scrubber | None = None,
    ) -> None:
        self._questions = _by_call(records)
        self._operation = operation_id
        self._blobs = blobs
        self._scrubber = scrubber or Scrubber()
        self._calls = 0

    @classmethod
    def of(cls, events: Iterable[Event], operation_id: str, blobs: Blobs | None = None) -> RecordedModels:
        """Make the gateway for one operation of a log."""
        return cls(recorded_calls(events).get(operation_id, ()), operation_id=operation_id, blobs=blobs)

    def roles(self) -> Mapping[ModelRole, RolePlayed]:
        """Return the first recorded model for each role."""
        played: dict[ModelRole, RolePlayed] = {}
        for record in (record for records in self._questions.values() for record in records):
            route = ModelRoute(provider=record.provider.provider, model_id=record.provider.model_id)
            played.setdefault(record.role, RolePlayed(route))
        nobody = RolePlayed(why_not=f"{self._operation} made no call to this role")
        return {role: played.get(role, nobody) for role in ROLES if role not in OTHER_PORTS}

    async def _ask(self, request: ModelRequest) -> ModelResponse:
        call, self._calls = self._calls, self._calls + 1
        records = [await self._whole(record) for record in self._questions.get(call, ())]
        self._recognise(request, call, records)
        last = records[-1]
        if last.failure is not None:
            raise ModelCallFailed(last.failure, _failure(last, last.failure), tuple(records))
        return ModelResponse(
            outcome=last.validation or "rejected",
            provider=last.provider,
            output=self._output(request, last),
            text=last.response,
            complaints=last.complaints,
            tool_calls=last.tool_calls if last.validation != "rejected" else (),
            records=tuple(records),
            trace_id=last.trace_id,
        )

    def _recognise(self, request: ModelRequest, call: int, records: Sequence[AttemptRecord]) -> None:
        """Fail unless this request is the recorded one."""
        if not records:
            raise self._not_recorded(
                request, f"its request {call} was not recorded; the record has {len(self._questions)} in all"
            )
        if records[0].role != request.role:
            raise self._not_recorded(request, f"its request {call} was recorded for the role {records[0].role}")
        said = orjson.loads(serialised(cleaned_messages(request.messages, self._scrubber)))
        for record in _first_asked(records):
            differing = _differing(orjson.loads(record.request), said, worded=request.output is not None)
            if differing is not None:
                raise self._not_recorded(request, f"its request {call} differs from the recorded one, {differing}")

    def _output(self, request: ModelRequest, record: AttemptRecord) -> BaseModel | str | None:
        if record.validation == "rejected" or record.tool_calls:
            return None
        output = fitted(record.response, request)
        if isinstance(output, tuple):
            why = f"the answer recorded as {record.validation} does not fit {held_to(request)}: {output[0]}"
            raise self._not_recorded(request, why)
        return output

    def _not_recorded(self, request: ModelRequest, why: str) -> ModelCallFailed:
        return ModelCallFailed("not_recorded", f"{request.role}, called by {self._operation}: {why}; {_ASK_ANEW}")

    # --- blobs -----------------------------------------------------------------------------------------------

    async def _whole(self, record: AttemptRecord) -> AttemptRecord:
        """Return the record with its blobs replaced by their texts."""
        if record.request_blob is None and record.response_blob is None:
            return record
        texts = {
            "request": await self._text(record, record.request_blob, record.request),
            "response": await self._text(record, record.response_blob, record.response),
        }
        return record.model_copy(update={**texts, "request_blob": None, "response_blob": None})

    async def _text(self, record: AttemptRecord, blob: BlobRef | None, excerpt: str) -> str:
        if blob is None:
            return excerpt
        if self._blobs is None:
            told = f"{record.role}, called by {self._operation}: a text is the blob {blob.hash}, but there are no blobs"
            raise ModelCallFailed("not_recorded", told)
        return (await self._blobs.get(blob)).decode(errors="surrogatepass")


def recorded_calls(events: Iterable[Event]) -> dict[str, list[AttemptRecord]]:
    """Collect every recorded attempt of a log by its operation, in order."""
    found: dict[str, list[AttemptRecord]] = {}
    for event in events:
        record = _record_in(event)
        if record is not None and event.operation_id is not None:
            found.setdefault(event.operation_id, []).append(record)
    return found


def _record_in(event: Event) -> AttemptRecord | None:
    traced = {"trace_id": event.trace_id, "observation_id": event.observation_id}
    match event.payload:
        case LlmCallTelemetry() as answered:
            return _answered(answered).model_copy(update=traced)
        case ProviderCallFailed() as failed:
            return _failed(failed).model_copy(update=traced)
    return None


def _answered(payload: LlmCallTelemetry) -> AttemptRecord:
    return AttemptRecord(
        role=payload.role,
        call=payload.call,
        attempt=payload.attempt,
        provider=payload.provider,
        validation=payload.validation,
        schema_name=payload.schema_name,
        complaints=payload.complaints,
        sampling=Sampling.model_validate(payload.sampling),
        request=payload.request_excerpt,
        response=payload.response_excerpt,
        request_blob=payload.request,
        response_blob=payload.response,
        tool_calls=payload.tool_calls,
        estimated=payload.estimated,
        retry=payload.retry,
    )


def _failed(payload: ProviderCallFailed) -> AttemptRecord:
    return AttemptRecord(
        role=payload.role,
        call=payload.call,
        attempt=payload.attempt,
        provider=payload.provider or _UNKNOWN,
        failure=cast("FailureReason", payload.reason),  # validated by AttemptRecord
        message=payload.message,
        schema_name=payload.schema_name,
        estimated=payload.estimated,
        retry=payload.retry,
    )


def _by_call(records: Iterable[AttemptRecord]) -> dict[int, list[AttemptRecord]]:
    questions: dict[int, list[AttemptRecord]] = {}
    for record in records:
        if record.attempt == 1:  # the operation was performed again: forget the earlier attempts
            questions[record.call] = []
        questions.setdefault(record.call, []).append(record)
    return questions


def _first_asked(records: Sequence[AttemptRecord]) -> Iterable[AttemptRecord]:
    """Yield the attempts at the original request, if recorded; attempts at a repair contain more messages."""
    for record in records:
        if record.request:
            yield record
        if record.validation is not None:
            return


def _differing(recorded: list[object], said: list[object], *, worded: bool) -> str | None:
    """Describe where two lists of messages differ; a recorded one may start with our message about the schema."""
    ours = recorded[1:] if worded and len(recorded) == len(said) + 1 else recorded
    if len(ours) != len(said):
        return f"which has {len(ours)} messages and not {len(said)}"
    number = next((number for number, pair in enumerate(zip(ours, said, strict=True)) if pair[0] != pair[1]), None)
    return None if number is None else f"in its message {number + 1} of {len(said)}"


def _failure(record: AttemptRecord, reason: FailureReason) -> str:
    """Return the message that a live gateway raises for this last attempt."""
    route = ModelRoute(provider=record.provider.provider, model_id=record.provider.model_id)
    return f"{record.role}: {route} did not answer ({reason}): {record.message}"
