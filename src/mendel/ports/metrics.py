"""Port ``Metrics``: counters, gauges and histograms of a closed catalogue, and the observer that counts model calls.

The values of a label are known in advance, from a closed vocabulary or from configuration. So the number of series is
bounded, and no answer of a model or provider can create one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from types import MappingProxyType
from typing import Final, Literal, get_args

from mendel.contracts.model_calls import AttemptRecord, FailureReason, Verdict
from mendel.contracts.providers import ModelRole, ModelRoute
from mendel.ports.observing import CallObserver, Trace

Kind = Literal["counter", "gauge", "histogram"]
Vocabulary = Mapping[str, Collection[str]]
"""The permitted values of each label."""

TEXT_FORMAT: Final = "text/plain; version=0.0.4; charset=utf-8"
"""The media type of :meth:`Metrics.text`."""
OTHER: Final = "other"
"""The value for everything that configuration does not name; every configured label has it."""
MAX_VALUES: Final = 1_000
"""Upper limit of a label's values; more cannot come from a configuration."""
UNJUDGED: Final = "answered"
"""The outcome of a call with an answer that is not validated: an embedding."""
UNMADE: Final[frozenset[FailureReason]] = frozenset({"over_allowance", "not_configured", "not_recorded"})
"""Failures before any call was made: they took no time and are no retries."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A definition: the exposed name, the meaning, the labels, and the upper bounds of a histogram."""

    name: str
    kind: Kind
    about: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()


CATALOGUE: Final = (
    Metric("llm_tokens_total", "counter", "Prompt and completion tokens billed.", ("backend",)),
    Metric(
        "llm_retries_total", "counter", "Calls that repeat one that failed; a repair is none.", ("provider", "role")
    ),
    Metric("llm_calls_total", "counter", "Calls to models by outcome.", ("provider", "role", "outcome")),
    Metric("llm_cost_usd_total", "counter", "US dollars spent on models.", ("provider",)),
    Metric(
        "llm_call_seconds",
        "histogram",
        "Seconds from the question to the answer or the failure.",
        ("provider", "role"),
        (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0),
    ),
)
"""All metrics, under the bare names of seed 000."""

CLOSED: Final[Vocabulary] = MappingProxyType(
    {
        "role": frozenset(get_args(ModelRole)),
        "outcome": frozenset({*get_args(Verdict), *get_args(FailureReason), UNJUDGED}),
    }
)
"""Labels with values that Mendel itself fixes; configuration fixes all others."""

NOTHING: Final[Vocabulary] = MappingProxyType({})


