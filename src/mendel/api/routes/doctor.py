"""`/doctor`: what of this machine can be used, as it was found last, or now."""

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
    """What was found when somebody looked last; nothing is probed."""
    return answered(request, _told(await asyncio.to_thread(recorded_probes, served.about.home)))


@router.post("/doctor", response_model=Doctor)
async def probe(request: Request, served: Served, key: IdempotencyKey) -> Response:
    """Look now, and keep what is found. It takes a few seconds."""
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
    """How a service of a domain is, which only its server knows."""
    health = await hosted.health()
    return Probe(
        name=f"service {hosted.name}",
        status="ok" if health.ready else "missing",
        detail=health.detail or "it says nothing",
        remedy=None if health.ready else f"look into the server's log, and at the domain {hosted.domain}",
        needed_for=f"the domain {hosted.domain}",
    )


def _told(found: Probed | None) -> Doctor:
    if found is None:
        return Doctor(at=None, probes=[], ok=0, limited=0, missing=0)
    counts = Counter(each.status for each in found.probes)
    figures = {"ok": counts["ok"], "limited": counts["limited"], "missing": counts["missing"]}
    return Doctor(at=found.at, probes=list(found.probes), **figures)
