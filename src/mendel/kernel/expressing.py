"""How genomes become candidates."""

from __future__ import annotations

from itertools import islice

from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.events.candidate import CandidateCreated
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.genome import GenomeActivated, GenomeFailed, GenomeSpent, SpawnClamped
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.statuses import GenerationStatus
from mendel.kernel.names import derived
from mendel.kernel.plan import Plan
from mendel.kernel.state import GenomeState, RunState

AT_ONCE = 64
"""How many genomes are expressed in one round of decisions."""


def express_all(plan: Plan) -> None:
    """Express the genomes that wait for it."""
    for genome_id in islice(plan.state.agenda.to_express, AT_ONCE):
        if not _express(plan, plan.state.genomes[genome_id]):
            return


def _express(plan: Plan, known: GenomeState) -> bool:
    """Whether the genome was expressed or began to be. One whose generation has not started yet waits for it."""
    state, genome = plan.state, known.genome
    if state.generations[known.generation].status is GenerationStatus.PENDING:
        return False
    expression = plan.mind.asked.express(genome, state.config)
    where = state.generations[known.generation].id
    if expression.step is None:
        plan.say(GenomeActivated(), generation=where, genome=genome.id)
        most = plan.mind.domain.most_candidates
        plan.drafts.extend(created(state, genome, where, expression.contents, most=most))
        return True
    operation = plan.operation(
        "express", expression.step, ("genome", (genome.id,)), (genome.birth,), inputs=expression.inputs
    )
    return plan.begin([operation], generation=where, genome=genome.id, first=GenomeActivated()) == "started"


def created(
    state: RunState,
    genome: Genome,
    generation: str,
    contents: tuple[DomainPayload, ...],
    *,
    most: int,
    summary: str = "",
    looks: tuple[EmbeddingRecord | None, ...] = (),
) -> list[EventDraft]:
    """The candidates of ``genome``, as many as its birth kept room for, and that there will be no more of them.

    The room was kept when the birth was decided: who expresses first must not decide who gets the last places.
    """
    granted = min(len(contents), most, state.caps.max_candidates)
    drafts: list[EventDraft] = []
    for ordinal, content in enumerate(contents[:granted]):
        candidate = Candidate(
            id=derived(state.seed, "candidate", genome.birth, ordinal),
            genome_id=genome.id,
            birth=genome.birth,
            content=content,
            summary=summary,
            looks=looks[ordinal] if looks else None,
        )
        drafts.append(
            EventDraft.of(
                CandidateCreated(candidate=candidate),
                generation_id=generation,
                genome_id=genome.id,
                candidate_id=candidate.id,
            )
        )
    if granted < len(contents):
        clamped = SpawnClamped(wished=len(contents), granted=granted, cap="max_candidates")
        drafts.append(EventDraft.of(clamped, generation_id=generation, genome_id=genome.id))
    drafts.append(EventDraft.of(GenomeSpent(), generation_id=generation, genome_id=genome.id))
    return drafts


def failed(genome_id: str, generation: str, reason: str) -> EventDraft:
    """A genome that expressed nothing."""
    return EventDraft.of(GenomeFailed(reason=reason), generation_id=generation, genome_id=genome_id)
