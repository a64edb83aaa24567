"""An embedder in memory: simple, slow and small, a reference implementation of the port."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mendel.ports.embedder import Embedder

_PERSON: Final = b"mendel.words.1"  # the hash's personalisation: another recipe, another hash
_WORDS: Final = re.compile(r"\w+|[^\w\s]")
_NO_WORD: Final = ""
"""Added to every text, so that each has a direction."""


class MemoryEmbedder(Embedder):
    """Counts words, each at one of ``dimension`` positions by its hash. Word order and white space do not matter.

    Raises:
        ValueError: ``dimension`` is less than 1.
    """

    def __init__(self, dimension: int = 256) -> None:
        if dimension < 1:
            raise ValueError(f"a vector has at least one number, not {dimension}")
        self._dimension = dimension

    @property
    def name(self) -> str:
        """The recipe and the dimension."""
        return f"words.1.{self._dimension}"

    @property
    def dimension(self) -> int:
        """The dimension given at construction."""
        return self._dimension

    async def _embed(self, texts: Sequence[str]) -> NDArray[np.floating]:
        return np.array([self._direction(text) for text in texts])

    def _direction(self, text: str) -> list[float]:
        counts = [0] * self._dimension
        for word in [_NO_WORD, *_WORDS.findall(text)]:
            counts[self._place(word)] += 1
        length = sqrt(sum(count * count for count in counts))
        return [count / length for count in counts]

    def _place(self, word: str) -> int:
        digest = blake2b(word.encode(errors="surrogatepass"), digest_size=8, person=_PERSON).digest()
        return int.from_bytes(digest, "big") % self._dimension
