"""`/doctor`: which parts of Mendel work on this machine, from the last check or a new one."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import partial

from fastapi import APIRouter, Request, Response

from mendel.api.about import Probed, record_probes, recorded_probes
from mendel.api.answers import answered
from mendel.api.domain_services import Hosted
from mendel.api.idempotency import REPLAYED, IdempotencyKey
from mendel.api.schemas_about import Doctor
from mendel.api.services import Served, Services
from mendel.contracts.diagnostics import Probe

router = APIRouter(tags=["installation"])


@router.get("/doctor", name="get_doctor", response_model=Doctor)
async def recorded(request: Request, served: Served) -> Response:
    """Get the results of the last check; probes nothing."""
    return answered(request, _told(await asyncio.to_thread(recorded_probes, served.about.home)))


@router.post("/doctor", response_model=Doctor)
async def probe(request: Request, served: Served, key: IdempotencyKey) -> Response:
    """Check this machine now, and keep the results. Takes a few seconds."""
    found, before = await served.remembered.once(key, "probe this machine", partial(_probed, served))
    answer = answered(request, _told(found))
    answer.headers.update(REPLAYED if before else {})
    return answer


async def _probed(served: Services) -> Probed:
    machine = await asyncio.to_thread(served.about.probe)
    probes = (*machine, *await asyncio.gather(*map(_service, served.hosted)))
    if served.about.home is None:
        return Probed(at=served.now(), probes=tuple(probes))
    return await asyncio.to_thread(record_probes, served.about.home, probes, served.now())


async def _service(hosted: Hosted) -> Probe:
    """Probe a domain's service, which runs only in this server."""
    health = await hosted.health()
    return Probe(
        name=f"service {hosted.name}",
        status="ok" if health.ready else "missing",
        detail=health.detail or "no details",
        remedy=None if health.ready else f"check the server's log, and the domain {hosted.domain}",
        needed_for=f"the domain {hosted.domain}",
    )


def _told(found: Probed | None) -> Doctor:
    if found is None:
        return Doctor(at=None, probes=[], ok=0, limited=0, missing=0)
    counts = Counter(each.status for each in found.probes)
    figures = {"ok": counts["ok"], "limited": counts["limited"], "missing": counts["missing"]}
    return Doctor(at=found.at, probes=list(found.probes), **figures)
