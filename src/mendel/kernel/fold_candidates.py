"""Folding events of genomes, of their candidates and of the operations on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.energy import Usage
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
from mendel.contracts.events.genome import GenomeFused, GenomeMutated, GenomeSpawned, LineageCulled
from mendel.contracts.events.operation import Operation, OperationCompleted, OperationFailed, OperationStarted
from mendel.contracts.scoring import FitnessScore
from mendel.contracts.statuses import CANDIDATE, GENOME, CandidateStatus, GenomeStatus, S, Table
from mendel.kernel.dossier import Observation
from mendel.kernel.state import (
    Bred,
    CandidateState,
    EndedChild,
    Entry,
    Family,
    GenerationState,
    GenomeState,
    InFlight,
    RunState,
    StepLog,
)


def advance(table: Table[S], status: S | None, event_type: str, subject: str) -> S:
    """Return the status after ``event_type``.

    Raises:
        IllegalTransition: the event is illegal for a subject with that status.
    """
    after = table.get((status, event_type))
    if after is None:
        raise IllegalTransition(f"{event_type} cannot happen to {subject}, which is {status or 'not created yet'}")
    return after


# Folding events of genomes: from birth to parenthood, or to the end of a lineage.


def _spawned(state: RunState, event: Event) -> None:
    genome = cast("GenomeSpawned", event.payload).genome
    if genome.id in state.genomes or genome.birth in state.births.genome_of:
        raise IllegalTransition(f"{genome.id} is born twice")
    if any(parent not in state.genomes for parent in genome.parents):
        raise IllegalTransition(f"{genome.id} has a parent that was never born")
    generation = generation_named(state, event.generation_id)
    bred = genome.birth < state.births.decided  # its marker was folded before; founders and proposals have none
    if not bred and genome.birth != state.births.decided:
        raise IllegalTransition(f"birth {genome.birth} comes before birth {state.births.decided}")
    if bred:
        generation.births_open -= 1
        del state.births.home_of[genome.birth]
    else:
        state.births.decided += 1
        state.births.unexpressed += 1
        state.founders += event.correlation_id is None  # a proposal names its command
    state.births.genome_of[genome.birth] = genome.id
    state.genomes[genome.id] = GenomeState(genome, generation.index, GenomeStatus.SEEDED)
    generation.genome_ids.append(genome.id)
    generation.expressing += 1
    state.deepest = max(state.deepest, genome.depth)
    state.agenda.to_express[genome.id] = None
    _answer_proposal(state, event.correlation_id)


def _answer_proposal(state: RunState, command_id: str | None) -> None:
    if command_id is not None and state.agenda.proposals and state.agenda.proposals[0][0] == command_id:
        state.agenda.proposals.popleft()  # proposals are admitted in order


def _step_genome(state: RunState, event: Event) -> GenomeState:
    known = state.genomes[event.genome_id or ""]
    known.status = advance(GENOME, known.status, event.type, known.genome.id)
    return known


def _activated(state: RunState, event: Event) -> None:
    _step_genome(state, event)
    state.agenda.to_express.pop(event.genome_id or "", None)


def _spent(state: RunState, event: Event) -> None:
    known = _step_genome(state, event)
    generation = state.generations[known.generation]
    generation.expressing -= 1
    generation.expressed += 1
    state.births.unexpressed -= 1


def _genome_failed(state: RunState, event: Event) -> None:
    known = _step_genome(state, event)
    generation = state.generations[known.generation]
    generation.expressing -= 1
    generation.failed_genomes.append(known.genome.id)
    state.births.unexpressed -= 1
    state.births.settle(known.genome.birth)


def _eligible(state: RunState, event: Event) -> None:
    known = _step_genome(state, event)
    state.living += 1
    known.early = known.unsettled > 0
    state.early += known.early


def _related(state: RunState, event: Event) -> None:
    payload = cast("GenomeFused | GenomeMutated", event.payload)
    if state.genomes[payload.child_id].genome.parents != payload.parents:
        raise IllegalTransition(f"{payload.child_id} was born to other parents")


def _culled(state: RunState, event: Event) -> None:
    payload = cast("LineageCulled", event.payload)
    for genome_id in payload.genome_ids:
        known = state.genomes[genome_id]
        known.status = advance(GENOME, known.status, event.type, genome_id)
        state.living -= 1
    for candidate_id in payload.candidate_ids:
        candidate = state.candidates[candidate_id]
        candidate.status = advance(CANDIDATE, candidate.status, event.type, candidate_id)


def _reproduced(state: RunState, event: Event) -> None:
    _step_genome(state, event)


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


def _step_candidate(state: RunState, event: Event) -> CandidateState:
    known = state.candidates[event.candidate_id or ""]
    known.status = advance(CANDIDATE, known.status, event.type, known.candidate.id)
    return known


def _moved(state: RunState, event: Event) -> None:
    _step_candidate(state, event)


def _repair_started(state: RunState, event: Event) -> None:
    known = _step_candidate(state, event)
    known.repaired = True


def _checked(state: RunState, event: Event) -> None:
    known = _step_candidate(state, event)
    _land(state, known, cast("CandidateChecked", event.payload).niche)
    generation = state.generations[known.generation]
    generation.verifying -= 1
    generation.checked += 1
    state.agenda.to_route.pop(known.candidate.id, None)
    state.agenda.to_score[known.candidate.id] = None


def _land(state: RunState, known: CandidateState, niche: str | None) -> None:
    """Set the niche in which the candidate competes from now on."""
    name = niche or state.first_niche
    if name not in state.niches:
        raise IllegalTransition(f"{known.candidate.id} lands in {name!r}, which is no niche of this run")
    if len(state.niches) > 1:  # empty with one niche: digests from before niches stay valid
        state.landed[known.candidate.id] = name


def _scored(state: RunState, event: Event) -> None:
    score = cast("FitnessScored", event.payload).score
    if score.candidate_id != event.candidate_id:
        raise IllegalTransition(f"a score of {score.candidate_id} is recorded for {event.candidate_id}")
    known = _step_candidate(state, event)
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
    """Return whether ``one`` is fitter, or equally fit and older; so the order of arrival does not matter."""
    if one[0] != other[0]:
        return one[0] > other[0]
    first, second = (state.candidates[candidate_id] for _, candidate_id in (one, other))
    return (first.candidate.birth, first.ordinal) < (second.candidate.birth, second.ordinal)


def _out(state: RunState, event: Event) -> None:
    known = state.candidates[event.candidate_id or ""]
    generation = state.generations[known.generation]
    was_checked = known.status is CandidateStatus.CHECKED
    _step_candidate(state, event)
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
        raise IllegalTransition(f"{candidate_id} enters generation {index}, in which it cannot be scored again")
    entries[candidate_id] = Entry()
    state.entering[candidate_id] = index
    state.entries_open += 1


_SURVIVING: Final = frozenset({GenomeStatus.ELIGIBLE_PARENT, GenomeStatus.REPRODUCED})


def _rescored(state: RunState, event: Event) -> None:
    score = cast("FitnessRescored", event.payload).score
    if score.candidate_id != event.candidate_id:
        raise IllegalTransition(f"a score of {score.candidate_id} is recorded for {event.candidate_id}")
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
    if genome.unsettled == 0 and genome.status is not GenomeStatus.ACTIVE:  # an active genome may still express more
        state.births.settle(genome.genome.birth)
        state.early -= genome.early
        genome.early = False


def generation_named(state: RunState, generation_id: str | None) -> GenerationState:
    """Return the generation with that id; an unknown id creates the next generation."""
    if generation_id is None:
        raise IllegalTransition("the event names no generation")
    index = state.generation_of.get(generation_id)
    if index is None:
        index = state.generation_of[generation_id] = len(state.generations)
        state.generations.append(GenerationState(index, generation_id, state.births.decided))
        state.open_generations[index] = None
    return state.generations[index]


# Folding events of operations: markers, completions, and their entries in the ledger.


_HELD_OUT = frozenset({"challenge"})
"""Operation kinds with findings that are never shown to a domain's ``route`` (rule 6)."""


