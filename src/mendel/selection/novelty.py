"""Novelty: search for the most similar known vectors, at a cost that does not grow with their number."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from hashlib import blake2b
from math import acos, pi
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.entropy import Entropy
from mendel.ports.embedder import Vector

_WHOLE: Final = 1 << 26
"""Vectors are stored as multiples of 1 / this number. Every sum below is then exact in double precision, in any order
of summation, so that all machines find the same neighbour with the same similarity."""
_TABLES: Final = 16
_MOST_BITS: Final = 24
_CHANCE: Final = 0.99
_PER_BUCKET: Final = 16
_WORD_BITS: Final = 64
_ALMOST: Final = 1.0 - 2**-53

_Whole = NDArray[np.int32]
_Planes = NDArray[np.float64]


class Neighbour(NamedTuple):
    """A known vector's id, and its similarity to the given vector; 1 for the same direction."""

    id: str
    similarity: float


class Novelty:
    """An index of vectors for approximate nearest neighbours, based on random hyperplanes.

    Results depend only on the entropy and on the calls of ``tell`` and their order; queries change nothing. A query
    with ``before`` returns the result at that time.

    A query returns the most similar of the examined vectors; of equals, the first. It promises:

    - an exactly equal vector is always found, however old;
    - so is the nearest of the ``recent`` newest vectors;
    - an older vector with similarity s shares a bucket with the query with probability of about :meth:`chance` (s),
      which is at least 0.99 from ``threshold`` on (a bucket is a combination of sides of random hyperplanes). Only
      the last 16 vectors of each bucket are examined: among many similar vectors, the newer represent the older.

    The cost of both calls does not depend on the number of vectors; each vector takes four bytes per number.

    Raises:
        ValueError: not 0 < threshold <= 1, or ``recent`` is negative.
    """

    def __init__(self, threshold: float, entropy: Entropy, *, recent: int = 64) -> None:
        if not 0.0 < threshold <= 1.0 or recent < 0:
            raise ValueError(f"the threshold must be in (0, 1], not {threshold}, and recent at least 0, not {recent}")
        self.threshold = threshold
        self._recent = recent
        self._bits = _bits_for(threshold)
        self._entropy = entropy
        self._embedder: str | None = None
        self._planes: _Planes = np.zeros((0, 0))
        self._known: _Whole = np.zeros((0, 0), dtype=np.int32)
        self._ids: list[str] = []
        self._first: dict[bytes, int] = {}
        self._buckets: dict[tuple[int, int], list[int]] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def tell(self, result_id: str, vector: Vector) -> None:
        """Add ``vector`` under this id.

        Raises:
            ValueError: it comes from another embedder.
        """
        if self._embedder is None:
            self._begin(vector)
        whole, place = self._whole(vector), len(self._ids)
        if place == len(self._known):
            self._known = np.concatenate([self._known, np.zeros_like(self._known)])  # doubled: amortised constant cost
        self._known[place] = whole
        self._ids.append(result_id)
        self._first.setdefault(_digest(whole), place)
        for bucket in self._buckets_of(whole):
            self._buckets.setdefault(bucket, []).append(place)

    def nearest(self, vector: Vector, before: int | None = None) -> Neighbour | None:
        """Return the most similar examined vector, of the first ``before`` or of all; None if there is none.

        Raises:
            ValueError: the vector comes from another embedder.
        """
        return next(iter(self.nearby(vector, 1, before)), None)

    def nearby(self, vector: Vector, count: int, before: int | None = None) -> list[Neighbour]:
        """Return the ``count`` most similar examined vectors, the most similar first; see :meth:`nearest`.

        Raises:
            ValueError: the vector comes from another embedder.
        """
        end = len(self._ids) if before is None else max(0, min(before, len(self._ids)))
        return self._most_similar(self._whole(vector), end, count) if end else []

    def duplicate(self, vector: Vector, before: int | None = None) -> Neighbour | None:
        """Return the nearest vector if its similarity is at least ``threshold``; see :meth:`nearest`."""
        found = self.nearest(vector, before)
        return found if found is not None and found.similarity >= self.threshold else None

    def chance(self, similarity: float) -> float:
        """Return the approximate probability that a vector of this similarity shares a bucket with the query."""
        return _chance(similarity, self._bits)

    # --- the index ---------------------------------------------------------------------------------------------

    def _begin(self, vector: Vector) -> None:
        self._embedder = vector.embedder
        dimension = len(vector.values)
        self._planes = _drawn(_TABLES * self._bits, dimension, self._entropy.child("planes"))
        self._known = np.zeros((64, dimension), dtype=np.int32)

    def _whole(self, vector: Vector) -> _Whole:
        if vector.embedder != self._embedder:
            raise ValueError(f"vectors of {vector.embedder} and of {self._embedder} cannot be compared")
        return _whole_numbers(vector)

    def _buckets_of(self, whole: _Whole) -> list[tuple[int, int]]:
        sides = (self._planes @ whole.astype(np.float64) >= 0).reshape(_TABLES, self._bits)
        numbers = sides @ (1 << np.arange(self._bits))
        return [(table, int(number)) for table, number in enumerate(numbers)]

    def _looked_at(self, whole: _Whole, end: int) -> list[int]:
        """Return the places to examine, in order, so that of equal ones the first added comes first."""
        places = set(range(max(0, end - self._recent), end))
        same = self._first.get(_digest(whole), end)
        if same < end:
            places.add(same)
        for bucket in self._buckets_of(whole):
            shared = self._buckets.get(bucket, [])
            last = bisect_left(shared, end)  # places in a bucket ascend
            places.update(shared[max(0, last - _PER_BUCKET) : last])
        return sorted(places)

    def _most_similar(self, whole: _Whole, end: int, count: int) -> list[Neighbour]:
        places = self._looked_at(whole, end)
        similarities = _similarities(self._known[places], whole)
        order = np.argsort(-similarities, kind="stable")[: max(count, 0)]
        return [Neighbour(self._ids[places[each]], float(similarities[each])) for each in order]


