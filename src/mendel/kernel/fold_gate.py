"""Folding events of the gate: verdicts, and adoptions that carry them (rule 10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from mendel.contracts.errors import IllegalTransition
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import AdoptionConfirmed, AdoptionMade, AdoptionRevoked, GateVerdict
from mendel.kernel.state import CandidateState, RunState


def _verdict(state: RunState, event: Event) -> None:
    verdict = cast("GateVerdict", event.payload).verdict
    known = state.candidates[verdict.candidate_id]
    niche = state.niche_of(verdict.candidate_id)
    if verdict.challenge.k != niche.challenges or niche.last_challenger != verdict.candidate_id:
        raise IllegalTransition(f"a verdict on {verdict.candidate_id}, which is not the last challenger")
    known.verdict = verdict
    known.verdict_event_id = event.id


def _made(state: RunState, event: Event) -> None:
    adoption = cast("AdoptionMade", event.payload)
    known = state.candidates[adoption.candidate_id]
    if known.verdict != adoption.verdict or known.verdict_event_id != adoption.verdict_event_id or known.adoption:
        raise IllegalTransition(f"{adoption.candidate_id} is adopted without a verdict of its own (rule 10)")
    if state.weakly_isolated:
        raise IllegalTransition(f"{adoption.candidate_id} is adopted in a run whose sandbox was weak (rule 3)")
    niche = state.niche_of(adoption.candidate_id)
    niche.replaced_id, niche.replaced_content = niche.champion_id, niche.champion_content
    niche.replaced_is_ours, niche.champion_is_ours = niche.champion_is_ours, True
    niche.champion_id, niche.champion_content = adoption.candidate_id, known.content
    known.adoption = "made"
    known.adoption_event_id = event.id


def _confirmed(state: RunState, event: Event) -> None:
    payload = cast("AdoptionConfirmed", event.payload)
    _adopted(state, payload.candidate_id, payload.adoption_event_id).adoption = "confirmed"


def _revoked(state: RunState, event: Event) -> None:
    payload = cast("AdoptionRevoked", event.payload)
    _adopted(state, payload.candidate_id, payload.adoption_event_id).adoption = "revoked"
    niche = state.niche_of(payload.candidate_id)
    niche.champion_id, niche.champion_content = niche.replaced_id, niche.replaced_content
    niche.champion_is_ours = niche.replaced_is_ours
    niche.replaced_id = niche.replaced_content = None


def _adopted(state: RunState, candidate_id: str, adoption_event_id: str) -> CandidateState:
    known = state.candidates[candidate_id]
    if known.adoption != "made" or known.adoption_event_id != adoption_event_id:
        raise IllegalTransition(f"{candidate_id} has no such adoption to confirm or revoke")
    niche = state.niche_of(candidate_id)
    if not niche.champion_is_ours or niche.champion_id != candidate_id:
        raise IllegalTransition(f"{candidate_id} is not the champion any more")
    return known


FOLDERS: Final[Mapping[str, Callable[[RunState, Event], None]]] = {
    "gate.verdict": _verdict,
    "adoption.made": _made,
    "adoption.confirmed": _confirmed,
    "adoption.revoked": _revoked,
}
