"""The current time, in one form for all of Mendel."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> datetime:
    """Return the current time in UTC, as an aware datetime."""
    return datetime.now(UTC)
