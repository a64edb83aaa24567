"""One native sandbox for all tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.guard.making import Native
from tests.support import skip_or_fail

from mendel.contracts.errors import SandboxUnavailable


@pytest.fixture(scope="module")
def native() -> Iterator[Native]:
    try:
        place = Native()
    except SandboxUnavailable as error:
        skip_or_fail(str(error))
    yield place
    place.close()
