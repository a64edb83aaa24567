"""How genomes and candidates come into a run: founders, the expression of a genome, and survivors that enter anew."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from mendel.contracts.actors import Actor
from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.energy import Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import DomainFailed
from mendel.contracts.events.candidate import CandidateCreated, CandidateEntered, CandidateLeft, FitnessRescored
from mendel.contracts.events.energy import EnergySpent
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.generation import GenerationStarted
from mendel.contracts.events.genome import GenomeActivated, GenomeFailed, GenomeSpawned, GenomeSpent, SpawnClamped
from mendel.contracts.events.operation import Operation
from mendel.contracts.events.run import RunStarted
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.statuses import GenerationStatus
from mendel.contracts.verdicts import Reason
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Drop, Examine, Move, Score, Wait
from mendel.kernel.plan import Plan, Start, derived
from mendel.kernel.routing import MAX_ROUNDS, Where, dossier, fitness, observed, shown, waiting, where_is
from mendel.kernel.state import CandidateState, Entry, GenerationState, GenomeState, RunState

# How a run begins: the first generation and its founders.


def start_run(plan: Plan) -> None:
    """Record that the run starts, and who is there at first."""
    state = plan.state
    config = state.config
    inherits = plan.mind.domain.champion_is_founder
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
    """Record that a generation begins that was not bred beforehand."""
    payload = GenerationStarted(index=index, population=population, conditions=conditions_of(plan, index))
    plan.say(payload, generation=derived(plan.state.seed, "generation", index))


def conditions_of(plan: Plan, index: int, before: Dossier | None = None) -> DomainPayload | None:
    """The conditions that the domain sets for a generation."""
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
    """Record the birth of a genome without parents, if there is energy for it."""
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


# How genomes become candidates.


AT_ONCE = 64
"""How many genomes are expressed in one round of decisions."""


def express_all(plan: Plan) -> None:
    """Express the genomes that wait for it."""
    for genome_id in islice(plan.state.agenda.to_express, AT_ONCE):
        if not _express(plan, plan.state.genomes[genome_id]):
            return


def _express(plan: Plan, known: GenomeState) -> bool:
    """Whether the genome was expressed or began to be. One whose generation has not started yet waits for it."""
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
    """The candidates of ``genome``, as many as its birth kept room for, and that there will be no more of them.

    The room was kept when the birth was decided: who expresses first must not decide who gets the last places.
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
    """A genome that expressed nothing."""
    return EventDraft.of(GenomeFailed(reason=reason), generation_id=generation, genome_id=genome_id)


_ENDLESS = Reason(code="endless_route", message=f"still not scored anew after {MAX_ROUNDS} rounds")


# Survivors that enter a new generation anew are examined and scored under its conditions, beside its newborns. In a
# generational pace alone, where a generation has a beginning. What a survivor was scored by before stays as it is;
# selection and cohorts go by the fitness that it got last.


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
