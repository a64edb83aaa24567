"""Answers of one shape: JSON, an ETag by the run's sequence, and 304 for who knows it already."""

from __future__ import annotations

import gzip
from typing import Final

from fastapi import Request, Response
from pydantic import BaseModel

from mendel.contracts.read_models import ROWS_VERSION

_WORTH_PACKING: Final = 1_024

UNCHANGED: Final[dict[int | str, dict[str, object]]] = {
    304: {"description": "Nothing is new since the event that `If-None-Match` names."}
}
"""For routes of one run."""


def etag(sequence: int | str) -> str:
    """A run that has no newer event looks as it did to the same version; what depends on more names it, too."""
    return f'"{sequence}-v{ROWS_VERSION}"'


def unchanged(request: Request, sequence: int | str) -> Response | None:
    """The answer to somebody who has seen the run up to this event; none to anybody else."""
    known = [each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")]
    if "*" in known or etag(sequence) in known:
        return Response(status_code=304, headers={"ETag": etag(sequence)})
    return None


def answered(request: Request, body: BaseModel, sequence: int | str | None = None, status: int = 200) -> Response:
    """``body`` as JSON, packed where that is worth it and wanted."""
    return answered_with(request, body.model_dump_json().encode(), sequence, status)


def answered_with(request: Request, data: bytes, sequence: int | str | None = None, status: int = 200) -> Response:
    """JSON that is spelled already."""
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if sequence is not None:
        headers["ETag"] = etag(sequence)
    if len(data) > _WORTH_PACKING and "gzip" in request.headers.get("accept-encoding", ""):
        data = gzip.compress(data, 1)
        headers["Content-Encoding"] = "gzip"
    return Response(data, status, headers, "application/json")
