"""The closed registry of all event types, each with the model of its payload."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final

from mendel.contracts.errors import SchemaTooNew, UnknownEventType
from mendel.contracts.events import candidate, energy, gate, generation, genome, operation, run
from mendel.contracts.events.payload import Payload

SCHEMA_VERSION: Final = 4
"""Version on every envelope. Readers accept every version up to this one; any change to a payload increases it."""

_PAYLOADS: tuple[type[Payload], ...] = (
    run.RunConfigured,
    run.RunStarted,
    run.RunCompleting,
    run.RunCompleted,
    run.RunStopping,
    run.RunStopped,
    run.RunFailed,
    run.RunCancelled,
    run.RunHeartbeat,
    run.RunCapReached,
    run.ConductorTookOver,
    run.CommandAccepted,
    run.CommandRefused,
    generation.GenerationStarted,
    generation.GenerationDegraded,
    generation.GenerationPartialFailure,
    generation.GenerationVerifying,
    generation.GenerationScoring,
    generation.GenerationReproducing,
    generation.GenerationCompleted,
    generation.GenerationFailed,
    generation.GenerationSkipped,
    generation.ReproductionAborted,
    genome.GenomeSpawned,
    genome.GenomeActivated,
    genome.GenomeSpent,
    genome.GenomeEligible,
    genome.GenomeFused,
    genome.GenomeMutated,
    genome.GenomeReproduced,
    genome.GenomeFailed,
    genome.LineageCulled,
    genome.SpawnClamped,
    candidate.CandidateCreated,
    candidate.CandidateRepairStarted,
    candidate.CandidateUnderReview,
    candidate.CandidateChecked,
    candidate.FitnessScored,
    candidate.CandidateEntered,
    candidate.FitnessRescored,
    candidate.CandidateLeft,
    candidate.CandidateSelected,
    candidate.CandidateRejected,
    candidate.CandidateInvalidated,
    operation.OperationStarted,
    operation.OperationCompleted,
    operation.OperationFailed,
    operation.BlobStored,
    energy.EnergySpent,
    energy.EnergyExhausted,
    energy.ProviderCallFailed,
    energy.OutputSchemaRejected,
    energy.LlmCallTelemetry,
    gate.GateVerdict,
    gate.AdoptionMade,
    gate.AdoptionConfirmed,
    gate.AdoptionRevoked,
)

EVENT_PAYLOADS: Final[Mapping[str, type[Payload]]] = MappingProxyType({p.type: p for p in _PAYLOADS})
"""Event type to payload model; immutable."""


def payload_model(event_type: str) -> type[Payload]:
    """Return the payload model of ``event_type``.

    Raises:
        UnknownEventType: the closed registry does not contain it.
    """
    model = EVENT_PAYLOADS.get(event_type)
    if model is None:
        close = get_close_matches(event_type, EVENT_PAYLOADS, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise UnknownEventType(f"there is no event type {event_type!r}{hint}")
    return model


def check_schema_version(version: int) -> None:
    """Accept every version up to the current one.

    Raises:
        SchemaTooNew: a newer Mendel wrote the event.
    """
    if version > SCHEMA_VERSION:
        raise SchemaTooNew(
            f"schema version {version} is newer than {SCHEMA_VERSION}, the newest read here; upgrade Mendel"
        )
