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
