"""Routing: the domain chooses a candidate's next moves, and the kernel makes them, up to the gate and after it."""

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
"""Maximum number of rounds of a candidate before it is dropped, which limits the cost of a route without an end."""

WAIT_STEP = "kernel.wait"
_ENDLESS = Reason(code=ENDLESS_ROUTE, message=f"still not scored after {MAX_ROUNDS} rounds")


def route_all(plan: Plan) -> None:
    """Route the candidates that are being examined and have nothing in flight."""
    for candidate_id in plan.state.agenda.to_route:
        if _route(plan, plan.state.candidates[candidate_id], "verifying") != "started":
            return  # full or unaffordable: candidates start in order, so that no later one overtakes this one


def score_all(plan: Plan) -> None:
    """Score examined candidates; in a generational pace, only once the whole generation is examined."""
    for candidate_id in plan.state.agenda.to_score:
        known = plan.state.candidates[candidate_id]
        if not scoring_is_open(plan.state, known) or _route(plan, known, "scoring") != "started":
            return


def score_ready(plan: Plan) -> None:
    """Score or drop all candidates that need no further operation, and leave the others, while a run drains."""
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
    """Return whether the candidate may be scored now; in a generational pace, whether its generation is."""
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
            f"domain {plan.mind.domain.name}: route returned no move for {known.candidate.id} while {phase}"
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
                raise DomainFailed(f"domain {plan.mind.domain.name}: route returned a Vary without a Drop")
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
    """Make a ``Score`` move: while verifying, it ends the examination; while scoring, it sets the fitness."""
    state, where = plan.state, where_is(plan.state, known)
    if phase == "verifying":
        if known.status is CandidateStatus.CREATED:
            plan.say(CandidateUnderReview(), **where)
        plan.say(CandidateChecked(niche=_landing(plan, known)), **where)
        return _score_at_once(plan, known)
    plan.say(FitnessScored(score=fitness(plan, known, move)), actor=Actor.SELECTION, **where)
    genome = state.genomes[known.candidate.genome_id]
    if genome.status is GenomeStatus.SPENT and genome.genome.id not in plan.made_eligible:  # once per genome
        plan.made_eligible.add(genome.genome.id)
        plan.say(GenomeEligible(), generation=where["generation"], genome=where["genome"])
    return "started"


def fitness(plan: Plan, known: CandidateState, move: Score) -> FitnessScore:
    """Return the fitness that the run's scoring policy computes from the components."""
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
    """Return the niche that the domain chooses for a candidate; None for the first, and always in a run with one."""
    config = plan.state.config
    if not config.niches:
        return None
    name = plan.mind.asked.niche(known.content, config)
    return name if name != config.first_niche else None


def _score_at_once(plan: Plan, known: CandidateState) -> Start:
    """Score the candidate in a steady pace, where none waits for others, unless it needs more observations."""
    if plan.state.config.pace.kind == "steady":
        moves = plan.mind.asked.route(dossier(plan.state, known, "scoring"))
        if moves and isinstance(moves[0], Score):
            return score(plan, known, "scoring", moves[0])
    return "started"


def drop(plan: Plan, known: CandidateState, move: Drop, wish: RepairWish | None = None) -> None:
    """Drop the candidate: as rejected if its examination had begun or it leaves a wish, else as invalid."""
    where = where_is(plan.state, known)
    examined = known.status in (CandidateStatus.UNDER_REVIEW, CandidateStatus.CHECKED)
    if not examined and wish is None:
        plan.say(CandidateInvalidated(reason=move.reason.message, repaired=known.repaired), **where)
        return
    if not examined:  # only a candidate under review can be rejected
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
    """Return the operation for a move that observes or waits.

    Raises:
        DomainFailed: the move is not possible for a candidate in this phase.
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
    raise DomainFailed(f"domain {name}: route returned {answer} for {candidate_id}, which is {known.status}")


def _beside_others(plan: Plan, known: CandidateState, step: str) -> bool:
    """Return whether the step may read the candidate's own generation, which is completely examined by then."""
    spec = plan.mind.domain.steps.get(step)
    scoring = known.status is CandidateStatus.CHECKED and plan.state.config.pace.kind == "generational"
    return spec is not None and spec.cohort and scoring


def _peers(plan: Plan, known: CandidateState) -> int:
    """Return the number of births up to the last one of the candidate's generation."""
    return plan.state.generations[known.generation].end


def waiting(seed: int, subject: tuple[SubjectKind, str], index: tuple[str | int, ...], for_ms: int) -> Operation:
    """Return an operation that waits for ``for_ms`` milliseconds; it costs nothing and takes no slot."""
    return Operation(
        id=derived(seed, "op", "wait", *index),
        step=WAIT_STEP,
        kind="wait",
        subject_kind=subject[0],
        subject_ids=(subject[1],),
        deadline_ms=for_ms,
    )