class Metrics(ABC):
    """Counts events for a reader that collects the numbers.

    ``configured`` contains the values of the labels that configuration fixes: the names of providers and backends.

    Obligations of an implementation:

    - ``_add``, ``_set``, ``_observe`` and ``text`` may be called concurrently from several threads, return at once, and
      lose no count.
    - It keeps only numbers, under the given names and labels, and contacts no other service.
    - Two instances share nothing, even with equal arguments.

    ``add``, ``set`` and ``observe`` are the only entry points, so everything counted is in the catalogue.

    Raises:
        ValueError: a label has more values than a configuration can contain, or two metrics have one name.
    """

    def __init__(self, configured: Vocabulary = NOTHING, catalogue: Iterable[Metric] = CATALOGUE) -> None:
        metrics = tuple(catalogue)
        self._catalogue: Final = {metric.name: metric for metric in metrics}
        if len(self._catalogue) < len(metrics):
            raise ValueError("two metrics have one name")
        # Without configuration, such a label has the one value ``other``.
        open_labels = {label for metric in metrics for label in metric.labels} - CLOSED.keys()
        bounded = {label: _bounded(label, values) for label, values in configured.items()}
        self._values: Final[Vocabulary] = {**dict.fromkeys(open_labels, frozenset({OTHER})), **bounded, **CLOSED}

    def add(self, name: str, amount: float = 1.0, /, **labels: str) -> None:
        """Add ``amount`` to a counter.

        Raises:
            ValueError: there is no such counter, a label or its value is unknown, or the counter would go down.
        """
        metric = self._known(name, "counter")
        if not (isfinite(amount) and amount >= 0):
            raise ValueError(f"{name} only goes up; {amount} cannot be added")
        self._add(metric, self._labelled(metric, labels), amount)

    def set(self, name: str, value: float, /, **labels: str) -> None:
        """Set a gauge to ``value``.

        Raises:
            ValueError: there is no such gauge, a label or its value is unknown, or the value is not a finite number.
        """
        metric = self._known(name, "gauge")
        self._set(metric, self._labelled(metric, labels), _number(name, value))

    def observe(self, name: str, value: float, /, **labels: str) -> None:
        """Add one observation of ``value`` to a histogram.

        Raises:
            ValueError: there is no such histogram, a label or its value is unknown, or the value is not a finite
                number.
        """
        metric = self._known(name, "histogram")
        self._observe(metric, self._labelled(metric, labels), _number(name, value))

    def value_or_other(self, label: str, value: str) -> str:
        """Return ``value`` if the configured ``label`` may have it, else :data:`OTHER`."""
        return value if value in self._values[label] else OTHER

    @abstractmethod
    def text(self) -> str:
        """Return everything counted so far, in Prometheus's text format."""

    @abstractmethod
    def _add(self, metric: Metric, labels: tuple[str, ...], amount: float) -> None:
        """Add to a counter. ``labels`` are values in the order of the metric's labels, here and below."""

    @abstractmethod
    def _set(self, metric: Metric, labels: tuple[str, ...], value: float) -> None:
        """Set a gauge."""

    @abstractmethod
    def _observe(self, metric: Metric, labels: tuple[str, ...], value: float) -> None:
        """Add to a histogram."""

    def _known(self, name: str, kind: Kind) -> Metric:
        metric = self._catalogue.get(name)
        if metric is None or metric.kind != kind:
            raise ValueError(f"the catalogue has no {kind} {name}")
        return metric

    def _labelled(self, metric: Metric, labels: Mapping[str, str]) -> tuple[str, ...]:
        if labels.keys() != set(metric.labels):
            raise ValueError(f"{metric.name} has the labels {metric.labels}, not {tuple(labels)}")
        for label in metric.labels:
            if labels[label] not in self._values[label]:
                # The value itself is not quoted: it may come from a model or contain a key.
                raise ValueError(f"{metric.name}: configuration does not name this value of {label}")
        return tuple(labels[label] for label in metric.labels)


def _bounded(label: str, values: Collection[str]) -> frozenset[str]:
    if label in CLOSED:
        raise ValueError(f"the values of {label} cannot be configured")
    if len(values) > MAX_VALUES:
        raise ValueError(f"{label} has {len(values)} values; at most {MAX_VALUES} are allowed")
    return frozenset({*values, OTHER})


def _number(name: str, value: float) -> float:
    if not isfinite(value):
        raise ValueError(f"{name} must be a finite number, not {value}")
    return value


class MeteredCalls(CallObserver):
    """Counts every call to a model: number, outcome and cost.

    A record's provider comes from configuration, but its model name comes from an answer and is ignored. A provider
    that is not configured counts as :data:`OTHER`.
    """

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def began(self, role: ModelRole, route: ModelRoute, after: Trace | None = None) -> Trace:  # noqa: ARG002 - counted when it has ended
        """Count nothing yet."""
        return Trace()

    def ended(self, trace: Trace, record: AttemptRecord) -> None:  # noqa: ARG002 - no trace is kept
        """Count the call."""
        metrics, role, used = self._metrics, record.role, record.provider
        provider = metrics.value_or_other("provider", used.provider)
        backend = metrics.value_or_other("backend", used.provider)
        outcome = record.failure or record.validation or UNJUDGED
        metrics.add("llm_calls_total", provider=provider, role=role, outcome=outcome)
        if record.failure in UNMADE:
            return
        metrics.add("llm_tokens_total", used.tokens_in + used.tokens_out, backend=backend)
        metrics.add("llm_cost_usd_total", (used.cost_microusd or 0) / 1_000_000, provider=provider)
        if used.latency_ms is not None:
            metrics.observe("llm_call_seconds", used.latency_ms / 1_000, provider=provider, role=role)
        if record.retry:
            metrics.add("llm_retries_total", provider=provider, role=role)
