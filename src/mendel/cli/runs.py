"""`mendel runs`, `mendel show`, `mendel events`: read the log."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import datetime
from typing import Annotated

import orjson
import typer
from rich.table import Table

from mendel.cli.views import Fold, ViewName, drawn, fold_of
from mendel.console.session import JsonFlag, RunArgument, Session, find_run, session_of, shown
from mendel.contracts.base import JsonObject
from mendel.contracts.errors import EXIT_NOTHING, LogNotFound
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.run import RUN_STATUS_AFTER
from mendel.contracts.log_views import RunOverview, chapters_of
from mendel.contracts.statuses import RunStatus
from mendel.contracts.step_words import alias_of, aliased
from mendel.contracts.times import utc_now
from mendel.ports.event_log import EventLog
from mendel.ports.registration import find_wording
from mendel.projections.health import RunFold, RunView, unheard_of

STATUS_STYLES = {
    RunStatus.RUNNING: "bold green",
    RunStatus.COMPLETED: "green",
    RunStatus.FAILED: "bold red",
    RunStatus.STOPPED: "yellow",
    RunStatus.CANCELLED: "yellow",
}
_GIST_LENGTH = 100  # characters
_NICHES_SHOWN = 5  # --json has all


def runs(
    context: typer.Context,
    chapters: Annotated[
        str | None,
        typer.Option("--chapters", metavar="RUN", help="Only the chain of chapters that this run belongs to."),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """List the runs in the log, newest first.

    A started run without an event for three heartbeats counts as interrupted; `mendel resume` continues it.
    """
    session = session_of(context)
    found = session.run(_runs(session, chapters))
    if json:
        session.answer({"runs": [_told(run, interrupted=_interrupted(run)) for run in found]})
    elif found:
        session.out.print(_runs_table(found))
    else:
        session.out.print("No runs yet.")


async def _runs(session: Session, chapter: str | None) -> tuple[RunOverview, ...]:
    try:
        async with session.log() as log:
            if chapter is None:
                return await log.runs()
            named = (await find_run(log, chapter)).run_id
            return tuple(reversed(chapters_of(await log.runs(), named)))  # newest first, like the whole list
    except LogNotFound:  # a fresh installation has no log yet
        return ()


def _runs_table(found: tuple[RunOverview, ...]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("run", min_width=36, no_wrap=True)
    table.add_column("status", min_width=10, no_wrap=True)
    table.add_column("events", min_width=7, no_wrap=True, justify="right")
    table.add_column("last event", min_width=10, no_wrap=True, justify="right")
    table.add_column("problem", no_wrap=True, overflow="ellipsis")
    for run in found:
        what = f"{run.domain}: {run.problem}" if run.domain else run.damage or ""
        table.add_row(run.run_id, _status(run), f"{run.events:,}", _ago(run.last_event_at), shown(what))
    return table


def _told(run: RunOverview | RunView, *, interrupted: bool) -> JsonObject:
    """For --json: the status from the log, with the inferred interruption as a separate field."""
    return {**run.model_dump(mode="json"), "interrupted": interrupted}


def _interrupted(run: RunOverview | RunView) -> bool:
    """Whether the run appears to have lost its conductor, judging by the time of its last event."""
    return unheard_of(run.status, run.last_event_at, utc_now())


def _status(run: RunOverview) -> str:
    if run.damage is not None:
        return "[bold red]damaged[/]"
    if _interrupted(run):
        return "[bold yellow]interrupted[/]"
    style = STATUS_STYLES.get(run.status) if run.status else None
    return f"[{style}]{run.status}[/]" if style else str(run.status or "?")


def _ago(moment: datetime | None) -> str:
    """The age of a moment, in its largest whole unit."""
    if moment is None:
        return ""
    seconds = max(0, int((utc_now() - moment).total_seconds()))  # clocks of machines may differ
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit} ago"
    return f"{seconds} s ago"


def show(
    context: typer.Context,
    run: RunArgument,
    name: Annotated[ViewName | None, typer.Option("--view", help="Projection to show instead of the overview.")] = None,
    json: JsonFlag = False,
) -> None:
    """Show an overview of a run (status, configuration, events, results), or one of its projections.

    state: generations. health: caps used, operations in flight, whether the run has stalled. leaderboard: the fittest
    candidates. lineage: ancestry. replay: conductors, attempts, recorded digests.
    """
    session = session_of(context)
    if name is not None:
        _show_view(session, run, name, json=json)
        return
    view = session.run(_view(session, run))
    if json:
        session.answer(_told(view, interrupted=_interrupted(view)))
    else:
        _print_view(session, view)


def _show_view(session: Session, run: str, name: ViewName, *, json: bool) -> None:
    fold = fold_of(name)
    session.run(_folded(session, run, fold))
    if json:
        session.answer(fold.view())
    else:
        session.out.print(drawn(fold.view()))


async def _view(session: Session, text: str) -> RunView:
    fold = RunFold()
    await _folded(session, text, fold)
    view = fold.view()
    if view is None:
        raise RuntimeError("a listed run has at least one event")
    return view


async def _folded(session: Session, text: str, fold: Fold) -> None:
    async with session.log() as log:
        run = await find_run(log, text)
        with session.progress("reading") as progress:
            async for event in log.read(run.run_id):
                fold.take(event)
                if event.sequence % 5_000 == 0:  # reporting every event would slow the reading
                    progress(event.sequence)


def _print_view(session: Session, view: RunView) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold")
    table.add_column()
    for name, value in _facts(view).items():
        table.add_row(name, shown(value))
    session.out.print(table)
    counts = Table(box=None, header_style="bold", pad_edge=False)
    counts.add_column("event")
    counts.add_column("count", justify="right")
    for kind, count in view.events_by_type.items():
        counts.add_row(kind, f"{count:,}")
    session.out.print()
    session.out.print(counts)


def _facts(view: RunView) -> dict[str, object]:
    facts: dict[str, object] = {
        "run": view.run_id,
        "status": _said(view),
        "started": f"{view.started_at:%Y-%m-%d %H:%M:%S} UTC",
        "last event": f"{view.last_event_at:%Y-%m-%d %H:%M:%S} UTC",
        "events": f"{view.sequence_through + 1:,}",
        "head": f"{view.head.sequence} {view.head.hash}",
    }
    if view.config is not None:
        facts |= {"domain": view.config.domain, "problem": view.config.problem, "seed": view.config.rng_seed}
        facts["energy"] = f"{view.energy_spent:,} of {view.config.caps.energy_budget:,}"
    if view.conductor is not None:
        facts["conductor"] = f"{view.conductor} (epoch {view.epoch})"
    if view.best_candidate_id is not None:
        facts["best"] = f"{view.best_candidate_id} at {view.best_fitness:g}"
    several = len(view.champions) > 1
    facts |= {f"champion of {niche}" if several else "champion": each for niche, each in view.champions.items()}
    for place, (said, times) in enumerate(view.failures.items()):
        facts["failed" if not place else f"failed, {place + 1}."] = f"{times:,} times: {' '.join(said.split())[:300]}"
    for place, closed in enumerate(view.closed_niches[:_NICHES_SHOWN]):
        facts["gate" if not place else f"gate, {place + 1}."] = closed.words()
    if view.endless_routes is not None:
        facts["dropped"] = view.endless_routes.words()
    if view.parameters is not None:
        facts["parameters"] = f"{orjson.dumps(view.parameters.data).decode()} since event {view.parameters_since}"
    if view.operations_in_flight:
        facts["in flight"] = f"{len(view.operations_in_flight)} operations"
    return facts


def _said(view: RunView) -> str:
    """The status of the run, and for an interrupted run the command that continues it."""
    said = view.status or "?"
    return f"{said}, but interrupted: mendel resume {view.run_id} continues it" if _interrupted(view) else said


def events(
    context: typer.Context,
    run: RunArgument,
    since: Annotated[int, typer.Option(min=0, help="First sequence number to show.")] = 0,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Wait for new events until the run ends.")] = False,
    kind: Annotated[
        str | None, typer.Option("--type", help="Only events with this prefix of their type or alias.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Print the events of a run; with --follow and --json, one JSON object per line."""
    session = session_of(context)
    shown = session.run(_events(session, run, since, kind or "", follow=follow, json=json))
    if not shown and not json:
        session.announce("no such events")
        raise typer.Exit(EXIT_NOTHING)


