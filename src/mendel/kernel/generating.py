"""How generations pass from state to state: a barrier in a generational pace, a block of births in a steady one."""

from __future__ import annotations

from dataclasses import asdict
from math import ceil

from mendel.contracts.actors import Actor
from mendel.contracts.errors import DomainFailed
from mendel.contracts.events.generation import (
    GenerationCompleted,
    GenerationDegraded,
    GenerationFailed,
    GenerationPartialFailure,
    GenerationReproducing,
    GenerationScoring,
    GenerationSkipped,
    GenerationStarted,
    GenerationVerifying,
    ReproductionAborted,
)
from mendel.contracts.events.genome import LineageCulled
from mendel.contracts.events.operation import Operation
from mendel.contracts.statuses import CandidateStatus, GenerationStatus, GenomeStatus
from mendel.kernel.dossier import Dossier
from mendel.kernel.entering import conditions_of, enter_survivors
from mendel.kernel.mind import counts_by_birth
from mendel.kernel.moves import Examine, Move, Wait
from mendel.kernel.plan import Plan
from mendel.kernel.routing import MAX_ROUNDS, observed, shown, waiting
from mendel.kernel.state import GenerationState, RunState
from mendel.selection.population import Member
from mendel.selection.survival import Culling


def advance_all(plan: Plan) -> None:
    """Move every live generation on by at most one state."""
    for generation in plan.state.lives():
        match generation.status:
            case GenerationStatus.RUNNING if _all_expressed(plan, generation):
                _leave_running(plan, generation)
            case GenerationStatus.DEGRADED:
                plan.say(GenerationVerifying(), generation=generation.id)
            case GenerationStatus.VERIFYING if not generation.verifying:
                plan.say(GenerationScoring(), generation=generation.id)
            case GenerationStatus.SCORING if not generation.checked and not plan.state.entries_open:
                _leave_scoring(plan, generation)
            case GenerationStatus.REPRODUCING if _all_born(plan, generation):
                _complete_reproduction(plan, generation)


# --- running ---------------------------------------------------------------------------------------------


def _all_expressed(plan: Plan, generation: GenerationState) -> bool:
    if generation.births_open or generation.expressing:
        return False
    if plan.state.config.pace.kind == "generational":
        return True
    end = (generation.index + 1) * block(plan.state)
    return plan.births >= end


def block(state: RunState) -> int:
    """How many births make a generation in a steady pace; a cap that is lowered later does not move the borders."""
    return state.config.caps.max_population


def _leave_running(plan: Plan, generation: GenerationState) -> None:
    """Go on with those who expressed something, if they are enough."""
    lost = len(generation.failed_genomes) + generation.births_lost
    if generation.failed_genomes:
        failure = GenerationPartialFailure(
            failed_genome_ids=tuple(generation.failed_genomes), reason="they expressed no candidate"
        )
        plan.say(failure, generation=generation.id)
    population = generation.expressed + lost
    if generation.expressed < _enough(plan.state, population):
        fail(plan, generation, f"{generation.expressed} of {population} expressed a candidate, which is too few")
    elif lost:
        plan.say(GenerationDegraded(survivors=generation.expressed, population=population), generation=generation.id)
    else:
        plan.say(GenerationVerifying(), generation=generation.id)


def _enough(state: RunState, population: int) -> int:
    return max(1, ceil(state.config.min_population_survival * population))


def fail(plan: Plan, generation: GenerationState, reason: str) -> None:
    """The generation cannot go on, and nothing more is bred."""
    plan.say(GenerationFailed(reason=reason), generation=generation.id)


def close_unborn(plan: Plan) -> bool:
    """In a steady pace with nobody left to breed from: let a generation go on with the members it has."""
    for generation in plan.state.lives():
        waits = generation.status is GenerationStatus.RUNNING
        if waits and not generation.births_open and not generation.expressing:
            _leave_running(plan, generation)
    return bool(plan.drafts)


# --- scoring ---------------------------------------------------------------------------------------------


def _leave_scoring(plan: Plan, generation: GenerationState) -> None:
    if generation.steps.open or _observe(plan, generation):
        return
    if plan.state.config.pace.kind == "steady":
        complete(plan, generation, survivors=generation.scored, offspring=_parents_among(plan.state, generation))
        return
    learn_generation(plan)
    survivors = plan.mind.living
    if _is_last(plan, generation) or not _can_reproduce(plan, generation):
        complete(plan, generation, survivors=survivors, offspring=0)
    else:
        conditions = conditions_of(plan, generation.index + 1, _dossier(plan.state, generation))
        plan.say(GenerationReproducing(conditions=conditions), generation=generation.id)


def _observe(plan: Plan, generation: GenerationState) -> bool:
    """Whether the domain wants to look at the generation as a whole first."""
    if generation.steps.rounds >= MAX_ROUNDS:
        return False
    moves = plan.mind.asked.route(_dossier(plan.state, generation))
    if not moves:
        return False
    plan.begin([_looking(plan, generation, place, move) for place, move in enumerate(moves)], generation=generation.id)
    return True


def _looking(plan: Plan, generation: GenerationState, place: int, move: Move) -> Operation:
    index = ("generation", generation.index, generation.steps.rounds, place)
    match move:
        case Wait(for_ms=for_ms):
            return waiting(plan.state.seed, ("generation", generation.id), index, for_ms)
        case Examine(step=step, inputs=inputs, other=None):
            reads = _results_there(plan.state, generation)
            return plan.operation("examine", step, ("generation", (generation.id,)), index, reads=reads, inputs=inputs)
    raise DomainFailed(
        f"domain {plan.mind.domain.name}: route answered {type(move).__name__} for a generation; "
        "a generation can be examined or waited for"
    )


