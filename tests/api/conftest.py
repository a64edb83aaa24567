"""What tests of real servers share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.plugins import installed_plugins


@pytest.fixture(scope="module")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The domains that are made for tests, for this process and every server that it starts."""
    with installed_plugins(tmp_path_factory.mktemp("site")) as site:
        yield site
