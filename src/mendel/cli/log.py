"""`mendel log`: verify, export and import runs."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Set
from pathlib import Path
from typing import Annotated

import typer

from mendel.console.session import JsonFlag, RunArgument, Session, find_run, session_of, shown
from mendel.contracts.errors import EXIT_FAILED, EXIT_NOTHING, LogError, LogNotFound, RunNotFound, StorageError
from mendel.contracts.log_views import VerifyReport
from mendel.ports.event_log import EventLog
from mendel.ports.progress import Progress
from mendel.ports.transfer import Transferred, check_run_file, export_run, import_run
from mendel.ports.verification import verify as verify_run
from mendel.wiring import scrubber

app = typer.Typer(help="Verify, export and import runs.", no_args_is_help=True)

_CHECKPOINTS = {
    "matches": "its head matches the checkpoint",
    "behind": "it continues past the checkpoint",
    "absent": "no checkpoint exists here, so missing events at the end would go unnoticed",
    "cut": "it ends before the checkpoint",
    "end_line": "it has a valid end line",
}


@app.command()
def verify(
    context: typer.Context,
    run: Annotated[
        list[str] | None, typer.Argument(metavar="[RUN|FILE]…", help="Runs or run files; every run if omitted.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Check the integrity of a run: sequence numbers, hash chain, blobs, and its head against the checkpoint.

    Reports the first bad row. Exit code 1 if any check fails.
    """
    session = session_of(context)
    names = run or []
    files = [_verify_file(session, Path(name)) for name in names if Path(name).is_file()]
    wanted = [name for name in names if not Path(name).is_file()]
    reports = [report for report in files if isinstance(report, VerifyReport)]
    refused = [str(report) for report in files if not isinstance(report, VerifyReport)]
    if wanted or not names:
        reports += session.run(_verify_runs(session, wanted))
    _answer(session, reports, refused, json=json)
    if not reports and not refused:
        session.announce("there are no runs to verify")
        raise typer.Exit(EXIT_NOTHING)
    if refused or not all(report.ok for report in reports):
        raise typer.Exit(EXIT_FAILED)


def _answer(session: Session, reports: list[VerifyReport], refused: list[str], *, json: bool) -> None:
    if json:
        session.answer({"reports": reports, "refused": refused})
        return
    for report in reports:
        _print_report(session, report)
    for message in refused:
        session.out.print(f"[bold red]BAD[/] {shown(message)}", soft_wrap=True)


async def _verify_runs(session: Session, wanted: list[str]) -> list[VerifyReport]:
    reports: list[VerifyReport] = []
    try:
        async with session.log() as log:
            for run_id in await _run_ids(log, wanted):
                with session.progress(f"verifying {run_id}") as progress:
                    reports.append(await verify_run(log, run_id, progress))
    except LogNotFound:  # a missing log has no runs, which is an error only if one was named
        if wanted:
            raise
    return reports


async def _run_ids(log: EventLog, names: list[str]) -> list[str]:
    """Resolve names to run ids, or return all; runs that lost all their events are found by their checkpoints."""
    stored = {run.run_id for run in await log.runs()}
    remembered = await log.checkpoints.run_ids()
    if not names:
        return sorted(stored | remembered)
    return [await _run_id(log, name, remembered - stored) for name in names]


async def _run_id(log: EventLog, name: str, lost: Set[str]) -> str:
    try:
        return (await find_run(log, name)).run_id
    except RunNotFound:
        matches = [run_id for run_id in lost if name.lower() in run_id]  # same rule as find_run
        if len(matches) != 1:
            raise
        return matches[0]


def _verify_file(session: Session, path: Path) -> VerifyReport | LogError:
    try:
        with session.progress(f"verifying {path}") as progress:
            checked = check_run_file(path, progress=progress)
    except LogError as error:
        return error
    return VerifyReport(
        run_id=checked.run_id,
        ok=True,
        events=checked.events,
        blobs=checked.blobs,
        head=checked.head,
        checkpoint="end_line",
    )


def _print_report(session: Session, report: VerifyReport) -> None:
    if report.problem is None:
        facts = f"{report.events:,} events, {report.blobs:,} blobs; {_CHECKPOINTS[report.checkpoint]}"
        session.out.print(f"[green]ok[/]  {report.run_id}  {facts}", soft_wrap=True)
        return
    problem = report.problem
    session.out.print(f"[bold red]BAD[/] {report.run_id}  {problem.reason} at sequence {problem.sequence}")
    session.out.print(f"    {shown(problem.detail)}", soft_wrap=True)
    session.out.print(f"    the {report.events:,} events before it are intact")


@app.command("export")
def export(
    context: typer.Context,
    run: RunArgument,
    file: Annotated[Path, typer.Argument(help="Output file; - is standard output.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    json: JsonFlag = False,
) -> None:
    """Export a run and its blobs to a self-contained file that can be verified and imported anywhere."""
    session = session_of(context)
    done = session.run(_export(session, run, file, force=force))
    _report_transfer(session, done, f"exported to {file}", json=json and str(file) != "-")  # stdout holds the run


async def _export(session: Session, text: str, file: Path, *, force: bool) -> Transferred:
    async with session.log() as log:
        run = await find_run(log, text)
        with session.progress("exporting") as progress:
            if str(file) == "-":
                return await export_run(log, run.run_id, sys.stdout.buffer, progress)
            if file.exists() and not force:
                raise typer.BadParameter(f"{file} exists already; --force replaces it", param_hint="FILE")
            return await _export_whole(log, run.run_id, file, progress)


async def _export_whole(log: EventLog, run_id: str, file: Path, progress: Progress) -> Transferred:
    """Write a temporary file and rename it when complete, so that the target never holds half an export."""
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    except OSError as error:
        raise StorageError(f"{file} cannot be written: {error.strerror}") from error
    try:
        with os.fdopen(descriptor, "wb") as stream:
            done = await export_run(log, run_id, stream, progress)
            stream.flush()
            os.fsync(stream.fileno())  # before the rename, or a crash could leave an empty target
        Path(temporary).chmod(0o666 & ~_umask())  # mkstemp creates private files
        Path(temporary).replace(file)
    except OSError as error:
        raise StorageError(f"{file} cannot be written: {error.strerror}") from error
    finally:
        Path(temporary).unlink(missing_ok=True)  # missing after a successful rename
    return done


def _umask() -> int:
    current = os.umask(0o077)  # the umask can be read only by setting it
    os.umask(current)
    return current


@app.command("import")
def import_(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A run file.", exists=True, dir_okay=False)],
    json: JsonFlag = False,
) -> None:
    """Import a run file, after checking all of it; the same run again is a no-op, a differing one is refused."""
    session = session_of(context)
    done = session.run(_import(session, file))
    _report_transfer(
        session, done, f"imported, {done.added:,} of them new" if done.added else "already present", json=json
    )


async def _import(session: Session, file: Path) -> Transferred:
    cleaner = scrubber(session.loaded.settings)
    with session.progress(f"checking {file}") as progress:
        checked = check_run_file(file, cleaner, progress)  # before the log is even created
    async with session.log(create=True) as log:
        with session.progress("importing") as progress:
            return await import_run(log, file, cleaner, progress, checked)


def _report_transfer(session: Session, done: Transferred, what: str, *, json: bool) -> None:
    if json:
        session.answer(done._asdict())
    else:
        session.announce(f"{done.run_id}: {done.events:,} events and {done.blobs:,} blobs {what}")
