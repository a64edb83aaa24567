"""States of runs, generations, genomes and candidates. Which may follow which stands in `transitions`."""

from __future__ import annotations

from enum import StrEnum


class RunStatus(StrEnum):
    """A run is terminal once completed, stopped, failed or cancelled."""

    CONFIGURED = "configured"
    RUNNING = "running"
    COMPLETING = "completing"
    COMPLETED = "completed"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def terminal(self) -> bool:
        """Whether no event of the run can follow that changes its state."""
        return self in _TERMINAL_RUN


class GenerationStatus(StrEnum):
    """``degraded`` is a state with an event of its own: state is only ever a fold."""

    PENDING = "pending"
    RUNNING = "running"
    DEGRADED = "degraded"
    VERIFYING = "verifying"
    SCORING = "scoring"
    REPRODUCING = "reproducing"
    COMPLETED = "completed"
    FAILED = "failed"
    SKIPPED = "skipped"


class GenomeStatus(StrEnum):
    """A genome may be a parent only once one of its candidates has a fitness."""

    SEEDED = "seeded"
    ACTIVE = "active"
    SPENT = "spent"
    ELIGIBLE_PARENT = "eligible_parent"
    REPRODUCED = "reproduced"
    CULLED = "culled"
    FAILED = "failed"


class CandidateStatus(StrEnum):
    """From created to selected, or to one of four ways of dropping out."""

    CREATED = "created"
    REPAIRING = "repairing"
    UNDER_REVIEW = "under_review"
    CHECKED = "checked"
    SCORED = "scored"
    SELECTED = "selected"
    REJECTED = "rejected"
    CULLED = "culled"
    INVALID = "invalid"


_TERMINAL_RUN = frozenset({RunStatus.COMPLETED, RunStatus.STOPPED, RunStatus.FAILED, RunStatus.CANCELLED})
