"""Genomes and candidates: heritable traits, and the contents that they express."""

from __future__ import annotations

from pydantic import Field

from mendel.contracts.base import Contract, Count
from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.evidence_refs import EvidenceRef
from mendel.contracts.ids import CandidateId, GenomeId
from mendel.contracts.payloads import DomainPayload


class Genome(Contract):
    """Heritable traits, with their parents. ``spawn_budget`` is the wished number of children: caps still apply.

    ``looks`` is the embedding of the traits, if computed at birth: later genomes are compared with it to find
    duplicates. It is not among the traits, because these travel with every operation on the genome and its children.
    """

    id: GenomeId
    birth: Count
    parents: tuple[GenomeId, ...] = ()
    depth: Count = 0
    spawn_budget: Count = 1
    traits: DomainPayload
    looks: EmbeddingRecord | None = None


class Candidate(Contract):
    """The expression of a genome, which is examined, scored and judged.

    ``looks`` is the embedding of its content, if computed.
    """

    id: CandidateId
    genome_id: GenomeId
    birth: Count
    content: DomainPayload
    summary: str = ""
    refs: tuple[EvidenceRef, ...] = ()
    looks: EmbeddingRecord | None = Field(default=None, exclude_if=lambda looks: looks is None)  # as in older events
