"""The mind beside the state: the domain, and the memories of selection.

Outside digest and replay. It is advanced by ``decide`` and rebuilt on resume from what the state recorded: the results
in the order in which they counted (birth order, or arrival) and the choices in the markers. Nothing in it is needed
to know what happened; it is only how the next choice comes about.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from mendel.contracts.caps import RunCaps
from mendel.contracts.energy import EnergyCosts
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import DomainFailed
from mendel.contracts.events.candidate import RepairWish
from mendel.contracts.run_config import Pace, RunConfig
from mendel.contracts.statuses import GenomeStatus
from mendel.kernel.asking import Asked
from mendel.kernel.domain import Domain
from mendel.kernel.domain_thread import Abandoned
from mendel.kernel.nearness import Nearness
from mendel.kernel.state import Bred, GenomeState, RunState
from mendel.kernel.twins import Twins
from mendel.kernel.waiting import Waiting
from mendel.selection.archive import archive_of
from mendel.selection.islands import Islands
from mendel.selection.operators import Operator, OperatorWeights
from mendel.selection.population import Member, Population
from mendel.selection.scoring import directed
from mendel.selection.selectors import Choice, Outcome, Selector
from mendel.selection.survival import Survival

SelectorFactory = Callable[[], Selector]


class Mind:
    """What the conductor of one run knows beside its state."""

    def __init__(self, domain: Domain, selector: SelectorFactory, config: RunConfig) -> None:
        self.domain = domain
        self.asked = Asked(domain)
        self.ways = self.asked.operators_for(config)
        self.operators = OperatorWeights(self.ways)
        self.twins = Twins(self.asked)
        self.nearness = Nearness(config.rng_seed)
        self.population = Population()
        self.selector = _selector(selector, config)
        self._survival = _survival(config, self.selector)
        self._costs = _costs(self.ways, domain, config.energy_costs)
        self.wishes: deque[tuple[str, RepairWish]] = deque()
        self.learned = 0
        self.candidates = 0
        self._deepest = 0
        self._recalling = False
        self._recalled: list[str] = []
        self.waiting = Waiting(by_birth=counts_by_birth(config.pace))

    @classmethod
    def rebuilt(cls, state: RunState, domain: Domain, selector: SelectorFactory) -> Mind:
        """The mind of a conductor that takes ``state`` over."""
        mind = cls(domain, selector, state.config)
        mind._recalling = True
        for birth in sorted(state.births.bred):
            bred = state.births.bred[birth]
            mind.learn(state, bred.reads_through)
            mind._forget_recorded(state)
            mind.remember(Choice(bred.parents, bred.why, birth))
        mind._recalling = False
        mind._recalled = [member.genome_id for member in mind.population.ranked_from_worst()]
        mind.waiting = Waiting.recalled(state, by_birth=counts_by_birth(state.config.pace))
        return mind

    # --- results ---------------------------------------------------------------------------------------------

    def learn(self, state: RunState, through: int) -> None:
        """Take in results until ``through`` of them are known; by birth, or as they arrived."""
        first = self.learned
        by_birth = counts_by_birth(state.config.pace)
        while self.learned < through:
            self._take(state, self.learned if by_birth else state.births.arrived[self.learned])
            self.learned += 1
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
        if member is not None:
            self.population.add(member)
        self.candidates += len(known.candidates) if known is not None else 0
        outcome = self._outcome(state, birth, member)
        self._ask_selector("feedback", outcome)
        self.operators.feedback(outcome)
        if member is not None:
            self._settle(member)
        if known is not None and known.genome.depth < state.caps.max_spawn_depth:
            wishes = state.births.wishes.get(birth, ())
            self.wishes.extend(sorted(wishes, key=lambda wish: state.candidates[wish[0]].ordinal))

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
            gain=_gain(state, bred, fitness),
            cost=self._costs.get(bred.operator or "", 1) + (bred.asked or 0),
        )

    def _settle(self, member: Member) -> None:
        """Tell whoever wants to know that a member is there, or has changed; its island first."""
        self._ask_selector("joined", member)
        if self._survival is not None:
            self._survival.joined(member)

    def _let_go(self, member: Member) -> Member:
        self.population.remove(member.genome_id)
        self._ask_selector("left", member)
        if self._survival is not None:
            self._survival.left(member.genome_id)
        return member

    def heed_depth(self, state: RunState) -> None:
        """Take those out of parenthood who are too deep since the cap was lowered."""
        cap = state.caps.max_spawn_depth
        if cap == self._deepest:
            return
        self._deepest = cap
        for member in [each for each in self.population.ranked() if each.parentable and each.depth >= cap]:
            changed = replace(member, parentable=False)
            self.population.remove(member.genome_id)
            self.population.add(changed)
            self._settle(changed)
        shallow = [wish for wish in self.wishes if _depth(state, wish[0]) < cap]
        self.wishes = deque(shallow)

    # --- choices ---------------------------------------------------------------------------------------------

    def forget_surplus(self, state: RunState) -> tuple[Member, ...]:
        """Let go of the least fit, so that there is room for those who are on their way; owners of cells go last."""
        room = room_for_parents(state)
        gone: list[Member] = []
        while len(self.population) > room:
            gone.append(self._let_go(self._next_out()))
        return tuple(gone)

    def _next_out(self) -> Member:
        return self._survival.next_out(self.population) if self._survival is not None else self.population.worst()

    def _forget_recorded(self, state: RunState) -> None:
        """As :meth:`forget_surplus` did in an earlier life.

        Under other caps others would have gone: what was recorded holds, and the room is that of the beginning until
        all is recalled.
        """
        room = _room(state.config.pace, state.config.caps)
        while len(self.population) > room:
            member = self._next_out()
            if state.genomes[member.genome_id].status is not GenomeStatus.CULLED:
                return
            self._let_go(member)

    def _forget_culled(self, state: RunState, genome_ids: Iterable[str]) -> None:
        """Let go of those that an earlier conductor recorded as gone after it had learned what is learned now."""
        for member in [self.population[each] for each in genome_ids if each in self.population]:
            if state.genomes[member.genome_id].status is GenomeStatus.CULLED:
                self._let_go(member)

    def can_breed(self) -> bool:
        """Whether somebody was wished for, or enough may be parents for some operator."""
        fewest = min((operator.parents for operator in self.ways), default=None)
        return bool(self.wishes) or (fewest is not None and self.population.parents >= fewest)

    def remember(self, choice: Choice) -> None:
        """A choice stands in a marker. What was wished for goes before what is selected."""
        if self.wishes:
            self.wishes.popleft()
        else:
            self._ask_selector("chosen", choice)

    def select(self, count: int, entropy: Entropy) -> Choice:
        """The selector's choice of parents.

        Raises:
            DomainFailed: the selector raised, or chose what cannot be.
        """
        choice = self._ask_selector("select", self.population, count, entropy)
        if not isinstance(choice, Choice) or not self._possible(choice.parents):
            raise DomainFailed(f"selector {type(self.selector).__name__} chose {choice!r:.200}, which cannot be")
        return choice

    def inspirations(self, count: int, parents: tuple[str, ...], entropy: Entropy) -> tuple[str, ...]:
        """Whom a child may learn from beside its parents; as many as there are, if there are fewer.

        Raises:
            DomainFailed: the selector raised, or sampled what cannot be.
        """
        if not count:
            return ()
        found = self._ask_selector("sample_inspirations", self.population, parents, count, entropy)
        if not isinstance(found, tuple) or len(found) > count or not all(each in self.population for each in found):
            raise DomainFailed(f"selector {type(self.selector).__name__} sampled {found!r:.200}, which cannot be")
        return found

    def _possible(self, parents: tuple[str, ...]) -> bool:
        known = all(each in self.population and self.population[each].parentable for each in parents)
        return known and 0 < len(parents) == len(set(parents))

    def _ask_selector(self, method: str, *arguments: object) -> object:
        try:
            return getattr(self.selector, method)(*arguments)
        except Abandoned:
            raise
        # Broad on purpose: a selector is a plug-in, and a plug-in is a process boundary.
        except BaseException as error:
            name = type(self.selector).__name__
            raise DomainFailed(f"selector {name}: {method} raised {type(error).__name__}: {error!s:.500}") from error

    # --- contenders ------------------------------------------------------------------------------------------

    def contender(self, state: RunState) -> str | None:
        """Whose turn it is before the gate; nobody's in a run whose sandbox was weak (rule 3)."""
        if state.weakly_isolated:
            return None
        return self.waiting.next(state)


