"""The figures of a run, counted anew from its exported log.

This is on purpose no fold of Mendel's: it reads the JSON of events and knows nothing of projections, so that what the
page shows is compared with the log, and not with the code that the page is made from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.browser.stage import Event

LAST = 20
STATUSES = {
    "run.configured": "configured",
    "run.started": "running",
    "run.completing": "completing",
    "run.completed": "completed",
    "run.stopping": "stopping",
    "run.stopped": "stopped",
    "run.failed": "failed",
    "run.cancelled": "cancelled",
}


@dataclass
class Figures:
    """A run as it was after its last event that was counted."""

    sequence: int = -1
    events: int = 0
    status: str | None = None
    generation: int | None = None
    genomes: set[str] = field(default_factory=set)
    candidates: set[str] = field(default_factory=set)
    scores: dict[str, float] = field(default_factory=dict)
    running: set[str] = field(default_factory=set)
    energy: int = 0
    champion: str | None = None
    final: str | None = None
    reason: str | None = None
    verdicts: int = 0

    @property
    def best(self) -> float | None:
        return max(self.scores.values(), default=None)

    @property
    def mean_of_last(self) -> float | None:
        """Of the last twenty scores, which is what the page calls the mean."""
        last = list(self.scores.values())[-LAST:]
        return sum(last) / len(last) if last else None


def counted(events: Iterable[Event], through: int | None = None) -> Figures:
    """The figures after the event with that sequence; of the whole log if none is named."""
    figures = Figures()
    for event in events:
        if through is not None and event["sequence"] > through:
            break
        _count(figures, event)
    return figures


def _count(figures: Figures, event: Event) -> None:
    figures.sequence = event["sequence"]
    figures.events += 1
    figures.status = STATUSES.get(event["type"], figures.status)
    counting = COUNTING.get(event["type"])
    if counting is not None:
        counting(figures, event["payload"])


def _generation(figures: Figures, payload: Mapping[str, Any]) -> None:
    figures.generation = payload["index"]


def _genome(figures: Figures, payload: Mapping[str, Any]) -> None:
    figures.genomes.add(payload["genome"]["id"])


def _candidate(figures: Figures, payload: Mapping[str, Any]) -> None:
    figures.candidates.add(payload["candidate"]["id"])


def _score(figures: Figures, payload: Mapping[str, Any]) -> None:
    figures.scores[payload["score"]["candidate_id"]] = payload["score"]["total"]


def _started(figures: Figures, payload: Mapping[str, Any]) -> None:
    figures.running.add(payload["operation"]["id"])


def _ended(figures: Figures, payload: Mapping[str, Any]) -> None:
    figures.running.discard(payload["operation_id"])


def _spent(figures: Figures, payload: Mapping[str, Any]) -> None:
    figures.energy += payload["actual"]


def _judged(figures: Figures, payload: Mapping[str, Any]) -> None:
    figures.verdicts += 1


def _adopted(figures: Figures, payload: Mapping[str, Any]) -> None:
    figures.champion = payload["candidate_id"]


def _revoked(figures: Figures, payload: Mapping[str, Any]) -> None:
    figures.champion = payload["restores"]


def _completed(figures: Figures, payload: Mapping[str, Any]) -> None:
    figures.final = payload["final_candidate_id"]


def _ended_early(figures: Figures, payload: Mapping[str, Any]) -> None:
    figures.reason = payload["reason"]


COUNTING: Mapping[str, Callable[[Figures, Mapping[str, Any]], None]] = {
    "generation.started": _generation,
    "genome.spawned": _genome,
    "candidate.created": _candidate,
    "fitness.scored": _score,
    "operation.started": _started,
    "operation.completed": _ended,
    "operation.failed": _ended,
    "energy.spent": _spent,
    "gate.verdict": _judged,
    "adoption.made": _adopted,
    "adoption.revoked": _revoked,
    "run.completed": _completed,
    "run.stopped": _ended_early,
    "run.failed": _ended_early,
    "run.cancelled": _ended_early,
}
