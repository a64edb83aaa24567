"""Embeddings from a log: only recorded vectors are returned; nothing is called or computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from mendel.contracts.embeddings import EmbeddingRecord, text_digest
from mendel.contracts.errors import ModelCallFailed
from mendel.ports.embedder import Directions, Embedder, Vector


class RecordedEmbedder(Embedder):
    """Replays the embedder that made ``records``. Of several records for one text, the first counts.

    Raises:
        ValueError: there are no records, or they are of more than one embedder.
    """

    def __init__(self, records: Iterable[EmbeddingRecord]) -> None:
        kept = list(records)
        kinds = {(record.embedder, record.model_id, record.dimension) for record in kept}
        if len(kinds) != 1:
            names = ", ".join(sorted(f"{name} ({dimension})" for name, _, dimension in kinds)) or "none"
            raise ValueError(f"all records must be of one embedder, not of {names}")
        ((self._name, self._model_id, self._dimension),) = kinds
        self._known: dict[str, Directions] = {}
        for record in kept:
            self._known.setdefault(record.text_digest, Vector.recorded(record).values)

    @property
    def name(self) -> str:
        """The recorded embedder's name."""
        return self._name

    @property
    def dimension(self) -> int:
        """The recorded dimension."""
        return self._dimension

    @property
    def model_id(self) -> str:
        """The recorded model id."""
        return self._model_id

    async def _embed(self, texts: Sequence[str]) -> NDArray[np.floating]:
        rows = [self._known.get(text_digest(text)) for text in texts]
        found = [row for row in rows if row is not None]
        if len(found) < len(rows):
            raise ModelCallFailed(
                "not_recorded",
                f"{len(rows) - len(found)} of {len(rows)} texts have no recorded vector of {self._name}",
            )
        return np.stack(found)
