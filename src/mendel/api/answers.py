"""Common answers: JSON with an ETag that depends on the run's last event, and 304 if nothing has changed."""

from __future__ import annotations

import gzip
from typing import Final

from fastapi import Request, Response
from pydantic import BaseModel

from mendel.contracts.read_models import ROWS_VERSION

_WORTH_PACKING: Final = 1_024  # bytes

UNCHANGED: Final[dict[int | str, dict[str, object]]] = {
    304: {"description": "Nothing has changed since the event in `If-None-Match`."}
}
"""Additional responses of routes about one run."""


def etag(sequence: int | str) -> str:
    """Return the ETag of an answer: its last event, anything else that it depends on, and the version of the rows."""
    return f'"{sequence}-v{ROWS_VERSION}"'


def unchanged(request: Request, sequence: int | str) -> Response | None:
    """Return a 304 answer if the client's version of the run includes this event, else None."""
    known = [each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")]
    if "*" in known or etag(sequence) in known:
        return Response(status_code=304, headers={"ETag": etag(sequence)})
    return None


def answered(request: Request, body: BaseModel, sequence: int | str | None = None, status: int = 200) -> Response:
    """Answer with ``body`` as JSON, compressed if it is large and the client accepts it."""
    return answered_with(request, body.model_dump_json().encode(), sequence, status)


def answered_with(request: Request, data: bytes, sequence: int | str | None = None, status: int = 200) -> Response:
    """Answer with serialised JSON."""
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}  # caches must revalidate by the ETag
    if sequence is not None:
        headers["ETag"] = etag(sequence)
    if len(data) > _WORTH_PACKING and "gzip" in request.headers.get("accept-encoding", ""):
        data = gzip.compress(data, 1)  # the fastest level
        headers["Content-Encoding"] = "gzip"
    return Response(data, status, headers, "application/json")
