"""`/runs/{id}/candidates`: who was bred, and everything that the log says of one."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from mendel.api.answers import UNCHANGED, answered, unchanged
from mendel.api.details import candidate_detail
from mendel.api.genome_text import TextOf
from mendel.api.problems import Refused
from mendel.api.schemas_candidates import CandidateDetail, CandidatePage, CandidateRow
from mendel.api.services import Served, Services, Source
from mendel.api.source import RunSource
from mendel.contracts.ids import UuidText
from mendel.contracts.read_models import Row
from mendel.contracts.statuses import CandidateStatus

MOST: Final = 1_000
CandidateSort = Literal["birth", "fitness"]
CandidateName = Annotated[str, Path(min_length=1, max_length=200, description="A candidate's id.")]

reading = APIRouter(tags=["candidates"], responses=UNCHANGED)


@reading.get("/runs/{run_id}/candidates", response_model=CandidatePage)
async def list_candidates(
    request: Request,
    run_id: UuidText,
    source: Source,
    sort: Annotated[CandidateSort, Query(description="In the order of their births, or the fittest first.")] = "birth",
    status: Annotated[CandidateStatus | None, Query(description="Only candidates in this state.")] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = 100,
    cursor: Annotated[str | None, Query(max_length=200, description="`next` of the page before.")] = None,
) -> Response:
    """The candidates of a run, some at a time."""
    sequence = await source.fresh(run_id)
    if known := unchanged(request, sequence):
        return known
    found = [row for row in await source.models.rows(run_id, "candidates") if "genome_id" in row.values]
    found = [row for row in found if status is None or row.values.get("status") == status]
    found.sort(key=_worse if sort == "fitness" else _younger)
    start = _position(found, cursor)
    shown = found[start : start + limit]
    more = start + limit < len(found)
    page = CandidatePage(
        candidates=[candidate_row(row) for row in shown], next=shown[-1].key if more else None, total=len(found)
    )
    return answered(request, page, sequence)


def candidate_row(row: Row) -> CandidateRow:
    """A row of the read models as it goes over the wire."""
    return CandidateRow.model_validate({**row.values, "candidate_id": row.key, "sequence": row.first})


def _younger(row: Row) -> tuple[int, int]:
    """By birth; of one birth, whoever was there before."""
    birth = row.values.get("birth")
    return birth if isinstance(birth, int) else 0, row.first


def _worse(row: Row) -> tuple[bool, float, tuple[int, int]]:
    """The fittest first; of equals, and of those that have no fitness, the older birth."""
    fitness = row.values.get("fitness")
    return fitness is None, -float(fitness) if isinstance(fitness, int | float) else 0.0, _younger(row)


def _position(rows: list[Row], cursor: str | None) -> int:
    if cursor is None:
        return 0
    for place, row in enumerate(rows):
        if row.key == cursor:
            return place + 1
    raise Refused(404, "unknown_cursor", f"no candidate {cursor!r} is in this list; leave `cursor` out to begin anew")


@reading.get("/runs/{run_id}/candidates/{cid}", name="get_candidate", response_model=CandidateDetail)
async def one_candidate(
    request: Request, run_id: UuidText, cid: CandidateName, source: Source, served: Served
) -> Response:
    """A candidate: its source, how it differs from its parents, its evidence, verdicts, calls, and why it is so."""
    sequence = await source.fresh(run_id)
    if known := unchanged(request, sequence):
        return known
    own = await text_maker(served, source, run_id)
    return answered(request, await candidate_detail(source, sequence, run_id, cid, own), sequence)


async def text_maker(served: Services, source: RunSource, run_id: str) -> TextOf | None:
    """How the domain of a run makes its material readable, if it is one that says so."""
    row = await source.row(run_id, "runs", run_id)
    name = row.values.get("domain") if row is not None else None
    return next((domain.text for domain in served.domains if domain.name == name), None)
