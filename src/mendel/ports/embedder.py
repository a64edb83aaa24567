"""Port ``Embedder``: texts as unit vectors, so that the similarity of two texts is a number."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from mendel.contracts.embeddings import UNIT_TOLERANCE as UNIT_TOLERANCE
from mendel.contracts.embeddings import EmbeddingRecord, packed, text_digest
from mendel.contracts.errors import BrokenPlugin
from mendel.ports.account import Account as Account
from mendel.ports.closing import Closing

GROUP: Final = "mendel.embedders"

Directions = NDArray[np.float32]
_RECORDED: Final = np.dtype("<f4")
"""The number format that :func:`mendel.contracts.embeddings.packed` writes."""


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """The direction that ``embedder`` assigns to a text: a read-only vector of unit length.

    ``model_id`` is the model behind the embedder, if it is not the embedder itself.
    """

    embedder: str
    values: Directions
    model_id: str = ""

    @classmethod
    def recorded(cls, record: EmbeddingRecord) -> Self:
        """Return the recorded vector, bit for bit."""
        values = np.frombuffer(bytes.fromhex(record.vector), dtype=_RECORDED).astype(np.float32, copy=False)
        values.flags.writeable = False
        return cls(record.embedder, values, record.model_id)

    def similarity(self, other: Vector) -> float:
        """Return the cosine of their angle: 1 for the same direction, about 0 for unrelated texts.

        Raises:
            ValueError: the other vector comes from another embedder, so the two cannot be compared.
        """
        if self.embedder != other.embedder:
            raise ValueError(f"vectors of {self.embedder} and of {other.embedder} cannot be compared")
        return float(np.dot(self.values.astype(np.float64), other.values))

    def record(self, text: str, candidate_id: str | None = None) -> EmbeddingRecord:
        """Return the log's record of this vector, so that ``text`` need not be embedded again; see ``recorded``."""
        return EmbeddingRecord(
            text_digest=text_digest(text),
            candidate_id=candidate_id,
            embedder=self.embedder,
            model_id=self.model_id or self.embedder,
            dimension=len(self.values),
            vector=packed(self.values.tolist()),
        )


class Embedder(Closing, ABC):
    """Turns texts into vectors.

    Obligations of an implementation:

    - ``name`` identifies everything that affects a vector: technology, version, model and dimension. A vector, or a
      number computed from one, is recorded with that name; vectors with different names cannot be compared.
    - The same text always gets the same vector, whatever else is in the batch. A local implementation returns it bit
      for bit in every process and on every machine. One that calls a remote service, or multiplies matrices with a
      library, cannot promise that and documents it. A run therefore records every answer (:meth:`Vector.record`), and a
      replay reads the record (rule 7).
    - Any text is accepted: an empty one, one of any length, one with NUL or a lone surrogate.
    - A text is data. It is never logged or quoted in an error; neither is a key that the implementation needs (rule 4).
    - The embedded default uses neither network nor disk. A remote one makes every call on the given account: it deducts
      the worst case from the budget before the call, and records the call even if it fails (rule 1).
    - ``_embed`` may be called concurrently, and blocks the event loop only briefly.

    ``embed`` is the only entry point and validates every result.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """The identity of everything that affects the vectors."""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """The number of components of each vector."""

    @property
    def model_id(self) -> str:
        """The model behind the embedder, as events name it; by default the embedder itself."""
        return self.name

    def on_account(self, account: Account) -> Embedder:  # noqa: ARG002 - for embedders that cost
        """Return this embedder for one operation, or itself if it is local; only the original is closed."""
        return self

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return the vector of each text, in the order of the texts.

        Raises:
            BrokenPlugin: the implementation did not return one unit vector for each text.
        """
        if not texts:
            return ()
        found = np.array(await self._embed(texts), dtype=np.float32)  # a copy that only the port holds
        self._look_at(found, len(texts))
        found.flags.writeable = False
        return tuple(Vector(self.name, row, self.model_id) for row in found)

    def _look_at(self, found: Directions, texts: int) -> None:
        if found.shape != (texts, self.dimension):
            raise BrokenPlugin(f"{self.name} returned {found.shape}, not {texts} vectors of {self.dimension} numbers")
        lengths = np.sqrt(np.square(found, dtype=np.float64).sum(axis=1))
        # This form of the comparison also rejects a NaN.
        if not bool(np.all(np.abs(lengths - 1.0) <= UNIT_TOLERANCE)):
            raise BrokenPlugin(f"{self.name} returned a vector that does not have the length 1")

    @abstractmethod
    async def _embed(self, texts: Sequence[str]) -> NDArray[np.floating]:
        """Return one row for each text; there is at least one text."""


OpenEmbedder = Callable[[], Embedder]
"""The type of plug-ins of the group ``mendel.embedders``: an embedder's class, or a function that opens one."""
