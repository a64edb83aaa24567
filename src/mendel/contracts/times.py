"""The one spelling of now."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> datetime:
    """The present, aware of its zone."""
    return datetime.now(UTC)
