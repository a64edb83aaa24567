"""`/runs/{id}/final`: how a run ended, and what proves its winner."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from mendel.api.answers import UNCHANGED, answered, unchanged
from mendel.api.proving import final_proof
from mendel.api.routes.candidates import text_maker
from mendel.api.schemas_candidates import FinalProof
from mendel.api.services import Served, Source
from mendel.contracts.ids import UuidText

reading = APIRouter(tags=["runs"], responses=UNCHANGED)


@reading.get("/runs/{run_id}/final", name="get_final_proof", response_model=FinalProof)
async def final(request: Request, run_id: UuidText, source: Source, served: Served) -> Response:
    """The winner, with the verdict that let it in and the audit after that; a run without one says so."""
    sequence = await source.fresh(run_id)
    if known := unchanged(request, sequence):
        return known
    own = await text_maker(served, source, run_id)
    return answered(request, await final_proof(source, sequence, run_id, own), sequence)
