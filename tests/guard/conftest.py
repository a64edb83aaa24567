"""One native sandbox for all tests of a process; it is closed while threads can still be started."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.guard.making import native


@pytest.fixture(scope="session", autouse=True)
def closed_in_the_end() -> Iterator[None]:
    yield
    if native.cache_info().currsize:
        native().close()
