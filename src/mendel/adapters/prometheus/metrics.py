"""Metrics in a separate registry of prometheus-client, without this process's other metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import prometheus_client as prometheus
from prometheus_client.registry import Collector

from mendel.ports.metrics import CATALOGUE, NOTHING, Metric, Metrics, Vocabulary

_CREATED: Final = "_created"  # suffix of the series with creation times


class PrometheusMetrics(Metrics):
    """Collects metrics for scrapers of :meth:`text`. It starts no server."""

    def __init__(self, configured: Vocabulary = NOTHING, catalogue: Iterable[Metric] = CATALOGUE) -> None:
        super().__init__(configured, catalogue)
        self._registry = prometheus.CollectorRegistry()
        kept = self._catalogue.values()
        self._counters = {m.name: self._counter(m) for m in kept if m.kind == "counter"}
        self._gauges = {m.name: self._gauge(m) for m in kept if m.kind == "gauge"}
        self._histograms = {m.name: self._histogram(m) for m in kept if m.kind == "histogram"}

    def text(self) -> str:
        """Return all metrics in Prometheus's text format."""
        return prometheus.generate_latest(_Bare(self._registry)).decode()

    def _add(self, metric: Metric, labels: tuple[str, ...], amount: float) -> None:
        counter = self._counters[metric.name]
        (counter.labels(*labels) if labels else counter).inc(amount)

    def _set(self, metric: Metric, labels: tuple[str, ...], value: float) -> None:
        gauge = self._gauges[metric.name]
        (gauge.labels(*labels) if labels else gauge).set(value)

    def _observe(self, metric: Metric, labels: tuple[str, ...], value: float) -> None:
        histogram = self._histograms[metric.name]
        (histogram.labels(*labels) if labels else histogram).observe(value)

    def _counter(self, metric: Metric) -> prometheus.Counter:
        return prometheus.Counter(metric.name, metric.about, metric.labels, registry=self._registry)

    def _gauge(self, metric: Metric) -> prometheus.Gauge:
        return prometheus.Gauge(metric.name, metric.about, metric.labels, registry=self._registry)

    def _histogram(self, metric: Metric) -> prometheus.Histogram:
        buckets = metric.buckets
        return prometheus.Histogram(metric.name, metric.about, metric.labels, registry=self._registry, buckets=buckets)


class _Bare(Collector):
    """A registry without the ``_created`` series, which the library itself can only disable globally."""

    def __init__(self, registry: prometheus.CollectorRegistry) -> None:
        self._registry = registry

    def collect(self) -> Iterator[prometheus.Metric]:
        for family in self._registry.collect():
            family.samples = [sample for sample in family.samples if sample.name != family.name + _CREATED]
            yield family
