"""Cohorts: beside whom a candidate, or a whole generation, is judged. Only what its operation may rest on is shown."""

from __future__ import annotations

from collections.abc import Container

from mendel.contracts.embeddings import EmbeddingRecord, similarity
from mendel.contracts.events.operation import Operation
from mendel.contracts.work import CohortMember
from mendel.kernel.mind import counts_by_birth
from mendel.kernel.state import Births, CandidateState, GenerationState, RunState


def cohort_of(state: RunState, operation: Operation) -> tuple[CohortMember, ...]:
    """The cohort of the operation's subject, in birth order; nobody's where it is neither candidate nor generation."""
    subject = operation.subject_ids[0]
    if operation.subject_kind == "generation":
        generation = state.generations[state.generation_of[subject]]
        everybody = _members(state, generation, _through(state, operation.reads_through))
        return tuple(_member(state, each, scored=True) for each in everybody)
    known = state.candidates.get(subject)
    if known is None:
        return ()
    niche, looks = state.niche_name(subject), state.genomes[known.candidate.genome_id].genome.looks
    bred = state.births.bred.get(known.candidate.birth)
    counted = _through(state, bred.reads_through if bred is not None else 0)
    others = _members(state, state.generations[known.generation], _through(state, operation.reads_through))
    return tuple(
        _member(state, each, scored=each.candidate.birth in counted, beside=looks)
        for each in others
        if each is not known and state.niche_name(each.candidate.id) == niche
    )


def _through(state: RunState, reads: int) -> Container[int]:
    """The births whose results are the first ``reads``: in birth order, or as they arrived."""
    return range(reads) if counts_by_birth(state.config.pace) else _Arrived(state.births, reads)


class _Arrived:
    """The births among the first ``reads`` that arrived, told by those that arrived after them, which are few."""

    def __init__(self, births: Births, reads: int) -> None:
        self._births = births
        self._later = frozenset(births.arrived[reads:])

    def __contains__(self, birth: object) -> bool:
        births = self._births
        settled = isinstance(birth, int) and (birth < births.settled_through or birth in births.settled_ahead)
        return settled and birth not in self._later


def _members(state: RunState, generation: GenerationState, visible: Container[int]) -> list[CandidateState]:
    """Who was expressed in the generation or in the one before, as far as it is visible."""
    homes = state.generations[max(0, generation.index - 1) : generation.index + 1]
    genomes = (state.genomes[each] for home in homes for each in home.genome_ids)
    seen = (genome for genome in genomes if genome.genome.birth in visible)
    found = (state.candidates[each] for genome in seen for each in genome.candidates)
    return sorted(found, key=lambda each: (each.candidate.birth, each.ordinal))


def _member(
    state: RunState, known: CandidateState, *, scored: bool, beside: EmbeddingRecord | None = None
) -> CohortMember:
    genome = state.genomes[known.candidate.genome_id].genome
    return CohortMember(
        candidate_id=known.candidate.id,
        generation=known.generation,
        niche=state.niche_name(known.candidate.id),
        traits=genome.traits,
        content=known.content,
        total=known.score.total if scored and known.score is not None else None,
        looks=genome.looks,
        similarity=similarity(genome.looks, beside),
    )