def _started(state: RunState, event: Event) -> None:
    marker = cast("OperationStarted", event.payload)
    operation = marker.operation
    if operation.parent is not None:
        _child_started(state, event, marker, operation.parent)
        return
    before = state.in_flight.get(operation.id)
    if marker.attempt != (before.attempt + 1 if before else 1):
        raise IllegalTransition(f"attempt {marker.attempt} of {operation.id} is out of turn")
    if before is not None:  # a retry: the attempt before was lost with its conductor
        state.ledger.abandon(before.operation)
    state.in_flight[operation.id] = InFlight(operation, marker.attempt, event.occurred_at)
    state.ledger.reserve(operation)
    if before is None:
        _begin(state, event, operation)
        if state.parameters is not None:
            state.parameters_of[operation.id] = state.parameters


def _child_started(state: RunState, event: Event, marker: OperationStarted, parent: str) -> None:
    """Note a child operation that a handler requested; only its parent's reservation pays for it."""
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
    """Return whether a child ended; only its parent receives the result, and no dossier shows it."""
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
    niche.challenges = challenge.k  # counted at the start: a failed challenge is spent, too (rule 10)
    niche.open_challenge = operation.id
    niche.last_challenger = operation.subject_ids[0]
    state.candidates[operation.subject_ids[0]].challenged = True