def _whole_numbers(vector: Vector) -> _Whole:
    return np.rint(vector.values.astype(np.float64) * _WHOLE).astype(np.int32)


def _digest(whole: _Whole) -> bytes:
    return blake2b(whole.tobytes(), digest_size=16).digest()


def _similarities(others: _Whole, whole: _Whole) -> NDArray[np.float64]:
    """Return cosine similarities: exactly 1 for an equal vector, less for any other."""
    asked = whole.astype(np.float64)
    rows = others.astype(np.float64)
    lengths = np.sqrt(np.square(rows).sum(axis=1)) * np.sqrt(np.square(asked).sum())
    found: NDArray[np.float64] = np.minimum(rows @ asked / lengths, _ALMOST)
    found[(others == whole).all(axis=1)] = 1.0
    return found


def _chance(similarity: float, bits: int) -> float:
    """Return the probability that at least one table puts two vectors on the same side of all its planes."""
    one = 1.0 - acos(max(-1.0, min(1.0, similarity))) / pi
    return 1.0 - (1.0 - one**bits) ** _TABLES


def _bits_for(threshold: float) -> int:
    """Return the largest number of bits that still finds vectors at the threshold; more bits make smaller buckets."""
    enough = [bits for bits in range(1, _MOST_BITS + 1) if _chance(threshold, bits) >= _CHANCE]
    return max(enough, default=1)


def _drawn(planes: int, dimension: int, entropy: Entropy) -> _Planes:
    """Draw the normals of planes as corners of a cube, from one bit of entropy per number."""
    words = -(-dimension // _WORD_BITS)
    drawn = [[entropy.word(plane, place).to_bytes(8, "big") for place in range(words)] for plane in range(planes)]
    flat = np.frombuffer(b"".join(b"".join(each) for each in drawn), dtype=np.uint8)
    bits = np.unpackbits(flat).reshape(planes, words * _WORD_BITS)[:, :dimension]
    return bits.astype(np.float64) * 2.0 - 1.0


# Recorded vectors, each with the place from which it counts; only vectors of one embedder are compared.


_Space = tuple[str, int]
"""An embedder and a dimension; vectors from different spaces are never compared."""


def _space_of(looks: EmbeddingRecord) -> _Space:
    return looks.embedder, looks.dimension


ALIKE: Final = 0.99
"""Similarity from which a known vector is nearly always found."""


class Looks:
    """Recorded vectors, added in the order of their places; a query with a place returns the result at that time."""

    def __init__(self, entropy: Entropy) -> None:
        self._entropy = entropy
        self._known: dict[_Space, tuple[Novelty, list[int]]] = {}

    def tell(self, known_id: str, looks: EmbeddingRecord, place: int) -> None:
        """Add a vector that counts from ``place`` on."""
        space = _space_of(looks)
        if space not in self._known:
            self._known[space] = Novelty(ALIKE, self._entropy.child(looks.embedder)), []
        novelty, places = self._known[space]
        novelty.tell(known_id, Vector.recorded(looks))
        places.append(place)

    def nearest(self, looks: EmbeddingRecord, before: int) -> Neighbour | None:
        """Return the most similar vector of the same embedder and dimension that counted before the place."""
        return next(iter(self.nearby(looks, 1, before)), None)

    def nearby(self, looks: EmbeddingRecord, count: int, before: int) -> list[Neighbour]:
        """Return at most ``count`` vectors, the most similar first; see :meth:`nearest`."""
        if _space_of(looks) not in self._known:
            return []
        novelty, places = self._known[_space_of(looks)]
        return novelty.nearby(Vector.recorded(looks), count, bisect_left(places, before))


class LooksTable:
    """Recorded vectors, all compared in every query: exact, at a cost that grows with their number."""

    def __init__(self, recorded: Sequence[EmbeddingRecord]) -> None:
        self._places: dict[_Space, list[int]] = {}
        for place, looks in enumerate(recorded):
            self._places.setdefault(_space_of(looks), []).append(place)
        self._known = {
            space: np.stack([_whole_numbers(Vector.recorded(recorded[place])) for place in places])
            for space, places in self._places.items()
        }

    def nearby(self, looks: EmbeddingRecord, count: int) -> list[tuple[int, float]]:
        """Return places and similarities of the ``count`` most similar vectors in the same space, best first."""
        space = _space_of(looks)
        if space not in self._known:
            return []
        similarities = _similarities(self._known[space], _whole_numbers(Vector.recorded(looks)))
        order = np.argsort(-similarities, kind="stable")[:count]
        return [(self._places[space][each], float(similarities[each])) for each in order]