async def _events(session: Session, text: str, since: int, kind: str, *, follow: bool, json: bool) -> int:
    async with session.log() as log:
        run = await find_run(log, text)
        source = log.follow(run.run_id, since) if follow else log.read(run.run_id, since)
        if json and not follow:
            return await _answer_events(session, run.run_id, source, kind)
        return await _print_events(session, log, source, kind, json=json)


async def _answer_events(session: Session, run_id: str, source: AsyncGenerator[Event, None], kind: str) -> int:
    wording = find_wording()
    found = [told async for event in source if _is_of(told := aliased(wording, event), kind)]
    session.answer({"run_id": run_id, "events": found})
    return len(found)


async def _print_events(
    session: Session, log: EventLog, source: AsyncGenerator[Event, None], kind: str, *, json: bool
) -> int:
    shown, wording = 0, find_wording()
    async with aclosing(source):
        async for event in source:
            if _is_of(told := aliased(wording, event), kind):
                shown += 1
                _print_event(session, told, json=json)
            status = RUN_STATUS_AFTER.get(event.type)
            # Events may follow the one that ends the run, so the output stops only at the tip of the log.
            if status is not None and status.terminal and event.sequence + 1 >= (await log.tip(event.run_id)).next:
                break
    return shown


def _is_of(event: Event, kind: str) -> bool:
    return event.type.startswith(kind) or (alias_of(event) or "").startswith(kind)


def _print_event(session: Session, event: Event, *, json: bool) -> None:
    if json:
        session.out.print(event.model_dump_json(), markup=False, soft_wrap=True)
    else:
        session.out.print(_line(event), no_wrap=True, overflow="ellipsis", crop=True)


def _line(event: Event) -> str:
    subject = event.candidate_id or event.genome_id or event.operation_id or event.generation_id or ""
    gist = orjson.dumps(event.payload.model_dump(mode="json", exclude_defaults=True)).decode()  # defaults say little
    gist = gist if len(gist) <= _GIST_LENGTH else gist[: _GIST_LENGTH - 1] + "…"
    alias = f"[bold]{name}[/] " if (name := alias_of(event)) is not None else ""
    return (
        f"[dim]{event.sequence:>6}  {event.occurred_at:%H:%M:%S.%f}[/]  [bold]{event.type:<28}[/] "
        f"{event.actor:<12} {subject:<20} {alias}[dim]{shown(gist)}[/]"
    )
