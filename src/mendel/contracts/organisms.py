"""Genomes and candidates: what is inherited, and what it expresses."""

from __future__ import annotations

from pydantic import Field

from mendel.contracts.base import Contract, Count
from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.evidence_refs import EvidenceRef
from mendel.contracts.ids import CandidateId, GenomeId
from mendel.contracts.payloads import DomainPayload


class Genome(Contract):
    """What is inherited. ``spawn_budget`` is a wish: no trait raises a cap.

    ``looks`` is the vector of what was written, where its birth had it embedded: whoever comes later and looks the same
    is known by it. Not among the traits, which travel with every operation on the genome and its children.
    """

    id: GenomeId
    birth: Count
    parents: tuple[GenomeId, ...] = ()
    depth: Count = 0
    spawn_budget: Count = 1
    traits: DomainPayload
    looks: EmbeddingRecord | None = None


class Candidate(Contract):
    """What a genome expresses, and what is examined, scored and judged.

    ``looks`` is the vector of its content, where its expression had it embedded.
    """

    id: CandidateId
    genome_id: GenomeId
    birth: Count
    content: DomainPayload
    summary: str = ""
    refs: tuple[EvidenceRef, ...] = ()
    looks: EmbeddingRecord | None = Field(default=None, exclude_if=lambda looks: looks is None)
