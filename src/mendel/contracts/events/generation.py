"""Events of a generation; the envelope's ``generation_id`` identifies it."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from mendel.contracts.base import Count, Text
from mendel.contracts.events.payload import Payload
from mendel.contracts.ids import GenomeId
from mendel.contracts.payloads import DomainPayload


class GenerationStarted(Payload):
    """A generation started under its conditions (such as budgets or a panel)."""

    type: ClassVar[str] = "generation.started"
    index: Count
    population: Count
    conditions: DomainPayload | None = None


class GenerationDegraded(Payload):
    """Part of the generation failed; it continues with the rest."""

    type: ClassVar[str] = "generation.degraded"
    survivors: Count
    population: Count


class GenerationPartialFailure(Payload):
    """Some genomes of the generation failed."""

    type: ClassVar[str] = "generation.partial_failure"
    failed_genome_ids: Annotated[tuple[GenomeId, ...], Field(min_length=1)]
    reason: Text


class GenerationVerifying(Payload):
    """The candidates are being examined."""

    type: ClassVar[str] = "generation.verifying"


class GenerationScoring(Payload):
    """The candidates are being scored."""

    type: ClassVar[str] = "generation.scoring"


class GenerationReproducing(Payload):
    """The next generation is being bred, under the conditions that will apply to it."""

    type: ClassVar[str] = "generation.reproducing"
    conditions: DomainPayload | None = None


class GenerationCompleted(Payload):
    """The generation is complete; without survivors it has no offspring."""

    type: ClassVar[str] = "generation.completed"
    survivors: Count
    offspring: Count
    best_fitness: float | None = None
    mean_fitness: float | None = None


class GenerationFailed(Payload):
    """The generation could not be completed."""

    type: ClassVar[str] = "generation_failed"
    reason: Text


class GenerationSkipped(Payload):
    """The generation never started."""

    type: ClassVar[str] = "generation.skipped"
    reason: Text


class ReproductionAborted(Payload):
    """There were too few parents to breed from."""

    type: ClassVar[str] = "reproduction_aborted_insufficient_parents"
    eligible: Count
    needed: Count
