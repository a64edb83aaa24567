"""The account to which calls to external services are charged."""

from __future__ import annotations

from dataclasses import dataclass, field

from mendel.contracts.embeddings import EmbeddingDegraded
from mendel.contracts.model_calls import AttemptRecord
from mendel.ports.model_gateway import Budget


@dataclass(slots=True)
class Account:
    """The remaining model budget of an operation, and every attempt made for it so far.

    ``degraded`` lists why batches were embedded by another embedder than the intended one.
    """

    budget: Budget | None = None
    records: list[AttemptRecord] = field(default_factory=list)
    degraded: list[EmbeddingDegraded] = field(default_factory=list)
