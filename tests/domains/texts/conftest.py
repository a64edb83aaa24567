"""One native sandbox that grants commands, for all tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.domains.texts.making import WithCommands
from tests.support import skip_or_fail

from mendel.contracts.errors import SandboxUnavailable


@pytest.fixture(scope="module")
def native() -> Iterator[WithCommands]:
    try:
        place = WithCommands()
    except SandboxUnavailable as error:
        skip_or_fail(str(error))
    yield place
    place.close()


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Commands name files by their paths from here."""
    monkeypatch.chdir(tmp_path)
