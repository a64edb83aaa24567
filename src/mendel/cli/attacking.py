"""`mendel sandbox attack`: run the hostile corpus against the sandbox of this machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from mendel.conformance.hostile import Attack, Met, attacks, run_attacks
from mendel.console.session import JsonFlag, Session, session_of, shown
from mendel.contracts.errors import EXIT_FAILED, ConfigError
from mendel.contracts.evaluations import Isolation
from mendel.wiring import open_sandbox


def attack(
    context: typer.Context,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]…", help="Attacks or families to run; all if omitted.")
    ] = None,
    corpus: Annotated[Path | None, typer.Option(help="Folder with your own attacks; see docs/hostile.md.")] = None,
    json: JsonFlag = False,
) -> None:
    """Run programs that try to escape, forge their result or disturb the next program, and report each outcome.

    The static policy is off. After every attack an honest program must return the same result as before. Exit code 1 if
    any attack escaped, forged a result, disturbed the next program, or ended in an unexpected way.
    """
    session = session_of(context)
    chosen = _chosen(corpus, names or ())
    isolation, met = session.run(_attacked(session, chosen, quiet=json))
    bad = [each for each in met if not each.held]
    if json:
        session.answer({"isolation": isolation.tier, "backend": isolation.backend, "attacks": list(map(asdict, met))})
    else:
        _print_summary(session, isolation, met)
    if bad:
        raise typer.Exit(EXIT_FAILED)


def _chosen(folder: Path | None, names: Sequence[str]) -> tuple[Attack, ...]:
    try:
        found = attacks(folder, only=names)
    except (OSError, ValueError, SyntaxError) as error:
        raise ConfigError(f"the corpus cannot be read: {error}") from error
    if not found:
        raise ConfigError(f"no attack {' or '.join(names) or f'in {folder}'} exists; --json lists all by name")
    return found


async def _attacked(session: Session, chosen: Sequence[Attack], *, quiet: bool) -> tuple[Isolation, list[Met]]:
    met = []
    async with open_sandbox(session.loaded.settings) as sandbox:
        isolation = await sandbox.isolation()
        session.announce(f"{len(chosen)} attacks on {isolation.backend} ({isolation.tier}); takes a minute or two")
        async for each in run_attacks(sandbox, chosen):
            met.append(each)
            if not quiet:
                _print_met(session, each)
    return isolation, met


def _print_met(session: Session, met: Met) -> None:
    mark = "[green]held[/]" if met.held else "[bold red]FAILED[/]"
    how = f"{met.kind} {met.error_code or ''}".strip()
    session.out.print(f"{mark} [bold]{shown(met.name)}[/] {shown(met.attempted)}", soft_wrap=True)
    session.out.print(f"     [dim]met {shown(how)} {shown(met.message[:120])}[/]", soft_wrap=True)
    for what in (*met.escaped, *met.forged, *met.disturbed):
        session.out.print(f"     [bold red]{shown(what)}[/]", soft_wrap=True)
    if not met.as_expected:
        session.out.print("     [bold red]it ended in an unexpected way[/]", soft_wrap=True)


def _print_summary(session: Session, isolation: Isolation, met: Sequence[Met]) -> None:
    families = Counter(each.family for each in met)
    bad = {
        "escapes": sum(bool(each.escaped) for each in met),
        "forged results": sum(bool(each.forged) for each in met),
        "effects on the next program": sum(bool(each.disturbed) for each in met),
        "unexpected ends": sum(not each.as_expected for each in met),
    }
    style = "bold red" if any(bad.values()) else "bold green"
    told = ", ".join(f"{count} {what}" for what, count in bad.items())
    session.out.print(f"\n[{style}]{len(met)} attacks in {len(families)} families: {told}[/] (tier {isolation.tier})")
