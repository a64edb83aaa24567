"""Who looks as good as the same as an earlier candidate: known before anything is spent on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from mendel.contracts.embeddings import EmbeddingRecord, similarity
from mendel.contracts.entropy import Entropy
from mendel.contracts.events.operation import NearCandidate
from mendel.kernel.dossier import Near
from mendel.kernel.state import CandidateState, RunState

if TYPE_CHECKING:
    from mendel.selection.looks import Looks


class Around(NamedTuple):
    """Whose neighbours are wanted: the ``most`` at once, of how many results, but for whom, and of earlier runs too."""

    looks: EmbeddingRecord | None
    most: int
    reads: int
    but: str | None = None
    earlier: bool = False


def _ancestors(state: RunState, looks: EmbeddingRecord) -> Iterator[NearCandidate]:
    """Those of earlier runs that the first event names, which a replay and another conductor find there again."""
    for each in state.config.ancestors:
        alike = similarity(each.looks, looks)
        if alike is not None:
            yield NearCandidate(candidate_id=each.candidate_id, similarity=alike, run_id=each.run_id)


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
        told: list[EmbeddingRecord] = []
        for candidate_id in state.genomes[genome_id].candidates if genome_id is not None else ():
            looks = state.looks_of(state.candidates[candidate_id])
            if looks is not None and looks not in told:  # those of one genome may share its own
                told.append(looks)
                self._index().tell(candidate_id, looks, place)

    def of(self, state: RunState, known: CandidateState) -> Near | None:
        """The candidate that looks most like this one, of those whose results counted when it was bred."""
        bred = state.births.bred.get(known.candidate.birth)
        if bred is None or self._known is None:
            return None
        looks = state.looks_of(known)
        found = self._known.nearest(looks, bred.reads_through) if looks is not None else None
        return Near(found.id, found.similarity) if found is not None and found.id != known.candidate.id else None

    def around(self, state: RunState, wanted: Around) -> tuple[NearCandidate, ...]:
        """Those that look most like somebody, of those whose results counted, the most similar first."""
        looks = wanted.looks
        if looks is None:
            return ()
        near = self._known.nearby(looks, wanted.most + 1, wanted.reads) if self._known is not None else []
        others = [each for each in near if each.id != wanted.but]
        own = [NearCandidate(candidate_id=each.id, similarity=each.similarity) for each in others]
        earlier = _ancestors(state, looks) if wanted.earlier else ()
        return tuple(sorted([*own, *earlier], key=lambda each: -each.similarity)[: wanted.most])

    def _index(self) -> Looks:
        if self._known is None:
            from mendel.selection.looks import Looks  # brings numpy, which a run without looks need not wait for

            self._known = Looks(self._entropy)
        return self._known
