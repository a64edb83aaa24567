"""An observer that creates a span for every model call."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import Final

from opentelemetry import trace as otel
from opentelemetry.context import Context
from opentelemetry.sdk.trace import Span, TracerProvider

from mendel import __version__
from mendel.adapters.otel.attributes import Attributes, answered, asked, operation, said, shown
from mendel.adapters.otel.export import quietly
from mendel.contracts.model_calls import AttemptRecord
from mendel.contracts.providers import ModelRole, ModelRoute
from mendel.contracts.scrub import Scrubber
from mendel.ports.observing import CallObserver, Trace

MAX_OPEN: Final = 10_000
"""Maximum number of open spans: cancelled calls never end, so the oldest spans are abandoned beyond this."""
CLOSE_S: Final = 3.0
"""Seconds to wait on closing for the last spans to be sent."""
_ABANDONED: Final = "abandoned"  # error type of spans without an end
_NS_PER_MS: Final = 1_000_000


class TracedCalls(CallObserver):
    """One span per call; with the texts of request and answer only if ``content`` is on.

    The calls for one request form one trace, each span below the previous one. Every text is scrubbed before it
    becomes part of a span.
    """

    def __init__(
        self, provider: TracerProvider, scrubber: Scrubber, *, content: bool = False, close_s: float = CLOSE_S
    ) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("mendel", __version__)
        self._scrubber = scrubber
        self._content = content
        self._close_s = close_s
        self._open: dict[str, Span] = {}
        self._closed = False

    def began(self, role: ModelRole, route: ModelRoute, after: Trace | None = None) -> Trace:
        """Start a span; its ids are 32 and 16 hexadecimal digits."""
        name = f"{operation(role)} {shown(route.model_id, self._scrubber)}"
        attributes = self._clean(asked(role, route))
        span = self._tracer.start_span(name, _under(after), otel.SpanKind.CLIENT, attributes)
        if self._closed or not isinstance(span, Span):  # closed, or not sampled
            return Trace()
        context = span.get_span_context()
        observation = otel.format_span_id(context.span_id)
        self._open[observation] = span
        self._give_up_all_but(MAX_OPEN)
        return Trace(otel.format_trace_id(context.trace_id), observation)

    def ended(self, trace: Trace, record: AttemptRecord) -> None:
        """End the span; it is sent with others in the background."""
        span = self._open.pop(trace.observation_id or "", None)
        if span is None:
            return
        span.set_attributes(self._clean(answered(record)))
        if self._content:
            span.set_attributes(said(record, self._scrubber))
        if record.failure is not None:
            span.set_status(otel.StatusCode.ERROR, record.failure)
        _end(span, record.provider.latency_ms)

    async def aclose(self) -> None:
        """Send the remaining spans, for a few seconds at most. Idempotent."""
        if self._closed:
            return
        self._closed = True
        self._give_up_all_but(0)
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        # A daemon thread that is never joined: a hanging collector blocks neither the event loop nor process exit.
        closing = threading.Thread(target=self._shut_down, args=(loop, done), name="mendel-traces", daemon=True)
        closing.start()
        with suppress(TimeoutError):
            await asyncio.wait_for(done.wait(), self._close_s)

    def _shut_down(self, loop: asyncio.AbstractEventLoop, done: asyncio.Event) -> None:
        with quietly():
            self._provider.shutdown()
        with suppress(RuntimeError):  # the event loop is closed already
            loop.call_soon_threadsafe(done.set)

    def _give_up_all_but(self, count: int) -> None:
        while len(self._open) > count:
            span = self._open.pop(next(iter(self._open)))
            span.set_attribute("error.type", _ABANDONED)
            span.set_status(otel.StatusCode.ERROR, _ABANDONED)
            _end(span, None)

    def _clean(self, attributes: Attributes) -> Attributes:
        return {
            name: shown(value, self._scrubber) if isinstance(value, str) else value
            for name, value in attributes.items()
        }


def _end(span: Span, latency_ms: int | None) -> None:
    """End the span at the call's latency according to the log, not when its answer had been processed."""
    at = span.start_time + latency_ms * _NS_PER_MS if latency_ms is not None and span.start_time is not None else None
    with quietly():
        span.end(at)


def _under(after: Trace | None) -> Context | None:
    """Return the context of the previous call; None means the current context."""
    if after is None or after.trace_id is None or after.observation_id is None:
        return None
    sampled = otel.TraceFlags(otel.TraceFlags.SAMPLED)
    before = otel.SpanContext(
        int(after.trace_id, 16), int(after.observation_id, 16), is_remote=False, trace_flags=sampled
    )
    return otel.set_span_in_context(otel.NonRecordingSpan(before))
