"""Summaries of the runs in the log."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Literal

from pydantic import AwareDatetime

from mendel.contracts.base import Contract, Count
from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.errors import IntegrityReason
from mendel.contracts.events.envelope import HashText
from mendel.contracts.ids import CandidateId, UuidText
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import Ancestor
from mendel.contracts.statuses import RunStatus


class Head(Contract):
    """Position and hash of a run's last event, which later reveal any change or cut before it."""

    sequence: Count
    hash: HashText


class RunOverview(Contract):
    """Overview of one run. ``follows`` is the previous chapter; ``damage`` says why other fields are missing."""

    run_id: UuidText
    status: RunStatus | None = None
    domain: str | None = None
    problem: str | None = None
    events: Count = 0
    started_at: AwareDatetime | None = None
    last_event_at: AwareDatetime | None = None
    head: Head | None = None
    follows: UuidText | None = None
    damage: str | None = None


def chapters_of(runs: Iterable[RunOverview], run_id: str) -> tuple[RunOverview, ...]:
    """Return the chain of chapters that includes the run, the oldest first; most runs have a chain of one."""
    known = {run.run_id: run for run in runs}
    after = {run.follows: run for run in known.values() if run.follows is not None}
    # pop() takes each run only once: a cycle in damaged data cannot loop for ever.
    chain = deque([known.pop(run_id)] if run_id in known else [])
    while chain and (before := known.pop(chain[0].follows or "", None)) is not None:
        chain.appendleft(before)
    while chain and (later := after.get(chain[-1].run_id)) is not None and known.pop(later.run_id, None) is not None:
        chain.append(later)
    return tuple(chain)


class NicheRun(Contract):
    """State of a run in one of its niches, from which its successors continue (rule 10).

    ``challenges`` is the k of the niche's last challenge, in this run or before it. Old adoption events have no copy of
    the champion; then ``champion`` is None and only its id is known.
    """

    run_id: UuidText
    status: RunStatus | None = None
    configured_at: AwareDatetime | None = None
    ended_at: AwareDatetime | None = None
    may_challenge: bool = True
    challenges: Count = 0
    champion_id: CandidateId | None = None
    champion: Ancestor | None = None

    @property
    def claims(self) -> bool:
        """Whether the run claims the niche, so that no other run may challenge in it."""
        return self.may_challenge and self.status is not None and not self.status.terminal


class SeenCandidate(Contract):
    """A candidate of a run, with its content and its recorded embedding."""

    run_id: UuidText
    candidate_id: CandidateId
    content: DomainPayload
    looks: EmbeddingRecord


class Problem(Contract):
    """The first defect found in a log."""

    reason: IntegrityReason
    sequence: int
    detail: str


class VerifyReport(Contract):
    """Result of verifying a run.

    ``checkpoint`` compares the head with the copy outside the log. ``absent``: there is no copy, so a cut tail would go
    unnoticed. ``end_line``: a run file marks its own end.
    """

    run_id: UuidText
    ok: bool
    events: Count
    blobs: Count
    head: Head | None
    checkpoint: Literal["matches", "behind", "absent", "cut", "end_line"]
    problem: Problem | None = None
