"""Port ``Embedder``: texts as directions, so that how much alike two of them are is a number."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from mendel.contracts.errors import BrokenPlugin

GROUP: Final = "mendel.embedders"
UNIT_TOLERANCE: Final = 1e-5
"""By so much the length of a vector may differ from 1: half precision does not pass, single precision does."""

Directions = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """What a text is to ``embedder``: a direction of unit length that nobody can change."""

    embedder: str
    values: Directions

    def similarity(self, other: Vector) -> float:
        """The cosine of the angle between the two: 1 for the same direction, about 0 for strangers.

        Raises:
            ValueError: another embedder made the other one; nothing can be said of the two.
        """
        if self.embedder != other.embedder:
            raise ValueError(f"vectors of {self.embedder} and of {other.embedder} cannot be compared")
        return float(np.dot(self.values.astype(np.float64), other.values))


class Embedder(ABC):
    """Makes vectors of texts.

    Obligations of an implementation:

    - ``name`` names everything that moves a vector: technology, version, model and dimension. Whoever records a vector
      or a number made from one records the name with it; another name means that nothing can be compared.
    - The same text has the same vector, whatever stands beside it in the batch and whenever it is asked. An
      implementation that is local has the same one, bit for bit, in every process and on every machine; one that asks
      somebody else cannot promise it, and its caller records what it answered (rule 7).
    - Any text is taken: the empty one, one of any length, one with NUL or a lone surrogate.
    - A text is data. It is never logged, nor put into an error; nor is a key that the implementation needs (rule 4).
    - The embedded default touches neither network nor disk.
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
        return tuple(Vector(self.name, row) for row in found)

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

    async def aclose(self) -> None:  # noqa: B027 - most hold nothing
        """Let go what is held. Can be called again."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


OpenEmbedder = Callable[[], Embedder]
"""What the plug-ins of the group ``mendel.embedders`` are: an embedder's class, or a function that opens one."""
