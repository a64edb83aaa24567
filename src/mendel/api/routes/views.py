"""`/lineage`, `/replay`, `/health`, `/parameters` and `/export` of one run."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import IO, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from mendel.api.answers import UNCHANGED, answered, etag, unchanged
from mendel.api.rows import summary
from mendel.api.schemas_views import Health, Parameters, Replay
from mendel.api.services import Served, Source
from mendel.api.source import Folded, Listed
from mendel.contracts.ids import UuidText
from mendel.contracts.log_views import RunOverview
from mendel.ports.run_file import SUFFIX
from mendel.ports.transfer import export_run
from mendel.projections.health import health_of, stalled
from mendel.projections.lineage import LineageView
from mendel.projections.replay_summary import ReplaySummaryView
from mendel.projections.tables import limits_of

_CHUNK: Final = 1 << 16
_IN_MEMORY: Final = 8 << 20
RUN_FILE: Final = "application/x-ndjson"

reading = APIRouter(tags=["runs"], responses=UNCHANGED)


@reading.get("/runs/{run_id}/lineage", name="get_lineage", response_model=LineageView)
async def lineage(request: Request, run_id: UuidText, source: Source) -> Response:
    """Get the lineage: genomes, their ancestry, and the findings about them."""
    folded = await source.lineages.of(run_id)
    if known := unchanged(request, folded.sequence):
        return known
    return answered(request, folded.view(), folded.sequence)


@reading.get("/runs/{run_id}/replay", name="get_replay", response_model=Replay)
async def replay(request: Request, run_id: UuidText, source: Source) -> Response:
    """Get the expected result of a replay. Nothing is replayed here; use `mendel replay`."""
    folded = await source.replays.of(run_id)
    if known := unchanged(request, folded.sequence):
        return known
    return answered(request, replay_view(folded, run_id), folded.sequence)


def replay_view(folded: Folded[ReplaySummaryView], run_id: str) -> Replay:
    """Return the expected result of a replay of the run."""
    command = f"mendel replay {run_id}"
    return Replay(**dict(folded.view()), events=folded.sequence + 1, head_hash=folded.head, command=command)


@reading.get("/runs/{run_id}/health", name="get_health", response_model=Health)
async def health(request: Request, run_id: UuidText, source: Source, served: Served) -> Response:
    """Get the health of the run. The ETag also depends on `conducted`, which changes without an event."""
    await source.fresh(run_id)
    row = await source.row(run_id, "runs", run_id)
    if row is None:
        raise RuntimeError(f"run {run_id} has events and no row")
    generations = await source.models.rows(run_id, "generations")
    view = health_of(row, generations, await source.models.in_flight(run_id), source.wording)
    here = served.conducted_here() if source is served.source else frozenset()  # a run in a file has no conductor
    told = summary(Listed(RunOverview(run_id=run_id), row), here, served.now())
    alive = Health(**dict(view), conducted=told.conducted, stalled=stalled(view, served.now()))
    tag = f"{row.last}-{alive.conducted}{'-stalled' if alive.stalled else ''}"
    return unchanged(request, tag) or answered(request, alive, tag)


@reading.get("/runs/{run_id}/parameters", name="get_parameters", response_model=Parameters)
async def parameters(request: Request, run_id: UuidText, source: Source) -> Response:
    """Get the slots, caps and domain parameters in force."""
    await source.fresh(run_id)
    row = await source.row(run_id, "runs", run_id)
    if row is None:
        raise RuntimeError(f"run {run_id} has events and no row")
    if known := unchanged(request, row.last):
        return known
    told = {"run_id": run_id, "caps": limits_of(row.values), "since": row.values.get("parameters_since")}
    own = {name: row.values.get(name) for name in ("slots", "parameters")}
    return answered(request, Parameters.model_validate({**told, **own}), row.last)


@reading.get(
    "/runs/{run_id}/export",
    name="export_run",
    response_class=StreamingResponse,
    responses={200: {"description": "The run as one file, with its blobs.", "content": {RUN_FILE: {}}}},
)
async def export(request: Request, run_id: UuidText, source: Source) -> Response:
    """Export the run as one file for `mendel log import` or the page's `/open`; it is checked while written."""
    tip = await source.log.tip(run_id)
    await source.feed(run_id)  # refuses an unknown run
    if known := unchanged(request, tip.next - 1):
        return known
    file = await _exported(source, run_id)
    name = f"{run_id}{SUFFIX}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "ETag": etag(tip.next - 1)}
    return StreamingResponse(_chunks(file), headers=headers, media_type=RUN_FILE)


async def _exported(source: Source, run_id: str) -> IO[bytes]:
    """Write the whole file before sending, so that a damaged log yields a problem and not half a file."""
    file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed by _chunks
    with _closed_on_error(file):
        await export_run(source.log, run_id, file)  # type: ignore[arg-type]
        file.seek(0)
    return file


@contextmanager
def _closed_on_error(file: IO[bytes]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        file.close()
        raise


async def _chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while chunk := await asyncio.to_thread(file.read, _CHUNK):
            yield chunk
