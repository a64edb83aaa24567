"""`mendel stop`, `kill`, `cancel`, `propose` and `set`: submit a command to a run and wait for its effect."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, cast

import typer
from pydantic_core import from_json

from mendel.cli.run_options import refuse_unknown_caps
from mendel.console.session import JsonFlag, RunArgument, Session, find_run, session_of, shown
from mendel.console.tables import assignments, nested, refuse_non_json, table_at
from mendel.contracts.base import JsonObject
from mendel.contracts.commands import Command, CommandKind, NewCommand
from mendel.contracts.errors import CommandNotPossible, ConfigError, DomainFailed, PluginError, RunBusy
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.run import RUN_STATUS_AFTER, CommandAccepted, CommandRefused
from mendel.contracts.log_views import RunOverview
from mendel.kernel.conduct import conduct
from mendel.kernel.conductor import Options
from mendel.ports.event_log import EventLog
from mendel.wiring import open_fabric, system_clock

_JSON_BEGINS: Final = ("{", "[", '"')  # anything else, also a bare number, may be a file name
_JSON_WORDS: Final[Mapping[type, str]] = {
    list: "an array",
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


@dataclass(frozen=True)
class _Words:
    """Phrases for the messages about one command: its content, its refusal, and that it is pending."""

    brings: str
    refused: str
    waits: str


_PROPOSAL: Final = _Words("proposals", "the proposal was refused", "the proposal is pending")
_PARAMETERS: Final = _Words("parameters", "the parameters were refused", "the parameters are pending")

ReasonOption = Annotated[str | None, typer.Option("--reason", help="Reason to record in the log.")]
NoWaitFlag = Annotated[bool, typer.Option("--no-wait", help="Submit the command and return without waiting.")]


def stop(
    context: typer.Context,
    run: RunArgument,
    reason: ReasonOption = None,
    no_wait: NoWaitFlag = False,
    json: JsonFlag = False,
) -> None:
    """Stop a run gracefully: nothing new starts, operations in flight finish, and the summary is marked partial."""
    _command(context, run, CommandKind.STOP, reason, wait=not no_wait, json=json)


def kill(
    context: typer.Context,
    run: RunArgument,
    reason: ReasonOption = None,
    no_wait: NoWaitFlag = False,
    json: JsonFlag = False,
) -> None:
    """Stop a run immediately and abandon operations in flight."""
    _command(context, run, CommandKind.KILL, reason, wait=not no_wait, json=json)


def cancel(
    context: typer.Context,
    run: RunArgument,
    reason: ReasonOption = None,
    no_wait: NoWaitFlag = False,
    json: JsonFlag = False,
) -> None:
    """Cancel a run that is configured but has not started."""
    _command(context, run, CommandKind.CANCEL, reason, wait=not no_wait, json=json)


def propose(
    context: typer.Context,
    run: RunArgument,
    proposal: Annotated[
        str, typer.Argument(metavar="FILE|JSON", help="The proposal: a JSON object, or a file with one.")
    ],
    no_wait: NoWaitFlag = False,
    json: JsonFlag = False,
) -> None:
    """Propose a candidate to a live run: its domain accepts it as the traits of a new genome, or refuses with a reason.

    Exit code 1: the proposal was refused.

        mendel propose latest '{"values": [0.1, 0.2, 0.3]}'

        mendel propose latest better.json
    """
    session = session_of(context)
    wish = CommandKind.PROPOSE, _proposal(proposal), _PROPOSAL
    run_id, proposal_id, said, _ = session.run(_wished(session, run, *wish, wait=not no_wait))
    if json:
        session.answer({"run_id": run_id, "proposal_id": proposal_id, "status": said})
    else:
        session.out.print(f"{run_id}: {said}", soft_wrap=True)


def set_parameters(
    context: typer.Context,
    run: RunArgument,
    settings: Annotated[
        list[str],
        typer.Argument(metavar="KEY=VALUE…", help="KEY is slots, caps.NAME, or a parameter of the run's domain."),
    ],
    no_wait: NoWaitFlag = False,
    json: JsonFlag = False,
) -> None:
    """Change parameters of an unfinished run; they apply from the event that records the change.

    The domain accepts or refuses its own parameters; caps can only be lowered. Exit code 1: refused, nothing changed.

        mendel set latest length=0.1

        mendel set latest slots=2 caps.max_candidates=500
    """
    session = session_of(context)
    wish = CommandKind.SET_PARAMETERS, _parameters(settings), _PARAMETERS
    run_id, command_id, said, since = session.run(_wished(session, run, *wish, wait=not no_wait))
    if json:
        session.answer({"run_id": run_id, "command_id": command_id, "status": said, "sequence": since})
    else:
        session.out.print(f"{run_id}: {said}" + (f" at event {since}" if since is not None else ""), soft_wrap=True)


def _parameters(settings: list[str]) -> JsonObject:
    """Build the command's payload: slots, caps, and all other keys as parameters of the domain.

    Raises:
        ConfigError: a setting is not KEY=VALUE, or names an unknown cap.
    """
    wanted = nested(assignments(settings))
    refuse_non_json(wanted, lambda _key: "the parameters")
    refuse_unknown_caps(table_at(wanted.get("caps"), "caps"))  # before the command is submitted
    shared: JsonObject = {name: wanted.pop(name) for name in ("slots", "caps") if name in wanted}
    return {**shared, "domain": wanted} if wanted else shared


def _proposal(text: str) -> JsonObject:
    """Parse a proposal from the command line.

    Raises:
        ConfigError: it is neither a JSON object nor a file with one.
    """
    written = text if text.lstrip().startswith(_JSON_BEGINS) else _read(Path(text))
    try:
        found = from_json(written)
    except ValueError as error:
        raise ConfigError(f"the proposal is not valid JSON: {error}") from error
    if not isinstance(found, dict):
        raise ConfigError(f'a proposal must be a JSON object, such as {{"length": 3}}, not {_JSON_WORDS[type(found)]}')
    refuse_non_json(found, lambda _key: "the proposal")
    return cast("JsonObject", found)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        raise ConfigError(
            f"the proposal {str(path)!r} is neither a JSON object nor the name of a file; give one of them"
        ) from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"the proposal {path} cannot be read: {error}") from error


async def _wished(
    session: Session, text: str, kind: CommandKind, payload: JsonObject, words: _Words, *, wait: bool
) -> tuple[str, str, str, int | None]:
    """Submit a command; return the run, the command's id, its status, and the event that accepted it."""
    async with session.log() as log:
        run = await find_run(log, text)
        if run.status is not None and run.status.terminal:
            raise CommandNotPossible(f"run {run.run_id} is {run.status} already; it takes no {words.brings}")
        command = await log.submit(NewCommand(run_id=run.run_id, kind=kind, payload=payload))
        if not wait:
            return run.run_id, command.id, "waiting", None
        try:
            with suppress(RunBusy, CommandNotPossible):  # as in _answered
                await _answer_for(session, log, run.run_id)
        except (PluginError, DomainFailed) as error:
            raise CommandNotPossible(
                f"run {run.run_id}: {words.waits} in the log until a process with its domain handles it; here: {error}"
            ) from error
        return run.run_id, command.id, "accepted", await _accepted_at(log, run.run_id, command, words)