def _costs(ways: Sequence[Operator], domain: Domain, prices: EnergyCosts) -> dict[str, int]:
    """What the marker of a birth by each operator reserves beside tokens, at least 1.

    Measured usage would depend on timing. What models took does not; it is added as it was recorded, since the worst
    case, with every retry and every limit reached, is far from what an answer costs, and would keep them from winning.
    """
    steps = {each.name: domain.steps[each.step] for each in ways if each.step in domain.steps}
    own = {"spawns": 1, "tokens_in": 0, "tokens_out": 0}
    allowed = {name: step.allowance.model_copy(update=own) for name, step in steps.items()}
    return {name: max(1, prices.price(allowance)) for name, allowance in allowed.items()}


def _selector(selector: SelectorFactory, config: RunConfig) -> Selector:
    islands = config.islands
    if islands is None:
        return selector()
    return Islands(selector, count=islands.count, interval=islands.interval, migrants=islands.migrants)


def _survival(config: RunConfig, selector: Selector) -> Survival | None:
    """Who goes first where an archive or islands have a say; none where fitness alone decides."""
    home = selector.home if isinstance(selector, Islands) else None
    if config.archive is None and home is None:
        return None
    entropy = Entropy(config.rng_seed, "archive")
    return Survival(archive_of(config.archive, entropy) if config.archive is not None else None, home)


def _member(state: RunState, known: GenomeState) -> Member | None:
    """A genome as selection sees it; none if it has no fitness."""
    if known.best is None:
        return None
    fitness, candidate_id = known.best
    depth, score = known.genome.depth, state.candidates[candidate_id].score
    components = score.components if score is not None else {}
    return Member(
        known.genome.id,
        known.genome.birth,
        fitness,
        depth,
        depth < state.caps.max_spawn_depth,
        candidate_id,
        directed(state.config.scoring_policy, components),
        {**components, **(score.descriptor if score is not None else {})},
    )


def _gain(state: RunState, bred: Bred, fitness: float | None) -> float | None:
    """By how much a child is fitter than its best parent; none if no parent has a fitness."""
    before = [best[0] for best in (state.genomes[parent].best for parent in bred.parents) if best is not None]
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
