"""One batch of texts to a provider's model, until there are vectors or it is given up; records every call."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from secrets import randbelow
from typing import Final

import orjson

from mendel.adapters.embeddings.directions import NoDirections, Rows, directions
from mendel.contracts.embeddings import EmbeddingLimits, text_digest
from mendel.contracts.energy import MAX_USAGE
from mendel.contracts.errors import ModelCallFailed
from mendel.contracts.model_calls import RETRIED, AttemptRecord, CallLimits
from mendel.contracts.providers import ModelRoute, Price, ProviderMeta
from mendel.contracts.scrub import Scrubber
from mendel.ports.embedder import Account
from mendel.ports.model_wire import ModelWire, WireFailed, WireVectors
from mendel.ports.observing import CallObserver, Trace

BACKOFF_S: Final = 0.5  # seconds, doubled with every call so far
MAX_BACKOFF_S: Final = 8.0
MAX_WAIT_S: Final = 30.0
"""A ``Retry-After`` above this limit, in seconds, is treated as unavailable."""
NUMBER_BYTES: Final = 32
ENVELOPE_BYTES: Final = 1 << 16
"""Maximum size of an answer: ``NUMBER_BYTES`` for each number, and ``ENVELOPE_BYTES`` for everything around them."""
_SAID: Final = 300  # characters of an error message that are kept
_SHORT: Final = 200  # characters of a provider's names
_STEPS: Final = 1 << 16  # of the random factor


@dataclass(frozen=True)
class Provider:
    """A model, the settings for its calls, and the account they go to. ``answering``: models seen in answers so far."""

    wire: ModelWire
    route: ModelRoute
    dimension: int
    price: Price
    limits: EmbeddingLimits
    scrubber: Scrubber
    observer: CallObserver
    sleep: Callable[[float], Awaitable[object]]
    account: Account | None = None
    answering: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Used:
    tokens_in: int
    cost_microusd: int
    estimated: bool


@dataclass(frozen=True, slots=True)
class _Call:
    """A call in progress."""

    number: int
    worst: _Used
    trace: Trace
    began: float


class Asking:
    """Requests the vectors of ``texts``; ``records`` gets one entry per HTTP call."""

    def __init__(self, provider: Provider, texts: Sequence[str]) -> None:
        self._provider = provider
        self._texts = texts
        self._size = sum(len(text.encode()) for text in texts)
        self._before: Trace | None = None
        self.records: list[AttemptRecord] = []

    async def rows(self) -> Rows:
        """Return a direction for each text.

        Raises:
            ModelCallFailed: the provider did not answer, or its answer is not a direction for each text.
        """
        for left in range(self._provider.limits.retries, -1, -1):
            try:
                return await self._attempt()
            except WireFailed as failed:
                wait = self._wait(failed)
                if not left or wait is None:
                    raise self._given_up(failed) from failed
                await self._provider.sleep(wait)
        raise RuntimeError("unreachable: at least one attempt is made")

    async def _attempt(self) -> Rows:
        call = self._begun()
        asked = self._provider
        try:
            answer = await asked.wire.embed(asked.route.model_id, self._texts, self._limits())
        except WireFailed as failed:
            self._failed(call, failed)
            raise
        except asyncio.CancelledError:  # the provider may bill the call all the same
            self._failed(call, WireFailed("timeout", "the caller no longer waited for the answer"))
            raise
        return self._read(call, answer)

    def _limits(self) -> CallLimits:
        numbers = len(self._texts) * self._provider.dimension
        return CallLimits(
            answer_bytes=ENVELOPE_BYTES + numbers * NUMBER_BYTES, timeout_ms=self._provider.limits.timeout_ms
        )

    # --- budget and waiting ----------------------------------------------------------------------------------

    def _begun(self) -> _Call:
        """Begin a call and take its worst case from the budget: a token has at least one byte (rule 1)."""
        worst = _Used(self._size, self._provider.price.of(self._size, 0), estimated=True)
        budget = self._provider.account.budget if self._provider.account is not None else None
        if budget is not None and not budget.take(worst.tokens_in, worst.cost_microusd):
            raise WireFailed(
                "over_allowance", "the worst case of one more call exceeds what the operation may spend", unsent=True
            )
        trace = self._before = self._provider.observer.began("embedding", self._provider.route, self._before)
        return _Call(len(self.records) + 1, worst, trace, time.monotonic())

    def _settled(self, call: _Call, used: _Used) -> None:
        account = self._provider.account
        if account is not None and account.budget is not None:
            worst = call.worst
            account.budget.give_back(worst.tokens_in - used.tokens_in, worst.cost_microusd - used.cost_microusd)

    def _used(self, call: _Call, told: object) -> _Used:
        if not isinstance(told, int) or isinstance(told, bool) or not 0 <= told <= MAX_USAGE:
            return call.worst
        return _Used(told, min(MAX_USAGE, self._provider.price.of(told, 0)), estimated=False)

    def _wait(self, failed: WireFailed) -> float | None:
        """Return the seconds to wait before the next try, or None if a retry is pointless."""
        asked_for = failed.retry_after_s or 0.0
        if failed.reason not in RETRIED or asked_for > MAX_WAIT_S:
            return None
        backoff = min(MAX_BACKOFF_S, BACKOFF_S * 2.0 ** (len(self.records) - 1))
        # A random factor between 0.5 and 1, so that callers that failed together do not retry together.
        return max(asked_for, backoff * (0.5 + randbelow(_STEPS) / (2 * _STEPS)))

    # --- reading the answer ----------------------------------------------------------------------------------

    def _read(self, call: _Call, answer: WireVectors) -> Rows:
        used = self._used(call, answer.usage.tokens_in)
        self._settled(call, used)
        try:
            self._recognise(answer.model_id)
            found = directions(answer.rows, len(self._texts), self._provider.dimension)
        except NoDirections as error:
            self._answered(call, answer, used, str(error))
            message = f"{self._provider.route} answered with {error}; it is not asked again"
            raise ModelCallFailed("unreadable", message, tuple(self.records)) from error
        self._answered(call, answer, used)
        return found

    def _recognise(self, model_id: str) -> None:
        """Raise if another model answers than before: one name must not mix vectors of two models."""
        answering, now = self._provider.answering, _short(model_id) or ""
        if answering and now not in answering:
            raise NoDirections(f"vectors of {now}, where {', '.join(answering)} has answered before")
        answering.add(now)

    # --- recording -------------------------------------------------------------------------------------------

    def _failed(self, call: _Call, failed: WireFailed) -> None:
        used = _Used(0, 0, estimated=False) if failed.unsent else call.worst
        self._settled(call, used)
        record = AttemptRecord(
            role="embedding",
            attempt=call.number,
            provider=self._meta(call, None, failed.request_id, used),
            failure=failed.reason,
            message=self._said(failed) or failed.reason,
            request=self._request(),
            estimated=used.estimated,
            retry=call.number > 1,
            trace_id=call.trace.trace_id,
            observation_id=call.trace.observation_id,
        )
        self._note(call, record)

    def _answered(self, call: _Call, answer: WireVectors, used: _Used, complaint: str = "") -> None:
        record = AttemptRecord(
            role="embedding",
            attempt=call.number,
            provider=self._meta(call, answer.model_id, answer.request_id, used),
            validation="rejected" if complaint else "accepted",
            complaints=(complaint,) if complaint else (),
            request=self._request(),
            estimated=used.estimated,
            retry=call.number > 1,
            trace_id=call.trace.trace_id,
            observation_id=call.trace.observation_id,
        )
        self._note(call, record)

    def _note(self, call: _Call, record: AttemptRecord) -> None:
        self.records.append(record)
        if self._provider.account is not None:
            self._provider.account.records.append(record)
        self._provider.observer.ended(call.trace, record)

    def _request(self) -> str:
        """Return the texts' digests, by which their vectors are also named; the log contains the texts already."""
        return orjson.dumps([text_digest(text) for text in self._texts]).decode()

    def _meta(self, call: _Call, model_id: str | None, request_id: str | None, used: _Used) -> ProviderMeta:
        return ProviderMeta(
            provider=self._provider.route.provider,
            model_id=_short(model_id) or self._provider.route.model_id,
            request_id=_short(request_id),
            tokens_in=used.tokens_in,
            cost_microusd=used.cost_microusd,
            latency_ms=round((time.monotonic() - call.began) * 1_000),
        )

    def _said(self, failed: WireFailed) -> str:
        return self._provider.scrubber.text(str(failed))[:_SAID]

    def _given_up(self, failed: WireFailed) -> ModelCallFailed:
        message = f"{self._provider.route} made no embeddings ({failed.reason}): {self._said(failed)}"
        return ModelCallFailed(failed.reason, message, tuple(self.records))


def _short(text: str | None) -> str | None:
    """Return a bounded, printable name from a provider, or None if nothing printable is left."""
    return "".join(sign for sign in (text or "")[:_SHORT] if sign.isprintable()) or None
