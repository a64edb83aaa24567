"""Cohorts: the candidates that an operation's subject is compared with, limited to the results it may read."""

from __future__ import annotations

from collections.abc import Container
from typing import Final, NamedTuple

from mendel.contracts.embeddings import EmbeddingRecord, similarity
from mendel.contracts.events.operation import Operation
from mendel.contracts.work import CohortMember
from mendel.kernel.mind import counts_by_birth
from mendel.kernel.state import Births, CandidateState, GenerationState, GenomeState, RunState


def cohort_of(state: RunState, operation: Operation) -> tuple[CohortMember, ...]:
    """Return the cohort of the operation's subject, in birth order.

    For a birth and an expression it is the cohort of their future generation.
    """
    subject = operation.subject_ids[0]
    if operation.subject_kind == "generation":
        generation = state.generations[state.generation_of[subject]]
        everybody = _members(state, generation, _through(state, operation.reads_through))
        return tuple(_member(state, *each, generation.index) for each in everybody)
    own = _subject(state, operation)
    counted = _through(state, own.reads)
    visible = _through(state, operation.reads_through) if operation.kind in _EXAMINING else counted
    return tuple(
        _member(state, known, home, own.generation.index - 1, counted, own.looks)
        for known, home in _members(state, own.generation, visible)
        if known.candidate.id != subject and state.niche_name(known.candidate.id) == own.niche
    )


_EXAMINING: Final = frozenset({"examine", "child", "challenge"})


class _Subject(NamedTuple):
    """A subject's generation and niche for the judgement, the number of results it may read, and its looks."""

    generation: GenerationState
    niche: str
    reads: int
    looks: EmbeddingRecord | None


def _subject(state: RunState, operation: Operation) -> _Subject:
    subject = operation.subject_ids[0]
    known = state.candidates.get(subject)
    genome = state.genomes.get(known.candidate.genome_id if known is not None else subject)
    if genome is None:  # a birth in flight
        generation = state.generations[state.generation_of[state.births.home_of[operation.birth or 0]]]
        return _Subject(generation, operation.niche or state.first_niche, operation.reads_through, None)
    looks = state.looks_of(known) if known is not None else genome.genome.looks
    niche = state.niche_name(subject) if known is not None else state.bred_in(genome.genome.birth)
    if operation.entered is not None:
        generation = state.generations[operation.entered]
        return _Subject(generation, niche, generation.first_birth, looks)
    bred = state.births.bred.get(genome.genome.birth)
    reads = bred.reads_through if bred is not None else 0
    return _Subject(state.generations[genome.generation], niche, reads, looks)


def _through(state: RunState, reads: int) -> Container[int]:
    """Return the births with the first ``reads`` results, in birth order or order of arrival."""
    return range(reads) if counts_by_birth(state.config.pace) else _Arrived(state.births, reads)


class _Arrived:
    """The first ``reads`` births that arrived, stored as the few that arrived later."""

    def __init__(self, births: Births, reads: int) -> None:
        self._births = births
        self._later = frozenset(births.arrived[reads:])

    def __contains__(self, birth: object) -> bool:
        births = self._births
        settled = isinstance(birth, int) and (birth < births.settled_through or birth in births.settled_ahead)
        return settled and birth not in self._later


def _members(state: RunState, generation: GenerationState, visible: Container[int]) -> list[tuple[CandidateState, int]]:
    """Return the visible candidates of the generation and of the one before, each with its generation's index."""
    lives_in: dict[str, int] = {}
    for home in state.generations[max(0, generation.index - 1) : generation.index + 1]:
        seen = (state.genomes[each] for each in home.genome_ids if state.genomes[each].genome.birth in visible)
        lives_in |= {candidate_id: home.index for genome in seen for candidate_id in genome.candidates}
        lives_in |= dict.fromkeys(state.entries.get(home.index, ()), home.index)
    found = ((state.candidates[name], home) for name, home in lives_in.items())
    return sorted(found, key=lambda each: (each[0].candidate.birth, each[0].ordinal))


def _member(
    state: RunState,
    known: CandidateState,
    home: int,
    judged: int,
    counted: Container[int] | None = None,
    beside: EmbeddingRecord | None = None,
) -> CohortMember:
    """Return one member of a cohort, with its fitness as of generation ``judged`` if its result is ``counted``."""
    genome, looks = state.genomes[known.candidate.genome_id], state.looks_of(known)
    scored = counted is None or known.candidate.birth in counted
    return CohortMember(
        candidate_id=known.candidate.id,
        generation=home,
        niche=state.niche_name(known.candidate.id),
        traits=genome.genome.traits,
        content=known.content,
        total=_fitness(state, known, genome, judged) if scored else None,
        looks=looks,
        similarity=similarity(looks, beside),
    )


def _fitness(state: RunState, known: CandidateState, genome: GenomeState, generation: int) -> float | None:
    best = state.fitness_in(genome, generation)
    if best is not None and best[1] == known.candidate.id:
        return best[0]
    return known.score.total if known.score is not None else None