def _results_there(state: RunState, generation: GenerationState) -> int:
    """How many results the examination of a generation may rest on.

    All of the generation's own are there. Where results count as they arrive, somebody of the generation before may
    still be on the way, and is not shown: whether it has arrived when the operation is performed would depend on time.
    """
    return generation.end if counts_by_birth(state.config.pace) else len(state.births.arrived)


def _dossier(state: RunState, generation: GenerationState) -> Dossier:
    genomes = sorted((state.genomes[each] for each in generation.genome_ids), key=lambda known: known.genome.birth)
    members = [each for known in genomes for each in known.candidates]
    return Dossier(
        subject_id=generation.id,
        phase="generation",
        generation=generation.index,
        seed=state.seed,
        conditions=shown(generation.conditions),
        observations=observed(generation.steps),
        total=generation.best,
        members=tuple(members),
    )


def _is_last(plan: Plan, generation: GenerationState) -> bool:
    last = generation.index + 1 >= plan.state.caps.max_generations
    return last or offspring_wanted(plan, plan.mind.living) < 1


def _can_reproduce(plan: Plan, generation: GenerationState) -> bool:
    """Whether somebody may be a parent; if not, why not is recorded."""
    mind, state = plan.mind, plan.state
    if mind.can_breed(state):
        return True
    needed = min((operator.parents for operator in mind.ways), default=1)
    plan.say(ReproductionAborted(eligible=mind.parents, needed=needed), generation=generation.id)
    if mind.living and state.deepest >= state.caps.max_spawn_depth:
        plan.reached("max_spawn_depth", state.deepest, "every survivor is as deep as lineages may go")
    return False


def _parents_among(state: RunState, generation: GenerationState) -> int:
    return sum(state.genomes[each].status is GenomeStatus.REPRODUCED for each in generation.genome_ids)


def complete(plan: Plan, generation: GenerationState, *, survivors: int, offspring: int) -> None:
    """Record that the generation is over."""
    mean = generation.total / generation.scored if generation.scored else None
    plan.say(
        GenerationCompleted(survivors=survivors, offspring=offspring, best_fitness=generation.best, mean_fitness=mean),
        generation=generation.id,
    )


# --- reproducing -----------------------------------------------------------------------------------------


def offspring_wanted(plan: Plan, parents: int) -> int:
    """How many children the caps have room for beside ``parents`` who live on."""
    state, most = plan.state, plan.mind.domain.most_candidates
    room = state.caps.max_population - parents
    return max(0, min(room, (state.caps.max_candidates - len(state.candidates)) // most))


def _all_born(plan: Plan, generation: GenerationState) -> bool:
    """Whether every child is born or lost that is wanted, or that somebody is left to bear."""
    state = plan.state
    if generation.index + 1 >= len(state.generations):
        return False
    young = state.generations[generation.index + 1]
    born = len(young.genome_ids) + young.births_lost
    enough = born >= offspring_wanted(plan, state.living) or not plan.mind.can_breed(state)
    return not young.births_open and enough


def _complete_reproduction(plan: Plan, generation: GenerationState) -> None:
    young = plan.state.generations[generation.index + 1]
    complete(plan, generation, survivors=plan.state.living, offspring=len(young.genome_ids))
    if young.genome_ids:
        population = len(young.genome_ids) + young.births_lost
        started = GenerationStarted(
            index=young.index, population=population, conditions=generation.offspring_conditions
        )
        plan.say(started, generation=young.id)
        enter_survivors(plan, young)
    else:
        plan.say(GenerationSkipped(reason="every variation failed"), generation=young.id)


def has_room(plan: Plan) -> bool:
    """Whether the cap on candidates has room for all that another birth might express.

    A birth that has not been expressed, as far as the next one may know, counts with all that it might.
    """
    state, mind = plan.state, plan.mind
    most = mind.domain.most_candidates
    if counts_by_birth(state.config.pace):
        taken = mind.candidates + most * (plan.births - mind.learned)
    else:
        taken = len(state.candidates) + most * (state.births.unexpressed + plan.births - state.births.decided)
    return taken + most <= state.caps.max_candidates


# Who makes room: what selection forgets is recorded.


def learn_generation(plan: Plan) -> None:
    """Take in all results that stand, and let go of the least fit."""
    plan.mind.learn(plan.state, plan.state.births.settled_through)
    record_culling(plan, plan.mind.forget_surplus(plan.state))


def record_culling(plan: Plan, gone: tuple[Member, ...]) -> None:
    """Record who will have no offspring any more, unless an earlier conductor did."""
    state = plan.state
    members = [member for member in gone if state.genomes[member.genome_id].status is not GenomeStatus.CULLED]
    if not members:
        return
    plan.culled.update(member.genome_id for member in members)
    candidates = [each for member in members for each in _scored_candidates(state, member.genome_id)]
    gone_for = Culling.of(members, "the least fit make room for those on their way")
    plan.say(LineageCulled(**asdict(gone_for), candidate_ids=tuple(candidates)), actor=Actor.SELECTION)


def _scored_candidates(state: RunState, genome_id: str) -> list[str]:
    scored = (CandidateStatus.SCORED, CandidateStatus.SELECTED)
    return [each for each in state.genomes[genome_id].candidates if state.candidates[each].status in scored]
