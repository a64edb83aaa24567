"""Convert rows of the read models to API models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from pydantic import JsonValue

from mendel.api.schemas import Conducted, RunSummary
from mendel.api.source import Listed
from mendel.contracts.log_views import RunOverview
from mendel.contracts.read_models import Row
from mendel.contracts.statuses import RunStatus
from mendel.projections.health import STALLED_AFTER

_UNTOLD = frozenset({"event_id", "maker", "varied"})
"""Columns left out of histories, since they compress badly and are in the details of a candidate."""


def columns(rows: Sequence[Row]) -> dict[str, object]:
    """Return the rows of one table as ``Columns``, without validating each value."""
    names = dict.fromkeys(name for row in rows for name in row.values if name not in _UNTOLD)
    values: dict[str, list[JsonValue]] = {name: [row.values.get(name) for row in rows] for name in names}
    return {
        "key": [row.key for row in rows],
        "first": [row.first for row in rows],
        "last": [row.last for row in rows],
        "values": values,
    }


def summary(run: Listed, here: frozenset[str], now: datetime) -> RunSummary:
    """Convert a run for a list."""
    if run.row is None:
        return _of_overview(run.overview)
    told = {name: value for name, value in run.row.values.items() if name in RunSummary.model_fields} | _ahead(run)
    found = RunSummary.model_validate(
        {
            **told,
            "run_id": run.row.key,
            "sequence": run.row.last,
            "spark": run.row.values.get("improvements") or [],
            "status": told.get("status"),
            "domain": told.get("domain"),
            "problem": told.get("problem"),
        }
    )
    return found.model_copy(update={"conducted": conducted(found, here, now)})


def _ahead(run: Listed) -> dict[str, object]:
    """Return newer facts from the log if the row is stale, so that a finished run is not listed as running."""
    overview, row = run.overview, run.row
    if overview.head is None or row is None or row.last >= overview.head.sequence:  # nothing newer in the log
        return {}
    known = {"status": overview.status, "events": overview.events, "last_event_at": overview.last_event_at}
    return {name: value for name, value in known.items() if value is not None}


def conducted(run: RunSummary, here: frozenset[str], now: datetime) -> Conducted:
    """Infer where the run is conducted from this server's runs and the time of its last event."""
    if run.run_id in here:
        return "here"
    over = run.ended is not None or (run.status is not None and run.status.terminal)  # its row may be stale
    alive = not over and run.last_event_at is not None and run.status not in (None, RunStatus.CONFIGURED)
    return "elsewhere" if alive and run.last_event_at and now - run.last_event_at <= STALLED_AFTER else "nobody"


def _of_overview(run: RunOverview) -> RunSummary:
    return RunSummary(
        run_id=run.run_id,
        sequence=run.head.sequence if run.head is not None else -1,
        status=run.status,
        domain=run.domain,
        problem=run.problem,
        events=run.events,
        started_at=run.started_at,
        last_event_at=run.last_event_at,
        damage=run.damage,
    )


def fits(run: RunSummary, wanted: Mapping[str, str | None]) -> bool:
    """Whether a run matches the filters."""
    status, domain, words = wanted.get("status"), wanted.get("domain"), wanted.get("q")
    said = f"{run.run_id} {run.problem or ''} {run.domain or ''} {run.reason or ''}".lower()
    return (
        (status is None or run.status == status)
        and (domain is None or run.domain == domain)
        and (words is None or all(word in said for word in words.lower().split()))
    )
