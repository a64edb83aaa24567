"""Why a vendor gave no answer: what its status says, and what only this vendor's words say."""

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
_READ: Final = 8_192
_TOO_MANY: Final = 429
_QUOTED: Final = 24
"""So many characters in a row that also stand in the prompt are taken for a quotation."""
_SECRETS: Final = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
_WORDS: Final[Mapping[bytes, FailureReason]] = {
    b"API_KEY_INVALID": "auth",
    b"credit balance is too low": "auth",
    b"exceeded your current quota": "auth",
    b"ModelErrorException": "overloaded",
}
"""What some vendors say under a status that means something else: a wrong key is a bad request to one of them."""
_RETRY_DELAY: Final = re.compile(rb'"retryDelay":\s*"(\d{1,6}(?:\.\d{1,9})?)s"')


def refusal(context: WireContext, request: WireRequest, reply: Reply) -> WireFailed:
    """What a status other than 200 says. Of the vendor's words nothing is told that repeats a key or the prompt."""
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
        failed.reason, failed.retry_after_s = "rate_limited", wait  # whatever it says of quotas: waiting helps
    else:
        failed.reason = _worded(reply) or failed.reason
    if quotes(str(failed), request):
        failed.args = (f"HTTP {reply.status}",)
    return failed


def _worded(reply: Reply) -> FailureReason | None:
    told = reply.body[:_READ] + reply.headers.get("x-amzn-errortype", "").encode()
    return next((reason for words, reason in _WORDS.items() if words in told), None)


def _wait(reply: Reply) -> float | None:
    """How long to stay away; one vendor says it in the body."""
    delay = _RETRY_DELAY.search(reply.body[:_READ])
    return retry_after(reply.headers) if delay is None else float(delay[1])


def request_id(reply: Reply) -> str | None:
    """What the vendor calls this call."""
    return next((reply.headers[name][:_LONGEST_ID] for name in _REQUEST_IDS if reply.headers.get(name)), None)


def structured(request: WireRequest) -> bool:
    """Whether the question carries a schema that the vendor is to enforce."""
    return request.output is not None and request.mode == "json_schema"


def quotes(said: str, request: WireRequest) -> bool:
    """Whether words repeat some of the prompt, or a secret of the environment that requests are signed with."""
    secrets = [os.environ.get(name) for name in _SECRETS]
    whole = [message.content for message in request.messages]
    if any(each and each in said for each in (*secrets, *whole)):
        return True
    prompt = "\n".join(whole)
    return any(said[start : start + _QUOTED] in prompt for start in range(len(said) - _QUOTED + 1))
