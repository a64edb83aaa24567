"""Verification: does the log still contain exactly what was written, up to the end?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from mendel.contracts.errors import BlobAltered, BlobMissing, LogIntegrityError, RunNotFound
from mendel.contracts.log_views import Head, Problem, VerifyReport
from mendel.ports.event_log import EventLog
from mendel.ports.progress import Progress, no_progress
from mendel.ports.records import ChainChecker, Record, blob_hashes, event_of


async def verify(log: EventLog, run_id: str, progress: Progress = no_progress) -> VerifyReport:
    """Check sequence, chain, readability and blobs of a run, and its head against the checkpoint.

    Stops at the first problem and names it. ``progress`` receives the number of events checked so far.

    Raises:
        RunNotFound: neither the log nor a checkpoint contains the run.
    """
    seen = await log.checkpoints.get(run_id)
    walk = _Walk(log, seen)
    try:
        async for chunk in log.unchecked_records(run_id):
            await walk.take(chunk)
            progress(walk.events)
        walk.finish(run_id)
    except LogIntegrityError as error:
        walk.problem = Problem(reason=error.reason, sequence=error.sequence, detail=error.detail)
    return walk.report(run_id)


class _Walk:
    """One pass over a run."""

    def __init__(self, log: EventLog, checkpoint: Head | None) -> None:
        self._log = log
        self._checkpoint = checkpoint
        self._chain = ChainChecker()
        self._blobs: set[str] = set()
        self._head: Head | None = None
        self.problem: Problem | None = None

    @property
    def events(self) -> int:
        return self._chain.next

    async def take(self, chunk: Sequence[Record]) -> None:
        for record in chunk:
            self._chain.check(record)
            event_of(record)
            await self._check_blobs(record)
            self._head = Head(sequence=record.sequence, hash=record.hash)
            self._compare(record)

    async def _check_blobs(self, record: Record) -> None:
        for name in blob_hashes(record.payload):
            if name in self._blobs:
                continue
            try:
                await self._log.blobs.get(name)
            except BlobMissing as error:
                raise LogIntegrityError("blob_missing", record.sequence, str(error)) from error
            except BlobAltered as error:
                raise LogIntegrityError("blob_altered", record.sequence, str(error)) from error
            self._blobs.add(name)

    def _compare(self, record: Record) -> None:
        seen = self._checkpoint
        if seen is not None and seen.sequence == record.sequence and seen.hash != record.hash:
            detail = "the checkpoint saw another event here: the log was rewritten from an earlier event on"
            raise LogIntegrityError("altered", record.sequence, detail)

    def finish(self, run_id: str) -> None:
        seen = self._checkpoint
        if self._head is None and seen is None:
            raise RunNotFound(f"there is no run {run_id} in this log; `mendel runs` lists those there are")
        if seen is not None and (self._head is None or self._head.sequence < seen.sequence):
            detail = f"the log ends here, but its checkpoint saw events up to sequence {seen.sequence}"
            raise LogIntegrityError("tail_cut", self._chain.next, detail)

    def report(self, run_id: str) -> VerifyReport:
        return VerifyReport(
            run_id=run_id,
            ok=self.problem is None,
            events=self.events,
            blobs=len(self._blobs),
            head=self._head,
            checkpoint=self._standing(),
            problem=self.problem,
        )

    def _standing(self) -> Literal["matches", "behind", "absent", "cut"]:
        seen = self._checkpoint
        if seen is None:
            return "absent"
        if self._head is None or self._head.sequence < seen.sequence:
            return "cut"
        return "matches" if self._head == seen else "behind"
