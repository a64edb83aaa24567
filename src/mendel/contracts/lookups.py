"""External lookups of an operation other than its model calls, as recorded with its completion."""

from __future__ import annotations

from mendel.contracts.base import Contract
from mendel.contracts.embeddings import EmbeddingDegraded
from mendel.contracts.evidence_refs import BlobRef
from mendel.contracts.retrieval import Retrieval, ToolRecord


class Lookups(Contract):
    """Retrieved passages, calls of research tools, and reasons for degraded embeddings.

    A replay reads them and makes no calls (rule 7). If they are too large for an event, ``blob`` has the same JSON.
    Vectors are stored elsewhere, in the record of the embedded item.
    """

    retrievals: tuple[Retrieval, ...] = ()
    tools: tuple[ToolRecord, ...] = ()
    degraded: tuple[EmbeddingDegraded, ...] = ()
    blob: BlobRef | None = None

    @property
    def counted_calls(self) -> int:
        """Number of tool calls that count towards the cap."""
        return sum(each.counted for each in self.tools)
