"""`mendel replay`: fold a run again, in a process without environment, and compare the digests."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, cast

import orjson
import typer

from mendel.console.session import JsonFlag, Session, find_run, session_of
from mendel.contracts.base import JsonObject
from mendel.contracts.errors import EXIT_FAILED, EXIT_MACHINERY
from mendel.ports.event_log import EventLog
from mendel.ports.progress import Progress
from mendel.ports.run_file import event_line, header_line

_CHUNK = 1 << 16


def replay(
    context: typer.Context,
    run: Annotated[str, typer.Argument(metavar="RUN|FILE", help="A run of the log, or an exported run file.")],
    json: JsonFlag = False,
) -> None:
    """Fold a run's log again and compare the result with the digests recorded at its end. Calls no model or worker.

    Prints the state digest (of everything) and the outcome digest (of the results, equal for all runs that bred the
    same). Exit code 1 if either differs from the recorded one.
    """
    session = session_of(context)
    answer = session.run(_replay(session, run))
    error = answer.get("error")
    if json:
        session.answer(answer)
    elif isinstance(error, dict):
        session.err.print(f"mendel: {error['message']}", markup=False, soft_wrap=True)
    else:
        _print(session, cast("JsonObject", answer["report"]))
    if isinstance(error, dict) or cast("JsonObject", answer["report"])["agrees"] is False:
        raise typer.Exit(EXIT_FAILED)


def _print(session: Session, report: JsonObject) -> None:
    verdicts = {True: "as recorded", False: "[bold red]unlike the record[/]", None: "the run has recorded none yet"}
    best = f", best {report['best_fitness']:.6g} ({report['best_candidate_id']})" if report["best_candidate_id"] else ""
    size = f"{report['events']:,} events, {report['candidates']:,} candidates"
    session.out.print(f"{report['run_id']} {report['status']}: {size}{best}", soft_wrap=True)
    for name in ("state", "outcome"):
        recorded = report[f"recorded_{name}_digest"]
        equal = None if recorded is None else recorded == report[f"{name}_digest"]
        session.out.print(f"{name:>8} digest {report[f'{name}_digest']}  {verdicts[equal]}", soft_wrap=True)
        if equal is False:
            session.out.print(f"        recorded {recorded}", soft_wrap=True)


async def _replay(session: Session, text: str) -> JsonObject:
    path = Path(text)
    with session.progress("replaying") as progress:
        if path.is_file():
            return await _folded(_file_chunks(path))
        async with session.log() as log:
            found = await find_run(log, text)
            return await _folded(_log_chunks(log, found.run_id, progress))


async def _file_chunks(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


async def _log_chunks(log: EventLog, run_id: str, progress: Progress) -> AsyncIterator[bytes]:
    """Stream the run in the format of a run file, without blobs, which are not part of the state."""
    yield header_line(run_id)
    async for chunk in log.records(run_id):
        yield b"".join(map(event_line, chunk))
        progress(chunk[-1].sequence + 1)  # sequences begin with 0


async def _folded(chunks: AsyncIterator[bytes]) -> JsonObject:
    """Return the answer of the replay process, which gets no environment: no keys, addresses or home folder."""
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "mendel.kernel.replay_process"), stdin=PIPE, stdout=PIPE, env=environment
    )
    feeding = asyncio.create_task(_feed(process, chunks))
    try:
        output, _ = await asyncio.gather(_output(process), feeding)
    finally:
        if process.returncode is None:  # feeding failed or was cancelled
            process.kill()
        await process.wait()
    try:
        answer: JsonObject = orjson.loads(output)
    except orjson.JSONDecodeError:
        raise typer.Exit(EXIT_MACHINERY) from None
    return answer


async def _output(process: Process) -> bytes:
    if process.stdout is None:
        raise RuntimeError("the process was started with a pipe")
    output = await process.stdout.read()
    await process.wait()
    return output


async def _feed(process: Process, chunks: AsyncIterator[bytes]) -> None:
    if process.stdin is None:
        raise RuntimeError("the process was started with a pipe")
    # The process closes its end early if, for example, the hash chain is broken; its answer gives the reason.
    with suppress(BrokenPipeError, ConnectionResetError):
        async for chunk in chunks:
            process.stdin.write(chunk)
            await process.stdin.drain()
    process.stdin.close()
