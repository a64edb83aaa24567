"""Folding events of a run: its states, conductors, commands and caps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import CommandKind
from mendel.contracts.errors import IllegalTransition
from mendel.contracts.events.energy import EnergySpent
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.run import (
    CommandAccepted,
    CommandRefused,
    ConductorTookOver,
    RunCapReached,
    RunCompleting,
    RunConfigured,
    RunFailed,
    RunStopping,
)
from mendel.contracts.transitions import RUN, advance
from mendel.kernel.state import NicheState, RunState


def _status(state: RunState, event: Event) -> None:
    state.status = advance(RUN, state.status, event.type, "the run")


def _configured(state: RunState, event: Event) -> None:
    _status(state, event)
    config = cast("RunConfigured", event.payload).config
    state.config_ = config
    state.caps = config.caps
    state.slots = config.slots
    state.parameters = config.parameters
    state.niches = {config.first_niche: NicheState(challenges=config.challenges_before)}
    state.niches |= {each.niche: NicheState(challenges=each.challenges) for each in config.niches}
    for ancestor in config.ancestors:
        if ancestor.champion:
            niche = state.niches[ancestor.niche or config.first_niche]
            niche.champion_id, niche.champion_content = ancestor.candidate_id, ancestor.content


def _started(state: RunState, event: Event) -> None:
    _status(state, event)
    state.times.started_at = state.times.epoch_began = event.occurred_at


def _ending(state: RunState, event: Event) -> None:
    _status(state, event)
    state.ending = cast("RunCompleting | RunStopping | RunFailed", event.payload).reason


def _took_over(state: RunState, event: Event) -> None:
    payload = cast("ConductorTookOver", event.payload)
    if payload.epoch != event.sequence or (state.epoch is not None and payload.epoch <= state.epoch):
        raise IllegalTransition(f"epoch {payload.epoch} cannot begin at sequence {event.sequence}")
    state.times.conducted_before_ms = float(state.times.conducted_ms())
    if state.times.started_at is not None:
        state.times.epoch_began = event.occurred_at
    state.epoch = payload.epoch
    state.epochs += 1


def _cap_reached(state: RunState, event: Event) -> None:
    state.caps_reached.add(cast("RunCapReached", event.payload).cap)


def _energy_exhausted(state: RunState, event: Event) -> None:  # noqa: ARG001 - the type says it all
    state.caps_reached.add("energy_budget")


def _energy_spent(state: RunState, event: Event) -> None:
    payload = cast("EnergySpent", event.payload)
    if state.ledger.spent + state.ledger.reserved + payload.actual > state.caps.energy_budget:
        raise IllegalTransition("more energy is spent than the budget holds")
    state.ledger.charge(payload.actual)


def _accepted(state: RunState, event: Event) -> None:
    command = cast("CommandAccepted", event.payload)
    _heard(state, command.position)
    if command.kind is CommandKind.KILL:
        reason = command.payload.get("reason")
        state.doom = f"killed: {reason}" if isinstance(reason, str) and reason else "killed"
    elif command.kind is CommandKind.PROPOSE:
        state.agenda.proposals.append((command.command_id, command.payload))
    elif command.kind is CommandKind.SET_PARAMETERS:
        _set(state, command)
    if command.parameters is not None:
        state.parameters = command.parameters


def _set(state: RunState, command: CommandAccepted) -> None:
    slots, caps = command.payload.get("slots"), command.payload.get("caps")
    if isinstance(slots, int):
        state.slots = slots
    if isinstance(caps, dict):
        wanted = RunCaps.model_validate({**state.caps.model_dump(), **caps})
        state.caps = wanted.clamped(state.caps)


def _refused(state: RunState, event: Event) -> None:
    _heard(state, cast("CommandRefused", event.payload).position)


def _heard(state: RunState, position: int) -> None:
    if position <= state.commands_through:
        raise IllegalTransition(f"command {position} was answered before")
    state.commands_through = position


FOLDERS: Final[Mapping[str, Callable[[RunState, Event], None]]] = {
    "run.configured": _configured,
    "run.started": _started,
    "run.completing": _ending,
    "run.completed": _status,
    "run.stopping": _ending,
    "run.stopped": _status,
    "run.failed": _ending,
    "run.cancelled": _status,
    "run.cap_reached": _cap_reached,
    "energy_exhausted": _energy_exhausted,
    "energy.spent": _energy_spent,
    "conductor_took_over": _took_over,
    "command.accepted": _accepted,
    "command.refused": _refused,
}
