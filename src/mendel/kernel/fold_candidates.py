"""Folding events of candidates: from creation to a fitness, or out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from mendel.contracts.errors import IllegalTransition
from mendel.contracts.events.candidate import (
    CandidateChecked,
    CandidateCreated,
    CandidateEntered,
    CandidateRejected,
    FitnessRescored,
    FitnessScored,
)
from mendel.contracts.events.envelope import Event
from mendel.contracts.scoring import FitnessScore
from mendel.contracts.statuses import CandidateStatus, GenomeStatus
from mendel.contracts.transitions import CANDIDATE, advance
from mendel.kernel.state import CandidateState, Entry, GenomeState, RunState


def _created(state: RunState, event: Event) -> None:
    candidate = cast("CandidateCreated", event.payload).candidate
    if candidate.id in state.candidates:
        raise IllegalTransition(f"{candidate.id} is created twice")
    genome = state.genomes[candidate.genome_id]
    if genome.status is not GenomeStatus.ACTIVE:
        raise IllegalTransition(f"{candidate.genome_id} expresses a candidate, but it is {genome.status}")
    ordinal = len(genome.candidates)
    genome.candidates.append(candidate.id)
    genome.unsettled += 1
    state.candidates[candidate.id] = CandidateState(
        candidate, candidate.content, genome.generation, ordinal, CandidateStatus.CREATED
    )
    state.generations[genome.generation].verifying += 1
    state.agenda.to_route[candidate.id] = None


def _step(state: RunState, event: Event) -> CandidateState:
    known = state.candidates[event.candidate_id or ""]
    known.status = advance(CANDIDATE, known.status, event.type, known.candidate.id)
    return known


def _moved(state: RunState, event: Event) -> None:
    _step(state, event)


def _repair_started(state: RunState, event: Event) -> None:
    known = _step(state, event)
    known.repaired = True


def _checked(state: RunState, event: Event) -> None:
    known = _step(state, event)
    _land(state, known, cast("CandidateChecked", event.payload).niche)
    generation = state.generations[known.generation]
    generation.verifying -= 1
    generation.checked += 1
    state.agenda.to_route.pop(known.candidate.id, None)
    state.agenda.to_score[known.candidate.id] = None


def _land(state: RunState, known: CandidateState, niche: str | None) -> None:
    """Where it competes from now on."""
    name = niche or state.first_niche
    if name not in state.niches:
        raise IllegalTransition(f"{known.candidate.id} lands in {name!r}, which is no niche of this run")
    if len(state.niches) > 1:
        state.landed[known.candidate.id] = name


def _scored(state: RunState, event: Event) -> None:
    score = cast("FitnessScored", event.payload).score
    if score.candidate_id != event.candidate_id:
        raise IllegalTransition(f"a score of {score.candidate_id} stands on {event.candidate_id}")
    known = _step(state, event)
    known.score = score
    _count_score(state, known, score)
    state.scored_order.append(known.candidate.id)
    genome = state.genomes[known.candidate.genome_id]
    if genome.best is None or _better(state, (score.total, known.candidate.id), genome.best):
        genome.best = (score.total, known.candidate.id)
    state.agenda.to_score.pop(known.candidate.id, None)
    _settle(state, genome)


def _count_score(state: RunState, known: CandidateState, score: FitnessScore) -> None:
    generation = state.generations[known.generation]
    generation.checked -= 1
    generation.scored += 1
    generation.total += score.total
    generation.best = score.total if generation.best is None else max(generation.best, score.total)
    state.scored += 1
    found, niche = (score.total, known.candidate.id), state.niche_of(known.candidate.id)
    if state.best is None or _better(state, found, state.best):
        state.best = found
    if niche.best is None or _better(state, found, niche.best):
        niche.best = found


def _better(state: RunState, one: tuple[float, str], other: tuple[float, str]) -> bool:
    """Higher, or equal and older: so that the order in which results arrive does not matter."""
    if one[0] != other[0]:
        return one[0] > other[0]
    first, second = (state.candidates[candidate_id] for _, candidate_id in (one, other))
    return (first.candidate.birth, first.ordinal) < (second.candidate.birth, second.ordinal)


def _out(state: RunState, event: Event) -> None:
    known = state.candidates[event.candidate_id or ""]
    generation = state.generations[known.generation]
    was_checked = known.status is CandidateStatus.CHECKED
    _step(state, event)
    generation.checked -= was_checked
    generation.verifying -= not was_checked
    state.agenda.to_route.pop(known.candidate.id, None)
    state.agenda.to_score.pop(known.candidate.id, None)
    if isinstance(event.payload, CandidateRejected) and event.payload.wish is not None:
        wishes = state.births.wishes.setdefault(known.candidate.birth, [])
        wishes.append((known.candidate.id, event.payload.wish))
    _settle(state, state.genomes[known.candidate.genome_id])


def _entered(state: RunState, event: Event) -> None:
    candidate_id, index = event.candidate_id or "", cast("CandidateEntered", event.payload).index
    known, generation = state.candidates[candidate_id], state.generations[index]
    genome = state.genomes[known.candidate.genome_id]
    survives = genome.status in _SURVIVING and genome.best is not None and genome.best[1] == candidate_id
    entries = state.entries.setdefault(index, {})
    if not survives or index <= known.generation or candidate_id in entries or generation.id != event.generation_id:
        raise IllegalTransition(f"{candidate_id} enters generation {index}, in which it cannot be scored anew")
    entries[candidate_id] = Entry()
    state.entering[candidate_id] = index
    state.entries_open += 1


_SURVIVING: Final = frozenset({GenomeStatus.ELIGIBLE_PARENT, GenomeStatus.REPRODUCED})


def _rescored(state: RunState, event: Event) -> None:
    score = cast("FitnessRescored", event.payload).score
    if score.candidate_id != event.candidate_id:
        raise IllegalTransition(f"a score of {score.candidate_id} stands on {event.candidate_id}")
    _end_entry(state, event).score = score


def _left(state: RunState, event: Event) -> None:
    _end_entry(state, event)


def _end_entry(state: RunState, event: Event) -> Entry:
    candidate_id, index = event.candidate_id or "", state.generation_of[event.generation_id or ""]
    entry = state.entries[index][candidate_id]
    if entry.over or entry.steps.open:
        raise IllegalTransition(f"{event.type} cannot happen to {candidate_id} in generation {index}")
    entry.over = True
    state.entering.pop(candidate_id, None)
    state.entries_open -= 1
    return entry


def _settle(state: RunState, genome: GenomeState) -> None:
    genome.unsettled -= 1
    if genome.unsettled == 0 and genome.status is not GenomeStatus.ACTIVE:
        state.births.settle(genome.genome.birth)
        state.early -= genome.early
        genome.early = False


FOLDERS: Final[Mapping[str, Callable[[RunState, Event], None]]] = {
    "candidate.created": _created,
    "candidate.repair_started": _repair_started,
    "candidate.under_review": _moved,
    "candidate.checked": _checked,
    "fitness.scored": _scored,
    "candidate.entered": _entered,
    "fitness.rescored": _rescored,
    "candidate.left": _left,
    "candidate.selected": _moved,
    "candidate.rejected": _out,
    "candidate_invalidated": _out,
}
