"""Errors as `application/problem+json` (RFC 9457): what was wrong, where, and what to do."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from mendel.contracts import errors
from mendel.contracts.errors import MendelError

PROBLEM: Final = "application/problem+json"
_STATUSES: Final[tuple[tuple[type[MendelError], int], ...]] = (
    (errors.RunNotFound, 404),
    (errors.LogNotFound, 404),
    (errors.BlobMissing, 404),
    (errors.RunBusy, 409),
    (errors.CommandNotPossible, 409),
    (errors.SequenceConflict, 409),
    (errors.PayloadTooLarge, 413),
    (errors.BlobTooLarge, 413),
    (errors.RunFileError, 422),
    (errors.ContractError, 422),
    (errors.ConfigError, 422),
    (errors.RunRefused, 422),
    (errors.UnknownPlugin, 422),
    (errors.ProgramsError, 422),
    (errors.BreedingError, 422),
    (errors.GuardError, 422),
    (errors.NoPrice, 422),
    (errors.DatabaseUnavailable, 503),
    (errors.DatabaseNotReady, 503),
    (errors.SandboxUnavailable, 503),
)
"""The first that fits holds; anything else of ours is a 500."""


class Field422(BaseModel):
    """One thing that is wrong in a request."""

    where: str
    message: str


class Problem(BaseModel):
    """Why a request was not done."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str = Field(description="Stable: what a program should look at.")
    instance: str
    fields: list[Field422] = []


class Refused(MendelError):
    """A request that a route refuses, with the status that says so."""

    code = "refused"

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(detail)
        self.status, self.name = status, code


def problem(request: Request, status: int, code: str, detail: str, fields: list[Field422] | None = None) -> Response:
    """The answer that says why not."""
    told = Problem(
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        code=code,
        instance=request.url.path,
        fields=fields or [],
    )
    headers = {"Retry-After": "2"} if status in (429, 503) else None
    return Response(told.model_dump_json(), status, headers, PROBLEM)


def status_of(error: MendelError) -> int:
    """The status that fits an error of ours."""
    if isinstance(error, Refused):
        return error.status
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 500)


def install(app: FastAPI) -> None:
    """Let every error of ``app`` be told as a problem."""
    app.add_exception_handler(MendelError, _ours)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


async def _ours(request: Request, error: Exception) -> Response:
    if not isinstance(error, MendelError):
        raise error
    status = status_of(error)
    if status == 500:
        structlog.get_logger(__name__).error("request_failed", path=request.url.path, code=error.code, error=str(error))
    return problem(request, status, error.name if isinstance(error, Refused) else error.code, str(error))


async def _invalid(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    fields = [Field422(where=".".join(map(str, each["loc"])), message=str(each["msg"])) for each in error.errors()]
    told = "; ".join(f"{each.where}: {each.message}" for each in fields[:3])
    return problem(request, 422, "invalid_request", f"the request is not understood: {told}", fields)


async def _http(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    code = HTTPStatus(error.status_code).phrase.lower().replace(" ", "_")
    answer = problem(request, error.status_code, code, str(error.detail))
    answer.headers.update(error.headers or {})
    return answer


async def _unexpected(request: Request, error: Exception) -> Response:
    """Nothing of a bug goes over the wire but that there is one (rule 4)."""
    structlog.get_logger(__name__).error("request_broke", path=request.url.path, exc_info=error)
    return problem(request, 500, "internal", "this is a bug in Mendel; the server's log has its traceback")


RESPONSES: Final[dict[int | str, dict[str, object]]] = {
    status: {
        "description": HTTPStatus(status).phrase,
        "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status in (400, 404, 413, 422, 429, 500, 503)
}
