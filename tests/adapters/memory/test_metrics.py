import pytest
from tests.support.rows import check_rows

from mendel.adapters.memory.metrics import MemoryMetrics
from mendel.conformance.metrics import GARDEN, KNOWN, MetricsContract


class TestMemoryMetrics(MetricsContract):
    @pytest.fixture
    def open_metrics(self):
        return MemoryMetrics


def test_a_number_can_be_read_back():
    metrics = MemoryMetrics(KNOWN, GARDEN)
    metrics.add("peas_total", 2, colour="green", plant="plant 1")
    metrics.set("water_level", 0.5, plant="plant 1")
    assert metrics.value("peas_total", colour="green", plant="plant 1") == 2
    assert metrics.value("peas_total", colour="yellow", plant="plant 1") == 0
    assert metrics.value("water_level", plant="plant 1") == 0.5


@check_rows(("name", "labels"), [("beans_total", {}), ("peas_total", {}), ("water_level", {"plant": "x"})])
def test_what_cannot_be_counted_cannot_be_read(name, labels):
    with pytest.raises(ValueError, match=name):
        MemoryMetrics(KNOWN, GARDEN).value(name, **labels)
