"""Before the gate: scored candidates may challenge the champion, one after the other (rule 10)."""

from __future__ import annotations

from mendel.contracts.actors import Actor
from mendel.contracts.errors import DomainFailed
from mendel.contracts.events.gate import AdoptionConfirmed, AdoptionMade, AdoptionRevoked
from mendel.contracts.events.operation import Operation
from mendel.contracts.verdicts import Challenge as Budget
from mendel.contracts.verdicts import Decision
from mendel.kernel.moves import Adopt, Challenge, Confirm, Drop, Move, Revoke
from mendel.kernel.niche_mind import NicheMind
from mendel.kernel.plan import Plan, Start
from mendel.kernel.routing import MAX_ROUNDS, dossier, observing, reads, step_index, where_is
from mendel.kernel.state import CandidateState, RunState


def contend(plan: Plan) -> None:
    """In every niche, ask whoever's turn it is; those who do not want to challenge step aside.

    One at a time in each: what a challenger is compared with, and what it may spend, is what those before it left. That
    nobody records who stepped aside is on purpose: since the last challenge nothing has changed that a route could see,
    so a conductor that asks them again gets the same answer.
    """
    for niche in plan.mind.niches.values():
        _contend_in(plan, niche)


def _contend_in(plan: Plan, niche: NicheMind) -> None:
    while (candidate_id := niche.contender(plan.state)) is not None:
        known = plan.state.candidates[candidate_id]
        if known.steps.open:
            return
        if _is_champion_already(plan.state, known):
            niche.waiting.step_aside()
            continue
        moves = plan.mind.asked.route(dossier(plan.state, known, "contending"))
        if moves and not isinstance(moves[0], Drop) and known.steps.rounds < MAX_ROUNDS:
            _make(plan, known, moves)
            return
        niche.waiting.step_aside()


def _is_champion_already(state: RunState, known: CandidateState) -> bool:
    """Whether the candidate is what an earlier run's champion is, as its founder may be: nobody challenges himself."""
    niche = state.niche_of(known.candidate.id)
    return not niche.champion_is_ours and niche.champion_id is not None and known.content == niche.champion_content


def _make(plan: Plan, known: CandidateState, moves: tuple[Move, ...]) -> None:
    where = where_is(plan.state, known)
    match moves[0]:
        case Challenge() as challenge:
            _begin(plan, known, [_challenging(plan, known, challenge)])
        case Adopt() as adopt:
            _require_yes(plan, known)
            if adopt.step is None:
                plan.say(adoption(plan.state, known), actor=Actor.GATE, **where)
            else:
                _begin(plan, known, [_hosting(plan, known, adopt)])
        case Confirm():
            plan.say(_confirmation(plan, known), actor=Actor.GATE, **where)
        case Revoke() as revoke:
            _require_adoption(plan, known)
            if revoke.step is None:
                plan.say(revocation(plan.state, known, revoke.reason), actor=Actor.GATE, **where)
            else:
                _begin(plan, known, [_hosting(plan, known, revoke)])
        case _:
            _begin(plan, known, [observing(plan, known, place, move) for place, move in enumerate(moves)])


def _begin(plan: Plan, known: CandidateState, operations: list[Operation]) -> Start:
    return plan.begin(operations, **where_is(plan.state, known))


def _challenging(plan: Plan, known: CandidateState, move: Challenge) -> Operation:
    name = plan.state.niche_name(known.candidate.id)
    k = plan.state.niches[name].challenges + 1
    return plan.operation(
        "challenge",
        move.step,
        ("candidate", (known.candidate.id,)),
        step_index(known, 0),
        reads=reads(plan.state, known),
        inputs=move.inputs,
        challenge=Budget.nth(name, k, plan.state.config.alpha),
    )


def _hosting(plan: Plan, known: CandidateState, move: Adopt | Revoke) -> Operation:
    return plan.operation(
        "adopt" if isinstance(move, Adopt) else "revoke",
        move.step or "",
        ("candidate", (known.candidate.id,)),
        step_index(known, 0),
        inputs=move.inputs,
    )


def _require_yes(plan: Plan, known: CandidateState) -> None:
    said_yes = known.verdict is not None and known.verdict.decision is Decision.ADOPT
    if not said_yes or known.adoption is not None:
        raise DomainFailed(
            f"domain {plan.mind.domain.name}: {known.candidate.id} was to be adopted without the gate's yes (rule 10)"
        )


def _require_adoption(plan: Plan, known: CandidateState) -> None:
    niche = plan.state.niche_of(known.candidate.id)
    champion = niche.champion_is_ours and niche.champion_id == known.candidate.id
    if known.adoption != "made" or not champion:
        name = plan.mind.domain.name
        raise DomainFailed(f"domain {name}: {known.candidate.id} has no adoption to confirm or revoke")


def _confirmation(plan: Plan, known: CandidateState) -> AdoptionConfirmed:
    _require_adoption(plan, known)
    return AdoptionConfirmed(
        niche=plan.state.niche_name(known.candidate.id),
        candidate_id=known.candidate.id,
        adoption_event_id=known.adoption_event_id or "",
    )


def adoption(state: RunState, known: CandidateState) -> AdoptionMade:
    """The candidate becomes champion, by the verdict that let it in."""
    if known.verdict is None or known.verdict_event_id is None:
        raise DomainFailed(f"{known.candidate.id} has no verdict (rule 10)")
    name = state.niche_name(known.candidate.id)
    return AdoptionMade(
        niche=name,
        candidate_id=known.candidate.id,
        replaces=state.niches[name].champion_id,
        verdict_event_id=known.verdict_event_id,
        verdict=known.verdict,
        traits=state.genomes[known.candidate.genome_id].genome.traits,
        content=known.content,
        looks=state.looks_of(known),
    )


def revocation(state: RunState, known: CandidateState, reason: str) -> AdoptionRevoked:
    """The candidate is champion no more; the one before it is again."""
    if known.adoption != "made":
        raise DomainFailed(f"{known.candidate.id} has no adoption to revoke")
    name = state.niche_name(known.candidate.id)
    return AdoptionRevoked(
        niche=name,
        candidate_id=known.candidate.id,
        adoption_event_id=known.adoption_event_id or "",
        restores=state.niches[name].replaced_id,
        reason=reason,
    )
