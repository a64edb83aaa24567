"""What tests of every room share."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def skip_or_fail(reason: str) -> NoReturn:
    """Skip for want of a part of the system; fail where MENDEL_TEST_STRICT=1 says that every part is here."""
    if os.environ.get("MENDEL_TEST_STRICT") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def by_profile(short: int, long: int) -> int:
    """How many of something are tried: ``long`` under MENDEL_TEST_PROFILE=long, that of `make thorough`."""
    return long if os.environ.get("MENDEL_TEST_PROFILE") == "long" else short
