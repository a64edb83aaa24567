"""Generations: how genomes and candidates enter one, and how it moves from state to state.

In a generational pace a generation ends at a barrier; in a steady pace it is a block of births.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from itertools import islice
from math import ceil

from mendel.contracts.actors import Actor
from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.energy import Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import DomainFailed
from mendel.contracts.events.candidate import CandidateCreated, CandidateEntered, CandidateLeft, FitnessRescored
from mendel.contracts.events.energy import EnergySpent
from mendel.contracts.events.envelope import EventDraft
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
from mendel.contracts.events.genome import (
    GenomeActivated,
    GenomeFailed,
    GenomeSpawned,
    GenomeSpent,
    LineageCulled,
    SpawnClamped,
)
from mendel.contracts.events.operation import Operation
from mendel.contracts.events.run import RunStarted
from mendel.contracts.ids import derived
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.statuses import CandidateStatus, GenerationStatus, GenomeStatus
from mendel.contracts.verdicts import Reason
from mendel.kernel.dossier import Dossier
from mendel.kernel.mind import counts_by_birth
from mendel.kernel.moves import Drop, Examine, Move, Score, Wait
from mendel.kernel.plan import Plan, Start
from mendel.kernel.routing import MAX_ROUNDS, Where, dossier, fitness, observed, shown, waiting, where_is
from mendel.kernel.state import CandidateState, Entry, GenerationState, GenomeState, RunState
from mendel.selection.population import Member
from mendel.selection.survival import Culling

# --- the first generation and its founders -------------------------------------------------------------


def start_run(plan: Plan) -> None:
    """Record the start of the run, of its first generation and of its founders."""
    state = plan.state
    config = state.config
    inherits = plan.mind.domain.champion_is_founder  # else an earlier champion is met at the gate only
    own = plan.mind.asked.founders(config, Entropy(state.seed, "founders"))
    founders = [(each.traits, each.looks) for each in config.ancestors if inherits or not each.champion]
    founders += [(traits, None) for traits in own]
    room = max(1, state.caps.max_candidates // plan.mind.domain.most_candidates)
    founders = founders[: min(state.caps.max_population, room)]
    plan.say(RunStarted())
    steady = config.pace.kind == "steady"
    start_generation(plan, 0, config.caps.max_population if steady else len(founders))
    for traits, looks in founders:
        if not spawn(plan, traits, 0, looks=looks):
            break


def start_generation(plan: Plan, index: int, population: int) -> None:
    """Record the start of a generation that was not bred beforehand."""
    payload = GenerationStarted(index=index, population=population, conditions=conditions_of(plan, index))
    plan.say(payload, generation=derived(plan.state.seed, "generation", index))


def conditions_of(plan: Plan, index: int, before: Dossier | None = None) -> DomainPayload | None:
    """Return the conditions that the domain sets for a generation."""
    state = plan.state
    return plan.mind.asked.conditions(index, state.config, Entropy(state.seed, "conditions", index), before)


def spawn(
    plan: Plan,
    traits: DomainPayload,
    generation: int,
    *,
    command_id: str | None = None,
    looks: EmbeddingRecord | None = None,
) -> bool:
    """Record the birth of a genome without parents, if the caps cover it; return whether they did."""
    seed = plan.state.seed
    price = plan.state.config.energy_costs.price(Usage(spawns=1))
    if (cap := plan.lacking(price)) is not None:
        plan.stopped_by(cap, plan.state.ledger.consumed(cap), "another genome does not fit")
        return False
    genome = Genome(id=derived(seed, "genome", plan.births), birth=plan.births, traits=traits, looks=looks)
    plan.reserve(price, Usage())
    plan.births += 1
    where = derived(seed, "generation", generation)
    plan.say(GenomeSpawned(genome=genome), generation=where, genome=genome.id, correlation=command_id)
    if price:
        spent = EnergySpent(kind="spawn", estimate=price, actual=price, reason="a founder", usage=Usage(spawns=1))
        plan.say(spent, generation=where, genome=genome.id)
    return True


# --- how genomes become candidates ---------------------------------------------------------------------


AT_ONCE = 64
"""Maximum number of genomes expressed in one round of decisions."""


def express_all(plan: Plan) -> None:
    """Express the genomes that wait for it, in order, until one has to wait longer."""
    for genome_id in islice(plan.state.agenda.to_express, AT_ONCE):
        if not _express(plan, plan.state.genomes[genome_id]):
            return


def _express(plan: Plan, known: GenomeState) -> bool:
    """Express a genome or start doing so; return False if it must wait for a slot, a cap or its generation's start."""
    state, genome = plan.state, known.genome
    if state.generations[known.generation].status is GenerationStatus.PENDING:
        return False
    expression = plan.mind.asked.express(genome, state.config)
    where = state.generations[known.generation].id
    if expression.step is None:
        plan.say(GenomeActivated(), generation=where, genome=genome.id)
        most = plan.mind.domain.most_candidates
        plan.drafts.extend(creation(state, genome, where, expression.contents, most=most))
        return True
    operation = plan.operation(
        "express", expression.step, ("genome", (genome.id,)), (genome.birth,), inputs=expression.inputs
    )
    return plan.begin([operation], generation=where, genome=genome.id, first=GenomeActivated()) == "started"


