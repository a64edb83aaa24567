"""`/files`: exported runs, opened read-only and separate from the served log."""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi import Path as PathParameter
from pydantic import ConfigDict, Field

from mendel.api.answers import answered
from mendel.api.idempotency import REPLAYED, IdempotencyKey
from mendel.api.opened_files import OpenedFile, OpenedFiles
from mendel.api.problems import Refused
from mendel.api.schemas import Wire
from mendel.api.services import Served

RUN_FILE = "application/x-ndjson"
FileName = Annotated[str, PathParameter(pattern=r"^[0-9a-f]{16}$", description="`file_id` of an opened file.")]

router = APIRouter(tags=["files"])


class FileOpened(Wire):
    """A run opened from a file; its routes are under ``/api/files/{file_id}/runs/{run_id}``."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "file_id": "9f2c51d07ab3e648",
                    "run_id": "01980000-0000-7000-8000-000000000000",
                    "events": 1204,
                    "blobs": 0,
                    "opened_at": "2026-01-01T12:00:00Z",
                    "warnings": [],
                }
            ]
        }
    )

    file_id: str
    run_id: str
    events: int
    blobs: int
    opened_at: datetime
    warnings: list[str] = Field(description="For example, that the run was exported before its end.")


class FilePage(Wire):
    """The open files, most recently used first."""

    files: list[FileOpened]
    most: int = Field(description="Maximum size of a file, in bytes.")


def files_of(served: Served) -> OpenedFiles:
    """The opened files of this server."""
    if served.files is None:
        raise Refused(404, "no_files", "this server does not open files")
    return served.files


Files = Annotated[OpenedFiles, Depends(files_of)]


async def named(file_id: FileName) -> None:
    """Declare the path parameter `file_id` for the routes about a run in a file."""


@router.get("/files", response_model=FilePage)
async def list_files(request: Request, files: Files) -> Response:
    """List the open files."""
    return answered(request, FilePage(files=[_told(each) for each in files.list()], most=files.most_bytes))


@router.post(
    "/files",
    status_code=201,
    response_model=FileOpened,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {RUN_FILE: {"schema": {"type": "string", "format": "binary"}}},
            "description": "A run exported by `mendel log export` or `GET /api/runs/{run_id}/export`.",
        }
    },
)
async def open_file(request: Request, files: Files, key: IdempotencyKey) -> Response:
    """Open an exported run: the whole file is read, every hash is checked, and the run stays in memory until closed."""
    with tempfile.TemporaryDirectory(prefix="mendel-file-") as folder:
        path = Path(folder) / "run"
        digest = await _receive(request, path, files.most_bytes)
        async with files.keys.of(key):
            known = files.opened_with(key, digest)
            opened = known or await files.open(path, key, digest)
    answer = answered(request, _told(opened), status=201)
    answer.headers.update(REPLAYED if known is not None else {})
    return answer


async def _receive(request: Request, path: Path, most: int) -> str:
    """Store the body in a file; return the digest of its bytes."""
    size, digest = 0, hashlib.sha256()
    with path.open("wb") as file:
        async for chunk in request.stream():
            size += len(chunk)
            if size > most:
                raise Refused(413, "file_too_large", f"files are limited to {most:,} bytes; use `mendel log import`")
            digest.update(chunk)
            await asyncio.to_thread(file.write, chunk)
    return digest.hexdigest()


@router.delete("/files/{file_id}", status_code=204, response_class=Response)
async def close_file(file_id: FileName, files: Files, served: Served, key: IdempotencyKey) -> Response:
    """Close a file and discard its run."""
    _, before = await served.remembered.once(key, f"close the file {file_id}", partial(files.close, file_id))
    return Response(status_code=204, headers=REPLAYED if before else None)


def _told(opened: OpenedFile) -> FileOpened:
    return FileOpened(
        file_id=opened.file_id,
        run_id=opened.run_id,
        events=opened.events,
        blobs=opened.blobs,
        opened_at=opened.opened_at,
        warnings=list(opened.warnings),
    )
