"""Folding events of operations: markers, completions, and what the ledger makes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.energy import Usage
from mendel.contracts.errors import IllegalTransition
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.operation import Operation, OperationCompleted, OperationFailed, OperationStarted
from mendel.contracts.statuses import CandidateStatus
from mendel.kernel.dossier import Observation
from mendel.kernel.fold_generations import generation_named
from mendel.kernel.state import Bred, EndedChild, Family, InFlight, RunState, StepLog

_HELD_OUT = frozenset({"challenge"})
"""Kinds whose findings no domain's ``route`` sees (rule 6)."""


def _started(state: RunState, event: Event) -> None:
    marker = cast("OperationStarted", event.payload)
    operation = marker.operation
    if operation.parent is not None:
        _child_started(state, event, marker, operation.parent)
        return
    before = state.in_flight.get(operation.id)
    if marker.attempt != (before.attempt + 1 if before else 1):
        raise IllegalTransition(f"attempt {marker.attempt} of {operation.id} is out of turn")
    if before is not None:
        state.ledger.abandon(before.operation)
    state.in_flight[operation.id] = InFlight(operation, marker.attempt, event.occurred_at)
    state.ledger.reserve(operation)
    if before is None:
        _begin(state, event, operation)
        if state.parameters is not None:
            state.parameters_of[operation.id] = state.parameters


def _child_started(state: RunState, event: Event, marker: OperationStarted, parent: str) -> None:
    """A handler asked for it; its parent's reservation, and nothing else, pays for it."""
    operation = marker.operation
    if parent not in state.in_flight:
        raise IllegalTransition(f"{operation.id} is a child of {parent}, which is not in flight")
    family = state.families.setdefault(parent, Family())
    before = family.open.get(operation.id)
    if operation.id in family.ended or marker.attempt != (before.attempt + 1 if before else 1):
        raise IllegalTransition(f"attempt {marker.attempt} of {operation.id} is out of turn")
    family.open[operation.id] = InFlight(operation, marker.attempt, event.occurred_at)
    state.parent_of[operation.id] = parent


def _child_ended(state: RunState, completion: OperationCompleted | OperationFailed) -> bool:
    """Whether it was a child that ended; its parent alone gets its answer, and no dossier shows it."""
    parent = state.parent_of.pop(completion.operation_id, None)
    if parent is None:
        return False
    family = state.families[parent]
    flown = family.open.pop(completion.operation_id)
    family.ended[completion.operation_id] = EndedChild(flown.operation, completion)
    return True


def _begin(state: RunState, event: Event, operation: Operation) -> None:
    steps = _steps(state, operation)
    if steps is not None:
        if operation.id in steps.ended:
            raise IllegalTransition(f"{operation.id} was performed before")
        steps.begin(operation.id)
        if operation.entered is not None:
            state.entering.pop(operation.subject_ids[0], None)
        else:
            state.agenda.to_route.pop(operation.subject_ids[0], None)
            state.agenda.to_score.pop(operation.subject_ids[0], None)
    if operation.kind == "wait":
        state.waiting += 1
    elif operation.kind == "vary":
        _expect_birth(state, event, operation)
    elif operation.kind == "challenge":
        _challenge(state, operation)


def _expect_birth(state: RunState, event: Event, operation: Operation) -> None:
    if operation.birth != state.births.decided:
        raise IllegalTransition(f"birth {operation.birth} is decided, but {state.births.decided} is next")
    generation = generation_named(state, event.generation_id)
    generation.births_open += 1
    state.births.home_of[operation.birth] = generation.id
    state.births.decided += 1
    state.births.unexpressed += 1
    state.births.bred[operation.birth] = Bred(
        operation.parents,
        operation.operator,
        operation.reads_through,
        operation.why,
        operation.site,
        niche=operation.niche,
    )
    state.niches[operation.niche or state.first_niche].births.append(operation.birth)


def _challenge(state: RunState, operation: Operation) -> None:
    name = state.niche_name(operation.subject_ids[0])
    challenge, niche = operation.challenge, state.niches[name]
    in_turn = challenge is not None and challenge.k == niche.challenges + 1 and challenge.niche == name
    if challenge is None or not in_turn or niche.open_challenge is not None:
        raise IllegalTransition(f"{operation.id} is not challenge {niche.challenges + 1} of its niche")
    niche.challenges = challenge.k
    niche.open_challenge = operation.id
    niche.last_challenger = operation.subject_ids[0]
    state.candidates[operation.subject_ids[0]].challenged = True


