"""One request to a role, until it is answered, rejected or given up."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from secrets import randbits
from typing import Final, NoReturn

import orjson
from pydantic import BaseModel

from mendel.adapters.models.metering import NOTHING, Metered, metered, unanswered
from mendel.adapters.models.spoken import cleaned, cleaned_messages, fitted, held_to, serialised
from mendel.adapters.models.structured import schema_of, strict_subset
from mendel.contracts.errors import ModelCallFailed, ModelRequestRefused
from mendel.contracts.model_calls import RETRIED, AttemptRecord, CallLimits, Message, Sampling, Verdict
from mendel.contracts.model_plans import RolePlan, Source
from mendel.contracts.providers import ProviderMeta, StructuredMode
from mendel.contracts.scrub import Scrubber
from mendel.contracts.untrusted import data_message
from mendel.ports.model_gateway import ModelRequest, ModelResponse
from mendel.ports.model_wire import ModelWire, OutputSchema, WireAnswer, WireFailed, WireRequest
from mendel.ports.observing import CallObserver, Trace

BACKOFF_S: Final = 0.5  # seconds, doubled with every call so far
MAX_BACKOFF_S: Final = 8.0
MAX_WAIT_S: Final = 30.0
"""A ``Retry-After`` above this limit is treated as unavailable: the fallback is tried, or the call fails."""
_SAID: Final = 300  # characters of an error message that are kept
_ANSWER: Final = "your answer"
_OVER: Final = "the worst case of one more attempt exceeds what the operation may spend"
_REPAIR: Final = (
    "Your answer cannot be taken; what is wrong with it stands above. Answer again, with one JSON object that fits the"
    " schema and nothing else."
)
_REPAIR_TEXT: Final = (
    "Your answer cannot be taken; what is wrong with it stands above. Answer again, whole, in the form asked for."
)
_BELOW: Final[Mapping[StructuredMode, StructuredMode]] = {"json_schema": "json_object", "json_object": "prompt"}
_COMPLAINTS: Final = "what is wrong with it"
_BY_WORDS: Final = (
    "Answer with one JSON object and nothing else: no fence, no words before or after it. It must fit this JSON"
    " Schema:\n{schema}"
)


@dataclass(frozen=True)
class Tools:
    """Dependencies of every request of a gateway; ``lowered`` has the mode for schemas that a provider refused."""

    wire: Callable[[str], ModelWire]
    scrubber: Scrubber
    observer: CallObserver
    sleep: Callable[[float], Awaitable[object]]
    lowered: dict[tuple[str, str], StructuredMode] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attempt:
    """An HTTP call that returned an answer, before the answer is validated."""

    source: Source
    number: int
    answer: WireAnswer
    used: Metered
    latency_ms: int
    request: str
    trace: Trace


class Asking:
    """Sends a request to ``source``, then to the role's fallback; ``records`` gets one entry per HTTP call."""

    def __init__(self, tools: Tools, request: ModelRequest, role: RolePlan, source: Source) -> None:
        self._tools = tools
        self._request = request
        self._role = role
        self._source = source
        self._limits = _tightened(role.limits, request.limits)
        self._sampling = _sampled(role.sampling, request.sampling)
        self._form = held_to(request)
        self._output = _schema(request.output)
        self._again = False
        self._before: Trace | None = None
        self._held_by: StructuredMode = "prompt"
        self.records: list[AttemptRecord] = []

    async def answer(self) -> ModelResponse:
        """Return the answer, after at most one repair.

        Raises:
            ModelCallFailed: neither the source nor the fallback answered.
            ModelRequestRefused: the prompt exceeds the size limit of its role.
        """
        messages = cleaned_messages(self._request.messages, self._tools.scrubber)
        attempt = await self._reached(messages)
        output = self._read(attempt.answer)
        if not isinstance(output, tuple):
            return self._done(attempt, "accepted", output)
        repair = self._complaining(messages, attempt.answer.text, output)
        if repair is None:
            return self._done(attempt, "rejected", None, output)
        self._note(attempt, "rejected", output)
        attempt = await self._reached(repair)  # a second invalid answer is final
        again = self._read(attempt.answer)
        if not isinstance(again, tuple):
            return self._done(attempt, "repaired", again)
        return self._done(attempt, "rejected", None, again)

    # --- retries and the fallback ----------------------------------------------------------------------------

    async def _reached(self, messages: tuple[Message, ...]) -> Attempt:
        """Return an answer of the source or, if it fails, of the fallback."""
        self._again = False
        try:
            return await self._tried(self._source, messages, 1 + self._role.retries)
        except WireFailed as failed:
            if self._role.fallback is None or failed.reason == "over_allowance":
                raise self._given_up(failed, self._source) from failed
        try:
            return await self._tried(self._role.fallback, messages, 1)
        except WireFailed as failed:
            raise self._given_up(failed, self._role.fallback) from failed

    async def _tried(self, source: Source, messages: tuple[Message, ...], times: int) -> Attempt:
        while True:
            times -= 1
            try:
                return await self._attempt(source, messages)
            except WireFailed as failed:
                if self._lowered(source, failed):
                    times += 1  # not counted as a try
                    continue
                wait = self._wait(failed)
                if times < 1 or wait is None:
                    raise
            await self._tools.sleep(wait)

    def _lowered(self, source: Source, failed: WireFailed) -> bool:
        """Lower the mode after a refused schema (to JSON mode, then to words); return whether to try again."""
        below = _BELOW.get(self._held_by)
        if failed.reason != "schema_refused" or self._output is None or below is None:
            return False
        self._tools.lowered[str(source.route), self._output.name] = below
        return True

    def _wait(self, failed: WireFailed) -> float | None:
        """Return the seconds to wait before the next try, or None if a retry is pointless."""
        if failed.reason not in RETRIED:
            return None
        if failed.retry_after_s is not None and failed.retry_after_s > MAX_WAIT_S:
            return None
        # The count includes repairs and lowered modes: a provider that was called more often gets a longer pause.
        backoff = min(MAX_BACKOFF_S, BACKOFF_S * 2.0 ** (len(self.records) - 1))
        return max(failed.retry_after_s or 0.0, backoff * _jitter())

    async def _attempt(self, source: Source, messages: tuple[Message, ...]) -> Attempt:
        asked = self._worded(source, messages)
        request = serialised(asked.messages)
        trace = self._tools.observer.began(self._request.role, source.route, self._before)
        worst = self._reserve(source, request, trace)
        began = time.monotonic()
        number = len(self.records) + 1
        try:
            answer = await self._asked(source, asked)
        except WireFailed as failed:
            used = unanswered(worst, unsent=failed.unsent)
            self._settle(worst, used)
            self._failed(source, failed, used, request, trace, _since(began))
            raise
        used = metered(answer.usage, source.price, worst)
        self._settle(worst, used)
        return Attempt(source, number, answer, used, _since(began), request, trace)

    async def _asked(self, source: Source, request: WireRequest) -> WireAnswer:
        try:
            return await self._tools.wire(source.route.provider).complete(request)
        except WireFailed:
            raise
        # Broad on purpose: a wire is a plug-in, and any undeclared exception counts as a failure of its provider.
        except Exception as error:
            raise WireFailed("unreadable", f"its plug-in raised {type(error).__name__}") from error

    def _worded(self, source: Source, messages: tuple[Message, ...]) -> WireRequest:
        mode = self._held_by = self._mode(source)
        if self._output is not None and mode != "json_schema":
            schema = orjson.dumps(self._output.schema).decode()
            messages = (Message(role="system", content=_BY_WORDS.format(schema=schema)), *messages)
        return WireRequest(
            source.route.model_id,
            messages,
            self._output,
            mode,
            _in_time(self._limits, source),
            self._sampling,
            self._request.tools,
        )

    def _mode(self, source: Source) -> StructuredMode:
        mode, model = source.capabilities.structured, self._request.output
        if model is None:
            return mode
        if mode == "json_schema" and not _strict(model):  # providers enforce only the strict subset
            mode = "json_object"
        return self._tools.lowered.get((str(source.route), model.__name__), mode)

    # --- budget and metering ---------------------------------------------------------------------------------

    def _reserve(self, source: Source, request: str, trace: Trace) -> Metered:
        """Take the worst-case cost of the attempt from the operation's budget before making it (rule 1)."""
        tools = sum(len(tool.model_dump_json()) for tool in self._request.tools)
        size = len(request.encode()) + _schema_size(self._request.output) + tools
        if size > self._limits.prompt_bytes:
            self._refuse(source, request, trace, size)
        out = self._limits.tokens_out
        worst = Metered(size, out, source.price.of(size, out), estimated=True)
        budget = self._request.budget
        if budget is not None and not budget.take(size + out, worst.cost_microusd):
            failed = WireFailed("over_allowance", _OVER, unsent=True)
            self._failed(source, failed, NOTHING, request, trace, 0)
            raise failed
        return worst

    def _refuse(self, source: Source, request: str, trace: Trace, size: int) -> NoReturn:
        """Refuse a prompt that is too large: as a bad request, or as a failed attempt if earlier calls were made."""
        told = f"a prompt of {size:,} bytes is above its limit of {self._limits.prompt_bytes:,}"
        if not self.records:
            raise ModelRequestRefused(f"{self._request.role}: {told}")
        failed = WireFailed("bad_request", told, unsent=True)
        self._failed(source, failed, NOTHING, request, trace, 0)
        raise failed

    def _settle(self, worst: Metered, used: Metered) -> None:
        if self._request.budget is not None:
            tokens = worst.tokens_in + worst.tokens_out - used.tokens_in - used.tokens_out
            self._request.budget.give_back(tokens, worst.cost_microusd - used.cost_microusd)

    def _failed(
        self, source: Source, failed: WireFailed, used: Metered, request: str, trace: Trace, latency_ms: int
    ) -> None:
        record = AttemptRecord(
            role=self._request.role,
            attempt=len(self.records) + 1,
            provider=self._meta(source, None, failed.request_id, used, latency_ms),
            failure=failed.reason,
            message=self._clean(str(failed))[:_SAID] or failed.reason,
            schema_name=self._form,
            sampling=self._sampling,
            request=request,
            estimated=used.estimated,
            retry=self._again,
            trace_id=trace.trace_id,
            observation_id=trace.observation_id,
        )
        self._again = True
        self._keep(trace, record)

    # --- reading the answer ----------------------------------------------------------------------------------

    def _read(self, answer: WireAnswer) -> BaseModel | str | tuple[str, ...] | None:
        """Return the output, or a tuple of complaints about the answer."""
        if answer.refused:
            return ("the model declined to answer",)
        if answer.tool_calls:
            return self._wished(answer)
        if answer.cut:
            return (f"the answer is cut off after {self._limits.tokens_out} tokens; answer more briefly",)
        return fitted(self._clean(answer.text), self._request)

    def _wished(self, answer: WireAnswer) -> tuple[str, ...] | None:
        known = {tool.name for tool in self._request.tools}
        unknown = [call.name for call in answer.tool_calls if call.name not in known]
        return ("it calls a tool that it was not given",) if unknown else None

    def _complaining(
        self, messages: tuple[Message, ...], text: str, complaints: tuple[str, ...]
    ) -> tuple[Message, ...] | None:
        """Repeat the messages with the answer and the complaints, both as data; None if that exceeds the size limit."""
        said = Message(role="user", content=_REPAIR if self._output is not None else _REPAIR_TEXT)
        listed = data_message(_COMPLAINTS, self._clean("\n".join(f"- {each}" for each in complaints)))
        room = self._limits.prompt_bytes - self._size((*messages, data_message(_ANSWER, ""), listed, said))
        if room < 0:
            return None
        return (*messages, data_message(_ANSWER, _fitting(self._clean(text), room)), listed, said)

    def _size(self, messages: tuple[Message, ...]) -> int:
        schema = 2 * _schema_size(self._request.output) + len(_BY_WORDS)
        return schema + len(orjson.dumps([each.model_dump() for each in messages]))

    def _clean(self, text: str) -> str:
        return cleaned(text, self._tools.scrubber)

    # --- recording -------------------------------------------------------------------------------------------

    def _done(
        self,
        attempt: Attempt,
        outcome: Verdict,
        output: BaseModel | str | None,
        complaints: tuple[str, ...] = (),
    ) -> ModelResponse:
        record = self._note(attempt, outcome, complaints)
        return ModelResponse(
            outcome=outcome,
            provider=record.provider,
            output=output,
            text=record.response,
            complaints=complaints,
            tool_calls=attempt.answer.tool_calls if outcome != "rejected" else (),
            records=tuple(self.records),
            trace_id=attempt.trace.trace_id,
        )

    def _note(self, attempt: Attempt, validation: Verdict, complaints: tuple[str, ...] = ()) -> AttemptRecord:
        answer = attempt.answer
        record = AttemptRecord(
            role=self._request.role,
            attempt=attempt.number,
            provider=self._meta(attempt.source, answer.model_id, answer.request_id, attempt.used, attempt.latency_ms),
            validation=validation,
            schema_name=self._form,
            complaints=complaints,
            sampling=self._sampling,
            request=attempt.request,
            response=self._clean(answer.text),
            tool_calls=answer.tool_calls,
            estimated=attempt.used.estimated,
            retry=self._again,
            trace_id=attempt.trace.trace_id,
            observation_id=attempt.trace.observation_id,
        )
        self._keep(attempt.trace, record)
        return record

    def _keep(self, trace: Trace, record: AttemptRecord) -> None:
        self.records.append(record)
        self._before = trace
        self._tools.observer.ended(trace, record)

    def _meta(
        self, source: Source, model_id: str | None, request_id: str | None, used: Metered, latency_ms: int
    ) -> ProviderMeta:
        return ProviderMeta(
            provider=source.route.provider,
            model_id=_short(model_id) or source.route.model_id,
            request_id=_short(request_id),
            tokens_in=used.tokens_in,
            tokens_out=used.tokens_out,
            cost_microusd=used.cost_microusd,
            latency_ms=latency_ms,
        )

    def _given_up(self, failed: WireFailed, source: Source) -> ModelCallFailed:
        told = self._clean(str(failed))[:_SAID]
        message = f"{self._request.role}: {source.route} did not answer ({failed.reason}): {told}"
        return ModelCallFailed(failed.reason, message, tuple(self.records))


