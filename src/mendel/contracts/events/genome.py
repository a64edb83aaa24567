"""Events of a genome, from its creation to its removal."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from mendel.contracts.base import Count, JsonObject, Text
from mendel.contracts.events.payload import Payload
from mendel.contracts.ids import CandidateId, GenomeId
from mendel.contracts.organisms import Genome

Parents = Annotated[tuple[GenomeId, ...], Field(min_length=1)]


class GenomeSpawned(Payload):
    """A genome was created."""

    type: ClassVar[str] = "genome.spawned"
    genome: Genome


class GenomeActivated(Payload):
    """The genome is expressing candidates."""

    type: ClassVar[str] = "genome.activated"


class GenomeSpent(Payload):
    """The genome will express no more candidates."""

    type: ClassVar[str] = "genome.spent"


class GenomeEligible(Payload):
    """The genome may become a parent, because one of its candidates has a fitness."""

    type: ClassVar[str] = "genome.eligible"


class GenomeFused(Payload):
    """Two or more parents were combined into one child; the event has every random choice."""

    type: ClassVar[str] = "genome.fused"
    child_id: GenomeId
    parents: Annotated[tuple[GenomeId, ...], Field(min_length=2)]
    mode: Literal["fusion", "crossover", "output_synthesis"]
    choices: JsonObject


class GenomeMutated(Payload):
    """A parent was varied into a child; the event has every random choice."""

    type: ClassVar[str] = "genome.mutated"
    child_id: GenomeId
    parents: Parents
    operator: Text
    choices: JsonObject


class GenomeReproduced(Payload):
    """The genome became a parent."""

    type: ClassVar[str] = "genome.reproduced"
    children: Annotated[tuple[GenomeId, ...], Field(min_length=1)]
    mode: Literal["fusion", "crossover", "output_synthesis", "mutation_only"]


class GenomeFailed(Payload):
    """The genome expressed no usable candidate."""

    type: ClassVar[str] = "genome.failed"
    reason: Text


class LineageCulled(Payload):
    """Genomes or candidates were culled and will have no offspring; with the decisive scores."""

    type: ClassVar[str] = "lineage.culled"
    genome_ids: tuple[GenomeId, ...] = ()
    candidate_ids: tuple[CandidateId, ...] = ()
    reason: Text
    scores: dict[str, float] = Field(default_factory=dict)


class SpawnClamped(Payload):
    """A genome wished for more children than the caps allow."""

    type: ClassVar[str] = "spawn.clamped"
    wished: Count
    granted: Count
    cap: Text