def _completed(state: RunState, event: Event) -> None:
    payload = cast("OperationCompleted", event.payload)
    state.weakly_isolated |= payload.isolation == "weak"  # for good: no adoption in this run any more (rule 3)
    state.isolation_of[payload.operation_id] = payload.isolation
    if _child_ended(state, payload):
        return
    operation = _end(state, payload)
    shown = None if operation.kind in _HELD_OUT else payload.findings
    observation = Observation(
        operation.step, operation.kind, shown, payload.refs, degraded=payload.degraded, usage=payload.usage
    )
    if operation.kind == "repair" and payload.findings is not None:
        state.candidates[operation.subject_ids[0]].content = payload.findings  # a repair returns the new content
    if payload.looks is not None:
        _look(state, operation, payload.looks)
    _observe(state, operation, observation)


def _look(state: RunState, operation: Operation, looks: EmbeddingRecord) -> None:
    """Set a candidate's looks while it is still examined; later, others may already be compared with it."""
    known = state.candidates.get(operation.subject_ids[0]) if operation.subject_kind == "candidate" else None
    if known is not None and known.status in _ROUTED:
        state.looks[known.candidate.id] = looks


def _operation_failed(state: RunState, event: Event) -> None:
    payload = cast("OperationFailed", event.payload)
    if _child_ended(state, payload):
        return
    operation = _end(state, payload)
    failed = Observation(operation.step, operation.kind, failed=payload.error_code, usage=payload.usage)
    _observe(state, operation, failed)
    if operation.kind == "challenge":
        niche = state.niche_name(operation.subject_ids[0])
        state.failed_challenges[niche] = state.failed_challenges.get(niche, 0) + 1
    if operation.kind == "vary" and operation.birth is not None:
        generation = generation_named(state, state.births.home_of.pop(operation.birth))
        generation.births_open -= 1
        generation.births_lost += 1
        state.births.unexpressed -= 1
        state.births.settle(operation.birth)  # a lost birth counts as a result, too


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
    """Note the price of a birth's model calls: recorded and independent of any clock, so choices may depend on it."""
    asked = Usage(tokens_in=usage.tokens_in, tokens_out=usage.tokens_out, cost_microusd=usage.cost_microusd)
    state.births.bred[birth] = state.births.bred[birth]._replace(asked=state.config.energy_costs.price(asked))


def _observe(state: RunState, operation: Operation, observation: Observation) -> None:
    steps = _steps(state, operation)
    if steps is None:
        return
    steps.end(operation.id, observation)
    candidate = state.candidates.get(operation.subject_ids[0])
    if steps.open or candidate is None:  # the candidate waits for the other steps of its round
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
    """Return the step log for the operation; None for variations and expressions, which change the genome itself."""
    if operation.entered is not None:
        return state.entries[operation.entered][operation.subject_ids[0]].steps
    if operation.subject_kind in ("candidate", "pair"):
        return state.candidates[operation.subject_ids[0]].steps
    if operation.subject_kind == "generation":
        return state.generations[state.generation_of[operation.subject_ids[0]]].steps
    return None


FOLDERS: Final[Mapping[str, Callable[[RunState, Event], None]]] = {
    "genome.spawned": _spawned,
    "genome.activated": _activated,
    "genome.spent": _spent,
    "genome.failed": _genome_failed,
    "genome.eligible": _eligible,
    "genome.fused": _related,
    "genome.mutated": _related,
    "genome.reproduced": _reproduced,
    "lineage.culled": _culled,
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
    "operation.started": _started,
    "operation.completed": _completed,
    "operation.failed": _operation_failed,
}
