"""Who is the twin of an earlier candidate: known before anything is spent on it."""

from __future__ import annotations

from mendel.kernel.asking import Asked
from mendel.kernel.domain import Domain
from mendel.kernel.state import CandidateState, RunState


class Twins:
    """Fingerprints of the candidates whose results count, each with the place at which its result did.

    A memory, told results in the order in which they count and rebuilt on resume. A candidate is compared with those
    only that its genome was bred from, so that the order of completion changes nothing.
    """

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._any = type(asked.domain).fingerprint is not Domain.fingerprint  # most domains have none: ask nobody then
        self._first: dict[str, tuple[int, str]] = {}

    def learn(self, state: RunState, birth: int, place: int) -> None:
        """The result of ``birth`` counts, as the ``place``-th."""
        genome_id = state.births.genome_of.get(birth) if self._any else None
        for candidate_id in state.genomes[genome_id].candidates if genome_id is not None else ():
            known = self._asked.fingerprint(state.candidates[candidate_id].content)
            if known is not None:
                self._first.setdefault(known, (place, candidate_id))

    def of(self, state: RunState, known: CandidateState) -> str | None:
        """The first candidate with the same fingerprint whose result counted when this one was bred."""
        bred = state.births.bred.get(known.candidate.birth)
        if bred is None or not self._first:
            return None
        fingerprint = self._asked.fingerprint(known.content)
        place, candidate_id = self._first.get(fingerprint or "", (bred.reads_through, ""))
        return candidate_id if place < bred.reads_through and candidate_id != known.candidate.id else None
