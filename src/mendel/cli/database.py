"""`mendel db`: manage the PostgreSQL database of the log."""

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

app = typer.Typer(help="Start, stop and inspect the PostgreSQL database of the log.", no_args_is_help=True)


class Role(StrEnum):
    """The database roles to connect as."""

    RUNTIME = "runtime"
    OWNER = "owner"
    ADMIN = "admin"


@app.command()
def up(context: typer.Context) -> None:
    """Start the embedded PostgreSQL, or connect to the one in MENDEL_DATABASE_URL, and migrate its schema."""
    session = session_of(context)
    changed = wiring.migrate(session.loaded.settings, session.announce)
    schema = "schema migrated" if changed else "schema up to date"
    session.announce(f"PostgreSQL is up, {schema}: {_address(session)}")


@app.command()
def down(context: typer.Context) -> None:
    """Stop the embedded PostgreSQL. Its data remains; the next command that needs the database starts it again."""
    session = session_of(context)
    stopped = wiring.embedded_server(session.loaded.settings, session.announce).stop()
    session.announce("PostgreSQL stopped" if stopped else "PostgreSQL was not running")


@app.command()
def status(context: typer.Context, json: JsonFlag = False) -> None:
    """Show whether PostgreSQL is running, where its data is, and how it was started. Starts nothing."""
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
    role: Annotated[Role, typer.Option(help="runtime: insert and select; owner: migrate; admin: superuser.")] = (
        Role.RUNTIME
    ),
    json: JsonFlag = False,
) -> None:
    """Print the URL of the embedded database, for example for psql: psql "$(mendel db url)".

    For the database in MENDEL_DATABASE_URL, the password in the URL is masked.
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
        str | None, typer.Argument(help="A run's id, any unambiguous part of it, or `latest`; all runs if omitted.")
    ] = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Drop the derived tables and rebuild them from the log.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Bring the read models and the tables of domains up to date (schema mendel_projections); show their progress.

    Readers of runs do this automatically. --rebuild loses nothing: the tables are derived from the log, and telemetry
    of domains, which is not in the log, is kept.
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
    """The last event in the tables of a run, and their row counts."""

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
            sound = [run.run_id for run in runs if run.damage is None]  # a damaged run must not stop the others
            for run_id in sound:
                try:
                    await _own(log, own, run_id, rebuild=rebuild)
                except (DomainFailed, InvalidRow) as error:  # the domain's tables are stale; Mendel's need not be
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
    """Update the tables of the run's domain, but not its telemetry, which is not derived from the log."""
    found = tables.get(await domain_of(log, run_id) or "")
    if found is not None:
        await (found.rebuilt(run_id) if rebuild else found.fresh(run_id))


def _address(session: Session, role: Role = Role.RUNTIME) -> str:
    external = wiring.external_database(session.loaded.settings)
    if external is not None:
        return mask_url(external)
    return wiring.embedded_server(session.loaded.settings, session.announce).url(user=wiring.ROLES[role])
