"""Folding events of genomes: from birth to parenthood or the end of a lineage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from mendel.contracts.errors import IllegalTransition
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.genome import GenomeFused, GenomeMutated, GenomeSpawned, LineageCulled
from mendel.contracts.statuses import GenomeStatus
from mendel.contracts.transitions import CANDIDATE, GENOME, advance
from mendel.kernel.fold_generations import generation_named
from mendel.kernel.state import GenomeState, RunState


def _spawned(state: RunState, event: Event) -> None:
    genome = cast("GenomeSpawned", event.payload).genome
    if genome.id in state.genomes or genome.birth in state.births.genome_of:
        raise IllegalTransition(f"{genome.id} is born twice")
    if any(parent not in state.genomes for parent in genome.parents):
        raise IllegalTransition(f"{genome.id} has a parent that was never born")
    generation = generation_named(state, event.generation_id)
    bred = genome.birth < state.births.decided
    if not bred and genome.birth != state.births.decided:
        raise IllegalTransition(f"birth {genome.birth} comes before birth {state.births.decided}")
    if bred:
        generation.births_open -= 1
        del state.births.home_of[genome.birth]
    else:
        state.births.decided += 1
        state.births.unexpressed += 1
        state.founders += event.correlation_id is None
    state.births.genome_of[genome.birth] = genome.id
    state.genomes[genome.id] = GenomeState(genome, generation.index, GenomeStatus.SEEDED)
    generation.genome_ids.append(genome.id)
    generation.expressing += 1
    state.deepest = max(state.deepest, genome.depth)
    state.agenda.to_express[genome.id] = None
    _answer_proposal(state, event.correlation_id)


def _answer_proposal(state: RunState, command_id: str | None) -> None:
    if command_id is not None and state.agenda.proposals and state.agenda.proposals[0][0] == command_id:
        state.agenda.proposals.popleft()


def _step(state: RunState, event: Event) -> GenomeState:
    known = state.genomes[event.genome_id or ""]
    known.status = advance(GENOME, known.status, event.type, known.genome.id)
    return known


def _activated(state: RunState, event: Event) -> None:
    _step(state, event)
    state.agenda.to_express.pop(event.genome_id or "", None)


def _spent(state: RunState, event: Event) -> None:
    known = _step(state, event)
    generation = state.generations[known.generation]
    generation.expressing -= 1
    generation.expressed += 1
    state.births.unexpressed -= 1


def _failed(state: RunState, event: Event) -> None:
    known = _step(state, event)
    generation = state.generations[known.generation]
    generation.expressing -= 1
    generation.failed_genomes.append(known.genome.id)
    state.births.unexpressed -= 1
    state.births.settle(known.genome.birth)


def _eligible(state: RunState, event: Event) -> None:
    known = _step(state, event)
    state.living += 1
    known.early = known.unsettled > 0
    state.early += known.early


def _related(state: RunState, event: Event) -> None:
    payload = cast("GenomeFused | GenomeMutated", event.payload)
    if state.genomes[payload.child_id].genome.parents != payload.parents:
        raise IllegalTransition(f"{payload.child_id} was born to other parents")


def _culled(state: RunState, event: Event) -> None:
    payload = cast("LineageCulled", event.payload)
    for genome_id in payload.genome_ids:
        known = state.genomes[genome_id]
        known.status = advance(GENOME, known.status, event.type, genome_id)
        state.living -= 1
    for candidate_id in payload.candidate_ids:
        candidate = state.candidates[candidate_id]
        candidate.status = advance(CANDIDATE, candidate.status, event.type, candidate_id)


def _reproduced(state: RunState, event: Event) -> None:
    _step(state, event)


FOLDERS: Final[Mapping[str, Callable[[RunState, Event], None]]] = {
    "genome.spawned": _spawned,
    "genome.activated": _activated,
    "genome.spent": _spent,
    "genome.failed": _failed,
    "genome.eligible": _eligible,
    "genome.fused": _related,
    "genome.mutated": _related,
    "genome.reproduced": _reproduced,
    "lineage.culled": _culled,
}
