"""Kernel tests go through the door that everybody uses: an installed distribution with entry points."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.plugins import installed_plugins


@pytest.fixture(scope="module", autouse=True)
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with installed_plugins(tmp_path_factory.mktemp("site")) as folder:
        yield folder
