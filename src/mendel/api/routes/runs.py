"""`/runs`: the list of runs, and one run; nothing here changes anything (rule 9)."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import orjson
from fastapi import APIRouter, Query, Request, Response
from starlette.exceptions import HTTPException

from mendel.api.answers import UNCHANGED, answered, answered_with, unchanged
from mendel.api.parameters import EventType
from mendel.api.problems import Refused
from mendel.api.rows import columns, fits, summary
from mendel.api.schemas import EventPage, History, RunDetail, RunPage, RunSummary, Since
from mendel.api.services import Served, Source
from mendel.api.source import Listed, RunSource
from mendel.contracts.base import Name
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.run import RunConfigured
from mendel.contracts.ids import UuidText
from mendel.contracts.log_views import RunOverview
from mendel.contracts.read_models import TABLES
from mendel.contracts.run_config import RunConfig
from mendel.contracts.statuses import RunStatus
from mendel.contracts.step_words import aliased

MOST_RUNS: Final = 500
MOST_EVENTS: Final = 5_000
_UNSHOWN: Final = frozenset({"embeddings", "lineage_edges", "check_results", "critic_reviews", "novelty_scores"})
"""Tables left out of a history: descent is also in the rows of genomes, the ends of steps in those of operations."""
Sort = Literal["newest", "oldest", "best", "cost", "events"]

router = APIRouter(tags=["runs"])
reading = APIRouter(tags=["runs"], responses=UNCHANGED)
"""Routes about one run; served for the log and for every opened file."""


@router.get("/runs", response_model=RunPage)
async def list_runs(
    request: Request,
    served: Served,
    status: Annotated[RunStatus | None, Query(description="Only runs with this status.")] = None,
    domain: Annotated[Name | None, Query(description="Only runs of this domain, installed or not.")] = None,
    q: Annotated[str | None, Query(max_length=200, description="Words in the problem, or part of an id.")] = None,
    sort: Sort = "newest",
    limit: Annotated[int, Query(ge=1, le=MOST_RUNS)] = 50,
    cursor: Annotated[str | None, Query(max_length=64, description="`next` from the previous page.")] = None,
) -> Response:
    """List all runs, page by page."""
    here, now = served.conducted_here(), served.now()
    wanted = {"status": status, "domain": domain, "q": q}
    found = [each for run in await served.source.runs() if fits(each := summary(run, here, now), wanted)]
    found = _sorted(found, sort)
    start = _position(found, cursor)
    shown = found[start : start + limit]
    more = start + limit < len(found)
    return answered(request, RunPage(runs=shown, next=shown[-1].run_id if more else None, total=len(found)))


@router.get("/runs/estimate", include_in_schema=False)
async def estimate_is_posted() -> Response:
    """Refuse GET here; without this route, `estimate` would be taken for a run's id."""
    raise HTTPException(405, "use POST with the run to estimate")


def _sorted(runs: list[RunSummary], sort: Sort) -> list[RunSummary]:
    """Sort the runs, which come newest first."""
    if sort == "oldest":
        return runs[::-1]
    if sort == "best":
        return sorted(runs, key=lambda run: (run.best_fitness is None, -(run.best_fitness or 0.0)))
    if sort == "cost":
        return sorted(runs, key=lambda run: -run.cost_microusd)
    return sorted(runs, key=lambda run: -run.events) if sort == "events" else runs


def _position(runs: list[RunSummary], cursor: str | None) -> int:
    if cursor is None:
        return 0
    for place, run in enumerate(runs):
        if run.run_id == cursor:
            return place + 1
    raise Refused(404, "unknown_cursor", f"no run {cursor!r} is in this list; omit `cursor` to start over")


@reading.get("/runs/{run_id}", name="get_run", response_model=RunDetail)
async def one_run(request: Request, run_id: UuidText, source: Source, served: Served) -> Response:
    """Get a run and its configuration. The ETag also depends on `conducted`, which changes without an event."""
    sequence = await source.fresh(run_id)
    row = await source.row(run_id, "runs", run_id)
    told = summary(Listed(RunOverview(run_id=run_id), row), served.conducted_here(), served.now())
    tag = f"{sequence}-{told.conducted}"
    if known := unchanged(request, tag):
        return known
    return answered(request, RunDetail(**dict(told), config=await _config(source, run_id)), tag)


async def _config(source: RunSource, run_id: str) -> RunConfig | None:
    async for event in source.log.read(run_id):
        return event.payload.config if isinstance(event.payload, RunConfigured) else None
    return None


@reading.get("/runs/{run_id}/history", name="get_history", response_model=History)
async def history(request: Request, run_id: UuidText, source: Source) -> Response:
    """Get all rows of a run as columns, enough to show the run live or as of any event."""
    sequence = await source.fresh(run_id)
    if known := unchanged(request, sequence):
        return known
    shown = [name for name in TABLES if name not in _UNSHOWN]
    tables = {name: columns(await source.models.rows(run_id, name)) for name in shown}
    told = orjson.dumps({"run_id": run_id, "sequence": sequence, "tables": tables})
    return answered_with(request, told, sequence)


@reading.get("/runs/{run_id}/events", name="list_events", response_model=EventPage)
async def events(
    request: Request,
    run_id: UuidText,
    source: Source,
    since: Annotated[Since, Query()] = -1,
    limit: Annotated[int, Query(ge=1, le=MOST_EVENTS)] = 500,
    type: Annotated[EventType | None, Query(description="Only events of this type.")] = None,  # noqa: A002
) -> Response:
    """List the events after a sequence number, in order."""
    tip = await source.log.tip(run_id)
    await source.feed(run_id)  # refuses an unknown run
    if known := unchanged(request, tip.next - 1):
        return known
    found: list[Event] = []
    async for event in source.log.read(run_id, since + 1):
        if type is None or event.type == type:
            found.append(aliased(source.wording, event))
        if len(found) >= limit or event.sequence >= tip.next - 1:  # not beyond the tip that the ETag names
            break
    last = found[-1].sequence if found else tip.next - 1
    more = last if last < tip.next - 1 and len(found) >= limit else None
    return answered(request, EventPage.model_construct(run_id=run_id, events=found, next=more), tip.next - 1)
