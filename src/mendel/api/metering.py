"""Metrics of a server; no label has a value that a client can choose, so their number is bounded."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from mendel.api.correlation import PAGE, UNMATCHED
from mendel.api.source import RunSource
from mendel.contracts.statuses import RunStatus
from mendel.ports.metrics import CATALOGUE, Metric, Metrics, Vocabulary

OpenMetrics = Callable[[Vocabulary, Iterable[Metric]], Metrics]

_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_UNKNOWN: Final = "unknown"
_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)

SERVED: Final = (
    *CATALOGUE,
    Metric("http_requests_total", "counter", "Finished requests.", ("method", "route", "status")),
    Metric(
        "http_request_seconds", "histogram", "Duration of requests in seconds, without streams.", ("route",), _BUCKETS
    ),
    Metric("mendel_stream_clients", "gauge", "Open streams."),
    Metric("mendel_feeds", "gauge", "Followed runs."),
    Metric("mendel_projection_lag_events", "gauge", "Events missing in the read models, over known runs."),
    Metric("mendel_runs", "gauge", "Runs in the log.", ("state",)),
    Metric("mendel_opened_files", "gauge", "Open files with exported runs."),
)


class Metering:
    """Counts requests; the gauges are updated only when metrics are requested."""

    def __init__(self, opened: OpenMetrics, routes: Iterable[str]) -> None:
        self.metrics = opened(
            {
                "route": {*routes, PAGE, UNMATCHED},
                "method": _METHODS,
                "status": [str(code) for code in range(100, 600)],
                "state": [*map(str, RunStatus), _UNKNOWN],
            },
            SERVED,
        )

    def observed(self, method: str, route: str, status: int, seconds: float | None) -> None:
        """Count a finished request; ``seconds`` is None for streams, whose duration depends on the client."""
        named = self.metrics.value_or_other("route", route)
        verb = self.metrics.value_or_other("method", method)
        code = self.metrics.value_or_other("status", str(status))
        self.metrics.add("http_requests_total", method=verb, route=named, status=code)
        if seconds is not None:
            self.metrics.observe("http_request_seconds", seconds, route=named)

    async def looked(self, source: RunSource, files: int) -> None:
        """Update the gauges."""
        runs, rows = await source.log.runs(), await source.models.runs()
        counts = dict.fromkeys([*map(str, RunStatus), _UNKNOWN], 0)
        lag = 0
        for run in runs:
            counts[str(run.status) if run.status is not None else _UNKNOWN] += 1
            row = rows.get(run.run_id)
            if row is not None and run.head is not None:
                lag += max(0, run.head.sequence - row.last)
        for state, count in counts.items():
            self.metrics.set("mendel_runs", count, state=state)
        self.metrics.set("mendel_projection_lag_events", lag)
        self.metrics.set("mendel_opened_files", files)
        self.metrics.set("mendel_stream_clients", source.watchers)
        self.metrics.set("mendel_feeds", source.followed)


def templates(app: FastAPI) -> list[str]:
    """Return the templates of all routes, which are the possible values of the label ``route``."""
    found = (context.path_format for context in iter_route_contexts(app.routes))
    return [path for path in found if path is not None]
