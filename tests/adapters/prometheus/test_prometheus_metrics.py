import subprocess
import sys

import prometheus_client
import pytest

from mendel.adapters.prometheus.metrics import PrometheusMetrics
from mendel.conformance.metrics import MetricsContract


class TestPrometheusMetrics(MetricsContract):
    @pytest.fixture
    def open_metrics(self):
        return PrometheusMetrics


def test_the_registry_of_the_process_is_left_alone():
    before = prometheus_client.generate_latest()
    PrometheusMetrics({"backend": ["openai"]}).add("llm_tokens_total", 3, backend="openai")
    assert b"llm_tokens" not in prometheus_client.generate_latest()
    assert b"llm_tokens" not in before


def test_nothing_of_the_process_is_told():
    text = PrometheusMetrics().text()
    assert "python_info" not in text
    assert "process_" not in text


def test_the_port_needs_no_prometheus():
    code = "import sys, mendel.ports.metrics; sys.exit(any('prometheus' in name for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
