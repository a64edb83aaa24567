"""Candidates of a run with their recorded vectors, read from the end of the log without reading the whole run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.events.candidate import CandidateCreated
from mendel.contracts.events.genome import GenomeSpawned
from mendel.contracts.events.operation import OperationCompleted
from mendel.contracts.log_views import SeenCandidate
from mendel.contracts.payloads import DomainPayload
from mendel.ports.records import Record, intact_payload

TRACES: Final = ("genome.spawned", "candidate.created", "candidate.checked", "operation.completed")
"""Event types that contain a candidate's content or vector; the markers of repairs do, too."""
MARKER: Final = "operation.started"
REPAIR: Final = b'"kind":"repair"'
"""Part of the canonical payload of a repair's marker. Other markers may contain it by chance."""
_VECTOR: Final = b'"looks":{'


def is_trace(type_: str, payload: bytes) -> bool:
    """Return whether an event may contain a candidate's content or vector."""
    return type_ in TRACES or (type_ == MARKER and REPAIR in payload)


class LooksReader:
    """Takes the traces of one run, newest first, and yields each candidate once its vector is known.

    It is the vector that selection uses: that of the last examination or repair before the candidate was checked.
    Without one, it is that of the expression, unless a repair replaced that content; otherwise that of the genome. A
    damaged record counts as missing; ``verify`` reports it.
    """

    def __init__(self) -> None:
        self._completed: dict[str, list[Record]] = {}
        self._repair_of: dict[str, str] = {}
        self._unseen: dict[str, list[tuple[str, DomainPayload]]] = {}

    def take(self, record: Record) -> Iterator[SeenCandidate]:
        """Yield the candidates that ``record`` completes, newest first."""
        subject = record.candidate_id or ""
        match record.type:
            case "operation.completed":
                self._completed.setdefault(subject, []).append(record)
            case "operation.started" if REPAIR in record.payload:
                self._repair_of[subject] = record.operation_id or ""
            case "candidate.checked":
                self._completed.pop(subject, None)  # examinations after the check did not affect selection
            case "candidate.created":
                yield from self._created(record)
            case "genome.spawned":
                yield from self._spawned(record)

    def _created(self, record: Record) -> Iterator[SeenCandidate]:
        created = intact_payload(record)
        completed = self._completed.pop(record.candidate_id or "", [])
        repair = self._repair_of.pop(record.candidate_id or "", None)
        if not isinstance(created, CandidateCreated):
            return
        candidate = created.candidate
        content = _repaired(completed, repair) or candidate.content
        looks = _last_seen(completed) or (candidate.looks if repair is None else None)
        if looks is None:
            # Read backwards, the event of its genome is still to come.
            self._unseen.setdefault(candidate.genome_id, []).append((candidate.id, content))
        else:
            yield _seen(record, candidate.id, content, looks)

    def _spawned(self, record: Record) -> Iterator[SeenCandidate]:
        unseen = self._unseen.pop(record.genome_id or "", [])
        spawned = intact_payload(record) if unseen and _VECTOR in record.payload else None
        if isinstance(spawned, GenomeSpawned) and spawned.genome.looks is not None:
            for candidate_id, content in unseen:
                yield _seen(record, candidate_id, content, spawned.genome.looks)


def _seen(record: Record, candidate_id: str, content: DomainPayload, looks: EmbeddingRecord) -> SeenCandidate:
    return SeenCandidate(run_id=record.run_id, candidate_id=candidate_id, content=content, looks=looks)


def _last_seen(completed: list[Record]) -> EmbeddingRecord | None:
    for record in completed:
        payload = intact_payload(record) if _VECTOR in record.payload else None
        if isinstance(payload, OperationCompleted) and payload.looks is not None:
            return payload.looks
    return None


def _repaired(completed: list[Record], repair: str | None) -> DomainPayload | None:
    for record in completed:
        payload = intact_payload(record) if record.operation_id == repair else None
        if isinstance(payload, OperationCompleted):
            return payload.findings
    return None
