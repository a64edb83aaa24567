"""`/config/caps`: the limits of a run, and the most that they may be (rule 1)."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from mendel.api.answers import answered
from mendel.api.launch_schemas import CapsView
from mendel.api.services import Launching
from mendel.contracts.caps import RunCaps

router = APIRouter(tags=["installation"])


@router.get("/config/caps", name="get_caps", response_model=CapsView)
async def caps(request: Request, launcher: Launching) -> Response:
    """What a run has that asks for nothing, and what no run may exceed."""
    ceiling = launcher.ceiling
    return answered(request, CapsView(defaults=RunCaps().clamped(ceiling), ceilings=ceiling))
