"""`mendel db`: the PostgreSQL behind the log."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from typing import Annotated

import typer

from mendel import wiring
from mendel.cli.context import JsonFlag, Session, session_of, shown
from mendel.contracts.errors import EXIT_NOTHING
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


def _address(session: Session, role: Role = Role.RUNTIME) -> str:
    external = wiring.external_database(session.loaded.settings)
    if external is not None:
        return mask_url(external)
    return wiring.embedded_server(session.loaded.settings, session.announce).url(user=wiring.ROLES[role])
