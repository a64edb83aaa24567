"""Stop conditions: when a run has done enough by its own configuration. Caps are separate: they forbid."""

from __future__ import annotations

from bisect import bisect_right

from mendel.kernel.state import NicheState, RunState


def enough(state: RunState) -> str | None:
    """Return the reason to end breeding; None while it continues."""
    wanted = state.config.stop
    if wanted is None:
        return None
    elapsed = state.times.conducted_ms() / 1_000
    if wanted.seconds is not None and elapsed >= wanted.seconds:
        return f"stopped after {wanted.seconds:g} s"
    reasons = {name: enough_of(state, niche) for name, niche in state.niches.items()}
    if None in reasons.values():
        return None
    told = [str(reason) if len(reasons) == 1 else f"{name}: {reason}" for name, reason in reasons.items()]
    return "; ".join(told)


def hungry(state: RunState) -> tuple[str, ...]:
    """Return the niches that have not done enough yet; all niches if there are none."""
    names = tuple(name for name, niche in state.niches.items() if enough_of(state, niche) is None)
    return names or tuple(state.niches)


def enough_of(state: RunState, niche: NicheState) -> str | None:
    """Return the reason to end breeding in this niche; the run ends breeding when all niches have one."""
    wanted = state.config.stop
    if wanted is None:
        return None
    fitness = _champion(state, niche)
    if wanted.target is not None and fitness is not None and fitness >= wanted.target:
        return f"the champion's fitness {fitness:.6g} reaches the target {wanted.target:.6g}"
    barren = _barren(state, niche)
    if wanted.stagnation is not None and barren >= wanted.stagnation:
        return f"{barren} births in a row brought nothing fitter"
    return None


def _champion(state: RunState, niche: NicheState) -> float | None:
    """Return the fitness of the champion, if it is one of this run's candidates."""
    known = state.candidates[niche.champion_id] if niche.champion_is_ours and niche.champion_id is not None else None
    return known.score.total if known is not None and known.score is not None else None


def _barren(state: RunState, niche: NicheState) -> int:
    """Return the number of births since the fittest one; with several niches, of births from this niche's parents."""
    if niche.best is None:
        return 0
    fittest = state.candidates[niche.best[1]].candidate.birth
    if len(state.niches) == 1:
        return state.births.decided - 1 - fittest
    return len(niche.births) - bisect_right(niche.births, fittest)