def _completed(state: RunState, event: Event) -> None:
    payload = cast("OperationCompleted", event.payload)
    state.weakly_isolated |= payload.isolation == "weak"
    state.isolation_of[payload.operation_id] = payload.isolation
    if _child_ended(state, payload):
        return
    operation = _end(state, payload)
    shown = None if operation.kind in _HELD_OUT else payload.findings
    observation = Observation(
        operation.step, operation.kind, shown, payload.refs, degraded=payload.degraded, usage=payload.usage
    )
    if operation.kind == "repair" and payload.findings is not None:
        state.candidates[operation.subject_ids[0]].content = payload.findings
    if payload.looks is not None:
        _look(state, operation, payload.looks)
    _observe(state, operation, observation)


def _look(state: RunState, operation: Operation, looks: EmbeddingRecord) -> None:
    """What a candidate looks like, as long as nobody is compared with it: later, others may be at it meanwhile."""
    known = state.candidates.get(operation.subject_ids[0]) if operation.subject_kind == "candidate" else None
    if known is not None and known.status in _ROUTED:
        state.looks[known.candidate.id] = looks


def _failed(state: RunState, event: Event) -> None:
    payload = cast("OperationFailed", event.payload)
    if _child_ended(state, payload):
        return
    operation = _end(state, payload)
    failed = Observation(operation.step, operation.kind, failed=payload.error_code, usage=payload.usage)
    _observe(state, operation, failed)
    if operation.kind == "vary" and operation.birth is not None:
        generation = generation_named(state, state.births.home_of.pop(operation.birth))
        generation.births_open -= 1
        generation.births_lost += 1
        state.births.unexpressed -= 1
        state.births.settle(operation.birth)


def _end(state: RunState, payload: OperationCompleted | OperationFailed) -> Operation:
    flown = state.in_flight.pop(payload.operation_id, None)
    if flown is None:
        raise IllegalTransition(f"{payload.operation_id} ends, but it is not in flight")
    operation = flown.operation
    state.parameters_of.pop(operation.id, None)
    family = state.families.pop(operation.id, None)
    if family is not None and family.open:
        raise IllegalTransition(f"{operation.id} ends before its children {', '.join(family.open)}")
    state.ledger.reconcile(operation, payload.usage, payload.lost_deliveries)
    if operation.kind == "wait":
        state.waiting -= 1
    if operation.kind == "challenge":
        state.niche_of(operation.subject_ids[0]).open_challenge = None
    if operation.birth is not None and (payload.usage.tokens_in or payload.usage.tokens_out):
        _note_asked(state, operation.birth, payload.usage)
    return operation


def _note_asked(state: RunState, birth: int, usage: Usage) -> None:
    """What models took of a birth: it is recorded and depends on no clock, so that choices may learn from it."""
    asked = Usage(tokens_in=usage.tokens_in, tokens_out=usage.tokens_out, cost_microusd=usage.cost_microusd)
    state.births.bred[birth] = state.births.bred[birth]._replace(asked=state.config.energy_costs.price(asked))


def _observe(state: RunState, operation: Operation, observation: Observation) -> None:
    steps = _steps(state, operation)
    if steps is None:
        return
    steps.end(operation.id, observation)
    candidate = state.candidates.get(operation.subject_ids[0])
    if steps.open or candidate is None:
        return
    if operation.entered is not None:
        state.entering[candidate.candidate.id] = operation.entered
        return
    if candidate.status is CandidateStatus.CHECKED:
        state.agenda.to_score[candidate.candidate.id] = None
    elif candidate.status in _ROUTED:
        state.agenda.to_route[candidate.candidate.id] = None


_ROUTED = frozenset({CandidateStatus.CREATED, CandidateStatus.REPAIRING, CandidateStatus.UNDER_REVIEW})


def _steps(state: RunState, operation: Operation) -> StepLog | None:
    """Where the operation is written down; variations and expressions show in the genome itself."""
    if operation.entered is not None:
        return state.entries[operation.entered][operation.subject_ids[0]].steps
    if operation.subject_kind in ("candidate", "pair"):
        return state.candidates[operation.subject_ids[0]].steps
    if operation.subject_kind == "generation":
        return state.generations[state.generation_of[operation.subject_ids[0]]].steps
    return None


FOLDERS: Final[Mapping[str, Callable[[RunState, Event], None]]] = {
    "operation.started": _started,
    "operation.completed": _completed,
    "operation.failed": _failed,
}
