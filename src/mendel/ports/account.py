"""On whose account somebody outside is asked."""

from __future__ import annotations

from dataclasses import dataclass, field

from mendel.contracts.embeddings import EmbeddingDegraded
from mendel.contracts.model_calls import AttemptRecord
from mendel.ports.model_gateway import Budget


@dataclass(slots=True)
class Account:
    """What an operation may still spend, and every attempt made for it so far.

    ``degraded`` says why batches were embedded by another one than was meant.
    """

    budget: Budget | None = None
    records: list[AttemptRecord] = field(default_factory=list)
    degraded: list[EmbeddingDegraded] = field(default_factory=list)
