"""`POST /runs` and commands to runs. Every change here requires an `Idempotency-Key` and happens once per key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Request, Response

from mendel.api.answers import answered
from mendel.api.conductors import Conductors
from mendel.api.idempotency import REPLAYED, IdempotencyKey, command_id_for
from mendel.api.launch_schemas import (
    CommandBody,
    Commanded,
    Estimate,
    Launched,
    ParametersBody,
    ParametersSent,
    Proposal,
    ProposalBody,
    Proposals,
    Proposed,
    Resumed,
    RunRequest,
)
from mendel.api.problems import Refused
from mendel.api.schemas import Conducted, Wire
from mendel.api.services import Conducting, Launching, Served, Source
from mendel.api.source import RunSource
from mendel.contracts.base import JsonObject
from mendel.contracts.commands import Command, CommandKind, NewCommand
from mendel.contracts.errors import CommandNotPossible
from mendel.contracts.ids import UuidText
from mendel.contracts.read_models import Values
from mendel.contracts.statuses import RunStatus

router = APIRouter(tags=["commands"])

_REPLAYED: Final[dict[str, object]] = {
    "headers": {"Idempotent-Replay": {"description": "`true` for a repeated request.", "schema": {"type": "string"}}}
}
_REPLAY: Final[dict[int | str, dict[str, object]]] = {202: _REPLAYED}
_SAID: Final[Mapping[CommandKind, Literal["stop", "kill", "cancel"]]] = {
    CommandKind.STOP: "stop",
    CommandKind.KILL: "kill",
    CommandKind.CANCEL: "cancel",
}
_WORDS: Final = {CommandKind.PROPOSE: "propose", CommandKind.SET_PARAMETERS: "set"}


@dataclass(frozen=True)
class Wish:
    """The dependencies that all commands to a run share."""

    run_id: str
    key: str
    source: RunSource
    conductors: Conductors


def _wish(run_id: UuidText, key: IdempotencyKey, source: Source, conductors: Conducting) -> Wish:
    return Wish(run_id, key, source, conductors)


Wished = Annotated[Wish, Depends(_wish)]


@router.post("/runs", name="launch_run", status_code=201, response_model=Launched, responses={201: _REPLAYED})
async def launch(request: Request, body: RunRequest, key: IdempotencyKey, launcher: Launching) -> Response:
    """Start a run and conduct it here. Caps above their ceilings are refused, and nothing is recorded."""
    begun = await launcher.launch(body, key)
    answer = answered(request, Launched(run_id=begun.run_id), status=201)
    answer.headers["Location"] = f"/api/runs/{begun.run_id}"
    answer.headers.update(REPLAYED if begun.again else {})
    return answer


@router.post("/runs/estimate", name="estimate_run", response_model=Estimate)
async def estimate(request: Request, body: RunRequest, launcher: Launching) -> Response:
    """Estimate the worst-case cost of a run. Records nothing, runs nothing, and needs no key."""
    return answered(request, await launcher.estimate(body))


@router.post("/runs/{run_id}/stop", name="stop_run", status_code=202, response_model=Commanded, responses=_REPLAY)
async def stop(request: Request, wish: Wished, body: CommandBody = CommandBody()) -> Response:  # noqa: B008 - frozen
    """Stop a run gracefully: nothing new starts, operations in flight finish, and the summary is marked partial."""
    return await _commanded(request, wish, CommandKind.STOP, body)


@router.post("/runs/{run_id}/kill", name="kill_run", status_code=202, response_model=Commanded, responses=_REPLAY)
async def kill(request: Request, wish: Wished, body: CommandBody = CommandBody()) -> Response:  # noqa: B008 - frozen
    """Stop a run immediately and abandon operations in flight."""
    return await _commanded(request, wish, CommandKind.KILL, body)


@router.post("/runs/{run_id}/cancel", name="cancel_run", status_code=202, response_model=Commanded, responses=_REPLAY)
async def cancel(request: Request, wish: Wished, body: CommandBody = CommandBody()) -> Response:  # noqa: B008 - frozen
    """Cancel a run that is configured but has not started."""
    return await _commanded(request, wish, CommandKind.CANCEL, body)


@router.post("/runs/{run_id}/proposals", name="propose", status_code=202, response_model=Proposed, responses=_REPLAY)
async def propose(request: Request, wish: Wished, body: ProposalBody) -> Response:
    """Propose a candidate to a running run. `GET` on this path returns the domain's decision and its reason."""
    status = await _status(wish.source, wish.run_id)
    refusal = None if status is RunStatus.RUNNING else f"{status}; it takes proposals only while it is running"
    left, already = await _left(wish, status, CommandKind.PROPOSE, body.content, refusal)
    told = Proposed(run_id=wish.run_id, proposal_id=left, already=already)
    return _told_once(request, told, again=already)


@router.post(
    "/runs/{run_id}/parameters",
    name="set_parameters",
    status_code=202,
    response_model=ParametersSent,
    responses=_REPLAY,
)
async def set_parameters(request: Request, wish: Wished, body: ParametersBody) -> Response:
    """Change parameters of an unfinished run; its domain accepts or refuses its own parameters.

    They apply from the event `command.accepted` with this `command_id`; a `command.refused` event gives the reason.
    """
    status = await _status(wish.source, wish.run_id)
    over = status is not None and status.terminal
    refusal = f"{status} already; it takes no parameters" if over else None
    payload: JsonObject = body.model_dump(mode="json", exclude_none=True)
    left, already = await _left(wish, status, CommandKind.SET_PARAMETERS, payload, refusal)
    return _told_once(request, ParametersSent(run_id=wish.run_id, command_id=left, already=already), again=already)


