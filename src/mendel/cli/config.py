"""`mendel config`: show the settings and their origins, and validate them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from mendel.console.session import JsonFlag, session_of, shown
from mendel.settings import load_settings, settings_schema

app = typer.Typer(help="Show, validate and describe the settings.", no_args_is_help=True)


@app.command()
def view(context: typer.Context, json: JsonFlag = False) -> None:
    """Show every setting with its value and origin; secrets are masked."""
    session = session_of(context)
    rows = session.loaded.view()
    if json:
        session.answer({"settings": {row.key: {"value": row.value, "origin": row.origin} for row in rows}})
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("setting", "value", "from"):
        table.add_column(name)
    for setting in rows:
        table.add_row(setting.key, setting.value, setting.origin)
    session.out.print(table, markup=False)


@app.command()
def validate(
    context: typer.Context,
    file: Annotated[Path | None, typer.Argument(help="A settings file; ./mendel.toml if omitted.")] = None,
    json: JsonFlag = False,
) -> None:
    """Check a settings file and the environment; every error is reported with its location.

    Settings that need a missing part, such as an optional package, are valid; each is reported in its own line.

        mendel config validate

        mendel config validate farm.toml --json
    """
    session = session_of(context)
    loaded = load_settings(flags=session.flags, file=file) if file is not None else session.loaded
    if json:
        lacking = [each._asdict() for each in loaded.lacking]
        session.answer({"valid": True, "warnings": list(loaded.warnings), "lacking": lacking})
        return
    if file is not None:
        for warning in loaded.warnings:  # those of the session's own file are announced already
            session.announce(warning)
    session.out.print(f"{shown(file or 'settings')}: valid")
    for each in loaded.lacking:
        session.out.print(shown(each), soft_wrap=True)


@app.command()
def schema(context: typer.Context) -> None:
    """Print the JSON Schema of mendel.toml, for editors."""
    session_of(context).answer(settings_schema())
