"""Sends spans in the background, so that a dead, slow or failing collector costs spans and nothing else."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import structlog
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

from mendel import __version__
from mendel.adapters.otel.collector import Collector

QUEUE: Final = 2_048  # spans that wait to be sent; more are dropped
BATCH: Final = 64
"""Maximum spans per batch: a span may carry 64 KiB of content, so a batch stays well below collectors' limits."""
DELAY_MS: Final = 1_000  # between two batches

_log = structlog.get_logger(__name__)
_ours = threading.local()
_LOGGERS: Final = ("opentelemetry.exporter.otlp.proto.http.trace_exporter", "opentelemetry.sdk._shared_internal")


class _NotOurs(logging.Filter):
    """Drops the library's repeated log lines about our exports; we report a failure once ourselves."""

    def filter(self, record: logging.LogRecord) -> bool:  # noqa: ARG002 - the thread decides, not the record
        return not getattr(_ours, "quiet", False)


_FILTER: Final = _NotOurs()


@contextmanager
def quietly() -> Iterator[None]:
    """Drop the library's log records from this thread inside the block; other threads still log."""
    before = getattr(_ours, "quiet", False)
    _ours.quiet = True
    try:
        yield
    finally:
        _ours.quiet = before


class TellingExporter(SpanExporter):
    """Sends through ``sender``; logs once that spans are being lost, and once that they arrive again."""

    def __init__(self, sender: SpanExporter, place: str) -> None:
        self._sender = sender
        self._place = place
        self._losing = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send a batch; a failure is never raised."""
        with quietly():
            try:
                result = self._sender.export(spans)
            except Exception as error:  # noqa: BLE001 - any failure may cost spans only
                result = SpanExportResult.FAILURE
                self._tell(losing=True, error=type(error).__qualname__)
            else:
                self._tell(losing=result is not SpanExportResult.SUCCESS, error="not accepted")
        return result

    def shutdown(self) -> None:
        """Stop sending."""
        with quietly():
            self._sender.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Flush the sender; this exporter itself buffers nothing."""
        return self._sender.force_flush(timeout_millis)

    def _tell(self, *, losing: bool, error: str) -> None:
        if losing == self._losing:
            return
        self._losing = losing
        if losing:
            _log.warning("trace_export_failed", collector=self._place, error=error)
        else:
            _log.warning("trace_export_resumed", collector=self._place)


def open_provider(collector: Collector, service: str) -> TracerProvider:
    """Open a separate tracer provider that sends to ``collector``; OpenTelemetry's global one is not changed.

    Process exit does not wait for the collector: the caller must close the provider.
    """
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_FILTER)
    sender = OTLPSpanExporter(collector.endpoint, headers=dict(collector.headers), timeout=collector.timeout_s)
    resource = Resource({"service.name": service, "service.version": __version__})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    exporter = TellingExporter(sender, collector.place)
    provider.add_span_processor(
        BatchSpanProcessor(exporter, max_queue_size=QUEUE, schedule_delay_millis=DELAY_MS, max_export_batch_size=BATCH)
    )
    return provider