async def _left(
    wish: Wish, status: RunStatus | None, kind: CommandKind, payload: JsonObject, refusal: str | None
) -> tuple[str, bool]:
    """Submit a command to the log, once per key; return its id, and whether it was already there."""
    log, run_id = wish.source.log, wish.run_id
    command_id = command_id_for(wish.key, run_id, kind)
    known = next((each for each in await log.commands(run_id) if each.id == command_id), None)
    if known is None:
        if refusal is not None:
            raise CommandNotPossible(f"run {run_id} is {refusal}")
        await log.submit(NewCommand(id=command_id, run_id=run_id, kind=kind, payload=payload))
    elif known.payload != payload:
        raise Refused(422, "idempotency_key_reused", f"this key was used to {_WORDS[kind]} something else")
    if status is None or not status.terminal:
        wish.conductors.answer(run_id)  # also for a repeated request, whose first process may have died
    return command_id, known is not None


def _told_once(request: Request, told: Wire, *, again: bool) -> Response:
    answer = answered(request, told, status=202)
    answer.headers.update(REPLAYED if again else {})
    return answer


@router.get("/runs/{run_id}/proposals", name="list_proposals", response_model=Proposals)
async def list_proposals(request: Request, run_id: UuidText, source: Source) -> Response:
    """List the proposals to a run, with their outcomes."""
    await source.fresh(run_id)
    rows = {row.key: row.values for row in await source.models.rows(run_id, "proposals")}
    wishes = [each for each in await source.log.commands(run_id) if each.kind is CommandKind.PROPOSE]
    return answered(request, Proposals(proposals=[_told(each, rows.get(each.id, {})) for each in wishes]))


def _told(command: Command, row: Values) -> Proposal:
    return Proposal.model_validate(
        {
            "proposal_id": command.id,
            "status": row.get("status", "waiting"),
            "reason": row.get("reason"),
            "genome_id": row.get("genome_id"),
            "content": command.payload,
            "issued_at": command.issued_at,
        }
    )


@router.post("/runs/{run_id}/resume", name="resume_run", status_code=202, response_model=Resumed, responses=_REPLAY)
async def resume(request: Request, wish: Wished, served: Served) -> Response:
    """Conduct an interrupted or unstarted run on this server; work that its log already holds is not repeated."""
    told, before = await served.remembered.once(wish.key, f"resume run {wish.run_id}", partial(_resumed, wish))
    answer = answered(request, told, status=202)
    answer.headers.update(REPLAYED if before else {})
    return answer


async def _resumed(wish: Wish) -> Resumed:
    status = await _status(wish.source, wish.run_id)
    if status is not None and status.terminal:
        raise CommandNotPossible(f"run {wish.run_id} is {status}; a finished run cannot be resumed")
    if wish.run_id not in wish.conductors.here():  # otherwise there is nothing to do
        await wish.conductors.take(wish.run_id)
    here: Conducted = "here" if wish.run_id in wish.conductors.here() else "nobody"
    return Resumed(run_id=wish.run_id, conducted=here)


async def _commanded(request: Request, wish: Wish, kind: CommandKind, body: CommandBody) -> Response:
    """Submit the command to the log, once per key, and make sure that a process handles it."""
    log, run_id = wish.source.log, wish.run_id
    status = await _status(wish.source, run_id)
    command_id = command_id_for(wish.key, run_id, kind)
    payload: JsonObject = {"reason": body.reason} if body.reason else {}
    command = NewCommand(id=command_id, run_id=run_id, kind=kind, payload=payload)
    known = next((each for each in await log.commands(run_id) if each.id == command_id), None)
    if known is None:
        _refuse_pointless(run_id, status, kind)
        await log.submit(command)
    elif known.payload != payload:
        raise Refused(422, "idempotency_key_reused", f"this key was used to {kind} the run for another reason")
    if status is None or not status.terminal:
        wish.conductors.answer(run_id)
    told = Commanded(run_id=run_id, command_id=command_id, kind=_SAID[kind], already=known is not None)
    answer = answered(request, told, status=202)
    answer.headers.update(REPLAYED if known is not None else {})
    return answer


async def _status(source: RunSource, run_id: str) -> RunStatus | None:
    await source.fresh(run_id)
    row = await source.row(run_id, "runs", run_id)
    said = row.values.get("status") if row is not None else None
    return RunStatus(said) if isinstance(said, str) else None


def _refuse_pointless(run_id: str, status: RunStatus | None, kind: CommandKind) -> None:
    if status is not None and status.terminal:
        raise CommandNotPossible(f"run {run_id} is {status} already; there is nothing to {kind}")
    if kind is CommandKind.STOP and status is RunStatus.CONFIGURED:
        raise CommandNotPossible(f"run {run_id} has not started; cancel it instead")
    if kind is CommandKind.CANCEL and status not in (None, RunStatus.CONFIGURED):
        raise CommandNotPossible(f"run {run_id} is {status}; only an unstarted run can be cancelled: stop it")
