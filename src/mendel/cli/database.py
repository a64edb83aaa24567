"""`mendel db`: the PostgreSQL behind the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, NamedTuple

import typer

from mendel import wiring
from mendel.api.domain_projecting import TablesOf, domain_of
from mendel.api.projecting import Projector
from mendel.console.session import JsonFlag, Session, find_run, session_of, shown
from mendel.contracts.errors import EXIT_NOTHING, DomainFailed, InvalidRow, LogNotFound
from mendel.contracts.read_models import TABLES, TableName
from mendel.ports.event_log import EventLog
from mendel.ports.read_models import ReadModels
from mendel.ports.registration import find_wording
from mendel.settings import mask_url

app = typer.Typer(help="Start, stop and inspect the PostgreSQL behind the log.", no_args_is_help=True)


class Role(StrEnum):
    """As whom to connect."""

    RUNTIME = "runtime"
    OWNER = "owner"
    ADMIN = "admin"


@app.command()
def up(context: typer.Context) -> None:
    """Start the embedded PostgreSQL (or reach the one MENDEL_DATABASE_URL names) and migrate its schema."""
    session = session_of(context)
    changed = wiring.migrate(session.loaded.settings, session.announce)
    schema = "schema migrated" if changed else "schema up to date"
    session.announce(f"PostgreSQL is up, {schema}: {_address(session)}")


@app.command()
def down(context: typer.Context) -> None:
    """Stop the embedded PostgreSQL. Data stays; the next command that needs it starts it again."""
    session = session_of(context)
    stopped = wiring.embedded_server(session.loaded.settings, session.announce).stop()
    session.announce("PostgreSQL stopped" if stopped else "PostgreSQL was not running")


@app.command()
def status(context: typer.Context, json: JsonFlag = False) -> None:
    """Say whether PostgreSQL runs, where its data is, and how it was started. Starts nothing."""
    session = session_of(context)
    external = wiring.external_database(session.loaded.settings)
    if external is not None:
        facts: dict[str, object] = {"state": "external", "url": mask_url(external)}
    else:
        facts = asdict(wiring.server_status(session.loaded.settings))
    if json:
        session.answer(facts)
    else:
        for name, value in facts.items():
            if value is not None:
                session.out.print(f"[bold]{name.replace('_', ' '):<11}[/] {shown(value)}", soft_wrap=True)
    if facts["state"] in {"absent", "stopped"}:
        raise typer.Exit(EXIT_NOTHING)


@app.command()
def url(
    context: typer.Context,
    role: Annotated[Role, typer.Option(help="runtime inserts and selects, owner migrates, admin is superuser.")] = (
        Role.RUNTIME
    ),
    json: JsonFlag = False,
) -> None:
    """Print the URL of the embedded database, for psql and friends: psql "$(mendel db url)".

    Of a database that MENDEL_DATABASE_URL names, it shows the URL with its password masked.
    """
    session = session_of(context)
    address = _address(session, role)
    if json:
        session.answer({"url": address})
    else:
        session.out.print(address, markup=False, soft_wrap=True)


@app.command()
def projections(
    context: typer.Context,
    run: Annotated[
        str | None, typer.Argument(help="A run, or the beginning of its id; all of them if left out.")
    ] = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Drop what was made of the log, and make it again.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Bring the read models and tables of domains up to date (schema mendel_projections); say how far they are.

    Whoever looks at runs does it by himself. Nothing is lost by --rebuild: the log is the truth, tables are made of it;
    telemetry of domains, which no log has, stays.
    """
    session = session_of(context)
    made = session.run(_projected(session, run, rebuild=rebuild))
    if json:
        session.answer({"runs": [each._asdict() for each in made]})
        return
    for each in made:
        rows = ", ".join(f"{count:,} {name}" for name, count in each.rows.items() if count)
        session.out.print(f"[bold]{each.run_id}[/] through event {each.through:,}: {rows}", soft_wrap=True)
    if not made:
        session.out.print("No runs yet.")


class Projected(NamedTuple):
    """How far the tables of a run are, and how many rows they have."""

    run_id: str
    through: int
    rows: dict[TableName, int]


async def _projected(session: Session, text: str | None, *, rebuild: bool) -> list[Projected]:
    settings = session.loaded.settings
    try:
        async with (
            session.log() as log,
            wiring.open_read_models(settings, session.announce) as models,
            wiring.open_domain_tables(settings, log, session.announce) as own,
        ):
            runs = [await find_run(log, text)] if text is not None else await log.runs()
            sound = [run.run_id for run in runs if run.damage is None]
            for run_id in sound:
                try:
                    await _own(log, own, run_id, rebuild=rebuild)
                except (DomainFailed, InvalidRow) as error:  # its own tables are stale; those of Mendel need not be
                    session.announce(f"run {run_id}: {error}")
            return [await _made(log, models, run_id, rebuild=rebuild) for run_id in sound]
    except LogNotFound:
        return []


async def _made(log: EventLog, models: ReadModels, run_id: str, *, rebuild: bool) -> Projected:
    if rebuild:
        await models.drop(run_id)
    through = await Projector(log, models, run_id, wording=find_wording()).catch_up()
    return Projected(run_id, through, {name: len(await models.rows(run_id, name)) for name in TABLES})


async def _own(log: EventLog, tables: Mapping[str, TablesOf], run_id: str, *, rebuild: bool) -> None:
    """Bring the tables up to date that the run's domain has of its own; its telemetry is no part of that."""
    found = tables.get(await domain_of(log, run_id) or "")
    if found is not None:
        await (found.rebuilt(run_id) if rebuild else found.fresh(run_id))


def _address(session: Session, role: Role = Role.RUNTIME) -> str:
    external = wiring.external_database(session.loaded.settings)
    if external is not None:
        return mask_url(external)
    return wiring.embedded_server(session.loaded.settings, session.announce).url(user=wiring.ROLES[role])
