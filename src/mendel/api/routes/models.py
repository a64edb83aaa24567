"""`/model-routes` and `/models/spend`: the routes of each model role, and their cost."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response

from mendel.api.answers import answered
from mendel.api.problems import Refused
from mendel.api.schemas_about import ModelRoutes, Spend, SpentInRun
from mendel.api.services import Served
from mendel.api.source import Listed
from mendel.api.spending import Sums, by_model, spent, together

MOST: Final = 500
router = APIRouter(tags=["models"])


@router.get("/model-routes", name="get_model_routes", response_model=ModelRoutes)
async def model_routes(request: Request, served: Served) -> Response:
    """Get the routes of each role, with prices; for keys, only whether they are set. No model is called."""
    told = await asyncio.to_thread(served.about.model_routes)
    return answered(request, ModelRoutes.model_validate(told))


@router.get("/models/spend", name="get_spend", response_model=Spend)
async def spend(
    request: Request,
    served: Served,
    limit: Annotated[int, Query(ge=1, le=MOST, description="Maximum number of runs per page.")] = 100,
    cursor: Annotated[str | None, Query(max_length=64, description="`next` from the previous page.")] = None,
) -> Response:
    """Get model calls and their cost over all runs: by model and role, and per run."""
    listed = await served.source.runs()
    sums = [(run, await served.spending.of(run)) for run in listed]
    asked = [(run, each) for run, each in sums if each]  # only runs that called models
    start = _position([run.overview.run_id for run, _ in asked], cursor)
    shown = asked[start : start + limit]
    whole = together(each for _, each in asked)
    more = start + limit < len(asked)
    page = Spend(
        total=spent(whole.values()),
        by_model=by_model(whole),
        runs=[_in_run(run, each) for run, each in shown],
        next=shown[-1][0].overview.run_id if more else None,
    )
    return answered(request, page)


def _in_run(run: Listed, sums: Sums) -> SpentInRun:
    told = run.overview
    return SpentInRun(**dict(spent(sums.values())), run_id=told.run_id, problem=told.problem, status=told.status)


def _position(names: list[str], cursor: str | None) -> int:
    if cursor is None:
        return 0
    if cursor not in names:
        raise Refused(404, "unknown_cursor", f"no run {cursor!r} is in this list; omit `cursor` to start over")
    return names.index(cursor) + 1