@lru_cache(maxsize=256)
def _schema(output: type[BaseModel] | None) -> OutputSchema | None:
    """Cache the schema: Pydantic rebuilds it on every call, which takes as long as everything else here."""
    return OutputSchema(output.__name__, schema_of(output)) if output is not None else None


@lru_cache(maxsize=256)
def _strict(output: type[BaseModel]) -> bool:
    return strict_subset(schema_of(output))


@lru_cache(maxsize=256)
def _schema_size(output: type[BaseModel] | None) -> int:
    return len(orjson.dumps(schema_of(output))) if output is not None else 0


def _tightened(role: CallLimits, asked: CallLimits | None) -> CallLimits:
    """Return the stricter of both limits: a request may lower its role's limits, never raise them."""
    if asked is None:
        return role
    return CallLimits(**{name: min(getattr(role, name), getattr(asked, name)) for name in CallLimits.model_fields})


def _sampled(role: Sampling, asked: Sampling) -> Sampling:
    """Return the request's sampling settings, with those of the role's plan where the request sets none."""
    said = asked.model_dump(exclude_defaults=True)
    return role.model_copy(update=said) if said else role


def _in_time(limits: CallLimits, source: Source) -> CallLimits:
    """Return the limits with the source's own timeout, if it has one."""
    return limits if source.timeout_ms is None else limits.model_copy(update={"timeout_ms": source.timeout_ms})


def _jitter() -> float:
    """Return an unseeded factor between 0.5 and 1: callers that failed together must not retry together."""
    return 0.5 + randbits(32) / 2**33


def _since(began: float) -> int:
    return round((time.monotonic() - began) * 1_000)


def _short(text: str | None) -> str | None:
    """Return a bounded, printable name from a provider, or None if nothing printable is left."""
    clean = "".join(c for c in (text or "")[:200] if c.isprintable())
    return clean or None


def _fitting(text: str, size: int) -> str:
    """Truncate the text to at most ``size`` bytes as JSON, in which a character takes up to six."""
    return text if len(orjson.dumps(text)) <= size else text[: size // 6]
