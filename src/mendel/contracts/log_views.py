"""What the log says about its runs as a whole."""

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
    """The last event of a run: enough to see later that nothing before it was changed or cut."""

    sequence: Count
    hash: HashText


class RunOverview(Contract):
    """One line about a run. ``follows`` is the chapter before it, ``damage`` why there is less to say than usual."""

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
    """The chain of chapters that the run is one of, the oldest first; most runs are the only one of theirs."""
    known = {run.run_id: run for run in runs}
    after = {run.follows: run for run in known.values() if run.follows is not None}
    chain = deque([known.pop(run_id)] if run_id in known else [])
    while chain and (before := known.pop(chain[0].follows or "", None)) is not None:
        chain.appendleft(before)
    while chain and (later := after.get(chain[-1].run_id)) is not None and known.pop(later.run_id, None) is not None:
        chain.append(later)
    return tuple(chain)


class NicheRun(Contract):
    """Where a run stands in one of its niches: what its successors there go on from (rule 10).

    ``challenges`` is the k of its last challenge there, counted from its start, or of those before it. Of a champion
    from before adoptions carried what they let in, only the id is known.
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
        """Whether nobody else may challenge there meanwhile."""
        return self.may_challenge and self.status is not None and not self.status.terminal


class SeenCandidate(Contract):
    """A candidate of a run, with its content and the vector that the log recorded of it."""

    run_id: UuidText
    candidate_id: CandidateId
    content: DomainPayload
    looks: EmbeddingRecord


class Problem(Contract):
    """The first thing found wrong in a log."""

    reason: IntegrityReason
    sequence: int
    detail: str


class VerifyReport(Contract):
    """What verification of a run found.

    ``checkpoint`` says how the head compares with the one kept outside the log: ``absent`` means that nothing is
    kept here, so that a cut tail could not be seen; ``end_line`` that a run file says itself where it ends.
    """

    run_id: UuidText
    ok: bool
    events: Count
    blobs: Count
    head: Head | None
    checkpoint: Literal["matches", "behind", "absent", "cut", "end_line"]
    problem: Problem | None = None