def creation(
    state: RunState,
    genome: Genome,
    generation: str,
    contents: tuple[DomainPayload, ...],
    *,
    most: int,
    summary: str = "",
    looks: tuple[EmbeddingRecord | None, ...] = (),
) -> list[EventDraft]:
    """Return the events that create the candidates of ``genome``, at most ``most``, and mark it as spent.

    The room for ``most`` was kept when the birth was decided, so the order in which genomes are expressed does not
    decide which of them gets the last places.
    """
    granted = min(len(contents), most, state.caps.max_candidates)
    drafts: list[EventDraft] = []
    for ordinal, content in enumerate(contents[:granted]):
        candidate = Candidate(
            id=derived(state.seed, "candidate", genome.birth, ordinal),
            genome_id=genome.id,
            birth=genome.birth,
            content=content,
            summary=summary,
            looks=looks[ordinal] if looks else None,
        )
        drafts.append(
            EventDraft.of(
                CandidateCreated(candidate=candidate),
                generation_id=generation,
                genome_id=genome.id,
                candidate_id=candidate.id,
            )
        )
    if granted < len(contents):
        clamped = SpawnClamped(wished=len(contents), granted=granted, cap="max_candidates")
        drafts.append(EventDraft.of(clamped, generation_id=generation, genome_id=genome.id))
    drafts.append(EventDraft.of(GenomeSpent(), generation_id=generation, genome_id=genome.id))
    return drafts


def expression_failed(genome_id: str, generation: str, reason: str) -> EventDraft:
    """Return the event of a genome that expressed nothing."""
    return EventDraft.of(GenomeFailed(reason=reason), generation_id=generation, genome_id=genome_id)


_ENDLESS = Reason(code="endless_route", message=f"still not scored again after {MAX_ROUNDS} rounds")


# --- survivors that enter a new generation -------------------------------------------------------------

# Survivors that enter a new generation are examined and scored under its conditions, together with its newborns. Only
# in a generational pace, where a generation has a beginning. A survivor's earlier scores stay as they are; selection
# and cohorts use the fitness that it got last.


def enter_survivors(plan: Plan, young: GenerationState) -> None:
    """Record that all survivors enter ``young``, if the domain requires that."""
    if not plan.mind.asked.survivors_enter(plan.state.config):
        return
    members = [member for niche in plan.mind.niches.values() for member in niche.population.ranked()]
    for member in sorted(members, key=lambda each: each.birth):  # an order that depends on neither fitness nor ids
        plan.say(
            CandidateEntered(index=young.index),
            generation=young.id,
            genome=member.genome_id,
            candidate=member.candidate_id,
        )


def rescore_all(plan: Plan) -> None:
    """Route the survivors that wait in a generation that is being scored."""
    for candidate_id, index in plan.state.entering.items():
        generation = plan.state.generations[index]
        if generation.status is not GenerationStatus.SCORING:
            return
        if _route_entered(plan, plan.state.candidates[candidate_id], generation) != "started":
            return


def _route_entered(plan: Plan, known: CandidateState, generation: GenerationState) -> Start:
    entry = plan.state.entries[generation.index][known.candidate.id]
    where: Where = {**where_is(plan.state, known), "generation": generation.id}
    moves = plan.mind.asked.route(_entered_dossier(plan, known, generation, entry))
    first = moves[0] if moves and entry.steps.rounds < MAX_ROUNDS else Drop(reason=_ENDLESS)
    match first:
        case Score() as score:
            plan.say(FitnessRescored(score=fitness(plan, known, score)), actor=Actor.SELECTION, **where)
            return "started"
        case Drop(reason=reason):
            plan.say(CandidateLeft(reason=reason), **where)
            return "started"
    operations = [_looking_anew(plan, known, generation, place, move) for place, move in enumerate(moves)]
    return plan.begin(operations, **where)


