"""Bedrock's client: boto signs a request and we send it. boto itself opens no connection."""

from __future__ import annotations

import asyncio
import io
import logging
import os
from collections.abc import Iterator
from typing import Any, Final

import boto3  # type: ignore[import-untyped,unused-ignore] # it has no types
import httpx2
from botocore.awsrequest import AWSPreparedRequest, AWSResponse  # type: ignore[import-untyped,unused-ignore] # as boto3
from botocore.config import Config  # type: ignore[import-untyped,unused-ignore] # as boto3
from botocore.session import Session  # type: ignore[import-untyped,unused-ignore] # as boto3
from botocore.tokens import FrozenAuthToken  # type: ignore[import-untyped,unused-ignore] # as boto3

from mendel.adapters.models.vendor_http import OneCall, current_exchange
from mendel.ports.model_wire import WireContext

_TELLING: Final = ("botocore.auth", "botocore.endpoint")
"""boto's loggers that would write signed headers, including tokens, at debug level (rule 4)."""


def bedrock_client(context: WireContext, calls: OneCall, region: str) -> Any:  # noqa: ANN401 - boto has no types
    """Make a client that sends every request through ``calls``, with the key or the environment's access keys."""
    for name in _TELLING:
        logging.getLogger(name).setLevel(logging.INFO)
    options: dict[str, Any] = {"retries": {"total_max_attempts": 1, "mode": "standard"}}  # no hidden retries
    if context.api_key is not None:
        session = boto3.Session(botocore_session=_KeySession(context.api_key), region_name=region)
        options["signature_version"] = "bearer"
    else:
        session = boto3.Session(
            aws_access_key_id=os.environ.get("AWS_ACCESS_KEY_ID"),
            aws_secret_access_key=os.environ.get("AWS_SECRET_ACCESS_KEY"),
            aws_session_token=os.environ.get("AWS_SESSION_TOKEN"),
            region_name=region,
        )
    client = session.client("bedrock-runtime", config=Config(**options), endpoint_url=context.base_url)
    client.meta.events.register("before-send.bedrock-runtime", _Sending(calls))
    return client


class _KeySession(Session):  # type: ignore[misc,unused-ignore] # its base has no types
    """A session with exactly one key, which searches for no other credentials."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self._key = key

    def get_auth_token(self, **_options: object) -> FrozenAuthToken:
        return FrozenAuthToken(self._key)

    def get_credentials(self) -> None:
        return None


class _Sending:
    """boto's hook before a request is sent: boto takes its return value as the answer, and sends nothing itself."""

    def __init__(self, calls: OneCall) -> None:
        self._calls = calls

    def __call__(self, request: AWSPreparedRequest, **_event: object) -> AWSResponse:
        """Send the request in the event loop of its caller and wait; boto calls this in a thread."""
        asked = current_exchange()
        ours = httpx2.Request(request.method, request.url, headers=_plain(request.headers), content=request.body)
        asked.waiting = asyncio.run_coroutine_threadsafe(self._calls.send(ours, asked), asked.loop)
        reply = asked.waiting.result()
        return AWSResponse(request.url, reply.status, dict(reply.headers), _Body(reply.body))


def _plain(headers: Any) -> dict[str, str]:  # noqa: ANN401 - boto has no types
    return {name: value.decode() if isinstance(value, bytes) else str(value) for name, value in headers.items()}


class _Body(io.BytesIO):
    """A body that was already read, in the form that boto expects."""

    def stream(self, **_options: object) -> Iterator[bytes]:
        yield self.getvalue()
