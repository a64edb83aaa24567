"""The last look before an append: a batch that would break a state machine never reaches the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final, cast

from mendel.contracts.errors import IllegalTransition
from mendel.contracts.events.candidate import CandidateCreated
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.gate import AdoptionMade
from mendel.contracts.events.genome import GenomeSpawned, LineageCulled
from mendel.contracts.events.operation import OperationCompleted, OperationFailed, OperationStarted
from mendel.contracts.statuses import GenerationStatus, RunStatus
from mendel.contracts.transitions import CANDIDATE, GENERATION, GENOME, RUN, Table, advance
from mendel.kernel.state import RunState

_TABLES: Final = {"run": RUN, "generation": GENERATION, "genome": GENOME, "candidate": CANDIDATE}
_KIND_OF: Final = {
    event: kind
    for kind, table in _TABLES.items()
    for _, event in cast("Table[StrEnum]", table)
    if event != "lineage.culled"
}

Subject = tuple[str, str]


def check(state: RunState, drafts: Sequence[EventDraft]) -> None:
    """Refuse a batch of which an event could not happen when its turn comes.

    Raises:
        IllegalTransition: naming the event and the state of what it happens to.
    """
    after: dict[Subject, StrEnum | None] = {}
    flying: dict[str, bool] = {}
    for draft in drafts:
        _refuse_epilogue(after.get(_RUN_SUBJECT, state.status), draft)
        for subject in _subjects(draft):
            table = cast("Table[StrEnum]", _TABLES[subject[0]])
            before = after[subject] if subject in after else _status(state, subject)
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
    """Once a run is over, nothing more happens in it."""
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


def _status(state: RunState, subject: Subject) -> StrEnum | None:
    kind, name = subject
    if kind == "run":
        return state.status
    if kind == "generation":
        index = state.generation_of.get(name)
        return state.generations[index].status if index is not None else GenerationStatus.PENDING
    known = state.genomes.get(name) if kind == "genome" else state.candidates.get(name)
    return known.status if known is not None else None


def _refuse_challenge(state: RunState, draft: EventDraft) -> None:
    """A run that never challenges claims no niche, so others count on its using no error budget (rule 10)."""
    payload = draft.payload
    if not isinstance(payload, OperationStarted) or payload.operation.challenge is None:
        return
    if state.config.never_challenges:
        raise IllegalTransition(f"{payload.operation.id} is a challenge, in a run that never challenges (rule 10)")


def _check_pairing(state: RunState, flying: dict[str, bool], draft: EventDraft) -> None:
    """One completion per marker, and none without."""
    payload = draft.payload
    if isinstance(payload, OperationStarted):
        flying[payload.operation.id] = True
    elif isinstance(payload, OperationCompleted | OperationFailed):
        operation_id = payload.operation_id
        if not flying.get(operation_id, state.flown(operation_id) is not None):
            raise IllegalTransition(f"{draft.type} of {operation_id}, which is not in flight")
        flying[operation_id] = False
