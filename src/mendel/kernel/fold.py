"""``fold``: apply one event to the state. Deterministic: no plug-in code, no clock, no random draws, no decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final, cast

from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import CommandKind
from mendel.contracts.errors import IllegalTransition
from mendel.contracts.events.candidate import CandidateCreated
from mendel.contracts.events.energy import EnergySpent
from mendel.contracts.events.envelope import Event, EventDraft
from mendel.contracts.events.gate import AdoptionConfirmed, AdoptionMade, AdoptionRevoked, GateVerdict
from mendel.contracts.events.generation import GenerationFailed, GenerationReproducing, GenerationStarted
from mendel.contracts.events.genome import GenomeSpawned, LineageCulled
from mendel.contracts.events.operation import OperationCompleted, OperationFailed, OperationStarted
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
from mendel.contracts.statuses import CANDIDATE, GENERATION, GENOME, RUN, GenerationStatus, RunStatus, Table
from mendel.kernel import fold_candidates
from mendel.kernel.fold_candidates import advance, generation_named
from mendel.kernel.state import CandidateState, GenerationState, NicheState, RunState

Folder = Callable[[RunState, Event], None]


def fold(state: RunState, event: Event) -> RunState:
    """Apply ``event`` to ``state``, which is changed in place and returned.

    Raises:
        IllegalTransition: the event cannot follow the events folded before; the state is unusable afterwards.
    """
    if event.sequence != state.sequence + 1 or event.run_id != state.run_id:
        raise IllegalTransition(
            f"event {event.sequence} of run {event.run_id} does not follow {state.sequence} of {state.run_id}"
        )
    folder = _FOLDERS.get(event.type)
    try:
        if folder is not None:
            folder(state, event)
    except (KeyError, IndexError) as error:
        raise IllegalTransition(
            f"{event.type} at sequence {event.sequence} names {error}, which does not exist"
        ) from None
    except IllegalTransition as error:
        raise IllegalTransition(f"sequence {event.sequence}: {error}") from None
    state.sequence = event.sequence
    state.times.now = event.occurred_at
    return state


# Folding events of a run: its states, conductors, commands and caps.


def _run_status(state: RunState, event: Event) -> None:
    state.status = advance(RUN, state.status, event.type, "the run")


def _configured(state: RunState, event: Event) -> None:
    _run_status(state, event)
    config = cast("RunConfigured", event.payload).config
    state.config_ = config
    state.caps = config.caps
    state.slots = config.slots
    state.parameters = config.parameters
    state.niches = {config.first_niche: NicheState(challenges=config.challenges_before)}
    state.niches |= {each.niche: NicheState(challenges=each.challenges) for each in config.niches}
    for ancestor in config.ancestors:
        if ancestor.champion:
            niche = state.niches[ancestor.niche or config.first_niche]  # none is recorded for the first niche
            niche.champion_id, niche.champion_content = ancestor.candidate_id, ancestor.content


def _run_started(state: RunState, event: Event) -> None:
    _run_status(state, event)
    state.times.started_at = state.times.epoch_began = event.occurred_at


def _ending(state: RunState, event: Event) -> None:
    _run_status(state, event)
    state.ending = cast("RunCompleting | RunStopping | RunFailed", event.payload).reason


def _took_over(state: RunState, event: Event) -> None:
    payload = cast("ConductorTookOver", event.payload)
    if payload.epoch != event.sequence or (state.epoch is not None and payload.epoch <= state.epoch):
        raise IllegalTransition(f"epoch {payload.epoch} cannot begin at sequence {event.sequence}")
    # Up to the last event of the conductor before; the time until this event had no conductor and does not count.
    state.times.conducted_before_ms = float(state.times.conducted_ms())
    if state.times.started_at is not None:
        state.times.epoch_began = event.occurred_at
    state.epoch = payload.epoch
    state.epochs += 1


def _cap_reached(state: RunState, event: Event) -> None:
    state.caps_reached.add(cast("RunCapReached", event.payload).cap)


def _energy_exhausted(state: RunState, event: Event) -> None:  # noqa: ARG001 - the event type is enough
    state.caps_reached.add("energy_budget")


def _energy_spent(state: RunState, event: Event) -> None:
    payload = cast("EnergySpent", event.payload)
    if state.ledger.spent + state.ledger.reserved + payload.actual > state.caps.energy_budget:
        raise IllegalTransition("more energy is spent than the budget allows")
    state.ledger.charge(payload.actual)


def _accepted(state: RunState, event: Event) -> None:
    command = cast("CommandAccepted", event.payload)
    _heard(state, command.position)
    if command.kind is CommandKind.KILL:
        reason = command.payload.get("reason")
        # Part of the state digest: changing this text would change the digests of old logs.
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
        raise IllegalTransition(f"command {position} was handled before")
    state.commands_through = position


# Folding events of generations.


_OVER = frozenset({GenerationStatus.COMPLETED, GenerationStatus.FAILED, GenerationStatus.SKIPPED})


def _generation_started(state: RunState, event: Event) -> None:
    payload = cast("GenerationStarted", event.payload)
    generation = generation_named(state, event.generation_id)
    if generation.index != payload.index:
        raise IllegalTransition(f"generation {payload.index} starts, but {generation.index} is next")
    _enter(generation, event)
    generation.population = payload.population
    generation.conditions = payload.conditions


def _changed(state: RunState, event: Event) -> None:
    generation = state.generations[state.generation_of[event.generation_id or ""]]
    _enter(generation, event)
    if isinstance(event.payload, GenerationReproducing):
        generation.offspring_conditions = event.payload.conditions
    if isinstance(event.payload, GenerationFailed):
        state.broken = f"generation {generation.index} failed: {event.payload.reason}"  # part of the digest, too
    if generation.status in _OVER:
        del state.open_generations[generation.index]


def _enter(generation: GenerationState, event: Event) -> None:
    generation.status = advance(GENERATION, generation.status, event.type, generation.id)
    generation.entered_at = event.occurred_at


# Folding events of the gate: verdicts, and adoptions based on them (rule 10).


def _verdict(state: RunState, event: Event) -> None:
    verdict = cast("GateVerdict", event.payload).verdict
    known = state.candidates[verdict.candidate_id]
    niche = state.niche_of(verdict.candidate_id)
    if verdict.challenge.k != niche.challenges or niche.last_challenger != verdict.candidate_id:
        raise IllegalTransition(f"the verdict is about {verdict.candidate_id}, which is not the last challenger")
    known.verdict = verdict
    known.verdict_event_id = event.id
    state.failed_challenges.pop(state.niche_name(verdict.candidate_id), None)


def _made(state: RunState, event: Event) -> None:
    adoption = cast("AdoptionMade", event.payload)
    known = state.candidates[adoption.candidate_id]
    if known.verdict != adoption.verdict or known.verdict_event_id != adoption.verdict_event_id or known.adoption:
        raise IllegalTransition(f"{adoption.candidate_id} is adopted without a verdict of its own (rule 10)")
    if state.weakly_isolated:
        raise IllegalTransition(f"{adoption.candidate_id} is adopted in a run whose sandbox was weak (rule 3)")
    niche = state.niche_of(adoption.candidate_id)
    niche.replaced_id, niche.replaced_content = niche.champion_id, niche.champion_content
    niche.replaced_is_ours, niche.champion_is_ours = niche.champion_is_ours, True
    niche.champion_id, niche.champion_content = adoption.candidate_id, known.content
    known.adoption = "made"
    known.adoption_event_id = event.id


def _confirmed(state: RunState, event: Event) -> None:
    payload = cast("AdoptionConfirmed", event.payload)
    _adopted(state, payload.candidate_id, payload.adoption_event_id).adoption = "confirmed"


def _revoked(state: RunState, event: Event) -> None:
    payload = cast("AdoptionRevoked", event.payload)
    _adopted(state, payload.candidate_id, payload.adoption_event_id).adoption = "revoked"
    niche = state.niche_of(payload.candidate_id)
    niche.champion_id, niche.champion_content = niche.replaced_id, niche.replaced_content
    niche.champion_is_ours = niche.replaced_is_ours
    niche.replaced_id = niche.replaced_content = None  # only one step back: an adoption is revoked at most once


def _adopted(state: RunState, candidate_id: str, adoption_event_id: str) -> CandidateState:
    known = state.candidates[candidate_id]
    if known.adoption != "made" or known.adoption_event_id != adoption_event_id:
        raise IllegalTransition(f"{candidate_id} has no such adoption to confirm or revoke")
    niche = state.niche_of(candidate_id)
    if not niche.champion_is_ours or niche.champion_id != candidate_id:
        raise IllegalTransition(f"{candidate_id} is not the champion any more")
    return known


# The last check before an append: a batch that would break a state machine never reaches the log.


_TABLES: Final = {"run": RUN, "generation": GENERATION, "genome": GENOME, "candidate": CANDIDATE}
_KIND_OF: Final = {
    event: kind
    for kind, table in _TABLES.items()
    for _, event in cast("Table[StrEnum]", table)
    if event != "lineage.culled"  # changes genomes and candidates at once, see _culled
}

Subject = tuple[str, str]


def check_batch(state: RunState, drafts: Sequence[EventDraft]) -> None:
    """Refuse a batch if one of its events would be illegal after those before it.

    Raises:
        IllegalTransition: an event is illegal; the message names it and its subject's state.
    """
    # Tracks statuses only: folding would change the state, and a refused batch must leave no trace.
    after: dict[Subject, StrEnum | None] = {}
    flying: dict[str, bool] = {}
    for draft in drafts:
        _refuse_epilogue(after.get(_RUN_SUBJECT, state.status), draft)
        for subject in _subjects(draft):
            table = cast("Table[StrEnum]", _TABLES[subject[0]])
            before = after[subject] if subject in after else _status_of(state, subject)
            after[subject] = advance(table, before, draft.type, subject[1] or "the run")
        _check_pairing(state, flying, draft)
        _refuse_challenge(state, draft)
        if state.weakly_isolated and isinstance(draft.payload, AdoptionMade):
            raise IllegalTransition(
                f"{draft.payload.candidate_id} cannot be adopted: the run's sandbox was weak (rule 3)"
            )


_RUN_SUBJECT: Final[Subject] = ("run", "")
_AFTER_THE_END: Final = frozenset({"command.refused", "conductor_took_over", "run.heartbeat"})


def _refuse_epilogue(status: StrEnum | None, draft: EventDraft) -> None:
    """Refuse events of a run that is over."""
    if isinstance(status, RunStatus) and status.terminal and draft.type not in _AFTER_THE_END:
        raise IllegalTransition(f"{draft.type} cannot happen to a run that is {status}")


def _subjects(draft: EventDraft) -> Iterator[Subject]:
    payload = draft.payload
    if isinstance(payload, LineageCulled):
        yield from _culled(payload)
        return
    kind = _KIND_OF.get(draft.type)
    if kind is None:
        return
    if isinstance(payload, GenomeSpawned):
        yield kind, payload.genome.id
    elif isinstance(payload, CandidateCreated):
        yield kind, payload.candidate.id
    else:
        named = {"run": "", "generation": draft.generation_id, "genome": draft.genome_id}
        yield kind, (draft.candidate_id if kind == "candidate" else named[kind]) or ""


def _culled(payload: LineageCulled) -> Iterable[Subject]:
    yield from (("genome", genome_id) for genome_id in payload.genome_ids)
    yield from (("candidate", candidate_id) for candidate_id in payload.candidate_ids)


def _status_of(state: RunState, subject: Subject) -> StrEnum | None:
    kind, name = subject
    if kind == "run":
        return state.status
    if kind == "generation":
        index = state.generation_of.get(name)
        return state.generations[index].status if index is not None else GenerationStatus.PENDING
    known = state.genomes.get(name) if kind == "genome" else state.candidates.get(name)
    return known.status if known is not None else None


def _refuse_challenge(state: RunState, draft: EventDraft) -> None:
    """Refuse challenges in a run that never challenges: it claims no niche and may spend no error budget (rule 10)."""
    payload = draft.payload
    if not isinstance(payload, OperationStarted) or payload.operation.challenge is None:
        return
    if state.config.never_challenges:
        raise IllegalTransition(f"{payload.operation.id} is a challenge, in a run that never challenges (rule 10)")


def _check_pairing(state: RunState, flying: dict[str, bool], draft: EventDraft) -> None:
    """Refuse a completion without a marker, and a second one for the same marker."""
    payload = draft.payload
    if isinstance(payload, OperationStarted):
        flying[payload.operation.id] = True
    elif isinstance(payload, OperationCompleted | OperationFailed):
        operation_id = payload.operation_id
        if not flying.get(operation_id, state.flown(operation_id) is not None):
            raise IllegalTransition(f"{draft.type} of {operation_id}, which is not in flight")
        flying[operation_id] = False


_FOLDERS: Final[Mapping[str, Folder]] = {
    "run.configured": _configured,
    "run.started": _run_started,
    "run.completing": _ending,
    "run.completed": _run_status,
    "run.stopping": _ending,
    "run.stopped": _run_status,
    "run.failed": _ending,
    "run.cancelled": _run_status,
    "run.cap_reached": _cap_reached,
    "energy_exhausted": _energy_exhausted,
    "energy.spent": _energy_spent,
    "conductor_took_over": _took_over,
    "command.accepted": _accepted,
    "command.refused": _refused,
    "generation.started": _generation_started,
    "generation.degraded": _changed,
    "generation.verifying": _changed,
    "generation.scoring": _changed,
    "generation.reproducing": _changed,
    "generation.completed": _changed,
    "generation_failed": _changed,
    "generation.skipped": _changed,
    "gate.verdict": _verdict,
    "adoption.made": _made,
    "adoption.confirmed": _confirmed,
    "adoption.revoked": _revoked,
    **fold_candidates.FOLDERS,
}
"""The event types that change the state; all others (telemetry, explanations) are information for readers."""
