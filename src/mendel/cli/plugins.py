"""`mendel plugin`: list and inspect installed plug-ins."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

from mendel.console.session import JsonFlag, session_of, shown
from mendel.contracts.errors import BrokenPlugin, UnknownPlugin
from mendel.ports.registration import DOMAINS, FoundDomain, find_registration
from mendel.ports.registry import GROUPS, Plugin, plugins, resolve
from mendel.settings import Settings

app = typer.Typer(help="List and inspect installed plug-ins.", no_args_is_help=True)


@app.command("list")
def list_(
    context: typer.Context,
    group: Annotated[str | None, typer.Option(help="Only this group, e.g. mendel.event_logs.")] = None,
    json: JsonFlag = False,
) -> None:
    """List the installed plug-ins without loading them."""
    session = session_of(context)
    found = plugins(group)
    if json:
        session.answer({"plugins": [asdict(plugin) for plugin in found]})
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("group", "name", "package", "object"):
        table.add_column(name)
    for plugin in found:
        table.add_row(plugin.group, plugin.name, f"{plugin.distribution} {plugin.version}", plugin.value)
    session.out.print(table)
    empty = [name for name in GROUPS if not any(plugin.group == name for plugin in found)]
    if group is None and empty:
        session.out.print(f"\nNothing installed for: {', '.join(empty)}", style="dim")


@app.command()
def info(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A plug-in's name; GROUP:NAME if several groups have it.")],
    json: JsonFlag = False,
) -> None:
    """Show a plug-in, and whether it loads."""
    session = session_of(context)
    settings = session.loaded.settings
    found = _find(name)
    facts = [asdict(plugin) | {"group_means": GROUPS[plugin.group]} | _loading(plugin, settings) for plugin in found]
    if json:
        session.answer({"plugins": facts})
        return
    for fact in facts:
        for key, value in fact.items():
            if not value:
                continue  # a package need not have a summary
            session.out.print(f"[bold]{key.replace('_', ' '):<13}[/] {shown(value)}", soft_wrap=True)
        session.out.print()


def _find(name: str) -> list[Plugin]:
    group, _, plain = name.rpartition(":")
    found = [plugin for plugin in plugins(group or None) if plugin.name == plain]
    if not found:
        known = ", ".join(sorted({plugin.name for plugin in plugins(group or None)})) or "none"
        raise UnknownPlugin(f"no plug-in is named {plain!r}; installed are: {known}")
    return found


def _loading(plugin: Plugin, settings: Settings) -> dict[str, str]:
    try:
        loaded = resolve(plugin.group, plugin.name)
        if plugin.group == DOMAINS:
            return _registered(plugin, settings)
    except BrokenPlugin as error:
        return {"loads": f"no: {error}"}
    lines = (getattr(loaded, "__doc__", None) or "").strip().splitlines()  # python -OO has no docstrings
    return {"loads": "yes", "says": lines[0] if lines else ""}


def _registered(plugin: Plugin, settings: Settings) -> dict[str, str]:
    """Check a domain: it loads if every part that its registration names loads and has the registered type."""
    from mendel.console.domain_check import faults_of  # imports the kernel and the server's parts of domains

    registration = find_registration(plugin.name)
    faults = faults_of(FoundDomain(plugin, registration, None), settings)
    return {"loads": "; ".join(("no: " + faults[0], *faults[1:])) if faults else "yes", "says": registration.summary}
