"""The contract suite of port ``Metrics``: subclass it and override the fixture ``open_metrics``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import pytest
from prometheus_client import Metric as Family
from prometheus_client.parser import text_string_to_metric_families

from mendel.ports.metrics import CATALOGUE, OTHER, Metric, Metrics, Vocabulary

COUNTED = Metric("peas_total", "counter", "Peas counted.", ("colour", "plant"))
LEVEL = Metric("water_level", "gauge", "Water in the butt.", ("plant",))
BARE = Metric("visits_total", "counter", "Visits to the garden.")
HEIGHTS = Metric("plant_height_metres", "histogram", "Heights of plants.", ("colour",), (0.5, 1.0, 2.0))
GARDEN = (COUNTED, LEVEL, BARE, HEIGHTS)
ODD = 'quote " backslash \\ line\nbreak \N{SEEDLING}'  # characters that the text format must escape
KNOWN: Vocabulary = {"colour": ("green", "yellow", ODD), "plant": [f"plant {number}" for number in range(20)]}


class OpenMetrics(Protocol):
    """Opens a new, empty instance at every call."""

    def __call__(self, configured: Vocabulary, catalogue: tuple[Metric, ...] = CATALOGUE) -> Metrics:
        """Open one with the values of the configured labels, and a catalogue."""
        ...


class MetricsContract:
    """What every implementation of metrics must do."""

    @pytest.fixture
    def open_metrics(self) -> OpenMetrics:
        raise NotImplementedError("override this fixture with a callable that opens the metrics under test")

    @pytest.fixture
    def metrics(self, open_metrics: OpenMetrics) -> Metrics:
        return open_metrics(KNOWN, GARDEN)

    def test_a_counter_adds_up_by_labels(self, metrics: Metrics) -> None:
        for amount in (1.0, 2.5):
            metrics.add("peas_total", amount, colour="green", plant="plant 1")
        metrics.add("peas_total", colour="green", plant="plant 2")
        metrics.add("peas_total", 0, colour="yellow", plant="plant 1")
        assert samples(metrics, "peas_total") == {
            ("peas_total", ("green", "plant 1")): 3.5,
            ("peas_total", ("green", "plant 2")): 1.0,
            ("peas_total", ("yellow", "plant 1")): 0.0,
        }

    def test_a_gauge_is_what_it_was_set_to_last(self, metrics: Metrics) -> None:
        for value in (3.0, -1.5):
            metrics.set("water_level", value, plant="plant 1")
        assert samples(metrics, "water_level") == {("water_level", ("plant 1",)): -1.5}

    def test_a_histogram_counts_up_to_each_bound_and_sums(self, metrics: Metrics) -> None:
        for value in (0.5, 0.75, 1.0, 7.0):
            metrics.observe("plant_height_metres", value, colour="green")
        assert samples(metrics, "plant_height_metres") == {
            ("plant_height_metres_bucket", ("green", "0.5")): 1.0,
            ("plant_height_metres_bucket", ("green", "1.0")): 3.0,
            ("plant_height_metres_bucket", ("green", "2.0")): 3.0,
            ("plant_height_metres_bucket", ("green", "+Inf")): 4.0,
            ("plant_height_metres_count", ("green",)): 4.0,
            ("plant_height_metres_sum", ("green",)): 9.25,
        }

    def test_a_metric_may_have_no_label(self, metrics: Metrics) -> None:
        metrics.add("visits_total")
        assert samples(metrics, "visits_total") == {("visits_total", ()): 1.0}

    def test_the_text_says_what_each_metric_is(self, metrics: Metrics) -> None:
        metrics.add("peas_total", colour="green", plant="plant 1")
        told = {family.name: (family.type, family.documentation) for family in _families(metrics)}
        assert told["peas"] == ("counter", "Peas counted.")
        assert told["water_level"] == ("gauge", "Water in the butt.")
        assert told["plant_height_metres"] == ("histogram", "Heights of plants.")
        assert f"# TYPE {COUNTED.name} counter\n" in metrics.text()

    def test_only_the_catalogue_is_told(self, metrics: Metrics) -> None:
        metrics.add("peas_total", colour="green", plant="plant 1")
        metrics.observe("plant_height_metres", 1.0, colour="green")
        assert {family.name for family in _families(metrics)} == {
            metric.name.removesuffix("_total") for metric in GARDEN
        }

    def test_a_value_comes_back_as_it_was_configured(self, metrics: Metrics) -> None:
        metrics.add("peas_total", colour=ODD, plant=OTHER)
        assert samples(metrics, "peas_total") == {("peas_total", (ODD, OTHER)): 1.0}

    @pytest.mark.parametrize("labels", [{}, {"colour": "green"}, {"colour": "green", "plant": "plant 1", "x": "y"}])
    def test_missing_and_further_labels_are_refused(self, metrics: Metrics, labels: Mapping[str, str]) -> None:
        _refused(metrics, lambda: metrics.add("peas_total", **labels))

    @pytest.mark.parametrize("colour", ["", "GREEN", "green ", "x" * 100_000, "sk-0123456789abcdef0123"])
    def test_a_value_that_nobody_configured_is_refused_and_not_repeated(self, metrics: Metrics, colour: str) -> None:
        error = _refused(metrics, lambda: metrics.add("peas_total", colour=colour, plant="plant 1"))
        # A short value may be part of the message by chance.
        assert len(colour) < 8 or colour not in str(error)
        assert metrics.value_or_other("colour", colour) == OTHER

    def test_a_name_outside_the_catalogue_is_refused(self, metrics: Metrics) -> None:
        _refused(metrics, lambda: metrics.add("beans_total", plant="plant 1"))

    def test_a_metric_is_used_as_what_it_is(self, metrics: Metrics) -> None:
        _refused(metrics, lambda: metrics.add("water_level", plant="plant 1"))
        _refused(metrics, lambda: metrics.set("plant_height_metres", 1.0, colour="green"))
        _refused(metrics, lambda: metrics.observe("peas_total", 1.0, colour="green", plant="plant 1"))

    @pytest.mark.parametrize("amount", [-1.0, float("nan"), float("inf")])
    def test_a_counter_never_goes_down_nor_out_of_bounds(self, metrics: Metrics, amount: float) -> None:
        _refused(metrics, lambda: metrics.add("visits_total", amount))

    @pytest.mark.parametrize("value", [float("nan"), float("-inf")])
    def test_what_is_no_number_is_refused(self, metrics: Metrics, value: float) -> None:
        _refused(metrics, lambda: metrics.set("water_level", value, plant="plant 1"))
        _refused(metrics, lambda: metrics.observe("plant_height_metres", value, colour="green"))

    def test_more_values_than_a_configuration_has_are_refused(self, open_metrics: OpenMetrics) -> None:
        with pytest.raises(ValueError, match="at most"):
            open_metrics({"colour": [str(number) for number in range(10_000)]}, GARDEN)

    def test_nobody_configures_a_closed_label(self, open_metrics: OpenMetrics) -> None:
        with pytest.raises(ValueError, match="role"):
            open_metrics({"role": ["anybody"]})

    def test_two_of_them_share_nothing(self, metrics: Metrics, open_metrics: OpenMetrics) -> None:
        other = open_metrics(KNOWN, GARDEN)
        metrics.add("peas_total", colour="green", plant="plant 1")
        assert samples(other, "peas_total") == {}

    def test_several_threads_lose_no_count(self, metrics: Metrics) -> None:
        def count(number: int) -> str:
            for _ in range(500):
                metrics.add("peas_total", colour="green", plant=f"plant {number % 2}")
                metrics.observe("plant_height_metres", 1.0, colour="green")
            return metrics.text()

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(count, range(8)))
        assert sum(samples(metrics, "peas_total").values()) == 4_000
        assert samples(metrics, "plant_height_metres")["plant_height_metres_count", ("green",)] == 4_000

    def test_the_catalogue_of_mendel_can_be_kept(self, open_metrics: OpenMetrics) -> None:
        metrics = open_metrics({"provider": ["openai"], "backend": ["openai"]})
        metrics.add("llm_tokens_total", 17, backend="openai")
        assert samples(metrics, "llm_tokens_total") == {("llm_tokens_total", ("openai",)): 17.0}
        told = {family.name for family in _families(metrics)}
        assert told == {metric.name.removesuffix("_total") for metric in CATALOGUE}


def samples(metrics: Metrics, name: str) -> dict[tuple[str, tuple[str, ...]], float]:
    """Return the samples of one metric in the text, by sample name and the values of its labels, ``le`` last."""
    found = (family for family in _families(metrics) if family.name == name.removesuffix("_total"))
    return {
        (
            sample.name,
            tuple(sample.labels[key] for key in sorted(sample.labels, key=lambda key: (key == "le", key))),
        ): sample.value
        for family in found
        for sample in family.samples
    }


def _families(metrics: Metrics) -> list[Family]:
    return list(text_string_to_metric_families(metrics.text()))


def _refused(metrics: Metrics, use: Callable[[], None]) -> ValueError:
    """Check that the call is refused and counts nothing, and return the error."""
    before = metrics.text()
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the port chooses the message
        use()
    assert metrics.text() == before
    return caught.value
