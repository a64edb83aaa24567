"""`/guard/reports`: decisions of the gate, from `mendel guard` and from runs."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import JsonValue, ValidationError

from mendel.api.answers import answered
from mendel.api.kept_reports import KeptReport
from mendel.api.problems import Refused
from mendel.api.schemas_guard import GuardPage, GuardReport, GuardRow, Side
from mendel.api.services import Served, Services
from mendel.api.source import Listed, events_at
from mendel.contracts.base import JsonObject
from mendel.contracts.events.gate import GateVerdict
from mendel.contracts.read_models import Row
from mendel.contracts.verdicts import Decision, Verdict
from mendel.guard.page import demands
from mendel.guard.policy import Demand
from mendel.projections.tables import GateInterval, gate_intervals

MOST: Final = 500
router = APIRouter(tags=["guard"])
ReportName = Annotated[str, Path(min_length=1, max_length=120, pattern=r"^[A-Za-z0-9_.-]+$")]


@router.get("/guard/reports", response_model=GuardPage)
async def list_reports(
    request: Request,
    served: Served,
    source: Annotated[Literal["report", "run"] | None, Query(description="Only this source.")] = None,
    decision: Annotated[Literal["adopt", "reject", "undecided"] | None, Query(description="Only this one.")] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = 100,
    cursor: Annotated[str | None, Query(max_length=120, description="`next` from the previous page.")] = None,
) -> Response:
    """List the reports that `mendel guard` keeps here, and the gate's verdicts in all runs."""
    rows = await asyncio.to_thread(lambda: [_row(each) for each in served.reports.all()])  # reads files
    found = [row for row in rows if row is not None] + await _in_runs(served)
    found = [row for row in found if source in (None, row.source) and decision in (None, row.decision)]
    start = _position([row.id for row in found], cursor)
    shown = found[start : start + limit]
    more = start + limit < len(found)
    page = GuardPage(
        reports=shown,
        next=shown[-1].id if more else None,
        total=len(found),
        decisions=dict(Counter(str(row.decision) for row in found)),
    )
    return answered(request, page)


@router.get("/guard/reports/{report_id}", name="get_report", response_model=GuardReport)
async def one_report(request: Request, report_id: ReportName, served: Served) -> Response:
    """Get a decision of the gate with all its evidence; a report from `mendel guard` also has both programs."""
    kept = await asyncio.to_thread(served.reports.one, report_id)
    found = _report(kept) if kept is not None else await _of_run(served, report_id)
    if found is None:
        told = f"there is no report {report_id!r}; GET /api/guard/reports lists all"
        raise Refused(404, "report_not_found", told)
    return answered(request, found)


def _position(names: list[str], cursor: str | None) -> int:
    if cursor is None:
        return 0
    if cursor not in names:
        raise Refused(404, "unknown_cursor", f"no report {cursor!r} is in this list; omit `cursor` to start over")
    return names.index(cursor) + 1


# --- reports of `mendel guard` -----------------------------------------------------------------------------------


class _Read(NamedTuple):
    """The parts of a valid report file."""

    verdict: Verdict
    task: str
    rest: JsonObject


def _read(kept: KeptReport) -> _Read | None:
    fields = {name: value for name, value in kept.data.items() if name in Verdict.model_fields}
    try:
        return _Read(Verdict.model_validate(fields), str(kept.data.get("task", "")), kept.data)
    except ValidationError:
        return None


def _row(kept: KeptReport) -> GuardRow | None:
    read = _read(kept)
    return GuardRow(**_told(read.verdict), id=kept.name, source="report", what=read.task, at=kept.at) if read else None


def _report(kept: KeptReport) -> GuardReport | None:
    read = _read(kept)
    if read is None:
        return None
    config, sides = _object(read.rest, "config"), _object(read.rest, "implementations")
    return GuardReport(
        **_told(read.verdict),
        **_whole(read.verdict, config),
        id=kept.name,
        source="report",
        what=read.task,
        at=kept.at,
        candidate=_side(sides, "candidate"),
        baseline=_side(sides, "baseline"),
    )


def _object(data: Mapping[str, JsonValue], name: str) -> dict[str, JsonValue]:
    found = data.get(name)
    return found if isinstance(found, dict) else {}


def _side(sides: dict[str, JsonValue], name: str) -> Side | None:
    found = _object(sides, name)
    try:
        return Side.model_validate({each: found[each] for each in Side.model_fields}) if found else None
    except (KeyError, ValidationError):
        return None


def _told(verdict: Verdict) -> dict[str, Any]:
    return {
        "decision": verdict.decision,
        "mode": verdict.mode,
        "n": verdict.n,
        "reason": verdict.reasons[0].message,
        "candidate_id": verdict.candidate_id,
        "intervals": gate_intervals(verdict),
    }


def _whole(verdict: Verdict, config: dict[str, JsonValue]) -> dict[str, Any]:
    return {
        "verdict": verdict,
        "policy": verdict.policy,
        "alpha": verdict.challenge.alpha,
        "k": verdict.challenge.k,
        "demands": demands(verdict, Demand.read(verdict.policy, verdict.mode), config),
        "config": config,
    }


# --- in runs ---------------------------------------------------------------------------------------------------


async def _in_runs(served: Services) -> list[GuardRow]:
    found: list[GuardRow] = []
    for run in await served.source.runs():
        if run.row is None:
            continue
        rows = await served.source.models.rows(run.row.key, "verdicts")
        found += [_of_row(run, row) for row in reversed(rows) if row.values.get("what") == "verdict"]  # newest first
    return found


def _of_row(run: Listed, row: Row) -> GuardRow:
    values, intervals = row.values, row.values.get("intervals")
    drawn = [GateInterval.model_validate(each) for each in intervals] if isinstance(intervals, list) else []
    return GuardRow(
        id=f"{run.overview.run_id}.{row.key}",
        source="run",
        what=run.overview.problem or run.overview.domain or "",
        decision=Decision(str(values.get("decision"))),
        mode=str(values.get("mode")),
        n=n if isinstance(n := values.get("n"), int) else 0,
        run_id=run.overview.run_id,
        candidate_id=str(values.get("candidate_id")),
        sequence=row.first,
        intervals=drawn,
    )


async def _of_run(served: Services, report_id: str) -> GuardReport | None:
    run_id, _, event_id = report_id.partition(".")
    listed = next((each for each in await served.source.runs() if each.overview.run_id == run_id), None)
    row = await served.source.row(run_id, "verdicts", event_id) if listed is not None else None
    if listed is None or row is None:
        return None
    events = await events_at(served.source.log, run_id, {row.first})
    event = events[0] if events else None
    if event is None or not isinstance(event.payload, GateVerdict):
        return None
    verdict = event.payload.verdict
    return GuardReport(
        **_told(verdict),
        **_whole(verdict, {}),
        id=report_id,
        source="run",
        what=listed.overview.problem or "",
        at=event.occurred_at,
        run_id=run_id,
        sequence=event.sequence,
    )
