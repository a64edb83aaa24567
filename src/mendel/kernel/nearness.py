"""Who looks as good as the same as an earlier candidate: known before anything is spent on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mendel.contracts.entropy import Entropy
from mendel.kernel.asking import Asked
from mendel.kernel.domain import Domain
from mendel.kernel.dossier import Near
from mendel.kernel.state import CandidateState, RunState

if TYPE_CHECKING:
    from mendel.selection.looks import Looks


class Nearness:
    """The looks of the genomes whose results count, as their births recorded them.

    A memory, told results in the order in which they count and rebuilt on resume. As a twin is, who is near is sought
    among those only that a genome was bred from, so that the order of completion changes nothing.
    """

    def __init__(self, asked: Asked, seed: int) -> None:
        self._asked = asked
        self._any = type(asked.domain).looks is not Domain.looks  # most domains have none: ask nobody then
        self._entropy = Entropy(seed, "nearness")
        self._known: Looks | None = None

    def learn(self, state: RunState, birth: int, place: int) -> None:
        """The result of ``birth`` counts, as the ``place``-th."""
        genome_id = state.births.genome_of.get(birth) if self._any else None
        known = state.genomes[genome_id] if genome_id is not None else None
        looks = self._asked.looks(known.genome) if known is not None and known.candidates else None
        if known is not None and looks is not None:
            self._index().tell(known.candidates[0], looks, place)

    def of(self, state: RunState, known: CandidateState) -> Near | None:
        """The candidate that looks most like this one, of those whose results counted when it was bred."""
        bred = state.births.bred.get(known.candidate.birth)
        if bred is None or self._known is None:
            return None
        looks = self._asked.looks(state.genomes[known.candidate.genome_id].genome)
        found = self._known.nearest(looks, bred.reads_through) if looks is not None else None
        return Near(found.id, found.similarity) if found is not None and found.id != known.candidate.id else None

    def _index(self) -> Looks:
        if self._known is None:
            from mendel.selection.looks import Looks  # brings numpy, which a run without looks need not wait for

            self._known = Looks(self._entropy)
        return self._known