async def _accepted_at(log: EventLog, run_id: str, command: Command, words: _Words) -> int:
    async with aclosing(log.follow(run_id)) as events:
        async for event in events:
            if _answers(event, command):
                if isinstance(event.payload, CommandRefused):
                    raise CommandNotPossible(f"run {run_id}: {words.refused}: {event.payload.reason}")
                return event.sequence
    raise RuntimeError("a followed log does not end")


def answer(context: typer.Context, run: RunArgument, json: JsonFlag = False) -> None:
    """Process the pending commands of a run without a conductor, and change nothing else in the run."""
    session = session_of(context)
    run_id = session.run(_heard(session, run))
    if json:
        session.answer({"run_id": run_id})


async def _heard(session: Session, text: str) -> str:
    async with session.log() as log:
        run = await find_run(log, text)
        await _answer_for(session, log, run.run_id)
        return run.run_id


async def _answer_for(session: Session, log: EventLog, run_id: str) -> None:
    """Process pending commands in place of a conductor.

    Raises:
        RunBusy: the run has a live conductor.
        CommandNotPossible: the run is over.
    """
    async with open_fabric(session.loaded.settings) as fabric:
        options = Options(conductor=f"{socket.gethostname()}:{os.getpid()}", only_answer=True)
        await conduct(run_id, log=log, fabric=fabric, clock=system_clock(), options=options)


def _command(
    context: typer.Context, run: str, kind: CommandKind, reason: str | None, *, wait: bool, json: bool
) -> None:
    session = session_of(context)
    run_id, said = session.run(_ask(session, run, kind, reason, wait=wait))
    if json:
        session.answer({"run_id": run_id, "command": kind, "answer": said})
    else:
        session.out.print(f"{run_id}: {shown(said)}", soft_wrap=True)


async def _ask(session: Session, text: str, kind: CommandKind, reason: str | None, *, wait: bool) -> tuple[str, str]:
    async with session.log() as log:
        run = await find_run(log, text)
        _refuse_pointless(run, kind)
        payload = {"reason": reason} if reason else {}
        command = await log.submit(NewCommand(run_id=run.run_id, kind=kind, payload=dict(payload)))
        if not wait:
            return run.run_id, "submitted; the run's conductor will process it"
        return run.run_id, await _answered(session, log, run, command)


def _refuse_pointless(run: RunOverview, kind: CommandKind) -> None:
    if run.status is not None and run.status.terminal:
        raise CommandNotPossible(f"run {run.run_id} is {run.status} already; there is nothing to {kind}")


async def _answered(session: Session, log: EventLog, run: RunOverview, command: Command) -> str:
    """Return the effect of the command; if the run has no live conductor, process it here."""
    # RunBusy: a live conductor will process the command. CommandNotPossible: one already has, and the run is over.
    with suppress(RunBusy, CommandNotPossible):
        await _answer_for(session, log, run.run_id)
    return await _effect(log, run, command)


async def _effect(log: EventLog, run: RunOverview, command: Command) -> str:
    accepted = False
    async with aclosing(log.follow(run.run_id)) as events:
        async for event in events:
            if _answers(event, command):
                if isinstance(event.payload, CommandRefused):
                    raise CommandNotPossible(f"run {run.run_id}: {event.payload.reason}")
                accepted = True  # read on: the end of the run follows the acceptance
            status = RUN_STATUS_AFTER.get(event.type)
            if status is None or not status.terminal:
                continue
            if not accepted:
                raise CommandNotPossible(f"run {run.run_id} was {status} before the command reached it")
            return str(status)
    raise RuntimeError("a followed log does not end")


def _answers(event: Event, command: Command) -> bool:
    payload = event.payload
    return isinstance(payload, CommandAccepted | CommandRefused) and payload.command_id == command.id
