"""`/config/caps`: the default caps of a run, and their ceilings (rule 1)."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from mendel.api.answers import answered
from mendel.api.launch_schemas import CapsView
from mendel.api.services import Launching
from mendel.contracts.caps import RunCaps

router = APIRouter(tags=["installation"])


@router.get("/config/caps", name="get_caps", response_model=CapsView)
async def caps(request: Request, launcher: Launching) -> Response:
    """Get the caps of a run that sets none, and the ceilings that no run may exceed."""
    ceiling = launcher.ceiling
    return answered(request, CapsView(defaults=RunCaps().clamped(ceiling), ceilings=ceiling))
