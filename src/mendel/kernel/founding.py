"""How a run begins: the first generation and its founders."""

from __future__ import annotations

from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.energy import Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.events.energy import EnergySpent
from mendel.contracts.events.generation import GenerationStarted
from mendel.contracts.events.genome import GenomeSpawned
from mendel.contracts.events.run import RunStarted
from mendel.contracts.organisms import Genome
from mendel.contracts.payloads import DomainPayload
from mendel.kernel.dossier import Dossier
from mendel.kernel.names import derived
from mendel.kernel.plan import Plan


def start(plan: Plan) -> None:
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
