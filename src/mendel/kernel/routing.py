"""What happens to a candidate next: its domain routes it, the kernel makes the moves, up to the gate and after it."""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict

from mendel.contracts.actors import Actor
from mendel.contracts.errors import DomainFailed
from mendel.contracts.events.candidate import (
    ENDLESS_ROUTE,
    CandidateChecked,
    CandidateInvalidated,
    CandidateRejected,
    CandidateRepairStarted,
    CandidateUnderReview,
    FitnessScored,
    RepairWish,
)
from mendel.contracts.events.gate import AdoptionConfirmed, AdoptionMade, AdoptionRevoked
from mendel.contracts.events.genome import GenomeEligible
from mendel.contracts.events.operation import Operation, SubjectKind
from mendel.contracts.ids import derived
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.scoring import FitnessScore
from mendel.contracts.statuses import CandidateStatus, GenerationStatus, GenomeStatus
from mendel.contracts.verdicts import Challenge as Budget
from mendel.contracts.verdicts import Decision, Reason
from mendel.kernel.asking import copied
from mendel.kernel.dossier import Dossier, Near, Observation, Phase, Rival
from mendel.kernel.mind import NicheMind
from mendel.kernel.moves import Adopt, Challenge, Confirm, Drop, Examine, Move, Repair, Revoke, Score, Vary, Wait
from mendel.kernel.plan import Plan, Start
from mendel.kernel.state import CandidateState, NicheState, RunState, StepLog
from mendel.selection.scoring import score as weigh

MAX_ROUNDS = 100
"""How often a candidate may be sent on before it is dropped: a route that never ends costs no more than this."""

WAIT_STEP = "kernel.wait"
_ENDLESS = Reason(code=ENDLESS_ROUTE, message=f"still not scored after {MAX_ROUNDS} rounds")


def route_all(plan: Plan) -> None:
    """Send on the candidates that are being examined and have nothing in flight."""
    for candidate_id in plan.state.agenda.to_route:
        if _route(plan, plan.state.candidates[candidate_id], "verifying") != "started":
            return


def score_all(plan: Plan) -> None:
    """Score the candidates whose examination is over; in a generational pace, once that of all others is."""
    for candidate_id in plan.state.agenda.to_score:
        known = plan.state.candidates[candidate_id]
        if not scoring_is_open(plan.state, known) or _route(plan, known, "scoring") != "started":
            return


def score_ready(plan: Plan) -> None:
    """While a run drains: score whatever needs no further operation, and leave the rest as it is."""
    waiting_for: tuple[tuple[dict[str, None], Phase], ...] = (
        (plan.state.agenda.to_route, "verifying"),
        (plan.state.agenda.to_score, "scoring"),
    )
    for waiting_ones, phase in waiting_for:
        for candidate_id in waiting_ones:
            known = plan.state.candidates[candidate_id]
            moves = plan.mind.asked.route(_compared(plan, known, phase))
            if moves and isinstance(moves[0], Score | Drop):
                _make(plan, known, phase, moves)


def scoring_is_open(state: RunState, known: CandidateState) -> bool:
    """Whether the candidate's generation is being scored."""
    if state.config.pace.kind == "steady":
        return True
    return state.generations[known.generation].status is GenerationStatus.SCORING


def _route(plan: Plan, known: CandidateState, phase: Phase) -> Start:
    if known.steps.rounds >= MAX_ROUNDS:
        drop(plan, known, Drop(reason=_ENDLESS))
        return "started"
    moves = plan.mind.asked.route(_compared(plan, known, phase))
    if not moves:
        raise DomainFailed(
            f"domain {plan.mind.domain.name}: route answered nothing for {known.candidate.id} while {phase}"
        )
    return _make(plan, known, phase, moves)


