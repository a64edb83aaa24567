"""Folding events of generations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from mendel.contracts.errors import IllegalTransition
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.generation import GenerationFailed, GenerationReproducing, GenerationStarted
from mendel.contracts.statuses import GenerationStatus
from mendel.contracts.transitions import GENERATION, advance
from mendel.kernel.state import GenerationState, RunState

_OVER = frozenset({GenerationStatus.COMPLETED, GenerationStatus.FAILED, GenerationStatus.SKIPPED})


def generation_named(state: RunState, generation_id: str | None) -> GenerationState:
    """The generation of that id; the next one comes into being when it is first named."""
    if generation_id is None:
        raise IllegalTransition("the event names no generation")
    index = state.generation_of.get(generation_id)
    if index is None:
        index = state.generation_of[generation_id] = len(state.generations)
        state.generations.append(GenerationState(index, generation_id, state.births.decided))
        state.open_generations[index] = None
    return state.generations[index]


def _started(state: RunState, event: Event) -> None:
    payload = cast("GenerationStarted", event.payload)
    generation = generation_named(state, event.generation_id)
    if generation.index != payload.index:
        raise IllegalTransition(f"generation {payload.index} begins, but {generation.index} is next")
    _enter(generation, event)
    generation.population = payload.population
    generation.conditions = payload.conditions


def _changed(state: RunState, event: Event) -> None:
    generation = state.generations[state.generation_of[event.generation_id or ""]]
    _enter(generation, event)
    if isinstance(event.payload, GenerationReproducing):
        generation.offspring_conditions = event.payload.conditions
    if isinstance(event.payload, GenerationFailed):
        state.broken = f"generation {generation.index} failed: {event.payload.reason}"
    if generation.status in _OVER:
        del state.open_generations[generation.index]


def _enter(generation: GenerationState, event: Event) -> None:
    generation.status = advance(GENERATION, generation.status, event.type, generation.id)
    generation.entered_at = event.occurred_at


FOLDERS: Final[Mapping[str, Callable[[RunState, Event], None]]] = {
    "generation.started": _started,
    "generation.degraded": _changed,
    "generation.verifying": _changed,
    "generation.scoring": _changed,
    "generation.reproducing": _changed,
    "generation.completed": _changed,
    "generation_failed": _changed,
    "generation.skipped": _changed,
}
