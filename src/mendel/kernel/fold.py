"""``fold``: the state after one more event. Deterministic; no plug-in code runs in it, no clock, no draw, no choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from mendel.contracts.errors import IllegalTransition
from mendel.contracts.events.envelope import Event
from mendel.kernel import fold_candidates, fold_gate, fold_generations, fold_genomes, fold_operations, fold_run
from mendel.kernel.state import RunState

Folder = Callable[[RunState, Event], None]


def fold(state: RunState, event: Event) -> RunState:
    """Take ``event`` into ``state``, which is changed in place and returned.

    Raises:
        IllegalTransition: the event cannot follow what was folded before; the state is unusable afterwards.
    """
    if event.sequence != state.sequence + 1 or event.run_id != state.run_id:
        raise IllegalTransition(
            f"event {event.sequence} of run {event.run_id} does not follow {state.sequence} of {state.run_id}"
        )
    folder = _FOLDERS.get(event.type)
    try:
        if folder is not None:
            folder(state, event)
    except (KeyError, IndexError) as error:
        raise IllegalTransition(
            f"{event.type} at sequence {event.sequence} names {error}, which is not there"
        ) from None
    except IllegalTransition as error:
        raise IllegalTransition(f"sequence {event.sequence}: {error}") from None
    state.sequence = event.sequence
    state.times.now = event.occurred_at
    return state


_FOLDERS: Final[Mapping[str, Folder]] = {
    **fold_run.FOLDERS,
    **fold_generations.FOLDERS,
    **fold_genomes.FOLDERS,
    **fold_candidates.FOLDERS,
    **fold_operations.FOLDERS,
    **fold_gate.FOLDERS,
}
"""Event types that change the state; the others (telemetry, explanations) are for readers."""
