"""Breeding: the next birth, its parents and its operator. The two paces differ only in the results that count."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from mendel.contracts.actors import Actor
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import DomainFailed
from mendel.contracts.events.candidate import CandidateSelected
from mendel.contracts.events.operation import Operation
from mendel.contracts.ids import derived
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.statuses import CandidateStatus, GenerationStatus
from mendel.kernel.domain import Refused
from mendel.kernel.generating import block, has_room, offspring_wanted, record_culling, spawn, start_generation
from mendel.kernel.mind import Mind, counts_by_birth, window
from mendel.kernel.plan import Plan
from mendel.kernel.state import RunState
from mendel.kernel.stopping import enough
from mendel.selection.operators import Arm
from mendel.selection.selectors import Choice


def breed(plan: Plan) -> None:
    """Decide on births as long as there are free slots, results to breed from, and room under the caps."""
    if enough(plan.state) is not None:
        return
    plan.mind.heed_depth(plan.state)  # a command may have lowered the cap
    while plan.free > 0 and not plan.ends and _breed_one(plan):
        pass


def _breed_one(plan: Plan) -> bool:
    state = plan.state
    generation = next_generation(plan)
    reads = results_that_count(plan) if generation is not None else None
    if generation is None or reads is None:
        return False
    plan.mind.learn(state, reads)
    if not has_room(plan):
        return False
    record_culling(plan, plan.mind.forget_surplus(state))
    if plan.admitted < len(state.agenda.proposals):
        return _admit(plan, generation)
    chosen = _choose(plan, reads)
    return chosen is not None and _begin(plan, chosen, generation)


def next_generation(plan: Plan) -> int | None:
    """Return the generation of the next birth; None if there can be no birth now, or never again."""
    state = plan.state
    if state.broken is not None:
        return None
    if state.config.pace.kind == "generational":
        current = state.generations[-1] if state.generations else None
        return _offspring_of(plan, current.index) if current is not None else None
    index = plan.births // block(state)
    return index if index < state.caps.max_generations else None


def _offspring_of(plan: Plan, newest: int) -> int | None:
    """Return the generation of the next birth in a generational pace, while the one before it reproduces."""
    state = plan.state
    pending = state.generations[newest].status is GenerationStatus.PENDING
    parents = state.generations[newest - 1 if pending else newest]
    if parents.status is not GenerationStatus.REPRODUCING:
        return None
    made = plan.births - births_before(state, parents.index + 1)
    return parents.index + 1 if made < offspring_wanted(plan, state.living) else None


def _newborns(state: RunState) -> int:
    """Return the generation that is being bred, in a generational pace."""
    newest = state.generations[-1]
    return newest.index if newest.status is GenerationStatus.PENDING else newest.index + 1


def births_before(state: RunState, generation: int) -> int:
    """Return the number of births decided before the first one of ``generation``."""
    known = generation < len(state.generations)
    return state.generations[generation].first_birth if known else state.births.decided


def results_that_count(plan: Plan) -> int | None:
    """Return how many results the next birth is bred from; None while they are still missing.

    In birth order these are exactly the results up to k-W, and at least the founders'. If none of them can be a
    parent, or too little room is left for candidates, further results are added one by one, in birth order.
    """
    state, mind = plan.state, plan.mind
    founders = state.founders
    if state.config.pace.kind == "generational":
        return births_before(state, _newborns(state))
    if not counts_by_birth(state.config.pace):
        on_their_way = plan.births - len(state.births.arrived)
        return len(state.births.arrived) if on_their_way < window(state) and len(state.births.arrived) >= 1 else None
    reads = max(plan.births - window(state) + 1, founders)
    reads = max(min(reads, plan.births), mind.learned)  # never fewer than the mind has learned: it cannot unlearn
    while reads <= state.births.settled_through:
        mind.learn(state, reads)
        if (mind.can_breed(state) and has_room(plan)) or reads >= plan.births:
            return reads
        reads += 1
    return None


# --- choosing --------------------------------------------------------------------------------------------


class _Wanted(NamedTuple):
    """A chosen birth: its niche, operator, parents and inputs, and the number of results it is bred from."""

    niche: str
    arm: Arm
    choice: Choice
    inputs: DomainPayload | None
    reads: int


def _choose(plan: Plan, reads: int) -> _Wanted | None:
    """Choose a birth in the niche with the fewest births so far, so that all niches get the same number."""
    mind, state = plan.mind, plan.state
    able = mind.able(state)
    if not able:
        return None
    name = min(able, key=lambda each: len(state.niches[each].births) + plan.bred_in[each])
    niche, entropy = mind.niches[name], Entropy(state.seed, "breed", plan.births)
    if niche.wishes:
        candidate_id, wish = niche.wishes[0]
        arm = _named(mind, wish.operator)
        genome_id = state.candidates[candidate_id].candidate.genome_id
        wished = Choice((genome_id,), f"repair of {candidate_id}, as its route asked")
        return _Wanted(name, arm, wished, wish.inputs, reads)
    drawn = mind.operators.draw(niche.population.parents, entropy.child("operator"))
    if drawn is None:
        return None
    return _Wanted(name, drawn, niche.select(drawn.operator.parents, entropy.child("parents")), None, reads)


def _named(mind: Mind, name: str) -> Arm:
    for operator in mind.ways:
        if operator.name == name and operator.parents == 1:
            return Arm(operator)
    raise DomainFailed(f"domain {mind.domain.name}: has no operator {name!r} that varies one parent")


def _begin(plan: Plan, wanted: _Wanted, generation: int) -> bool:
    state = plan.state
    operation = _varying(plan, wanted)
    if plan.lacking(operation.reserved_energy, operation.allowance) is None:
        _open_generation(plan, generation)
    where = derived(state.seed, "generation", generation)
    if plan.begin([operation], generation=where, genome=operation.subject_ids[0]) != "started":
        return False
    _record_selection(plan, wanted.choice)
    plan.mind.niches[wanted.niche].remember(replace(wanted.choice, birth=plan.births))
    plan.bred_in[wanted.niche] += 1
    plan.births += 1
    return True


def _varying(plan: Plan, wanted: _Wanted) -> Operation:
    name, (operator, site), choice, inputs, reads = wanted
    state, birth, niche = plan.state, plan.births, plan.mind.niches[wanted.niche]
    child = derived(state.seed, "genome", birth)
    inspired = Entropy(state.seed, "breed", birth).child("inspirations")
    plain = plan.operation("vary", operator.step, ("genome", (child,)), (birth,), reads=reads, inputs=inputs)
    allowance = plain.allowance.model_copy(update={"spawns": 1})  # the kernel counts the new genome itself
    first = state.genomes[choice.parents[0]]
    best = first.best[1] if first.best is not None else None
    # The child has no looks yet: its neighbours are those of its first parent.
    looks = state.looks_of(state.candidates[best]) if best is not None else first.genome.looks
    return plain.model_copy(
        update={
            "parents": choice.parents,
            "operator": operator.name,
            "site": site,
            "inspirations": niche.inspirations(operator.inspirations, choice.parents, inspired),
            "birth": birth,
            "neighbours": plan.neighbours(plan.mind.domain.steps[operator.step], looks, reads, best),
            "why": choice.why,
            "niche": name if name != state.first_niche else None,
            "allowance": allowance,
            "reserved_energy": state.config.energy_costs.price(allowance),
        }
    )


def _open_generation(plan: Plan, generation: int) -> None:
    """Start a generation with its first birth, in a steady pace."""
    state = plan.state
    if state.config.pace.kind == "steady" and plan.births == generation * block(state):
        start_generation(plan, generation, block(state))


def _admit(plan: Plan, generation: int) -> bool:
    command_id, proposal = plan.state.agenda.proposals[plan.admitted]
    plan.admitted += 1
    traits = plan.mind.asked.admit(proposal, plan.state.config)
    if isinstance(traits, Refused):
        raise DomainFailed(f"domain {plan.mind.domain.name}: admit refuses what it admitted before: {traits.reason}")
    _open_generation(plan, generation)
    return spawn(plan, traits, generation, command_id=command_id)


# --- what a choice leaves in the log ---------------------------------------------------------------------


def _record_selection(plan: Plan, choice: Choice) -> None:
    """Record a candidate as selected when its genome becomes a parent for the first time."""
    state = plan.state
    for genome_id in choice.parents:
        best = state.genomes[genome_id].best
        if best is None or genome_id in plan.selected or genome_id in plan.culled:
            continue
        if state.candidates[best[1]].status is CandidateStatus.SCORED:
            plan.selected.add(genome_id)
            plan.say(
                CandidateSelected(reason=choice.why or "selected as a parent"),
                actor=Actor.SELECTION,
                genome=genome_id,
                candidate=best[1],
            )