def _make(plan: Plan, known: CandidateState, phase: Phase, moves: tuple[Move, ...]) -> Start:
    match moves[0]:
        case Score() as scored:
            return score(plan, known, phase, scored)
        case Drop() as dropped:
            drop(plan, known, dropped, _wish(moves))
            return "started"
        case Vary():
            out = next((move for move in moves if isinstance(move, Drop)), None)
            if out is None:
                raise DomainFailed(f"domain {plan.mind.domain.name}: a Vary in route comes with a Drop")
            drop(plan, known, out, _wish(moves))
            return "started"
        case Repair() as repair:
            return _repair(plan, known, repair)
    return _examine(plan, known, moves)


def _wish(moves: tuple[Move, ...]) -> RepairWish | None:
    vary = next((move for move in moves if isinstance(move, Vary)), None)
    return RepairWish(operator=vary.operator, inputs=vary.inputs) if vary is not None else None


# --- the moves -------------------------------------------------------------------------------------------


def score(plan: Plan, known: CandidateState, phase: Phase, move: Score) -> Start:
    """While verifying: the examination is over. While scoring: this is the fitness."""
    state, where = plan.state, where_is(plan.state, known)
    if phase == "verifying":
        if known.status is CandidateStatus.CREATED:
            plan.say(CandidateUnderReview(), **where)
        plan.say(CandidateChecked(niche=_landing(plan, known)), **where)
        return _score_at_once(plan, known)
    plan.say(FitnessScored(score=fitness(plan, known, move)), actor=Actor.SELECTION, **where)
    genome = state.genomes[known.candidate.genome_id]
    if genome.status is GenomeStatus.SPENT and genome.genome.id not in plan.made_eligible:
        plan.made_eligible.add(genome.genome.id)
        plan.say(GenomeEligible(), generation=where["generation"], genome=where["genome"])
    return "started"


def fitness(plan: Plan, known: CandidateState, move: Score) -> FitnessScore:
    """What the components of a score come to, by the run's policy."""
    candidate_id = known.candidate.id
    try:
        return weigh(
            plan.state.config.scoring_policy,
            candidate_id,
            move.components,
            absent=move.absent,
            estimated=move.estimated,
            descriptor=move.descriptor,
        )
    except ValueError as error:
        raise DomainFailed(f"domain {plan.mind.domain.name}: {candidate_id} cannot be scored: {error}") from error


def _landing(plan: Plan, known: CandidateState) -> str | None:
    """The niche that the domain puts a candidate into; None is the first; the domain is not asked if there is one."""
    config = plan.state.config
    if not config.niches:
        return None
    name = plan.mind.asked.niche(known.content, config)
    return name if name != config.first_niche else None


def _score_at_once(plan: Plan, known: CandidateState) -> Start:
    """In a steady pace no candidate waits for the others: if nothing more is to be observed, this is the fitness."""
    if plan.state.config.pace.kind == "steady":
        moves = plan.mind.asked.route(dossier(plan.state, known, "scoring"))
        if moves and isinstance(moves[0], Score):
            return score(plan, known, "scoring", moves[0])
    return "started"


def drop(plan: Plan, known: CandidateState, move: Drop, wish: RepairWish | None = None) -> None:
    """The candidate is out: refused if it was examined, invalid if it never could be."""
    where = where_is(plan.state, known)
    examined = known.status in (CandidateStatus.UNDER_REVIEW, CandidateStatus.CHECKED)
    if not examined and wish is None:
        plan.say(CandidateInvalidated(reason=move.reason.message, repaired=known.repaired), **where)
        return
    if not examined:
        plan.say(CandidateUnderReview(), **where)
    plan.say(CandidateRejected(reasons=(move.reason,), wish=wish), **where)


def _repair(plan: Plan, known: CandidateState, move: Repair) -> Start:
    where = where_is(plan.state, known)
    if known.repaired or known.status is not CandidateStatus.CREATED:
        drop(plan, known, Drop(reason=Reason(code="repair_exhausted", message=f"repaired once: {move.reason}"[:1_000])))
        return "started"
    operation = plan.operation(
        "repair",
        move.step,
        ("candidate", (known.candidate.id,)),
        step_index(known, 0),
        reads=reads(plan.state, known),
        inputs=move.inputs,
    )
    return plan.begin([operation], **where, first=CandidateRepairStarted(reason=move.reason))


