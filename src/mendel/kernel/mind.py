"""The mind beside the state: the domain, and the memories of selection.

Outside digest and replay. It is advanced by ``decide`` and rebuilt on resume from what the state recorded: the results
in the order in which they counted (birth order, or arrival) and the choices in the markers. Nothing in it is needed
to know what happened; it is only how the next choice comes about.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from mendel.contracts.caps import RunCaps
from mendel.contracts.energy import EnergyCosts
from mendel.contracts.run_config import Pace, RunConfig
from mendel.contracts.scoring import FitnessScore
from mendel.contracts.statuses import GenerationStatus, GenomeStatus
from mendel.kernel.asking import Asked
from mendel.kernel.domain import Domain
from mendel.kernel.nearness import Nearness
from mendel.kernel.niche_mind import NicheMind, SelectorFactory
from mendel.kernel.state import GenomeState, RunState
from mendel.kernel.stopping import hungry
from mendel.kernel.twins import Twins
from mendel.kernel.waiting import Waiting
from mendel.selection.operators import Operator, OperatorWeights
from mendel.selection.population import Member, Population
from mendel.selection.scoring import directed
from mendel.selection.selectors import Choice, Outcome, Selector

_UNSCORED = frozenset(
    {GenerationStatus.PENDING, GenerationStatus.RUNNING, GenerationStatus.DEGRADED, GenerationStatus.VERIFYING}
)


class Mind:
    """What the conductor of one run knows beside its state.

    Each niche has a population and a selector of its own; what operators are worth is learned from all of them.
    """

    def __init__(self, domain: Domain, selector: SelectorFactory, config: RunConfig) -> None:
        self.domain = domain
        self.asked = Asked(domain)
        self.ways = self.asked.operators_for(config)
        self.operators = OperatorWeights(self.ways)
        self.twins = Twins(self.asked)
        self.nearness = Nearness(config.rng_seed)
        self.learned = 0
        self.candidates = 0
        self.niches: Mapping[str, NicheMind] = {
            name: NicheMind(selector, config, Waiting(by_birth=counts_by_birth(config.pace), niche=name))
            for name in config.all_niches
        }
        self._fewest = min((operator.parents for operator in self.ways), default=None)
        self._costs = _costs(self.ways, domain, config.energy_costs)
        self._deepest = 0
        self._entered_through = 0
        self._recalling = False
        self._recalled: list[str] = []

    @classmethod
    def rebuilt(cls, state: RunState, domain: Domain, selector: SelectorFactory) -> Mind:
        """The mind of a conductor that takes ``state`` over."""
        mind = cls(domain, selector, state.config)
        mind._recalling = True
        for birth in sorted(state.births.bred):
            bred = state.births.bred[birth]
            mind.learn(state, bred.reads_through)
            mind._forget_recorded(state)
            mind.niches[state.bred_in(birth)].remember(Choice(bred.parents, bred.why, birth))
        mind._recalling = False
        populations = [niche.population for niche in mind.niches.values()]
        mind._recalled = [member.genome_id for each in populations for member in each.ranked_from_worst()]
        for name, niche in mind.niches.items():
            niche.waiting = Waiting.recalled(state, by_birth=counts_by_birth(state.config.pace), niche=name)
        return mind

    @property
    def first(self) -> NicheMind:
        """The first niche; most runs have no other."""
        return next(iter(self.niches.values()))

    @property
    def population(self) -> Population:
        """Who lives in the first niche."""
        return self.first.population

    @property
    def selector(self) -> Selector:
        """Who chooses parents in the first niche."""
        return self.first.selector

    @property
    def living(self) -> int:
        """How many live on as parents to be, in all niches."""
        return sum(len(niche.population) for niche in self.niches.values())

    @property
    def parents(self) -> int:
        """How many of them may be parents."""
        return sum(niche.population.parents for niche in self.niches.values())

    # --- results ---------------------------------------------------------------------------------------------

    def learn(self, state: RunState, through: int) -> None:
        """Take in results until ``through`` of them are known; by birth, or as they arrived."""
        first = self.learned
        by_birth = counts_by_birth(state.config.pace)
        while self.learned < through:
            self._take(state, self.learned if by_birth else state.births.arrived[self.learned])
            self.learned += 1
        if state.entries:
            self._heed_entries(state)
        if not self._recalling:
            births = range(first, self.learned) if by_birth else state.births.arrived[first : self.learned]
            taken = (state.births.genome_of.get(birth) for birth in births)
            self._forget_culled(state, [*self._recalled, *(each for each in taken if each is not None)])
            self._recalled = []

    def _take(self, state: RunState, birth: int) -> None:
        self.twins.learn(state, birth, self.learned)
        self.nearness.learn(state, birth, self.learned)
        genome_id = state.births.genome_of.get(birth)
        known = state.genomes[genome_id] if genome_id is not None else None
        member = _member(state, known) if known is not None else None
        home = state.niche_name(member.candidate_id) if member is not None else state.bred_in(birth)
        if member is not None:
            self.niches[home].population.add(member)
        self.candidates += len(known.candidates) if known is not None else 0
        self._spread(state, birth, member, home)
        if member is not None:
            self.niches[home].settle(member)
        if known is not None and known.genome.depth < state.caps.max_spawn_depth:
            wishes = state.births.wishes.get(birth, ())
            for wish in sorted(wishes, key=lambda wish: state.candidates[wish[0]].ordinal):
                self.niches[state.niche_name(wish[0])].wishes.append(wish)

    def _heed_entries(self, state: RunState) -> None:
        """Take in what survivors got in the generations whose own results are all known."""
        for generation in state.generations[self._entered_through :]:
            entries = state.entries.get(generation.index, {})
            scored = generation.status not in _UNSCORED and all(entry.over for entry in entries.values())
            if not scored or generation.end > self.learned:
                return
            self._entered_through += 1
            for candidate_id, entry in entries.items():
                genome_id = state.candidates[candidate_id].candidate.genome_id
                home = self.niches[state.niche_name(candidate_id)]
                if entry.score is not None and genome_id in home.population:
                    home.change(_rescored(state, home.population[genome_id], entry.score))

    def _spread(self, state: RunState, birth: int, member: Member | None, home: str) -> None:
        """Tell everybody who learns from it what became of a birth.

        Where a child landed elsewhere than its parents, those who chose them hear that nothing came of it there, its
        own niche hears of a newcomer, and nobody compares the two fitnesses.
        """
        outcome, bred_in = self._outcome(state, birth, member), state.bred_in(birth)
        if not outcome.parents or home == bred_in:
            self.niches[home].hear(outcome)
        else:
            outcome = replace(outcome, gain=None)
            self.niches[bred_in].hear(replace(outcome, fitness=None))
            self.niches[home].hear(replace(outcome, parents=(), operator=None, site=None))
        self.operators.feedback(outcome)

    def _outcome(self, state: RunState, birth: int, member: Member | None) -> Outcome:
        genome_id = state.births.genome_of.get(birth) or f"lost-{birth}"
        fitness = member.fitness if member is not None else None
        bred = state.births.bred.get(birth)
        if bred is None:
            return Outcome(genome_id, birth, (), None, fitness)
        return Outcome(
            genome_id,
            birth,
            bred.parents,
            bred.operator,
            fitness,
            site=bred.site,
            gain=_gain(state, birth, fitness),
            cost=self._costs.get(bred.operator or "", 1) + (bred.asked or 0),
        )

    def heed_depth(self, state: RunState) -> None:
        """Take those out of parenthood who are too deep since the cap was lowered."""
        cap = state.caps.max_spawn_depth
        if cap == self._deepest:
            return
        self._deepest = cap
        for niche in self.niches.values():
            niche.heed_depth(cap, lambda candidate_id: _depth(state, candidate_id))

    # --- who makes room --------------------------------------------------------------------------------------

    def forget_surplus(self, state: RunState) -> tuple[Member, ...]:
        """Let go of the least fit, so that there is room for those who are on their way; owners of cells go last."""
        room = room_for_parents(state)
        gone: list[Member] = []
        while self.living > room:
            crowded = self._crowded()
            gone.append(crowded.let_go(crowded.next_out()))
        return tuple(gone)

    def _crowded(self) -> NicheMind:
        """The niche that makes room: the largest, so that each keeps its share, however fit the others are."""
        return max(self.niches.values(), key=lambda niche: len(niche.population))

    def _forget_recorded(self, state: RunState) -> None:
        """As :meth:`forget_surplus` did in an earlier life.

        Under other caps others would have gone: what was recorded holds, and the room is that of the beginning until
        all is recalled.
        """
        room = _room(state.config.pace, state.config.caps)
        while self.living > room:
            crowded = self._crowded()
            member = crowded.next_out()
            if state.genomes[member.genome_id].status is not GenomeStatus.CULLED:
                return
            crowded.let_go(member)

    def _forget_culled(self, state: RunState, genome_ids: Iterable[str]) -> None:
        """Let go of those that an earlier conductor recorded as gone after it had learned what is learned now."""
        culled = [each for each in genome_ids if state.genomes[each].status is GenomeStatus.CULLED]
        for niche in self.niches.values():
            for member in [niche.population[each] for each in culled if each in niche.population]:
                niche.let_go(member)

    # --- choices ---------------------------------------------------------------------------------------------

    def able(self, state: RunState) -> tuple[str, ...]:
        """The niches that want births and can have one: somebody was wished for, or enough may be parents."""
        return tuple(name for name in hungry(state) if self.niches[name].can_breed(self._fewest))

    def can_breed(self, state: RunState) -> bool:
        """Whether there is such a niche."""
        return bool(self.able(state))


def _costs(ways: Sequence[Operator], domain: Domain, prices: EnergyCosts) -> dict[str, int]:
    """What the marker of a birth by each operator reserves beside tokens, at least 1.

    Measured usage would depend on timing. What models took does not; it is added as it was recorded, since the worst
    case, with every retry and every limit reached, is far from what an answer costs, and would keep them from winning.
    """
    steps = {each.name: domain.steps[each.step] for each in ways if each.step in domain.steps}
    own = {"spawns": 1, "tokens_in": 0, "tokens_out": 0}
    allowed = {name: step.allowance.model_copy(update=own) for name, step in steps.items()}
    return {name: max(1, prices.price(allowance)) for name, allowance in allowed.items()}


def _member(state: RunState, known: GenomeState) -> Member | None:
    """A genome as selection sees it; none if it has no fitness."""
    if known.best is None:
        return None
    fitness, candidate_id = known.best
    depth, score = known.genome.depth, state.candidates[candidate_id].score
    member = Member(
        known.genome.id,
        known.genome.birth,
        fitness,
        depth,
        depth < state.caps.max_spawn_depth,
        candidate_id,
        looks=state.looks_of(state.candidates[candidate_id]),
    )
    return _rescored(state, member, score) if score is not None else member


def _rescored(state: RunState, member: Member, score: FitnessScore) -> Member:
    """The member as that score has it."""
    return replace(
        member,
        fitness=score.total,
        components=directed(state.config.scoring_policy, score.components),
        descriptor={**score.components, **score.descriptor},
    )


def _gain(state: RunState, birth: int, fitness: float | None) -> float | None:
    """By how much a child is fitter than its best parent in its generation; none if no parent has a fitness."""
    child = state.births.genome_of.get(birth)
    generation = state.genomes[child].generation if child is not None else 0
    parents = (state.genomes[parent] for parent in state.births.bred[birth].parents)
    before = [best[0] for best in (state.fitness_in(each, generation) for each in parents) if best is not None]
    if not before:
        return None
    return max(0.0, fitness - max(before)) if fitness is not None else 0.0


def _depth(state: RunState, candidate_id: str) -> int:
    return state.genomes[state.candidates[candidate_id].candidate.genome_id].genome.depth


def counts_by_birth(pace: Pace) -> bool:
    """Whether results count in birth order, whenever they arrive."""
    return pace.kind == "generational" or pace.order == "birth"


def window(state: RunState) -> int:
    """How many births may be on their way at once: W, as far as the population has room for parents beside them."""
    return _window(state.config.pace, state.caps)


def room_for_parents(state: RunState) -> int:
    """How many may live on as parents; the rest of the population's cap belongs to those on their way."""
    return _room(state.config.pace, state.caps)


def _window(pace: Pace, caps: RunCaps) -> int:
    return max(1, min(pace.window, caps.max_population // 2))


def _room(pace: Pace, caps: RunCaps) -> int:
    return caps.max_population // 2 if pace.kind == "generational" else caps.max_population - _window(pace, caps)
