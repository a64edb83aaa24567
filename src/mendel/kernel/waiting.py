"""Who waits before the gate, and who is next."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from mendel.kernel.state import RunState


class Waiting:
    """Scored candidates of one niche that have not been heard yet; one of them at a time stands before the gate.

    Where results count by birth, whoever was born first is next: when a challenge ends then changes nothing. Where they
    count as they arrive, the fittest is next. Challengers that are better by and by would each spend of the error
    budget; of those that came meanwhile only the best is worth it, and it makes most others step aside.
    """

    def __init__(self, *, by_birth: bool, niche: str) -> None:
        self._niche = niche
        self._by_birth = by_birth
        self._heap: list[tuple[float, int, str]] = []
        self._joined = 0
        self._settled = 0
        self._standing: str | None = None

    @classmethod
    def recalled(cls, state: RunState, *, by_birth: bool, niche: str) -> Waiting:
        """As an earlier conductor left it: who was heard does not come again, who stood before the gate stands there.

        Who stepped aside is not recorded, and asked again.
        """
        waiting = cls(by_birth=by_birth, niche=niche)
        line = list(waiting._newcomers(state))
        last = state.niches[niche].last_challenger
        if by_birth:
            line = line[line.index(last) :] if last in line else line
        else:
            line = [each for each in line if each == last or state.candidates[each].verdict is None]
            at_it = (each for each in line if state.candidates[each].steps.open)
            waiting._standing = next(at_it, last if last in line else None)
        for candidate_id in line:
            if candidate_id != waiting._standing:
                waiting._join(state, candidate_id)
        return waiting

    def next(self, state: RunState) -> str | None:
        """Who stands before the gate: the same one until it steps aside; None while nobody waits."""
        for candidate_id in self._newcomers(state):
            self._join(state, candidate_id)
        if self._standing is None and self._heap:
            self._standing = heappop(self._heap)[-1]
        return self._standing

    def step_aside(self) -> None:
        """Whoever stands before the gate has been heard."""
        self._standing = None

    def _join(self, state: RunState, candidate_id: str) -> None:
        score = state.candidates[candidate_id].score
        fitness = score.total if score is not None else 0.0
        heappush(self._heap, (0.0 if self._by_birth else -fitness, self._joined, candidate_id))
        self._joined += 1

    def _newcomers(self, state: RunState) -> Iterator[str]:
        """Those scored since the last time, in the order in which their results count."""
        return (each for each in self._scored(state) if state.niche_name(each) == self._niche)

    def _scored(self, state: RunState) -> Iterator[str]:
        if not self._by_birth:
            yield from state.scored_order[self._settled :]
            self._settled = len(state.scored_order)
            return
        while self._settled < state.births.settled_through:
            genome_id = state.births.genome_of.get(self._settled)
            members = state.genomes[genome_id].candidates if genome_id is not None else []
            self._settled += 1
            yield from (each for each in members if state.candidates[each].score is not None)
