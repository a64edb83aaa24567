"""States of runs, generations, genomes and candidates, and the events that change them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeVar


class RunStatus(StrEnum):
    """State of a run; it is terminal once completed, stopped, failed or cancelled."""

    CONFIGURED = "configured"
    RUNNING = "running"
    COMPLETING = "completing"  # breeds nothing more; operations in flight finish
    COMPLETED = "completed"
    STOPPING = "stopping"  # on request; operations in flight finish
    STOPPED = "stopped"
    FAILED = "failed"
    CANCELLED = "cancelled"  # before it started

    @property
    def terminal(self) -> bool:
        """Whether no later event can change the state of the run."""
        return self in _TERMINAL_RUN


class GenerationStatus(StrEnum):
    """State of a generation. ``degraded`` has its own event, because state is derived from events alone."""

    PENDING = "pending"
    RUNNING = "running"
    DEGRADED = "degraded"  # part of it failed; it continues with the rest
    VERIFYING = "verifying"
    SCORING = "scoring"
    REPRODUCING = "reproducing"
    COMPLETED = "completed"
    FAILED = "failed"
    SKIPPED = "skipped"


class GenomeStatus(StrEnum):
    """State of a genome; it can be a parent only once one of its candidates has a fitness."""

    SEEDED = "seeded"
    ACTIVE = "active"
    SPENT = "spent"  # expresses no more candidates
    ELIGIBLE_PARENT = "eligible_parent"
    REPRODUCED = "reproduced"
    CULLED = "culled"
    FAILED = "failed"


class CandidateStatus(StrEnum):
    """State of a candidate, from created to selected; rejected, culled and invalid ones have dropped out."""

    CREATED = "created"
    REPAIRING = "repairing"
    UNDER_REVIEW = "under_review"
    CHECKED = "checked"  # every examination is recorded
    SCORED = "scored"
    SELECTED = "selected"
    REJECTED = "rejected"
    CULLED = "culled"
    INVALID = "invalid"


_TERMINAL_RUN = frozenset({RunStatus.COMPLETED, RunStatus.STOPPED, RunStatus.FAILED, RunStatus.CANCELLED})


# Allowed transitions: (state before, event) to state after. None is the state before the first event. Any transition
# that is missing here is illegal.


S = TypeVar("S", bound=StrEnum)
Table = Mapping[tuple[S | None, str], S]


def _table(rows: Iterable[tuple[Iterable[S | None], str, S]]) -> Table[S]:
    return dict(_cells(rows))  # rows group the sources that have the same target


def _cells(rows: Iterable[tuple[Iterable[S | None], str, S]]) -> Iterator[tuple[tuple[S | None, str], S]]:
    for sources, event, target in rows:
        for source in sources:
            yield (source, event), target


_R = RunStatus
_LIVE_RUN = (_R.CONFIGURED, _R.RUNNING, _R.COMPLETING, _R.STOPPING)

RUN: Final[Table[RunStatus]] = _table(
    (
        ((None,), "run.configured", _R.CONFIGURED),
        ((_R.CONFIGURED,), "run.started", _R.RUNNING),
        ((_R.CONFIGURED,), "run.cancelled", _R.CANCELLED),
        ((_R.RUNNING,), "run.completing", _R.COMPLETING),
        ((_R.COMPLETING,), "run.completed", _R.COMPLETED),
        ((_R.RUNNING, _R.COMPLETING), "run.stopping", _R.STOPPING),
        ((_R.STOPPING,), "run.stopped", _R.STOPPED),
        (_LIVE_RUN, "run.failed", _R.FAILED),
    )
)

_G = GenerationStatus
_LIVE_GENERATION = (_G.RUNNING, _G.DEGRADED, _G.VERIFYING, _G.SCORING, _G.REPRODUCING)

GENERATION: Final[Table[GenerationStatus]] = _table(
    (
        ((_G.PENDING,), "generation.started", _G.RUNNING),
        ((_G.PENDING,), "generation.skipped", _G.SKIPPED),
        ((_G.RUNNING,), "generation.degraded", _G.DEGRADED),
        ((_G.RUNNING, _G.DEGRADED), "generation.verifying", _G.VERIFYING),
        ((_G.VERIFYING,), "generation.scoring", _G.SCORING),
        ((_G.SCORING,), "generation.reproducing", _G.REPRODUCING),
        ((_G.SCORING, _G.REPRODUCING), "generation.completed", _G.COMPLETED),
        (_LIVE_GENERATION, "generation_failed", _G.FAILED),
    )
)

_A = GenomeStatus

GENOME: Final[Table[GenomeStatus]] = _table(
    (
        ((None,), "genome.spawned", _A.SEEDED),
        ((_A.SEEDED,), "genome.activated", _A.ACTIVE),
        ((_A.ACTIVE,), "genome.spent", _A.SPENT),
        ((_A.ACTIVE,), "genome.failed", _A.FAILED),
        ((_A.SPENT,), "genome.eligible", _A.ELIGIBLE_PARENT),
        ((_A.ELIGIBLE_PARENT,), "genome.reproduced", _A.REPRODUCED),
        ((_A.ELIGIBLE_PARENT, _A.REPRODUCED), "lineage.culled", _A.CULLED),
    )
)

_C = CandidateStatus

CANDIDATE: Final[Table[CandidateStatus]] = _table(
    (
        ((None,), "candidate.created", _C.CREATED),
        ((_C.CREATED,), "candidate.repair_started", _C.REPAIRING),
        ((_C.CREATED, _C.REPAIRING), "candidate.under_review", _C.UNDER_REVIEW),
        ((_C.CREATED, _C.REPAIRING), "candidate_invalidated", _C.INVALID),
        ((_C.UNDER_REVIEW,), "candidate.checked", _C.CHECKED),
        ((_C.UNDER_REVIEW, _C.CHECKED), "candidate.rejected", _C.REJECTED),
        ((_C.CHECKED,), "fitness.scored", _C.SCORED),
        ((_C.SCORED,), "candidate.selected", _C.SELECTED),
        ((_C.SCORED, _C.SELECTED), "lineage.culled", _C.CULLED),
    )
)


def status_after(table: Table[S]) -> Mapping[str, S]:
    """Return the state after each event of ``table``; an event leads to the same state from every source."""
    return MappingProxyType({event: status for (_, event), status in table.items()})