# --- dossiers --------------------------------------------------------------------------------------------


def _compared(plan: Plan, known: CandidateState, phase: Phase) -> Dossier:
    """Return a candidate's dossier with its twin and, before anything is spent on it, its nearest neighbour."""
    near = plan.mind.nearness.of(plan.state, known) if not known.steps.ended else None
    return dossier(plan.state, known, phase, plan.mind.twins.of(plan.state, known), near)


def dossier(
    state: RunState, known: CandidateState, phase: Phase, twin: str | None = None, near: Near | None = None
) -> Dossier:
    """Return the dossier of a candidate for ``route``."""
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
    """Return the champion of the challenger's niche.

    The fitness of an earlier run's champion is known only if a founder has the same content, whatever its id, and was
    born no later than the challenger.
    """
    niche = state.niche_of(challenger.candidate.id)
    if niche.champion_id is None:
        return None
    same = state.candidates[niche.champion_id] if niche.champion_is_ours else _founder_like(state, niche, challenger)
    return Rival(niche.champion_id, same.score.total if same is not None and same.score is not None else None)


def _founder_like(state: RunState, niche: NicheState, challenger: CandidateState) -> CandidateState | None:
    """Return the founder with the champion's content, born no later than the challenger."""
    for birth in range(min(len(state.config.ancestors), challenger.candidate.birth + 1)):
        genome_id = state.births.genome_of.get(birth)
        for candidate_id in state.genomes[genome_id].candidates if genome_id is not None else ():
            if state.candidates[candidate_id].content == niche.champion_content:
                return state.candidates[candidate_id]
    return None


def shown(payload: DomainPayload | None) -> DomainPayload | None:
    """Return a copy of the payload for the domain."""
    return copied(payload) if payload is not None else None


def observed(steps: StepLog) -> tuple[Observation, ...]:
    """Return all observations with copied findings, for the domain."""
    return tuple(replace(seen, findings=shown(seen.findings)) for seen in steps.observations())


def reads(state: RunState, known: CandidateState) -> int:
    """Return how many results an examination of the candidate may read: those that its genome was bred from."""
    bred = state.births.bred.get(known.candidate.birth)
    return bred.reads_through if bred is not None else 0


def step_index(known: CandidateState, place: int) -> tuple[str | int, ...]:
    """Return the key of a step within the run; ``place`` is its position in the candidate's current round."""
    return known.candidate.birth, known.ordinal, known.steps.rounds, place


class Where(TypedDict):
    """The ids that an event about a candidate carries."""

    generation: str
    genome: str
    candidate: str


def where_is(state: RunState, known: CandidateState) -> Where:
    """Return the ids that an event about the candidate carries."""
    return {
        "generation": state.generations[known.generation].id,
        "genome": known.candidate.genome_id,
        "candidate": known.candidate.id,
    }


# Before the gate: scored candidates may challenge the champion, one after the other (rule 10).


def contend(plan: Plan) -> None:
    """Route the next challenger of every niche; a candidate that does not challenge steps aside.

    Each niche has one challenger at a time, because the champion to compare with and the remaining error budget depend
    on the challenges before. Stepping aside is not recorded, on purpose: nothing visible to ``route`` has changed since
    the last challenge, so a later conductor gets the same answer.

    A failed challenge spends its share of the budget too: otherwise a candidate could see the held-out cases and fail
    whenever it would lose. So a candidate with a failed challenge gets no second one, and a niche makes no more
    challenges after too many consecutive failures, which mean a bug in the domain.
    """
    for name, niche in plan.mind.niches.items():
        if plan.state.may_challenge(name):
            _contend_in(plan, niche)


def _contend_in(plan: Plan, niche: NicheMind) -> None:
    while (candidate_id := niche.contender(plan.state)) is not None:
        known = plan.state.candidates[candidate_id]
        if known.steps.open:
            return  # its operation is in flight
        if known.challenge_failed or _is_champion_already(plan.state, known):
            niche.waiting.step_aside()
            continue
        moves = plan.mind.asked.route(dossier(plan.state, known, "contending"))
        if moves and not isinstance(moves[0], Drop) and known.steps.rounds < MAX_ROUNDS:
            _make_gate_move(plan, known, moves)
            return
        niche.waiting.step_aside()


def _is_champion_already(state: RunState, known: CandidateState) -> bool:
    """Return whether the candidate, such as a founder, equals an earlier run's champion: none challenges itself."""
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
        case _:  # examine it or wait before the challenge
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
            f"domain {plan.mind.domain.name}: route adopts {known.candidate.id} without the gate's yes (rule 10)"
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
    """Return the event that makes the candidate champion, on the basis of its verdict."""
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
    """Return the event that ends the candidate's adoption and restores the champion before it."""
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
