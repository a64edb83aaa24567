"""Evidence: what was observed of a candidate, and references to it that never leave the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from mendel.contracts.base import Contract, StepName
from mendel.contracts.events.envelope import Event
from mendel.contracts.evidence_refs import EvidenceRef
from mendel.contracts.ids import CandidateId, OperationId
from mendel.contracts.payloads import DomainPayload

Unresolved = Literal["not_found", "external_only", "no_pointer"]


class Evidence(Contract):
    """What one step observed of one subject."""

    subject_id: CandidateId
    operation_id: OperationId
    step: StepName
    findings: DomainPayload
    refs: tuple[EvidenceRef, ...] = ()


class Resolution(Contract):
    """Where a reference leads: an event of the log, or the reason why nowhere."""

    event: Event | None = None
    unresolved: Unresolved | None = None


def resolve(ref: EvidenceRef, find_event: Callable[[str], Event | None]) -> Resolution:
    """Follow ``ref`` within the log.

    Nothing is ever fetched: a reference that points only outside is answered with ``external_only``, so that a
    replay cannot call anybody by following one.
    """
    if ref.event_id is not None:
        event = find_event(ref.event_id)
        return Resolution(unresolved="not_found") if event is None else Resolution(event=event)
    if ref.uri is not None or ref.observation_id is not None:
        return Resolution(unresolved="external_only")
    return Resolution(unresolved="no_pointer")
