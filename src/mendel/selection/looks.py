"""Recorded vectors of what counts, each with the place at which it did; by one embedder's vectors at a time."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.entropy import Entropy
from mendel.ports.embedder import Vector
from mendel.selection.novelty import Neighbour, Novelty

ALIKE: Final = 0.99
"""Who is at least so much alike is found, or nearly always."""


class Looks:
    """Told in the order of the places; an answer as of a place is what it would have been then."""

    def __init__(self, entropy: Entropy) -> None:
        self._entropy = entropy
        self._known: dict[str, tuple[Novelty, list[int]]] = {}

    def tell(self, known_id: str, looks: EmbeddingRecord, place: int) -> None:
        """These looks count from ``place`` on."""
        if looks.embedder not in self._known:
            self._known[looks.embedder] = Novelty(ALIKE, self._entropy.child(looks.embedder)), []
        novelty, places = self._known[looks.embedder]
        novelty.tell(known_id, Vector.recorded(looks))
        places.append(place)

    def nearest(self, looks: EmbeddingRecord, before: int) -> Neighbour | None:
        """Who looks most like this of those that the same embedder saw, and that counted before that place."""
        return next(iter(self.nearby(looks, 1, before)), None)

    def nearby(self, looks: EmbeddingRecord, count: int, before: int) -> list[Neighbour]:
        """As :meth:`nearest`, at most ``count`` of them, the most similar first."""
        if looks.embedder not in self._known:
            return []
        novelty, places = self._known[looks.embedder]
        return novelty.nearby(Vector.recorded(looks), count, bisect_left(places, before))