def _examine(plan: Plan, known: CandidateState, moves: tuple[Move, ...]) -> Start:
    operations = [observing(plan, known, place, move) for place, move in enumerate(moves)]
    begins = known.status is CandidateStatus.CREATED
    where = where_is(plan.state, known)
    return plan.begin(operations, **where, first=CandidateUnderReview() if begins else None)


def observing(plan: Plan, known: CandidateState, place: int, move: Move) -> Operation:
    """The operation behind a move that observes or waits.

    Raises:
        DomainFailed: the move cannot be made with a candidate in this phase.
    """
    state, candidate_id = plan.state, known.candidate.id
    index = step_index(known, place)
    match move:
        case Wait(for_ms=for_ms):
            return waiting(state.seed, ("candidate", candidate_id), index, for_ms)
        case Examine(step=step, inputs=inputs, other=other):
            subjects = (candidate_id,) if other is None else (candidate_id, other)
            if other is not None and other not in state.candidates:
                raise DomainFailed(f"domain {plan.mind.domain.name}: {candidate_id} is paired with unknown {other!r}")
            kind: SubjectKind = "candidate" if other is None else "pair"
            may_read = _peers(plan, known) if _beside_others(plan, known, step) else reads(state, known)
            return plan.operation("examine", step, (kind, subjects), index, reads=may_read, inputs=inputs)
    answer, name = type(move).__name__, plan.mind.domain.name
    raise DomainFailed(f"domain {name}: route answered {answer} for {candidate_id}, which is {known.status}")


def _beside_others(plan: Plan, known: CandidateState, step: str) -> bool:
    """Whether the step looks at the candidate's own generation, all of which is examined."""
    spec = plan.mind.domain.steps.get(step)
    scoring = known.status is CandidateStatus.CHECKED and plan.state.config.pace.kind == "generational"
    return spec is not None and spec.cohort and scoring


def _peers(plan: Plan, known: CandidateState) -> int:
    """How many births there were up to the last of the candidate's generation."""
    return plan.state.generations[known.generation].end


def waiting(seed: int, subject: tuple[SubjectKind, str], index: tuple[str | int, ...], for_ms: int) -> Operation:
    """The operation that does nothing for a while; it costs nothing and takes no slot."""
    return Operation(
        id=derived(seed, "op", "wait", *index),
        step=WAIT_STEP,
        kind="wait",
        subject_kind=subject[0],
        subject_ids=(subject[1],),
        deadline_ms=for_ms,
    )


# --- what is known ---------------------------------------------------------------------------------------


def _compared(plan: Plan, known: CandidateState, phase: Phase) -> Dossier:
    """What ``route`` is shown of a candidate: also its twin, and its nearest neighbour before anything is spent."""
    near = plan.mind.nearness.of(plan.state, known) if not known.steps.ended else None
    return dossier(plan.state, known, phase, plan.mind.twins.of(plan.state, known), near)


def dossier(
    state: RunState, known: CandidateState, phase: Phase, twin: str | None = None, near: Near | None = None
) -> Dossier:
    """What ``route`` is shown of a candidate."""
    return Dossier(
        subject_id=known.candidate.id,
        phase=phase,
        generation=known.generation,
        seed=state.seed,
        traits=copied(state.genomes[known.candidate.genome_id].genome.traits),
        content=copied(known.content),
        conditions=shown(state.generations[known.generation].conditions),
        observations=observed(known.steps),
        repaired=known.repaired,
        total=known.score.total if known.score is not None else None,
        niche=state.niche_name(known.candidate.id),
        champion=_rival(state, known) if phase == "contending" else None,
        decision=known.verdict.decision if known.verdict is not None else None,
        adoption=known.adoption,
        twin=twin,
        near=near,
    )


