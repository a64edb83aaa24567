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
        if looks.embedder not in self._known:
            return None
        novelty, places = self._known[looks.embedder]
        return novelty.nearest(Vector.recorded(looks), bisect_left(places, before))
