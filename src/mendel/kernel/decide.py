"""``decide``: a run's next events, including its end.

Deterministic; its cost depends on the number of free slots, not on the population.
"""

from __future__ import annotations

from mendel.contracts.energy import Usage
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.generation import GenerationFailed, GenerationSkipped
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.run import (
    CapName,
    NicheSummary,
    RunCapReached,
    RunCompleted,
    RunFailed,
    RunStopped,
    RunSummary,
)
from mendel.contracts.statuses import GenerationStatus, RunStatus
from mendel.kernel import generating, routing
from mendel.kernel.breeding import breed
from mendel.kernel.digest import outcome_digest, state_digest
from mendel.kernel.mind import Mind
from mendel.kernel.plan import Plan
from mendel.kernel.state import NicheState, RunState
from mendel.kernel.stopping import enough


def decide(state: RunState, mind: Mind) -> list[EventDraft]:
    """Return the events to record now, including start markers; an empty list means: wait for something to happen.

    They must be recorded and folded before the next call. The mind learns while it decides, so a mind with an
    unrecorded plan must be discarded; a new conductor rebuilds it.

    Raises:
        DomainFailed: the domain raised or returned something invalid.
    """
    plan = Plan(state, mind)
    match state.status:
        case RunStatus.CONFIGURED:
            generating.start_run(plan)
        case RunStatus.RUNNING:
            _go_on(plan)
        case RunStatus.COMPLETING | RunStatus.STOPPING:
            drain(plan)
    return plan.drafts


def _go_on(plan: Plan) -> None:
    if overdue(plan):
        return
    # The order sets priorities: operations that finish candidates get free slots before new births.
    routing.contend(plan)
    routing.route_all(plan)
    routing.score_all(plan)
    generating.rescore_all(plan)
    generating.express_all(plan)
    generating.advance_all(plan)
    breed(plan)
    finish_if_idle(plan)


# The end of a run: out of time, out of work, drained, stopped or killed.


def overdue(plan: Plan) -> bool:
    """End a run or generation that is out of time, by recorded time; return whether there was one."""
    return overdue_run(plan) or _overdue_generation(plan)


def overdue_run(plan: Plan) -> bool:
    """End a run that is out of time, immediately and with operations in flight; return whether it is."""
    state = plan.state
    elapsed, limit = state.times.conducted_ms(), state.caps.wall_clock_ms
    if elapsed < limit:
        return False
    if "wall_clock_ms" in state.caps_reached:  # recorded in the round before
        plan.say(failure(state, "out of time", "wall_clock_ms"))
    else:
        plan.say(RunCapReached(cap="wall_clock_ms", limit=limit, used=elapsed, detail="the run is out of time"))
    return True


def _overdue_generation(plan: Plan) -> bool:
    limit, now = plan.state.config.state_deadline_ms, plan.state.times.now
    if limit is None or now is None:
        return False
    for generation in plan.state.lives():
        entered = generation.entered_at
        if entered is not None and (now - entered).total_seconds() * 1_000 > limit:
            reason = f"longer than {limit} ms in the state {generation.status}"
            generating.fail(plan, generation, reason)
            plan.end(f"generation {generation.index}: {reason}")
            return True
    return False


def finish_if_idle(plan: Plan) -> None:
    """End the run if there is nothing to decide and nothing in flight."""
    state, mind = plan.state, plan.mind
    if plan.drafts or state.in_flight or generating.close_unborn(plan):
        return
    mind.learn(state, state.births.settled_through)
    mind.forget_surplus(state)
    if state.broken is not None:
        plan.end(state.broken)
    elif (reason := enough(state)) is not None:
        plan.end(reason)
    elif len(state.generations) >= state.caps.max_generations:
        plan.end("max_generations reached")
    elif not generating.has_room(plan):
        bred = f"{len(state.candidates):,} of {state.caps.max_candidates:,} candidates are bred"
        most = mind.domain.most_candidates
        more = "" if most == 1 else f", and another birth may express {most}"
        plan.stopped_by("max_candidates", len(state.candidates), bred + more)
    elif mind.living and not mind.parents:
        plan.stopped_by("max_spawn_depth", state.deepest, "every survivor is as deep as lineages may go")
    else:
        plan.end("nothing is left to do" if mind.parents else "no parent is left to breed from")


def drain(plan: Plan) -> None:
    """Start no operation, score all candidates that need none, and end the run once nothing is in flight."""
    if overdue_run(plan):
        return
    plan.free = 0
    routing.score_ready(plan)
    if plan.drafts or plan.state.performing:  # operations that only wait do not delay the end
        return
    if not _close_generations(plan):
        plan.say(_terminal(plan.state))


def _close_generations(plan: Plan) -> bool:
    """Close all open generations; return whether there were any."""
    reason = f"the run ended: {plan.state.ending}"
    for generation in plan.state.lives():
        if generation.status is GenerationStatus.PENDING:
            plan.say(GenerationSkipped(reason=reason), generation=generation.id)
        elif generation.status is GenerationStatus.SCORING and not generation.checked:
            generating.complete(plan, generation, survivors=generation.scored, offspring=0)
        else:
            plan.say(GenerationFailed(reason=reason), generation=generation.id)
    return bool(plan.drafts)


def _terminal(state: RunState) -> Payload:
    reason = state.ending or "nothing is left to do"
    if state.status is RunStatus.STOPPING:
        return RunStopped(reason=reason, summary=summary(state))
    if state.best is None:
        return failure(state, f"no candidate was ever scored ({reason})")
    return RunCompleted(final_candidate_id=_winner(state), summary=summary(state))


def _winner(state: RunState) -> str | None:
    """Return the winner of the first niche that has one."""
    return next((winner for winner in map(winner_of, state.niches.values()) if winner is not None), None)


def winner_of(niche: NicheState) -> str | None:
    """Return the niche's champion if it is a candidate of this run, else the niche's best candidate."""
    if niche.champion_is_ours:
        return niche.champion_id
    return niche.best[1] if niche.best else None


def failure(state: RunState, reason: str, cap: CapName | None = None) -> RunFailed:
    """Return the event that ends the run immediately as failed."""
    return RunFailed(reason=reason, cap=cap, summary=summary(state))


def with_digests(state: RunState, told: RunSummary) -> RunSummary:
    """Return ``told`` with the digests of the state, which cover all events so far."""
    digests = {"state_digest": state_digest(state), "outcome_digest": outcome_digest(state)}
    return told.model_copy(update=digests)


def summary(state: RunState) -> RunSummary:
    """Return the run's summary; its digests are added when it is recorded."""
    return RunSummary(
        generations=len(state.generations),
        candidates=len(state.candidates),
        scored=state.scored,
        energy_spent=state.ledger.spent,
        usage=Usage(**state.ledger.measured),
        best_candidate_id=state.best[1] if state.best else None,
        best_fitness=state.best[0] if state.best else None,
        niches=tuple(_niche_summary(*each) for each in state.niches.items()) if len(state.niches) > 1 else (),
    )


def _niche_summary(name: str, niche: NicheState) -> NicheSummary:
    return NicheSummary(
        niche=name,
        challenges=niche.challenges,
        champion_id=niche.champion_id,
        winner_id=winner_of(niche),
        best_fitness=niche.best[0] if niche.best else None,
    )