def _rival(state: RunState, challenger: CandidateState) -> Rival | None:
    """The champion of the challenger's niche.

    Of one from an earlier run the fitness is known here only if a founder is the same and was born no later than the
    challenger, whatever its id.
    """
    niche = state.niche_of(challenger.candidate.id)
    if niche.champion_id is None:
        return None
    same = state.candidates[niche.champion_id] if niche.champion_is_ours else _founder_like(state, niche, challenger)
    return Rival(niche.champion_id, same.score.total if same is not None and same.score is not None else None)


def _founder_like(state: RunState, niche: NicheState, challenger: CandidateState) -> CandidateState | None:
    """The founder that expressed what the champion is."""
    for birth in range(min(len(state.config.ancestors), challenger.candidate.birth + 1)):
        genome_id = state.births.genome_of.get(birth)
        for candidate_id in state.genomes[genome_id].candidates if genome_id is not None else ():
            if state.candidates[candidate_id].content == niche.champion_content:
                return state.candidates[candidate_id]
    return None


def shown(payload: DomainPayload | None) -> DomainPayload | None:
    """A payload as a domain sees it."""
    return copied(payload) if payload is not None else None


def observed(steps: StepLog) -> tuple[Observation, ...]:
    """Observations as a domain sees them."""
    return tuple(replace(seen, findings=shown(seen.findings)) for seen in steps.observations())


def reads(state: RunState, known: CandidateState) -> int:
    """How many results an examination of the candidate may rest on: those that its genome was bred from."""
    bred = state.births.bred.get(known.candidate.birth)
    return bred.reads_through if bred is not None else 0


def step_index(known: CandidateState, place: int) -> tuple[str | int, ...]:
    """Which step of a run this is: the place in the candidate's current round."""
    return known.candidate.birth, known.ordinal, known.steps.rounds, place


class Where(TypedDict):
    """What an event about a candidate names."""

    generation: str
    genome: str
    candidate: str


def where_is(state: RunState, known: CandidateState) -> Where:
    """What an event about the candidate names."""
    return {
        "generation": state.generations[known.generation].id,
        "genome": known.candidate.genome_id,
        "candidate": known.candidate.id,
    }


# Before the gate: scored candidates may challenge the champion, one after the other (rule 10).


def contend(plan: Plan) -> None:
    """In every niche, ask the next challenger; those that do not want to challenge step aside.

    One at a time in each: what a challenger is compared with, and what it may spend, is what those before it left. That
    nobody records who stepped aside is on purpose: since the last challenge nothing has changed that a route could see,
    so a conductor that asks them again gets the same answer.

    A failed challenge has spent its share all the same: else a candidate could look at the held-out cases, and fail
    where it would lose. So a candidate whose challenge failed is not asked again, and a niche whose last ones all
    failed, as they do by a bug of the domain, makes no more of them.
    """
    for name, niche in plan.mind.niches.items():
        if plan.state.may_challenge(name):
            _contend_in(plan, niche)


def _contend_in(plan: Plan, niche: NicheMind) -> None:
    while (candidate_id := niche.contender(plan.state)) is not None:
        known = plan.state.candidates[candidate_id]
        if known.steps.open:
            return
        if known.challenge_failed or _is_champion_already(plan.state, known):
            niche.waiting.step_aside()
            continue
        moves = plan.mind.asked.route(dossier(plan.state, known, "contending"))
        if moves and not isinstance(moves[0], Drop) and known.steps.rounds < MAX_ROUNDS:
            _make_gate_move(plan, known, moves)
            return
        niche.waiting.step_aside()


def _is_champion_already(state: RunState, known: CandidateState) -> bool:
    """Whether the candidate equals an earlier run's champion, as a founder may: no candidate challenges itself."""
    niche = state.niche_of(known.candidate.id)
    return not niche.champion_is_ours and niche.champion_id is not None and known.content == niche.champion_content


def _make_gate_move(plan: Plan, known: CandidateState, moves: tuple[Move, ...]) -> None:
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
