"""Maps a provider's HTTP status to a failure reason, and decides whether to retry."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Final

import orjson

from mendel.contracts.model_calls import FailureReason
from mendel.contracts.scrub import REDACTED
from mendel.ports.model_wire import WireFailed

_LONGEST: Final = 300  # characters of an error message that are kept
_REASONS: Final[Mapping[int, FailureReason]] = {
    401: "auth",
    402: "auth",
    403: "auth",
    408: "timeout",
    429: "rate_limited",
}
_SCHEMA_WORDS: Final = ("response_format", "json_schema", "schema", "structured")  # in the message of a refused schema
_USED_UP: Final = ("insufficient_quota", "billing", "credit balance")  # in the message of an exhausted account
_TOO_MANY: Final = 429
_SERVER: Final = 500
_TURNED_AWAY: Final = frozenset({503, 529})
"""Server errors that mean the request was not processed; after any other one it may have been processed and billed."""
_BAD_REQUEST: Final = 400


def failure_of_status(
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    *,
    hidden: str | None = None,
    request_id: str | None = None,
    structured: bool = False,
) -> WireFailed:
    """Describe a status other than 200. ``hidden`` never appears in the message, even if the provider repeats it.

    ``structured``: the request contained a schema, which some providers refuse.
    """
    said = _said(body, hidden)
    wait = retry_after(headers)
    reason = _reason(status, said, structured=structured)
    if reason == "auth" and status == _TOO_MANY and wait is not None:
        reason = "rate_limited"  # a time to retry means a rate limit, even if the text mentions billing
    message = f"HTTP {status}: {said}" if said else f"HTTP {status}"
    return WireFailed(
        reason,
        message,
        retry_after_s=wait if reason in ("rate_limited", "overloaded") else None,
        unsent=status < _SERVER or status in _TURNED_AWAY,
        request_id=request_id,
    )


def _reason(status: int, said: str, *, structured: bool) -> FailureReason:
    lower = said.lower()
    if status == _TOO_MANY and any(word in lower for word in _USED_UP):
        return "auth"
    if status in _REASONS:
        return _REASONS[status]
    if status >= _SERVER:
        return "overloaded"
    refused = structured and status == _BAD_REQUEST and any(word in lower for word in _SCHEMA_WORDS)
    return "schema_refused" if refused else "bad_request"


def _said(body: bytes, hidden: str | None) -> str:
    """Return the provider's own error text as one bounded line."""
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        return ""
    error = found.get("error", found) if isinstance(found, dict) else {}
    words = [error.get("code"), error.get("message")] if isinstance(error, dict) else [error]
    said = " ".join(" ".join(each.split()) for each in words if isinstance(each, str))
    clean = said.replace(hidden, REDACTED) if hidden else said
    return "".join(c for c in clean if c.isprintable())[:_LONGEST]


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait before a retry according to the provider; None if missing or invalid."""
    millis = _seconds(headers.get("retry-after-ms"))
    if millis is not None:
        return millis / 1_000
    value = headers.get("retry-after")
    seconds = _seconds(value)
    return seconds if seconds is not None else _until(value)


def _seconds(value: str | None) -> float | None:
    try:
        seconds = float(value) if value is not None else -1.0
    except ValueError:
        return None
    return seconds if isfinite(seconds) and seconds >= 0.0 else None


def _until(value: str | None) -> float | None:
    try:
        moment = parsedate_to_datetime(value) if value is not None else None
    except ValueError:
        return None
    if moment is None:
        return None
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())


def told(value: object) -> str | None:
    """Return a provider's text, at most 200 characters of it; None if it is empty or not a text."""
    return value[:200] if isinstance(value, str) and value else None
