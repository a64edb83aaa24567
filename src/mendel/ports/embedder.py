"""Port ``Embedder``: texts as directions, so that how much alike two of them are is a number."""

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
"""As :func:`mendel.contracts.embeddings.packed` writes numbers down."""


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """What a text is to ``embedder``: a direction of unit length that nobody can change.

    ``model_id`` is the model behind the embedder, where it is not the embedder itself.
    """

    embedder: str
    values: Directions
    model_id: str = ""

    @classmethod
    def recorded(cls, record: EmbeddingRecord) -> Self:
        """The vector as it was recorded, bit for bit."""
        values = np.frombuffer(bytes.fromhex(record.vector), dtype=_RECORDED).astype(np.float32, copy=False)
        values.flags.writeable = False
        return cls(record.embedder, values, record.model_id)

    def similarity(self, other: Vector) -> float:
        """The cosine of the angle between the two: 1 for the same direction, about 0 for strangers.

        Raises:
            ValueError: another embedder made the other one; nothing can be said of the two.
        """
        if self.embedder != other.embedder:
            raise ValueError(f"vectors of {self.embedder} and of {other.embedder} cannot be compared")
        return float(np.dot(self.values.astype(np.float64), other.values))

    def record(self, text: str, candidate_id: str | None = None) -> EmbeddingRecord:
        """What goes into the log, so that nobody embeds ``text`` again; ``recorded`` makes the same vector of it."""
        return EmbeddingRecord(
            text_digest=text_digest(text),
            candidate_id=candidate_id,
            embedder=self.embedder,
            model_id=self.model_id or self.embedder,
            dimension=len(self.values),
            vector=packed(self.values.tolist()),
        )


class Embedder(Closing, ABC):
    """Makes vectors of texts.

    Obligations of an implementation:

    - ``name`` names everything that moves a vector: technology, version, model and dimension. Whoever records a vector
      or a number made from one records the name with it; another name means that nothing can be compared.
    - The same text has the same vector, whatever stands beside it in the batch and whenever it is asked. An
      implementation that is local has the same one, bit for bit, in every process and on every machine; one that asks
      somebody else, or multiplies matrices with a library, cannot promise it, and says so. Whoever embeds for a run
      records what was answered (:meth:`Vector.record`), and a replay reads that (rule 7).
    - Any text is taken: the empty one, one of any length, one with NUL or a lone surrogate.
    - A text is data. It is never logged, nor put into an error; nor is a key that the implementation needs (rule 4).
    - The embedded default touches neither network nor disk. One that asks somebody else makes every call on the account
      that it was given, takes it off the budget at its worst before it is made, and notes it, failed or not (rule 1).
    - ``_embed`` may be called by several at once, and holds the event loop up for a moment only.

    ``embed`` is the only door: what comes out of it has been looked at.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """What made the vectors."""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """How many numbers each vector has."""

    @property
    def model_id(self) -> str:
        """The model behind it, as events name it; one that has none is its own."""
        return self.name

    def on_account(self, account: Account) -> Embedder:  # noqa: ARG002 - for those who are paid
        """The same embedder for one operation. Who asks nobody is itself; closing is left to the first one's owner."""
        return self

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """The vector of each text, in the order of the texts.

        Raises:
            BrokenPlugin: the implementation answered with something else than a direction for each text.
        """
        if not texts:
            return ()
        found = np.array(await self._embed(texts), dtype=np.float32)
        self._look_at(found, len(texts))
        found.flags.writeable = False
        return tuple(Vector(self.name, row, self.model_id) for row in found)

    def _look_at(self, found: Directions, texts: int) -> None:
        if found.shape != (texts, self.dimension):
            raise BrokenPlugin(f"{self.name} answered {found.shape}, not {texts} vectors of {self.dimension} numbers")
        lengths = np.sqrt(np.square(found, dtype=np.float64).sum(axis=1))
        # Asked this way round, a length that is no number is wrong too.
        if not bool(np.all(np.abs(lengths - 1.0) <= UNIT_TOLERANCE)):
            raise BrokenPlugin(f"{self.name} answered with a vector whose length is not 1")

    @abstractmethod
    async def _embed(self, texts: Sequence[str]) -> NDArray[np.floating]:
        """One row for each text; there is at least one text."""


OpenEmbedder = Callable[[], Embedder]
"""What the plug-ins of the group ``mendel.embedders`` are: an embedder's class, or a function that opens one."""
