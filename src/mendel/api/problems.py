"""Errors as `application/problem+json` (RFC 9457): what is wrong, where, and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Final, Self

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from mendel.api.correlation import HEADER as REQUEST_ID
from mendel.api.correlation import refused_as, request_id_of
from mendel.api.domain_services import below
from mendel.api.head_requests import ENDLESS
from mendel.api.registration import ServedDomain
from mendel.contracts import errors
from mendel.contracts.errors import DomainFailed, MendelError
from mendel.contracts.payloads import plain
from mendel.ports.registration import owner_of

PROBLEM: Final = "application/problem+json"
_STATUSES: Final[tuple[tuple[type[MendelError], int], ...]] = (
    (errors.RunNotFound, 404),
    (errors.LogNotFound, 404),
    (errors.BlobMissing, 404),
    (errors.RunBusy, 409),
    (errors.CommandNotPossible, 409),
    (errors.NicheClaimed, 409),
    (errors.SequenceConflict, 409),
    (errors.PayloadTooLarge, 413),
    (errors.BlobTooLarge, 413),
    (errors.RunFileError, 422),
    (errors.ContractError, 422),
    (errors.ConfigError, 422),
    (errors.RunRefused, 422),
    (errors.UnknownPlugin, 422),
    (errors.BrokenPlugin, 503),
    (errors.FunctionError, 422),
    (errors.BreedingError, 422),
    (errors.GuardError, 422),
    (errors.NoPrice, 422),
    (errors.DatabaseUnavailable, 503),
    (errors.DatabaseNotReady, 503),
    (errors.SandboxUnavailable, 503),
)
"""The first matching class wins; any other error of ours is a 500."""
_INTERNAL: Final = 1011
_LONGEST_REASON: Final = 123
"""The maximum length of a socket's close reason in bytes, set by the protocol."""
_CODES: Final = {413: "content_too_large"}
"""Codes for statuses whose name in Python differs from the current standard."""


class Field422(BaseModel):
    """One invalid field of a request."""

    where: str
    message: str


class Problem(BaseModel):
    """Why a request failed."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str = Field(description="A stable code for programs.")
    instance: str
    request_id: str | None = Field(default=None, description="The id in `X-Request-ID` and in the server's log.")
    fields: list[Field422] = []


class Refused(MendelError):
    """A refusal of a request by a route, with its HTTP status."""

    code = "refused"

    def __init__(self, status: int, code: str, detail: str, fields: Sequence[Field422] = ()) -> None:
        super().__init__(detail)
        self.status, self.name, self.fields = status, code, fields

    @classmethod
    def at(cls, error: MendelError, fields: Mapping[str, str]) -> Self:
        """Return the same error with messages for the fields of the request that caused it."""
        told = [Field422(where=where, message=message) for where, message in fields.items()]
        return cls(status_of(error), error.code, str(error), told)


def problem(
    request: HTTPConnection, status: int, code: str, detail: str, fields: list[Field422] | None = None
) -> Response:
    """Return the answer for a failed request."""
    refused_as(request.scope, code)
    told = Problem(
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        code=code,
        instance=request.url.path,
        request_id=request_id_of(request.scope),
        fields=fields or [],
    )
    headers = {"Retry-After": "2"} if status in (429, 503) else {}  # a default; refusals may override it
    if told.request_id is not None:
        headers[REQUEST_ID] = told.request_id
    return Response(told.model_dump_json(), status, headers, PROBLEM)


def status_of(error: MendelError) -> int:
    """Return the HTTP status for an error of ours."""
    if isinstance(error, Refused):
        return error.status
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 500)


def install(app: FastAPI) -> None:
    """Send every error of ``app`` as a problem."""
    app.add_exception_handler(MendelError, _ours)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


async def _ours(request: Request, error: Exception) -> Response:
    if not isinstance(error, MendelError):
        raise error
    domain = _domain_at(request) if isinstance(error, errors.InvalidRow) else None
    if domain is not None:
        error = DomainFailed(f"a route of {owner_of(domain.name)} stores or queries an invalid row: {error}")
    status = status_of(error)
    if status == 500:  # expected refusals are no news for the operator
        structlog.get_logger(__name__).error("request_failed", path=request.url.path, code=error.code, error=str(error))
    if isinstance(error, Refused):
        return problem(request, status, error.name, str(error), list(error.fields))
    return problem(request, status, error.code, str(error))


async def _invalid(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    fields = [Field422(where=".".join(map(str, each["loc"])), message=plain(each["msg"])) for each in error.errors()]
    told = "; ".join(f"{each.where}: {each.message}" for each in fields[:3])
    if any(each.where.lower() == "header.idempotency-key" for each in fields):
        told = "a change requires the header `Idempotency-Key`: 1 to 200 printable characters of your choice"
        return problem(request, 400, "idempotency_key_required", told, fields)
    return problem(request, 422, "invalid_request", f"the request is invalid: {told}", fields)


async def _http(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    code = _CODES.get(error.status_code) or HTTPStatus(error.status_code).phrase.lower().replace(" ", "_")
    answer = problem(request, error.status_code, code, str(error.detail))
    answer.headers.update(error.headers or {})
    if error.status_code == 405:
        answer.headers["Allow"] = ", ".join(methods_at(request) or ["GET"])
    return answer


def methods_at(request: Request) -> list[str]:
    """Return all methods at an address; several routes may share it, and Starlette reports only the first one's."""
    paths, asked = request.app.openapi()["paths"], request.url.path
    named = [asked] if asked in paths else [path for path in paths if compile_path(path)[0].match(asked)]
    found = {method.upper() for path in named for method in paths[path]}
    return sorted(found | ({"HEAD"} if "GET" in found and not asked.endswith(ENDLESS) else set()))


