"""What an operation looked up outside, beside its models' answers, as the log keeps it with the operation's end."""

from __future__ import annotations

from mendel.contracts.base import Contract
from mendel.contracts.embeddings import EmbeddingDegraded
from mendel.contracts.evidence_refs import BlobRef
from mendel.contracts.retrieval import Retrieval, ToolRecord


class Lookups(Contract):
    """Passages that were retrieved, calls of research tools, and why embeddings were not the ones that were meant.

    A replay reads these and asks nobody (rule 7). Where they are too large for an event they stand, as the same JSON,
    in ``blob``. Vectors are not here: they belong to what was embedded, and stand in its own record.
    """

    retrievals: tuple[Retrieval, ...] = ()
    tools: tuple[ToolRecord, ...] = ()
    degraded: tuple[EmbeddingDegraded, ...] = ()
    blob: BlobRef | None = None

    @property
    def counted_calls(self) -> int:
        """How many of the tools' calls are taken off the cap."""
        return sum(each.counted for each in self.tools)
