"""Components of an observatory server other than the log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mendel.adapters.memory.read_models import MemoryReadModels
from mendel.ports.metrics import Metric, Metrics, Vocabulary
from mendel.ports.registration import find_wording
from mendel.settings import Settings
from mendel.wiring.secrets import scrubber

if TYPE_CHECKING:  # at run time within functions, as only a server needs them
    from mendel.api.opened_files import OpenedFiles, Shelf


def memory_shelf() -> Shelf:
    """Return a log and read models in memory, for a run that a user opens from a file."""
    from mendel.adapters.memory.event_log import MemoryEventLog
    from mendel.api.opened_files import Shelf

    return Shelf(MemoryEventLog(), MemoryReadModels())


def open_files(settings: Settings) -> OpenedFiles:
    """Return the store of opened files; a file with a secret of this process is refused."""
    from mendel.api.opened_files import OpenedFiles

    return OpenedFiles(memory_shelf, scrubber(settings), find_wording())


def open_metrics(configured: Vocabulary, catalogue: Iterable[Metric]) -> Metrics:
    """Return the metrics of a server."""
    from mendel.adapters.prometheus.metrics import PrometheusMetrics

    return PrometheusMetrics(configured, catalogue)
