"""Who looks as good as the same as an earlier candidate: known before anything is spent on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mendel.contracts.entropy import Entropy
from mendel.kernel.dossier import Near
from mendel.kernel.state import CandidateState, RunState

if TYPE_CHECKING:
    from mendel.selection.looks import Looks


class Nearness:
    """The looks of the genomes whose results count, as their births recorded them.

    A memory, told results in the order in which they count and rebuilt on resume. As a twin is, who is near is sought
    among those only that a genome was bred from, so that the order of completion changes nothing.
    """

    def __init__(self, seed: int) -> None:
        self._entropy = Entropy(seed, "nearness")
        self._known: Looks | None = None

    def learn(self, state: RunState, birth: int, place: int) -> None:
        """The result of ``birth`` counts, as the ``place``-th."""
        genome_id = state.births.genome_of.get(birth)
        known = state.genomes[genome_id] if genome_id is not None else None
        if known is not None and known.candidates and known.genome.looks is not None:
            self._index().tell(known.candidates[0], known.genome.looks, place)

    def of(self, state: RunState, known: CandidateState) -> Near | None:
        """The candidate that looks most like this one, of those whose results counted when it was bred."""
        bred = state.births.bred.get(known.candidate.birth)
        if bred is None or self._known is None:
            return None
        looks = state.genomes[known.candidate.genome_id].genome.looks
        found = self._known.nearest(looks, bred.reads_through) if looks is not None else None
        return Near(found.id, found.similarity) if found is not None and found.id != known.candidate.id else None

    def _index(self) -> Looks:
        if self._known is None:
            from mendel.selection.looks import Looks  # brings numpy, which a run without looks need not wait for

            self._known = Looks(self._entropy)
        return self._known
