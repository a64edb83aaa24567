"""`mendel doctor`: check which parts of Mendel work on this machine, and how to fix the others."""

from __future__ import annotations

from collections import Counter

import typer
from rich.table import Table

from mendel.api.about import record_probes
from mendel.cli.installation import probes
from mendel.console.session import JsonFlag, Session, session_of, shown
from mendel.contracts.diagnostics import Probe
from mendel.contracts.errors import StorageError
from mendel.contracts.times import utc_now

MARKS = {"ok": "[green]✔ ok[/]", "limited": "[yellow]● limited[/]", "missing": "[red]✘ missing[/]"}


def doctor(context: typer.Context, json: JsonFlag = False) -> None:
    """Check this machine: PostgreSQL, isolation, Redis, containers, browser, keys (by name only)."""
    session = session_of(context)
    with session.err.status("checking this machine …"):
        found = probes(session.loaded.settings)
    _keep(session, found)
    if json:
        session.answer({"probes": list(found)})
        return
    session.out.print(_table(found))
    counts = Counter(probe.status for probe in found)
    session.out.print(f"\n{counts['ok']} ok, {counts['limited']} limited, {counts['missing']} missing", style="bold")


def _keep(session: Session, probes: tuple[Probe, ...]) -> None:
    """Save the results for the observatory; a failure only produces a message."""
    try:
        record_probes(session.loaded.settings.home, probes, utc_now())
    except StorageError as error:
        session.announce(str(error))


def _table(probes: tuple[Probe, ...]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("part", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("details and remedy")
    for probe in probes:
        table.add_row(probe.name, MARKS[probe.status], shown(probe.detail))
        if probe.remedy is not None:
            table.add_row("", "", f"[dim]for {shown(probe.needed_for)}:[/] {shown(probe.remedy)}")
    return table
