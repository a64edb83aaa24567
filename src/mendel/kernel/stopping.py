"""When a run has done enough, by its own conditions. Caps are another matter: they forbid."""

from __future__ import annotations

from mendel.kernel.state import RunState


def enough(state: RunState) -> str | None:
    """Why nothing more is bred; None while something is."""
    wanted = state.config.stop
    if wanted is None:
        return None
    elapsed = state.times.conducted_ms() / 1_000
    if wanted.seconds is not None and elapsed >= wanted.seconds:
        return f"stopped after {wanted.seconds:g} s"
    if wanted.target is not None and (fitness := _champion(state)) is not None and fitness >= wanted.target:
        return f"the champion's fitness {fitness:.6g} reaches the target {wanted.target:.6g}"
    barren = _barren(state)
    if wanted.stagnation is not None and barren >= wanted.stagnation:
        return f"{barren} births in a row brought nothing fitter"
    return None


def _champion(state: RunState) -> float | None:
    """The fitness of a champion that this run bred."""
    niche = state.niche
    known = state.candidates[niche.champion_id] if niche.champion_is_ours and niche.champion_id is not None else None
    return known.score.total if known is not None and known.score is not None else None


def _barren(state: RunState) -> int:
    """Births decided since the fittest one."""
    if state.best is None:
        return 0
    return state.births.decided - 1 - state.candidates[state.best[1]].candidate.birth
