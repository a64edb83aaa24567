"""Maps a vendor's error reply to a failure reason: by its status, and by texts specific to the vendor."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Final

from mendel.adapters.models.http_failures import failure_of_status, retry_after
from mendel.adapters.models.vendor_http import Reply
from mendel.contracts.model_calls import FailureReason
from mendel.ports.model_wire import WireContext, WireFailed, WireRequest

_REQUEST_IDS: Final = ("request-id", "x-request-id", "x-amzn-requestid", "mistral-correlation-id", "x-debug-trace-id")
_LONGEST_ID: Final = 200
_READ: Final = 8_192  # bytes of a body that are searched
_TOO_MANY: Final = 429
_QUOTED: Final = 24
"""A run of this many characters that also occurs in the prompt counts as a quotation."""
_SECRETS: Final = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
_WORDS: Final[Mapping[bytes, FailureReason]] = {
    b"API_KEY_INVALID": "auth",
    b"credit balance is too low": "auth",
    b"exceeded your current quota": "auth",
    b"ModelErrorException": "overloaded",
}
"""Texts of vendors that override the status: one vendor, for example, reports a wrong key as a bad request."""
_RETRY_DELAY: Final = re.compile(rb'"retryDelay":\s*"(\d{1,6}(?:\.\d{1,9})?)s"')


def refusal(context: WireContext, request: WireRequest, reply: Reply) -> WireFailed:
    """Describe a status other than 200; the vendor's text is dropped if it repeats a key or the prompt."""
    failed = failure_of_status(
        reply.status,
        reply.headers,
        reply.body,
        hidden=context.api_key,
        request_id=request_id(reply),
        structured=structured(request),
    )
    wait = _wait(reply)
    if reply.status == _TOO_MANY and wait is not None:
        failed.reason, failed.retry_after_s = "rate_limited", wait  # even if the text mentions quotas: waiting helps
    else:
        failed.reason = _worded(reply) or failed.reason
    if quotes(str(failed), request):
        failed.args = (f"HTTP {reply.status}",)
    return failed


def _worded(reply: Reply) -> FailureReason | None:
    told = reply.body[:_READ] + reply.headers.get("x-amzn-errortype", "").encode()
    return next((reason for words, reason in _WORDS.items() if words in told), None)


def _wait(reply: Reply) -> float | None:
    """Return the seconds to wait before a retry; one vendor sends them in the body."""
    delay = _RETRY_DELAY.search(reply.body[:_READ])
    return retry_after(reply.headers) if delay is None else float(delay[1])


def request_id(reply: Reply) -> str | None:
    """Return the vendor's id of this call."""
    return next((reply.headers[name][:_LONGEST_ID] for name in _REQUEST_IDS if reply.headers.get(name)), None)


def structured(request: WireRequest) -> bool:
    """Whether the request contains a schema that the vendor must enforce."""
    return request.output is not None and request.mode == "json_schema"


def quotes(said: str, request: WireRequest) -> bool:
    """Whether a text repeats part of the prompt, or an environment secret that signs requests."""
    secrets = [os.environ.get(name) for name in _SECRETS]
    whole = [message.content for message in request.messages]
    if any(each and each in said for each in (*secrets, *whole)):
        return True
    prompt = "\n".join(whole)
    return any(said[start : start + _QUOTED] in prompt for start in range(len(said) - _QUOTED + 1))