def _entered_dossier(plan: Plan, known: CandidateState, generation: GenerationState, entry: Entry) -> Dossier:
    """Return the survivor's dossier, without the gate's decision and adoption, which depend on timing."""
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


def _looking_anew(plan: Plan, known: CandidateState, generation: GenerationState, place: int, move: Move) -> Operation:
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
                f"domain {plan.mind.domain.name}: route returned {type(move).__name__} for {candidate_id}, which"
                " entered a new generation; the moves allowed there are Examine without other, Score, Drop and Wait"
            )
    return made.model_copy(update={"entered": generation.index})


# --- from state to state -------------------------------------------------------------------------------


def advance_all(plan: Plan) -> None:
    """Advance every generation that has not ended by at most one state."""
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
    """Return a generation's number of births in a steady pace; by the initial caps: lowering one moves no border."""
    return state.config.caps.max_population


def _leave_running(plan: Plan, generation: GenerationState) -> None:
    """Continue with the genomes that expressed candidates, or fail the generation if they are too few."""
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
    """Record that the generation failed; folding that also ends the breeding."""
    plan.say(GenerationFailed(reason=reason), generation=generation.id)


def close_unborn(plan: Plan) -> bool:
    """Let a steady generation continue with the members it has, when there is no parent left for further births."""
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
    """Start the domain's examination of the whole generation; return whether it requested one."""
    if generation.steps.rounds >= MAX_ROUNDS:
        return False  # a route without an end must not stop the run
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
        f"domain {plan.mind.domain.name}: route returned {type(move).__name__} for a generation; "
        "the moves allowed there are Examine without other and Wait"
    )


def _results_there(state: RunState, generation: GenerationState) -> int:
    """Return how many results an examination of the generation may read.

    All results of the generation itself have arrived. If results count on arrival, some of the generation before may
    still be in flight and are not shown: their arrival before the operation is performed would depend on timing.
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
    """Return whether there are enough parents; if not, record the reason."""
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
    """Record the end of the generation."""
    mean = generation.total / generation.scored if generation.scored else None
    plan.say(
        GenerationCompleted(survivors=survivors, offspring=offspring, best_fitness=generation.best, mean_fitness=mean),
        generation=generation.id,
    )


# --- reproducing -----------------------------------------------------------------------------------------


def offspring_wanted(plan: Plan, parents: int) -> int:
    """Return how many children fit the caps in addition to ``parents`` survivors."""
    state, most = plan.state, plan.mind.domain.most_candidates
    room = state.caps.max_population - parents
    return max(0, min(room, (state.caps.max_candidates - len(state.candidates)) // most))


def _all_born(plan: Plan, generation: GenerationState) -> bool:
    """Return whether no birth is open, and either all wanted children are born or lost, or no parent is left."""
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
    """Return whether the cap on candidates has room for everything that another birth may express.

    A birth counts at its maximum until it is expressed or, where results count by birth, until its result is learned.
    """
    state, mind = plan.state, plan.mind
    most = mind.domain.most_candidates
    if counts_by_birth(state.config.pace):
        taken = mind.candidates + most * (plan.births - mind.learned)
    else:
        taken = len(state.candidates) + most * (state.births.unexpressed + plan.births - state.births.decided)
    return taken + most <= state.caps.max_candidates


# --- removals from populations are recorded ------------------------------------------------------------


def learn_generation(plan: Plan) -> None:
    """Learn all settled results, and remove the least fit members."""
    plan.mind.learn(plan.state, plan.state.births.settled_through)
    record_culling(plan, plan.mind.forget_surplus(plan.state))


def record_culling(plan: Plan, gone: tuple[Member, ...]) -> None:
    """Record the removed members, except those that an earlier conductor has recorded."""
    state = plan.state
    members = [member for member in gone if state.genomes[member.genome_id].status is not GenomeStatus.CULLED]
    if not members:
        return
    plan.culled.update(member.genome_id for member in members)
    candidates = [each for member in members for each in _scored_candidates(state, member.genome_id)]
    gone_for = Culling.of(members, "the least fit make room for births in flight")
    plan.say(LineageCulled(**asdict(gone_for), candidate_ids=tuple(candidates)), actor=Actor.SELECTION)


def _scored_candidates(state: RunState, genome_id: str) -> list[str]:
    scored = (CandidateStatus.SCORED, CandidateStatus.SELECTED)
    return [each for each in state.genomes[genome_id].candidates if state.candidates[each].status in scored]
