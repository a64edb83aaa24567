"""`/healthz`, `/readyz` and `/metrics`: endpoints for operators."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from mendel.api.about import LEAST_DISK
from mendel.api.answers import answered
from mendel.api.domain_services import Hosted
from mendel.api.metering import Metering
from mendel.api.problems import Refused
from mendel.api.schemas import Wire
from mendel.api.services import Served, Services
from mendel.contracts.errors import MendelError
from mendel.ports.metrics import TEXT_FORMAT

PATIENCE_S: Final = 3.0
_NOBODY: Final = "00000000-0000-7000-8000-000000000000"
"""The id of no run: looking it up reaches the log without reading events."""
_IDLE: Final = "not started: it, or a part of its domain, does not load"

router = APIRouter(tags=["operations"])
_AWAY: Final = {"name": "log", "ready": False, "detail": "database_unavailable"}


class Alive(Wire):
    """The process responds."""

    alive: Literal[True] = True


class Part(Wire):
    """A part that the server depends on."""

    name: str = Field(description="`log`, `projections`, `disk`, or the service of a domain as `DOMAIN.SERVICE`.")
    ready: bool
    detail: str = Field(description="The result of the check; never an address.")


class Ready(Wire):
    """Whether the server can do its work, and the state of each part."""

    ready: bool
    parts: list[Part]


_MISSING: Final[dict[str, Any]] = {
    "model": Ready,
    "description": "A part is unavailable.",
    "content": {"application/json": {"example": {"ready": False, "parts": [_AWAY]}}},
}


@router.get("/healthz", response_model=Alive)
async def healthz(request: Request) -> Response:
    """Check that the process is alive; depends on nothing else."""
    return answered(request, Alive())


@router.get("/readyz", response_model=Ready, responses={503: _MISSING})
async def readyz(request: Request, served: Served) -> Response:
    """Check whether requests can be served: log and read models respond, the disk has room, domain services work."""
    parts = [
        await _asked("log", lambda: served.source.log.tip(_NOBODY)),
        await _asked("projections", lambda: served.source.models.watermarks(_NOBODY)),
        _disk(served),
        *await asyncio.gather(*map(_serving, served.hosted)),
        *(Part(name=name, ready=False, detail=_IDLE) for domain in served.domains for name in domain.idle),
    ]
    ready = all(each.ready for each in parts)
    answer = answered(request, Ready(ready=ready, parts=parts), status=200 if ready else 503)
    answer.headers["Cache-Control"] = "no-store"  # a cached answer would hide an outage
    return answer


async def _asked(name: str, ask: Callable[[], Awaitable[object]]) -> Part:
    try:
        async with asyncio.timeout(PATIENCE_S):
            await ask()
    except TimeoutError:
        return Part(name=name, ready=False, detail=f"no answer in {PATIENCE_S:g} s")
    except (MendelError, OSError) as error:
        return Part(name=name, ready=False, detail=getattr(error, "code", type(error).__name__))
    return Part(name=name, ready=True, detail="answers")


async def _serving(hosted: Hosted) -> Part:
    health = await hosted.health()
    return Part(name=hosted.name, ready=health.ready, detail=health.detail)


def _disk(served: Services) -> Part:
    free = served.about.free_bytes()
    if free is None:
        return Part(name="disk", ready=True, detail="unknown")
    return Part(name="disk", ready=free >= LEAST_DISK, detail=f"{free >> 20:,} MiB free")


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"description": "Prometheus's text format.", "content": {"text/plain": {}}}},
)
async def metrics(request: Request, served: Served) -> Response:
    """Get all metrics in Prometheus's text format."""
    metering = request.app.state.metering
    if not isinstance(metering, Metering):
        raise Refused(404, "no_metrics", "this server has no metrics")
    await metering.looked(served.source, len(served.files.list()) if served.files is not None else 0)
    return Response(metering.metrics.text(), media_type=TEXT_FORMAT)
