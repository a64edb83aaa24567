"""`/runs/{id}/stream`: the events of a run as they happen (server-sent events), from any event on."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Query
from fastapi.responses import StreamingResponse

from mendel.api.frames import Form
from mendel.api.problems import Refused
from mendel.api.schemas import Since
from mendel.api.services import Source
from mendel.contracts.ids import UuidText

router = APIRouter(tags=["runs"])

_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # a buffering proxy would delay the events


@router.get(
    "/runs/{run_id}/stream",
    name="stream_run",
    response_class=StreamingResponse,
    responses={200: {"description": "Frames of events or of changes.", "content": {"text/event-stream": {}}}},
)
async def stream(
    run_id: UuidText,
    source: Source,
    form: Annotated[Form, Query(description="Events as recorded, or the changes to the rows.")] = "events",
    since: Annotated[Since, Query()] = -1,
    last_event_id: Annotated[str | None, Header(description="Overrides `since`; browsers send it.")] = None,
) -> StreamingResponse:
    """Stream all events after a sequence number, then new ones; `Last-Event-ID` resumes a broken connection."""
    feed = await (await source.feed(run_id)).begun()
    after = since if last_event_id is None else _sequence(last_event_id)
    return StreamingResponse(feed.watch(form, after), headers=_HEADERS, media_type="text/event-stream")


def _sequence(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 16):
        raise Refused(422, "bad_last_event_id", f"Last-Event-ID must be the number of an event, not {text[:40]!r}")
    return int(text)
