"""Metrics in memory: plain numbers under a lock, a reference implementation of the port."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from threading import Lock

from mendel.ports.metrics import CATALOGUE, NOTHING, Metric, Metrics, Vocabulary

Series = tuple[str, tuple[str, ...]]
"""The name of a metric, and its label values."""


@dataclass(slots=True)
class _Spread:
    """Number of values in each bucket (the last one above all bounds), and their sum."""

    counts: list[int]
    total: float = 0.0


@dataclass(slots=True)
class _Kept:
    numbers: dict[Series, float] = field(default_factory=dict)
    spreads: dict[Series, _Spread] = field(default_factory=dict)


class MemoryMetrics(Metrics):
    """Stores everything in two dictionaries; :meth:`value` returns one number."""

    def __init__(self, configured: Vocabulary = NOTHING, catalogue: Iterable[Metric] = CATALOGUE) -> None:
        super().__init__(configured, catalogue)
        self._kept = _Kept()
        self._lock = Lock()

    def value(self, name: str, /, **labels: str) -> float:
        """Return the value of a counter or a gauge; 0 if nothing was recorded.

        Raises:
            ValueError: the metric, a label or a label's value is unknown.
        """
        metric = self._catalogue.get(name)
        if metric is None:
            raise ValueError(f"the catalogue has no {name}")
        with self._lock:
            return self._kept.numbers.get((name, self._labelled(metric, labels)), 0.0)

    def text(self) -> str:
        """Return all metrics in Prometheus's text format."""
        with self._lock:
            return "".join(f"{line}\n" for metric in self._catalogue.values() for line in self._lines(metric))

    def _add(self, metric: Metric, labels: tuple[str, ...], amount: float) -> None:
        with self._lock:
            self._kept.numbers[metric.name, labels] = self._kept.numbers.get((metric.name, labels), 0.0) + amount

    def _set(self, metric: Metric, labels: tuple[str, ...], value: float) -> None:
        with self._lock:
            self._kept.numbers[metric.name, labels] = value

    def _observe(self, metric: Metric, labels: tuple[str, ...], value: float) -> None:
        fresh = _Spread([0] * (len(metric.buckets) + 1))
        with self._lock:
            spread = self._kept.spreads.setdefault((metric.name, labels), fresh)
            spread.counts[bisect_left(metric.buckets, value)] += 1  # bounds are inclusive
            spread.total += value

    def _lines(self, metric: Metric) -> Iterator[str]:
        yield f"# HELP {metric.name} {metric.about}"
        yield f"# TYPE {metric.name} {metric.kind}"
        for (name, labels), number in self._kept.numbers.items():
            if name == metric.name:
                yield f"{name}{_shown(metric.labels, labels)} {number!r}"
        for (name, labels), spread in self._kept.spreads.items():
            if name == metric.name:
                yield from _spread_lines(metric, labels, spread)


def _spread_lines(metric: Metric, labels: tuple[str, ...], spread: _Spread) -> Iterator[str]:
    below = 0
    for bound, count in zip((*map(str, metric.buckets), "+Inf"), spread.counts, strict=True):
        below += count
        yield f"{metric.name}_bucket{_shown((*metric.labels, 'le'), (*labels, bound))} {below}"
    yield f"{metric.name}_count{_shown(metric.labels, labels)} {below}"
    yield f"{metric.name}_sum{_shown(metric.labels, labels)} {spread.total!r}"


def _shown(names: tuple[str, ...], values: tuple[str, ...]) -> str:
    pairs = ",".join(f'{name}="{_escaped(value)}"' for name, value in zip(names, values, strict=True))
    return f"{{{pairs}}}" if pairs else ""


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
