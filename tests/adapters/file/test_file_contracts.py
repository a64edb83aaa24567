from functools import partial

import pytest

from mendel.adapters.file.blobs import FileBlobs
from mendel.adapters.file.checkpoints import FileCheckpoints
from mendel.adapters.file.event_log import FileEventLog
from mendel.conformance.blobs import BlobsContract
from mendel.conformance.checkpoints import CheckpointsContract
from mendel.conformance.event_log import EventLogContract


class TestFileEventLog(EventLogContract):
    @pytest.fixture
    def open_log(self, tmp_path):
        return partial(FileEventLog, tmp_path / "runs")

    @pytest.fixture
    def open_other_log(self, tmp_path):
        return partial(FileEventLog, tmp_path / "elsewhere")


class TestFileBlobs(BlobsContract):
    @pytest.fixture
    def open_blobs(self, tmp_path):
        return partial(FileBlobs, tmp_path / "blobs")


class TestFileCheckpoints(CheckpointsContract):
    @pytest.fixture
    def open_checkpoints(self, tmp_path):
        return partial(FileCheckpoints, tmp_path / "checkpoints")
