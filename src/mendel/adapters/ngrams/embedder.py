"""Embeds texts as counts of their character n-grams, hashed into a vector: finds copies, but not paraphrases.

The recipe is frozen: any change below requires another ``_NAME``. Counts are whole numbers until the last step, one
division and one square root, both rounded as IEEE 754 requires. So a text has the same vector everywhere, bit for bit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mendel.ports.embedder import Embedder

_NAME: Final = "ngrams.1"
_SIZES: Final = (3, 4, 5)
_AT_ONCE: Final = 1 << 16
"""Other tasks run after this many characters; the arrays of one batch fit into a processor's cache."""
_OPENING, _CLOSING = 0x110000, 0x110001
"""Code points that no character has. Two openings and a closing, so that even the empty text has an n-gram."""
_FRAME: Final = 3  # characters added to each text
_STEP: Final = np.uint64(0x9E3779B97F4A7C15)  # multiplier of the rolling hash
_MIX: Final = ((np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB)))
_LAST_SHIFT: Final = np.uint64(31)

_Words = NDArray[np.uint64]
_Counts = NDArray[np.float64]


class NgramEmbedder(Embedder):
    """Character n-grams of 3 to 5, each counted at one of ``dimension`` positions and with a sign, both from its hash.

    Each count is replaced by its square root, so that repetitions do not dominate the rest.

    Raises:
        ValueError: ``dimension`` is not a power of two from 16 to 65,536.
    """

    def __init__(self, dimension: int = 512) -> None:
        if not 16 <= dimension <= 1 << 16 or dimension & (dimension - 1):
            raise ValueError(f"a dimension is a power of two from 16 to 65,536, not {dimension}")
        self._dimension = dimension

    @property
    def name(self) -> str:
        """The frozen recipe and the dimension."""
        return f"{_NAME}.{self._dimension}"

    @property
    def dimension(self) -> int:
        """The dimension given at construction."""
        return self._dimension

    async def _embed(self, texts: Sequence[str]) -> NDArray[np.floating]:
        parts: list[NDArray[np.floating]] = []
        for batch in _batches(texts):
            if parts:
                await asyncio.sleep(0)
            parts.append(_directions(_counts(batch, self._dimension)))
        return np.concatenate(parts)


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch, size = [], 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= _AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _counts(texts: Sequence[str], dimension: int) -> _Counts:
    """Count the n-grams of each text at each position, each as plus or minus one."""
    characters, row = _framed(texts)
    counts = np.zeros(len(texts) * dimension)
    rolling = np.zeros(len(characters), dtype=np.uint64)
    for size in range(1, max(_SIZES) + 1):
        last = characters[size - 1 :]
        rolling = rolling[: len(last)] * _STEP + last + np.uint64(1)  # 1: NUL must change the hash, too
        if size in _SIZES:
            begins = row[: len(last)]
            hashed = _mixed(rolling)
            # An n-gram that begins in one text and ends in another is not real, so it counts as zero.
            signs = np.where(hashed >> np.uint64(63), 1.0, -1.0) * (begins == row[size - 1 :])
            place = begins * dimension + (hashed & np.uint64(dimension - 1)).astype(np.int64)
            counts += np.bincount(place, weights=signs, minlength=len(counts))
    return counts.reshape(len(texts), dimension)


def _framed(texts: Sequence[str]) -> tuple[_Words, NDArray[np.int64]]:
    """Return the code points of all texts, each in its frame, and for every code point the index of its text."""
    joined = "".join(f"\0\0{text}\0" for text in texts)
    characters = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint64)
    lengths = np.array([len(text) + _FRAME for text in texts])
    ends = np.cumsum(lengths)
    characters[ends - 1] = _CLOSING
    characters[ends - lengths] = characters[ends - lengths + 1] = _OPENING
    return characters, np.repeat(np.arange(len(texts)), lengths)


def _mixed(words: _Words) -> _Words:
    """Mix all bits of each word into all bits of the result (the finaliser of SplitMix64)."""
    for shift, factor in _MIX:
        words = (words ^ (words >> shift)) * factor
    return words ^ (words >> _LAST_SHIFT)


def _directions(counts: _Counts) -> _Counts:
    """Return signed square roots of the counts at unit length: the squares sum to the number of counted n-grams."""
    sizes = np.abs(counts)
    sums = sizes.sum(axis=1, keepdims=True)
    empty = sums[:, 0] == 0
    sizes[empty, 0] = counts[empty, 0] = sums[empty] = 1.0  # all counts cancelled out
    directions: _Counts = np.copysign(np.sqrt(sizes / sums), counts)
    return directions
