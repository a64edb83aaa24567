"""Commands: requests to a run from outside its conductor, and their results in the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pydantic import ValidationError

from mendel.contracts.base import JsonObject
from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import Command, CommandKind
from mendel.contracts.errors import DomainFailed
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.run import CommandAccepted, CommandRefused, RunCancelled, RunStopping
from mendel.contracts.payloads import DomainPayload, explain
from mendel.contracts.statuses import RunStatus
from mendel.kernel.asking import Asked
from mendel.kernel.domain import Refused
from mendel.kernel.state import RunState

MOST_SLOTS = 10_000
MOST_PROPOSALS = 1_000  # waiting at the same time

_Answer = str | DomainPayload | tuple[Payload, ...]
"""The reason for a refusal, the parameters that the domain admits, or further events next to the acceptance."""


def heed(state: RunState, command: Command, asked: Asked) -> list[EventDraft]:
    """Return the events that answer ``command``: accepted with its effects, or refused with a reason."""
    if command.position <= state.commands_through:  # answered before: a command may arrive twice
        return []
    answer = _HEEDED[command.kind](state, command, asked)
    if isinstance(answer, str):
        return refuse(state, command, answer)
    parameters, more = (answer, ()) if isinstance(answer, DomainPayload) else (None, answer)
    accepted = CommandAccepted(
        command_id=command.id,
        position=command.position,
        kind=command.kind,
        payload=command.payload,
        parameters=parameters,
    )
    return [EventDraft.of(each, actor=command.actor) for each in (accepted, *more)]


def refuse(state: RunState, command: Command, reason: str) -> list[EventDraft]:
    """Return the event that refuses ``command``; none if it was answered before."""
    if command.position <= state.commands_through:
        return []
    payload = CommandRefused(command_id=command.id, position=command.position, kind=command.kind, reason=reason)
    return [EventDraft.of(payload, actor=command.actor)]


def _stop(state: RunState, command: Command, _asked: Asked) -> _Answer:
    reason = _reason(command.payload, "stopped by a command without a reason")
    if state.status in (RunStatus.RUNNING, RunStatus.COMPLETING):
        return (RunStopping(reason=reason, command_id=command.id),)
    if state.status is RunStatus.CONFIGURED:
        return "the run has not started; cancel it instead"
    return f"the run is {state.status} already"


def _kill(state: RunState, _command: Command, _asked: Asked) -> _Answer:
    """Accept a kill. The failure is recorded in the next batch: its digest covers everything before it."""
    return f"the run is {state.status} already" if state.terminal else ()


def _cancel(state: RunState, command: Command, _asked: Asked) -> _Answer:
    if state.status is RunStatus.CONFIGURED:
        reason = _reason(command.payload, "cancelled by a command without a reason")
        return (RunCancelled(reason=reason, command_id=command.id),)
    return f"only a run that has not started can be cancelled, and this one is {state.status}; stop or kill it instead"


def _set_parameters(state: RunState, command: Command, asked: Asked) -> _Answer:
    if state.terminal:
        return f"the run is {state.status} already"
    unknown = sorted(set(command.payload) - {"slots", "caps", "domain"})
    if unknown or not command.payload:
        return f"only slots, caps and domain can be set, not {', '.join(unknown) or 'nothing'}"
    slots, caps = command.payload.get("slots"), command.payload.get("caps")
    if slots is not None and (isinstance(slots, bool) or not isinstance(slots, int) or not 1 <= slots <= MOST_SLOTS):
        return f"slots must be a whole number from 1 to {MOST_SLOTS}"
    refused = _lower(state, caps) if caps is not None else None
    if refused is not None or "domain" not in command.payload:
        return refused or ()
    return _of_the_domain(state, command.payload["domain"], asked)


def _of_the_domain(state: RunState, wanted: object, asked: Asked) -> _Answer:
    if not isinstance(wanted, dict):
        return "domain must be a table of the domain's parameters"
    try:
        admitted = asked.admit_parameters(wanted, state.parameters, state.config)
    except DomainFailed as error:  # a bad request must not end the run
        return str(error)[:1_000]
    return admitted.reason if isinstance(admitted, Refused) else admitted


def _lower(state: RunState, caps: object) -> str | None:
    """Return why these caps cannot be set; None if they can. A request may lower caps, never raise them (rule 1)."""
    if not isinstance(caps, dict):
        return "caps must be a table of cap names and numbers"
    now, gone = state.caps, state.ledger.spent + state.ledger.reserved
    try:
        wanted = RunCaps.model_validate({**now.model_dump(), **caps})
    except ValidationError as error:
        return f"caps: {explain(error)}"
    raised = wanted.above(now)
    if raised:
        return f"a request cannot raise a cap: {', '.join(raised)}"
    if wanted.energy_budget < gone:
        return f"the energy budget cannot be lower than {gone}, which is spent or reserved already"
    return None


def _propose(state: RunState, command: Command, asked: Asked) -> _Answer:
    if state.status is not RunStatus.RUNNING:
        return f"a run accepts proposals only while it is running, and this one is {state.status}"
    if len(state.agenda.proposals) >= MOST_PROPOSALS:
        return f"{MOST_PROPOSALS} proposals are waiting already"
    try:
        admitted = asked.admit(command.payload, state.config)
    except DomainFailed as error:  # a bad proposal must not end the run
        return str(error)[:1_000]
    return admitted.reason if isinstance(admitted, Refused) else ()


def _reason(payload: JsonObject, otherwise: str) -> str:
    reason = payload.get("reason")
    return reason[:1_000] if isinstance(reason, str) and reason else otherwise


_HEEDED: Mapping[CommandKind, Callable[[RunState, Command, Asked], _Answer]] = {
    CommandKind.STOP: _stop,
    CommandKind.KILL: _kill,
    CommandKind.CANCEL: _cancel,
    CommandKind.SET_PARAMETERS: _set_parameters,
    CommandKind.PROPOSE: _propose,
}
