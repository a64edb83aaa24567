"""Survivors that enter a new generation anew: they are examined and scored under its conditions, beside its newborns.

In a generational pace alone, where a generation has a beginning. What a survivor was scored by before stays as it is;
selection and cohorts go by the fitness that it got last.
"""

from __future__ import annotations

from dataclasses import replace

from mendel.contracts.actors import Actor
from mendel.contracts.errors import DomainFailed
from mendel.contracts.events.candidate import CandidateEntered, CandidateLeft, FitnessRescored
from mendel.contracts.events.operation import Operation
from mendel.contracts.statuses import GenerationStatus
from mendel.contracts.verdicts import Reason
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Drop, Examine, Move, Score, Wait
from mendel.kernel.plan import Plan, Start
from mendel.kernel.routing import MAX_ROUNDS, Where, dossier, fitness, observed, shown, waiting, where_is
from mendel.kernel.state import CandidateState, Entry, GenerationState

_ENDLESS = Reason(code="endless_route", message=f"still not scored anew after {MAX_ROUNDS} rounds")


def enter_survivors(plan: Plan, young: GenerationState) -> None:
    """Record that those who live on enter ``young``, where the domain wants that."""
    if not plan.mind.asked.survivors_enter(plan.state.config):
        return
    members = [member for niche in plan.mind.niches.values() for member in niche.population.ranked()]
    for member in sorted(members, key=lambda each: each.birth):
        plan.say(
            CandidateEntered(index=young.index),
            generation=young.id,
            genome=member.genome_id,
            candidate=member.candidate_id,
        )


def rescore_all(plan: Plan) -> None:
    """Send on the survivors that wait in a generation that is being scored."""
    for candidate_id, index in plan.state.entering.items():
        generation = plan.state.generations[index]
        if generation.status is not GenerationStatus.SCORING:
            return
        if _route(plan, plan.state.candidates[candidate_id], generation) != "started":
            return


def _route(plan: Plan, known: CandidateState, generation: GenerationState) -> Start:
    entry = plan.state.entries[generation.index][known.candidate.id]
    where: Where = {**where_is(plan.state, known), "generation": generation.id}
    moves = plan.mind.asked.route(_dossier(plan, known, generation, entry))
    first = moves[0] if moves and entry.steps.rounds < MAX_ROUNDS else Drop(reason=_ENDLESS)
    match first:
        case Score() as score:
            plan.say(FitnessRescored(score=fitness(plan, known, score)), actor=Actor.SELECTION, **where)
            return "started"
        case Drop(reason=reason):
            plan.say(CandidateLeft(reason=reason), **where)
            return "started"
    operations = [_observing(plan, known, generation, place, move) for place, move in enumerate(moves)]
    return plan.begin(operations, **where)


def _dossier(plan: Plan, known: CandidateState, generation: GenerationState, entry: Entry) -> Dossier:
    """What ``route`` is shown: nothing of what happens before the gate meanwhile, which depends on time."""
    genome = plan.state.genomes[known.candidate.genome_id]
    before = plan.state.fitness_in(genome, generation.index - 1)
    return replace(
        dossier(plan.state, known, "scoring"),
        generation=generation.index,
        conditions=shown(generation.conditions),
        observations=observed(entry.steps),
        total=before[0] if before is not None else None,
        decision=None,
        adoption=None,
        entered=True,
    )


def _observing(plan: Plan, known: CandidateState, generation: GenerationState, place: int, move: Move) -> Operation:
    candidate_id, entry = known.candidate.id, plan.state.entries[generation.index][known.candidate.id]
    index = ("entered", generation.index, known.candidate.birth, known.ordinal, entry.steps.rounds, place)
    match move:
        case Wait(for_ms=for_ms):
            made = waiting(plan.state.seed, ("candidate", candidate_id), index, for_ms)
        case Examine(step=step, inputs=inputs, other=None):
            spec = plan.mind.domain.steps.get(step)
            reads = generation.end if spec is not None and spec.cohort else generation.first_birth
            made = plan.operation("examine", step, ("candidate", (candidate_id,)), index, reads=reads, inputs=inputs)
        case _:
            raise DomainFailed(
                f"domain {plan.mind.domain.name}: route answered {type(move).__name__} for {candidate_id}, which"
                " entered a new generation; it can be examined, scored, dropped from it or waited for"
            )
    return made.model_copy(update={"entered": generation.index})
