"""Opens traces. Nothing here fails a run: problems are logged, and calls then go unobserved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import structlog

from mendel.adapters.otel.collector import Collector, CollectorUnclear
from mendel.contracts.scrub import Scrubber
from mendel.ports.observing import NOBODY, CallObserver, Watched

SERVICE: Final = "mendel"

_log = structlog.get_logger(__name__)


def open_traces(environ: Mapping[str, str], scrubber: Scrubber, *, content: bool = False) -> CallObserver:
    """Open an observer that sends spans to the collector that ``environ`` configures; :data:`NOBODY` if impossible.

    ``content`` also sends prompts and answers, scrubbed. OpenTelemetry is imported and the sending thread started
    only here.
    """
    try:
        collector = Collector.from_environment(environ)
    except CollectorUnclear as unclear:
        return _nobody(str(unclear))
    if collector is None:
        return _nobody("no collector is configured; set OTEL_EXPORTER_OTLP_ENDPOINT, or LANGFUSE_HOST and its two keys")
    try:
        from mendel.adapters.otel.calls import TracedCalls
        from mendel.adapters.otel.export import open_provider
    except ImportError:
        return _nobody("OpenTelemetry is not installed; pip install 'mendel[otel]'")
    service = scrubber.text(environ.get("OTEL_SERVICE_NAME") or SERVICE)
    return Watched(TracedCalls(open_provider(collector, service), scrubber, content=content))


def _nobody(reason: str) -> CallObserver:
    _log.warning("traces_not_sent", reason=reason)
    return NOBODY