class Failures:
    """Answers unexpected errors: logged once; the client learns only whether Mendel or a domain is at fault (rule 4).

    It runs inside the middleware that protects every answer. Starlette's own handling runs outside of it and re-raises
    the error, which the server would log a second time.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        sent: set[str] = set()

        async def noted(message: Message) -> None:
            sent.add(message["type"])
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except WebSocketDisconnect:
            return  # the client has gone, which is no error
        # Broad on purpose: the failure of one request must not affect the server.
        except Exception as error:  # noqa: BLE001
            answer = await _unexpected(HTTPConnection(scope), error)
            if scope["type"] == "websocket":
                await _end_socket(scope, receive, send, sent, answer)
            elif not sent:
                await answer(scope, receive, send)


async def _end_socket(scope: Scope, receive: Receive, send: Send, sent: set[str], answer: Response) -> None:
    """Refuse a handshake, or close an open socket."""
    if not sent and "websocket.http.response" in scope.get("extensions", {}):
        await answer(scope, receive, send)
    elif "websocket.close" not in sent:
        domain = _domain_at(HTTPConnection(scope))
        reason = "internal" if domain is None else f"{errors.DomainFailed.code}: {owner_of(domain.name)}"
        short = reason.encode()[:_LONGEST_REASON].decode(errors="ignore")
        with suppress(RuntimeError, OSError):  # the client may have gone first
            await send({"type": "websocket.close", "code": _INTERNAL, "reason": short})


async def _unexpected(request: HTTPConnection, error: Exception) -> Response:
    """Log a bug and return its answer; if a domain's route raised, the domain is named."""
    path, request_id = request.url.path, request_id_of(request.scope)
    domain = _domain_at(request)
    about = {"path": path, "request_id": request_id, **({} if domain is None else {"domain": domain.name})}
    structlog.get_logger(__name__).error("request_broke", **about, exc_info=error)
    if domain is None:
        return problem(request, 500, "internal", "this is a bug in Mendel; the server's log has its traceback")
    owner = owner_of(domain.name)
    if domain.faults or domain.idle:
        told = f"a route of {owner} failed, and parts of it do not load; `mendel plugin info {domain.name}` lists them"
        return problem(request, 503, errors.BrokenPlugin.code, told)
    told = f"a route of {owner} failed; this is a bug of the domain, and the server's log has its traceback"
    return problem(request, 500, errors.DomainFailed.code, told)


def _domain_at(request: HTTPConnection) -> ServedDomain | None:
    """Return the domain that serves the address of the request."""
    served: Sequence[ServedDomain] = request.app.state.services.domains
    return next((each for each in served for mount in each.mounts if below(mount.path, request.url.path)), None)
