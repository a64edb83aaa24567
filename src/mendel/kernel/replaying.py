"""Replay: fold a log again and compare the result with the recorded one. Without any outside call (rule 7)."""

from __future__ import annotations

from mendel.contracts.base import Contract, Count
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.run import RunCompleted, RunFailed, RunStopped
from mendel.contracts.statuses import RunStatus
from mendel.contracts.verdicts import Digest
from mendel.kernel.digest import outcome_digest, state_digest
from mendel.kernel.fold import fold
from mendel.kernel.state import RunState


class ReplayReport(Contract):
    """The result of a replay. ``recorded_…`` are the digests that the run recorded at its end; None before."""

    run_id: str
    events: Count
    status: RunStatus | None
    generations: Count
    candidates: Count
    best_candidate_id: str | None
    best_fitness: float | None
    state_digest: Digest
    outcome_digest: Digest
    recorded_state_digest: Digest | None = None
    recorded_outcome_digest: Digest | None = None

    @property
    def agrees(self) -> bool | None:
        """Whether both digests equal the recorded ones; None if none are recorded."""
        if self.recorded_state_digest is None or self.recorded_outcome_digest is None:
            return None
        recorded = (self.recorded_state_digest, self.recorded_outcome_digest)
        return recorded == (self.state_digest, self.outcome_digest)


class Replay:
    """A replay of one run's events, taken in order."""

    def __init__(self) -> None:
        self._state: RunState | None = None
        self._digests: tuple[str, str] | None = None
        self._recorded: tuple[str | None, str | None] = (None, None)

    def take(self, event: Event) -> None:
        """Fold one event.

        Raises:
            IllegalTransition: it cannot follow the ones before.
        """
        state = self._state = self._state or RunState(event.run_id)
        if isinstance(event.payload, RunCompleted | RunStopped | RunFailed):
            # Recorded digests cover everything before their own event, so compute them before folding it.
            summary = event.payload.summary
            self._digests = state_digest(state), outcome_digest(state)
            self._recorded = summary.state_digest, summary.outcome_digest
        fold(state, event)

    def report(self) -> ReplayReport | None:
        """Return the report; None before the first event."""
        state = self._state
        if state is None:
            return None
        whole, outcome = self._digests or (state_digest(state), outcome_digest(state))
        return ReplayReport(
            run_id=state.run_id,
            events=state.sequence + 1,
            status=state.status,
            generations=len(state.generations),
            candidates=len(state.candidates),
            best_candidate_id=state.best[1] if state.best else None,
            best_fitness=state.best[0] if state.best else None,
            state_digest=whole,
            outcome_digest=outcome,
            recorded_state_digest=self._recorded[0],
            recorded_outcome_digest=self._recorded[1],
        )
