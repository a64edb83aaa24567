"""Evidence: observations of a candidate, and references that are resolved within the log only."""

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
    """Findings of one step about one subject."""

    subject_id: CandidateId
    operation_id: OperationId
    step: StepName
    findings: DomainPayload
    refs: tuple[EvidenceRef, ...] = ()


class Resolution(Contract):
    """Target of a reference: an event of the log, or the reason why there is none."""

    event: Event | None = None
    unresolved: Unresolved | None = None


def resolve(ref: EvidenceRef, find_event: Callable[[str], Event | None]) -> Resolution:
    """Resolve ``ref`` within the log.

    Nothing is ever fetched: a purely external reference resolves to ``external_only``, so that a replay makes no
    network calls.
    """
    if ref.event_id is not None:
        event = find_event(ref.event_id)
        return Resolution(unresolved="not_found") if event is None else Resolution(event=event)
    if ref.uri is not None or ref.observation_id is not None:
        return Resolution(unresolved="external_only")
    return Resolution(unresolved="no_pointer")
