from functools import partial

import pytest

from mendel.adapters.memory.blobs import MemoryBlobs
from mendel.adapters.memory.checkpoints import MemoryCheckpoints
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.adapters.memory.read_models import MemoryReadModels
from mendel.conformance.blobs import BlobsContract
from mendel.conformance.checkpoints import CheckpointsContract
from mendel.conformance.event_log import EventLogContract
from mendel.conformance.read_models import ReadModelsContract


class TestMemoryEventLog(EventLogContract):
    @pytest.fixture
    def open_log(self):
        """Memory has no second door: every handle on the store is the store itself."""
        logs = []

        def open_log(**options):
            if not logs or "clock" in options:
                logs.append(MemoryEventLog(**options))
            return logs[-1]

        return open_log

    @pytest.fixture
    def open_other_log(self):
        return MemoryEventLog


class TestMemoryBlobs(BlobsContract):
    @pytest.fixture
    def open_blobs(self):
        blobs = []

        def open_blobs(scrubber):
            if not blobs:
                blobs.append(MemoryBlobs(scrubber))
            return blobs[0]

        return open_blobs


class TestMemoryCheckpoints(CheckpointsContract):
    @pytest.fixture
    def open_checkpoints(self):
        return partial(lambda kept: kept, MemoryCheckpoints())


class TestMemoryReadModels(ReadModelsContract):
    @pytest.fixture
    def open_models(self):
        models = MemoryReadModels()

        async def open_models():
            return models

        return open_models
