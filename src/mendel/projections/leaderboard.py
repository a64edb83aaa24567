"""The best candidates of a run, in order of fitness."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
from math import inf
from typing import Annotated, NamedTuple, Self

from pydantic import Field

from mendel.contracts.base import Contract, Count
from mendel.contracts.events.candidate import CandidateCreated, FitnessScored
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.generation import GenerationStarted
from mendel.contracts.scoring import FitnessScore
from mendel.contracts.statuses import CandidateStatus
from mendel.projections.current_state import Champions, candidate_statuses


class Standing(Contract):
    """One place on the board. A candidate that is out keeps its place; its status shows that."""

    rank: Annotated[int, Field(ge=1)]
    candidate_id: str
    genome_id: str | None
    birth: Count | None
    generation: Count | None
    total: float
    components: Mapping[str, float]
    policy_version: str
    status: CandidateStatus
    champion: bool


class LeaderboardView(Contract):
    """The board after the event ``sequence_through``; of equal totals, the older candidate ranks higher."""

    run_id: str
    sequence_through: Count
    standings: tuple[Standing, ...]


class _Scored(NamedTuple):
    """A score as a sort key, the least first. The order in which equal scores arrive does not matter."""

    loss: float
    birth: float
    candidate_id: str
    sequence: int


class _Origin(NamedTuple):
    genome_id: str | None
    birth: int | None
    generation_id: str | None


class LeaderboardFold:
    """Folds events into a ``LeaderboardView`` of ``top`` places; takes every event of one run in order.

    A candidate may be scored again, and lower, so any score may be among the best later: all are kept. Replaced scores
    stay in the heap until a view removes them.
    """

    def __init__(self, top: int = 20) -> None:
        self._top = top
        self._last: Event | None = None
        self._heap: list[_Scored] = []
        self._scores: dict[str, tuple[int, FitnessScore]] = {}
        self._origins: dict[str, _Origin] = {}
        self._statuses: dict[str, CandidateStatus] = {}
        self._generations: dict[str, int] = {}
        self._champions = Champions()

    def take(self, event: Event) -> Self:
        """Fold one event."""
        self._last = event
        self._statuses.update(candidate_statuses(event))
        self._champions.take(event.payload)
        match event.payload:
            case GenerationStarted(index=index) if event.generation_id is not None:
                self._generations[event.generation_id] = index
            case CandidateCreated(candidate=candidate):
                self._origins[candidate.id] = _Origin(candidate.genome_id, candidate.birth, event.generation_id)
            case FitnessScored(score=score):
                self._scored(score, event)
        return self

    def _scored(self, score: FitnessScore, event: Event) -> None:
        origin = self._origins.setdefault(score.candidate_id, _Origin(event.genome_id, None, event.generation_id))
        birth = inf if origin.birth is None else origin.birth
        self._scores[score.candidate_id] = event.sequence, score
        heappush(self._heap, _Scored(-score.total, birth, score.candidate_id, event.sequence))

    def view(self) -> LeaderboardView | None:
        """Return the view; None before the first event."""
        if self._last is None:
            return None
        champions = frozenset(self._champions.by_niche.values())
        return LeaderboardView(
            run_id=self._last.run_id,
            sequence_through=self._last.sequence,
            standings=tuple(self._standing(rank, best, champions) for rank, best in enumerate(self._best(), 1)),
        )

    def _best(self) -> list[str]:
        best: list[_Scored] = []
        while self._heap and len(best) < self._top:
            scored = heappop(self._heap)
            if self._scores[scored.candidate_id][0] == scored.sequence:  # else a later score replaced it
                best.append(scored)
        for scored in best:
            heappush(self._heap, scored)
        return [scored.candidate_id for scored in best]

    def _standing(self, rank: int, candidate_id: str, champions: frozenset[str]) -> Standing:
        score = self._scores[candidate_id][1]
        origin = self._origins[candidate_id]
        return Standing(
            rank=rank,
            candidate_id=candidate_id,
            genome_id=origin.genome_id,
            birth=origin.birth,
            generation=self._generations.get(origin.generation_id or ""),
            total=score.total,
            components=score.components,
            policy_version=score.policy_version,
            status=self._statuses[candidate_id],
            champion=candidate_id in champions,
        )
