"""The mind: the conductor's memory next to the run's state. It holds the domain and everything selection has learned.

The mind is not part of the digest and is not replayed. ``decide`` advances it, and a resume rebuilds it from the
state: from the results in the order in which they counted (birth order, or arrival) and from the choices in the start
markers. It is needed only to make the next choice, never to find out what happened.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from mendel.contracts.caps import RunCaps
from mendel.contracts.embeddings import EmbeddingRecord, similarity
from mendel.contracts.energy import EnergyCosts
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import DomainFailed
from mendel.contracts.events.candidate import RepairWish
from mendel.contracts.events.operation import NearCandidate
from mendel.contracts.log_views import SeenCandidate
from mendel.contracts.run_config import Pace, RunConfig
from mendel.contracts.scoring import FitnessScore
from mendel.contracts.statuses import GenerationStatus, GenomeStatus
from mendel.kernel.asking import Asked
from mendel.kernel.domain import Domain
from mendel.kernel.domain_thread import Abandoned
from mendel.kernel.dossier import Near
from mendel.kernel.state import CandidateState, GenomeState, RunState
from mendel.kernel.stopping import hungry
from mendel.selection.archive import archive_of
from mendel.selection.islands import Islands
from mendel.selection.operators import Operator, OperatorWeights
from mendel.selection.population import Member, Population
from mendel.selection.scoring import directed
from mendel.selection.selectors import Choice, Outcome, Selector
from mendel.selection.survival import Survival

if TYPE_CHECKING:
    from mendel.selection.novelty import Looks, LooksTable


# Candidates that look almost the same as an earlier one: found before anything is spent on them.


class Around(NamedTuple):
    """A query for at most ``most`` neighbours of ``looks`` among the first ``reads`` results, without ``but``."""

    looks: EmbeddingRecord | None
    most: int
    reads: int
    but: str | None = None
    earlier: bool = False  # whether candidates of earlier runs count too


class EarlierLooks:
    """The looks of earlier runs' candidates: the ancestors named in the first event, and candidates read from the log.

    A memory that is read again on resume. Compares every vector, since an index finds near-duplicates only.
    """

    def __init__(self, config: RunConfig, seen: Sequence[SeenCandidate]) -> None:
        self._ancestors = [each for each in config.ancestors if each.looks is not None]
        named = {(each.run_id, each.candidate_id) for each in self._ancestors}
        self._seen = [each for each in seen if (each.run_id, each.candidate_id) not in named]
        self._known: LooksTable | None = None

    def nearby(self, looks: EmbeddingRecord, most: int) -> Iterator[NearCandidate]:
        """Yield all ancestors, then the ``most`` other candidates with the most similar looks."""
        for each in self._ancestors:
            alike = similarity(each.looks, looks)
            if alike is not None:  # None: vectors of two different models cannot be compared
                yield NearCandidate(candidate_id=each.candidate_id, similarity=alike, run_id=each.run_id)
        for place, alike in self._table().nearby(looks, most) if self._seen else ():
            known = self._seen[place]
            yield NearCandidate(candidate_id=known.candidate_id, similarity=alike, run_id=known.run_id)

    def _table(self) -> LooksTable:
        if self._known is None:
            from mendel.selection.novelty import LooksTable  # imports numpy, as below

            self._known = LooksTable([each.looks for each in self._seen])
        return self._known


class Nearness:
    """The looks of all candidates whose results count.

    A memory that learns results in the order in which they count; rebuilt on resume. As with twins, neighbours are
    sought only among the results that the genome was bred from, so the order of completion changes nothing.
    """

    def __init__(self, config: RunConfig, earlier: Sequence[SeenCandidate] = ()) -> None:
        self._entropy = Entropy(config.rng_seed, "nearness")
        self._earlier = EarlierLooks(config, earlier)
        self._known: Looks | None = None

    def learn(self, state: RunState, birth: int, place: int) -> None:
        """Add the result of ``birth``, which counts as the ``place``-th."""
        genome_id = state.births.genome_of.get(birth)
        told: list[EmbeddingRecord] = []
        for candidate_id in state.genomes[genome_id].candidates if genome_id is not None else ():
            looks = state.looks_of(state.candidates[candidate_id])
            if looks is not None and looks not in told:  # candidates of one genome may share its vector
                told.append(looks)
                self._index().tell(candidate_id, looks, place)

    def of(self, state: RunState, known: CandidateState) -> Near | None:
        """Return the most similar candidate among those whose results counted when this one was bred."""
        bred = state.births.bred.get(known.candidate.birth)
        if bred is None or self._known is None:
            return None
        looks = state.looks_of(known)
        found = self._known.nearest(looks, bred.reads_through) if looks is not None else None
        return Near(found.id, found.similarity) if found is not None and found.id != known.candidate.id else None

    def around(self, wanted: Around) -> tuple[NearCandidate, ...]:
        """Return the counted candidates with the most similar looks, the most similar first."""
        looks = wanted.looks
        if looks is None:
            return ()
        # One more than requested, because ``wanted.but`` may be among them.
        near = self._known.nearby(looks, wanted.most + 1, wanted.reads) if self._known is not None else []
        others = [each for each in near if each.id != wanted.but]
        own = [NearCandidate(candidate_id=each.id, similarity=each.similarity) for each in others]
        earlier = self._earlier.nearby(looks, wanted.most) if wanted.earlier else ()
        return tuple(sorted([*own, *earlier], key=lambda each: -each.similarity)[: wanted.most])

    def _index(self) -> Looks:
        if self._known is None:
            from mendel.selection.novelty import Looks  # imports numpy: too slow for a run without looks

            self._known = Looks(self._entropy)
        return self._known


# Candidates that are twins of an earlier one: found before anything is spent on them.


class Twins:
    """Fingerprints of all candidates whose results count, each with its result's place in the counting order.

    A memory that learns results in the order in which they count; rebuilt on resume. A candidate is compared only with
    the results that its genome was bred from, so the order of completion changes nothing.
    """

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._any = type(asked.domain).fingerprint is not Domain.fingerprint  # most domains do not define one
        self._first: dict[str, tuple[int, str]] = {}

    def learn(self, state: RunState, birth: int, place: int) -> None:
        """Add the result of ``birth``, which counts as the ``place``-th."""
        genome_id = state.births.genome_of.get(birth) if self._any else None
        for candidate_id in state.genomes[genome_id].candidates if genome_id is not None else ():
            known = self._asked.fingerprint(state.candidates[candidate_id].content)
            if known is not None:
                self._first.setdefault(known, (place, candidate_id))

    def of(self, state: RunState, known: CandidateState) -> str | None:
        """Return the first candidate with the same fingerprint whose result counted when this one was bred."""
        bred = state.births.bred.get(known.candidate.birth)
        if bred is None or not self._first:
            return None
        fingerprint = self._asked.fingerprint(known.content)
        place, candidate_id = self._first.get(fingerprint or "", (bred.reads_through, ""))
        return candidate_id if place < bred.reads_through and candidate_id != known.candidate.id else None


# Candidates that wait for the gate, and the order in which they get there.


class Waiting:
    """The queue of one niche's scored candidates for the gate; one candidate at a time is before the gate.

    If results count by birth, the first born is next, so the time at which a challenge ends changes nothing. If they
    count on arrival, the fittest is next: a series of ever better challengers would each spend error budget, so only
    the best of the candidates that arrived in the meantime is worth a challenge. It makes most others step aside.
    """

    def __init__(self, *, by_birth: bool, niche: str) -> None:
        self._niche = niche
        self._by_birth = by_birth
        self._heap: list[tuple[float, int, str]] = []
        self._joined = 0
        self._settled = 0
        self._standing: str | None = None

    @classmethod
    def recalled(cls, state: RunState, *, by_birth: bool, niche: str) -> Waiting:
        """Restore the queue of an earlier conductor, without the candidates that were already at the gate.

        The candidate that was before the gate is there again. A candidate that stepped aside is not recorded, and is
        therefore routed again.
        """
        waiting = cls(by_birth=by_birth, niche=niche)
        line = list(waiting._newcomers(state))
        last = state.niches[niche].last_challenger
        if by_birth:
            line = line[line.index(last) :] if last in line else line  # all before it were at the gate already
        else:
            line = [each for each in line if each == last or state.candidates[each].verdict is None]
            at_it = (each for each in line if state.candidates[each].steps.open)
            waiting._standing = next(at_it, last if last in line else None)
        for candidate_id in line:
            if candidate_id != waiting._standing:
                waiting._join(state, candidate_id)
        return waiting

    def next(self, state: RunState) -> str | None:
        """Return the candidate before the gate: the same one until it steps aside; None if the queue is empty."""
        for candidate_id in self._newcomers(state):
            self._join(state, candidate_id)
        if self._standing is None and self._heap:
            self._standing = heappop(self._heap)[-1]
        return self._standing

    def step_aside(self) -> None:
        """Remove the candidate before the gate; the next one may follow."""
        self._standing = None

    def _join(self, state: RunState, candidate_id: str) -> None:
        score = state.candidates[candidate_id].score
        fitness = score.total if score is not None else 0.0
        # ``_joined`` breaks ties by order of arrival: ids must never decide.
        heappush(self._heap, (0.0 if self._by_birth else -fitness, self._joined, candidate_id))
        self._joined += 1

    def _newcomers(self, state: RunState) -> Iterator[str]:
        """Return the candidates scored since the last call, in the order in which their results count."""
        return (each for each in self._scored(state) if state.niche_name(each) == self._niche)

    def _scored(self, state: RunState) -> Iterator[str]:
        if not self._by_birth:
            yield from state.scored_order[self._settled :]
            self._settled = len(state.scored_order)
            return
        while self._settled < state.births.settled_through:
            genome_id = state.births.genome_of.get(self._settled)
            members = state.genomes[genome_id].candidates if genome_id is not None else []
            self._settled += 1
            yield from (each for each in members if state.candidates[each].score is not None)


# The mind's memory of one niche: its population and parents, the wishes for repairs, and the queue for the gate.


SelectorFactory = Callable[[], Selector]


class NicheMind:
    """The population of one niche with its selector, archive and islands. Parents are chosen within the niche."""

    def __init__(self, selector: SelectorFactory, config: RunConfig, waiting: Waiting) -> None:
        self.population = Population()
        self.selector = _selector(selector, config)
        self.wishes: deque[tuple[str, RepairWish]] = deque()
        self.waiting = waiting
        self._survival = _survival(config, self.selector)

    # --- the population --------------------------------------------------------------------------------------

    def hear(self, outcome: Outcome) -> None:
        """Report a genome's outcome to the selector."""
        self._ask_selector("feedback", outcome)

    def settle(self, member: Member) -> None:
        """Report a new or changed member to the selector first, which assigns its island, then to the archive."""
        self._ask_selector("joined", member)
        if self._survival is not None:
            self._survival.joined(member)

    def change(self, member: Member) -> None:
        """Replace a member by its new version, with another fitness or without parenthood."""
        self.population.remove(member.genome_id)
        self.population.add(member)
        self.settle(member)

    def let_go(self, member: Member) -> Member:
        """Remove a member from the population; it will have no more offspring."""
        self.population.remove(member.genome_id)
        self._ask_selector("left", member)
        if self._survival is not None:
            self._survival.left(member.genome_id)
        return member

    def next_out(self) -> Member:
        """Return the member that must make room next, without removing it."""
        return self._survival.next_out(self.population) if self._survival is not None else self.population.worst()

    def heed_depth(self, cap: int, depth_of: Callable[[str], int]) -> None:
        """Take parenthood and repair wishes from members whose depth has reached ``cap``."""
        for member in [each for each in self.population.ranked() if each.parentable and each.depth >= cap]:
            self.change(replace(member, parentable=False))
        self.wishes = deque(wish for wish in self.wishes if depth_of(wish[0]) < cap)

    # --- choices ---------------------------------------------------------------------------------------------

    def can_breed(self, fewest: int | None) -> bool:
        """Return whether a wish waits, or there are ``fewest`` parents, the minimum that any operator needs."""
        return bool(self.wishes) or (fewest is not None and self.population.parents >= fewest)

    def remember(self, choice: Choice) -> None:
        """Note that a marker records ``choice``. Wishes come first: while one waits, the choice was that wish."""
        if self.wishes:
            self.wishes.popleft()
        else:
            self._ask_selector("chosen", choice)

    def select(self, count: int, entropy: Entropy) -> Choice:
        """Return the selector's choice of parents.

        Raises:
            DomainFailed: the selector raised, or made an invalid choice.
        """
        choice = self._ask_selector("select", self.population, count, entropy)
        if not isinstance(choice, Choice) or not self._possible(choice.parents):
            raise DomainFailed(f"selector {type(self.selector).__name__} made an invalid choice: {choice!r:.200}")
        return choice

    def inspirations(self, count: int, parents: tuple[str, ...], entropy: Entropy) -> tuple[str, ...]:
        """Return up to ``count`` members, other than its parents, that a child may learn from.

        Raises:
            DomainFailed: the selector raised, or returned an invalid sample.
        """
        if not count:
            return ()
        found = self._ask_selector("sample_inspirations", self.population, parents, count, entropy)
        if not isinstance(found, tuple) or len(found) > count or not all(each in self.population for each in found):
            raise DomainFailed(f"selector {type(self.selector).__name__} returned an invalid sample: {found!r:.200}")
        return found

    def contender(self, state: RunState) -> str | None:
        """Return the next challenger; None if the run never challenges or its sandbox was weak (rule 3)."""
        if state.weakly_isolated or state.config.never_challenges:
            return None
        return self.waiting.next(state)

    def _possible(self, parents: tuple[str, ...]) -> bool:
        known = all(each in self.population and self.population[each].parentable for each in parents)
        return known and 0 < len(parents) == len(set(parents))

    def _ask_selector(self, method: str, *arguments: object) -> object:
        try:
            return getattr(self.selector, method)(*arguments)
        except Abandoned:  # the thread that runs this must end, see domain_thread
            raise
        # Broad on purpose: a selector is a plug-in and may raise anything; only its run must fail.
        except BaseException as error:
            name = type(self.selector).__name__
            raise DomainFailed(f"selector {name}: {method} raised {type(error).__name__}: {error!s:.500}") from error


def _selector(selector: SelectorFactory, config: RunConfig) -> Selector:
    islands = config.islands
    if islands is None:
        return selector()
    return Islands(selector, count=islands.count, interval=islands.interval, migrants=islands.migrants)


def _survival(config: RunConfig, selector: Selector) -> Survival | None:
    """The removal order of an archive or of islands; None if fitness alone decides."""
    home = selector.home if isinstance(selector, Islands) else None
    if config.archive is None and home is None:
        return None
    entropy = Entropy(config.rng_seed, "archive")
    return Survival(archive_of(config.archive, entropy) if config.archive is not None else None, home)


_UNSCORED = frozenset(
    {GenerationStatus.PENDING, GenerationStatus.RUNNING, GenerationStatus.DEGRADED, GenerationStatus.VERIFYING}
)


class Mind:
    """The memory of one run's conductor.

    Each niche has its own population and selector; the weights of operators are learned from all niches together.
    """

    def __init__(
        self, domain: Domain, selector: SelectorFactory, config: RunConfig, earlier: Sequence[SeenCandidate] = ()
    ) -> None:
        self.domain = domain
        self.asked = Asked(domain)
        self.ways = self.asked.operators_for(config)
        self.operators = OperatorWeights(self.ways)
        self.twins = Twins(self.asked)
        self.nearness = Nearness(config, earlier)
        self.learned = 0
        self.candidates = 0
        self.niches: Mapping[str, NicheMind] = {
            name: NicheMind(selector, config, Waiting(by_birth=counts_by_birth(config.pace), niche=name))
            for name in config.all_niches
        }
        self._fewest = min((operator.parents for operator in self.ways if operator.weight > 0.0), default=None)
        self._costs = _costs(self.ways, domain, config.energy_costs)
        self._deepest = 0
        self._entered_through = 0
        self._recalling = False
        self._recalled: list[str] = []

    @classmethod
    def rebuilt(
        cls, state: RunState, domain: Domain, selector: SelectorFactory, earlier: Sequence[SeenCandidate] = ()
    ) -> Mind:
        """Rebuild the mind of a conductor that takes ``state`` over; ``earlier`` are candidates of earlier runs."""
        mind = cls(domain, selector, state.config, earlier)
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
        """The population of the first niche."""
        return self.first.population

    @property
    def selector(self) -> Selector:
        """The selector of the first niche."""
        return self.first.selector

    @property
    def living(self) -> int:
        """Number of members in all populations."""
        return sum(len(niche.population) for niche in self.niches.values())

    @property
    def parents(self) -> int:
        """Number of members that may be parents."""
        return sum(niche.population.parents for niche in self.niches.values())

    # --- results ---------------------------------------------------------------------------------------------

    def learn(self, state: RunState, through: int) -> None:
        """Learn results, in birth order or order of arrival, until ``through`` of them are learned."""
        first = self.learned
        by_birth = counts_by_birth(state.config.pace)
        while self.learned < through:
            self._take(state, self.learned if by_birth else state.births.arrived[self.learned])
            self.learned += 1
        if state.entries:
            self._heed_entries(state)
        if not self._recalling:  # while rebuilding, ``_forget_recorded`` replays the removals in their order
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
            for wish in sorted(wishes, key=lambda wish: state.candidates[wish[0]].ordinal):  # not by arrival
                self.niches[state.niche_name(wish[0])].wishes.append(wish)

    def _heed_entries(self, state: RunState) -> None:
        """Apply the new fitness of survivors, for each generation with all of its own results learned."""
        for generation in state.generations[self._entered_through :]:
            entries = state.entries.get(generation.index, {})
            scored = generation.status not in _UNSCORED and all(entry.over for entry in entries.values())
            if not scored or generation.end > self.learned:
                return  # only in order, so that timing changes nothing
            self._entered_through += 1
            for candidate_id, entry in entries.items():
                genome_id = state.candidates[candidate_id].candidate.genome_id
                home = self.niches[state.niche_name(candidate_id)]
                if entry.score is not None and genome_id in home.population:
                    home.change(_rescored(state, home.population[genome_id], entry.score))

    def _spread(self, state: RunState, birth: int, member: Member | None, home: str) -> None:
        """Report the outcome of a birth to every memory that learns from it.

        If the child landed in another niche than its parents', the parents' selector learns of a birth without a
        result, and the child's selector of a newcomer without parents. The two fitnesses are never compared.
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
        """Take parenthood from members that are too deep since the cap was lowered."""
        cap = state.caps.max_spawn_depth
        if cap == self._deepest:
            return  # the cap has not changed since the last call
        self._deepest = cap
        for niche in self.niches.values():
            niche.heed_depth(cap, lambda candidate_id: _depth(state, candidate_id))

    # --- making room -----------------------------------------------------------------------------------------

    def forget_surplus(self, state: RunState) -> tuple[Member, ...]:
        """Remove the least fit to make room for births in flight; owners of archive cells are removed last."""
        room = room_for_parents(state)
        gone: list[Member] = []
        while self.living > room:
            crowded = self._crowded()
            gone.append(crowded.let_go(crowded.next_out()))
        return tuple(gone)

    def _crowded(self) -> NicheMind:
        """Return the niche that must make room: the largest, so that each keeps its share whatever its fitness."""
        return max(self.niches.values(), key=lambda niche: len(niche.population))

    def _forget_recorded(self, state: RunState) -> None:
        """Repeat the recorded removals of :meth:`forget_surplus` while the mind is rebuilt.

        Caps may have changed during the run, and would have removed other members. So only recorded removals are
        repeated, and the room is that of the initial caps until everything is recalled.
        """
        room = _room(state.config.pace, state.config.caps)
        while self.living > room:
            crowded = self._crowded()
            member = crowded.next_out()
            if state.genomes[member.genome_id].status is not GenomeStatus.CULLED:
                return  # not removed so far: the caps were raised at this point of the run
            crowded.let_go(member)

    def _forget_culled(self, state: RunState, genome_ids: Iterable[str]) -> None:
        """Remove the members that an earlier conductor culled at a later point than the mind has reached."""
        culled = [each for each in genome_ids if state.genomes[each].status is GenomeStatus.CULLED]
        for niche in self.niches.values():
            for member in [niche.population[each] for each in culled if each in niche.population]:
                niche.let_go(member)

    # --- choices ---------------------------------------------------------------------------------------------

    def able(self, state: RunState) -> tuple[str, ...]:
        """Return the niches that still need births and can have one: a wish waits, or there are enough parents."""
        return tuple(name for name in hungry(state) if self.niches[name].can_breed(self._fewest))

    def can_breed(self, state: RunState) -> bool:
        """Return whether any niche can have a birth, see :meth:`able`."""
        return bool(self.able(state))


def _costs(ways: Sequence[Operator], domain: Domain, prices: EnergyCosts) -> dict[str, int]:
    """Return for each operator the price that a birth's marker reserves, without tokens; at least 1.

    Measured usage would depend on timing, hence the reserved price. Tokens are the exception: their measured cost does
    not depend on timing and is added as recorded. Their worst case, with every retry and every limit reached, is far
    above a usual answer's cost, and operators with models could never win.
    """
    steps = {each.name: domain.steps[each.step] for each in ways if each.step in domain.steps}
    own = {"spawns": 1, "tokens_in": 0, "tokens_out": 0}
    allowed = {name: step.allowance.model_copy(update=own) for name, step in steps.items()}
    return {name: max(1, prices.price(allowance)) for name, allowance in allowed.items()}


def _member(state: RunState, known: GenomeState) -> Member | None:
    """Return the genome as a member of a population; None if it has no fitness."""
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
    """Return the member with the fitness, components and descriptor of ``score``."""
    return replace(
        member,
        fitness=score.total,
        components=directed(state.config.scoring_policy, score.components),
        descriptor={**score.components, **score.descriptor},
    )


def _gain(state: RunState, birth: int, fitness: float | None) -> float | None:
    """How much fitter a child is than its best parent in its generation; None if no parent has a fitness."""
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
    """Return whether results count in birth order, whatever their order of arrival."""
    return pace.kind == "generational" or pace.order == "birth"


def window(state: RunState) -> int:
    """Return W, the limit on births in flight, reduced so that the population keeps room for parents."""
    return _window(state.config.pace, state.caps)


def room_for_parents(state: RunState) -> int:
    """Return how many members may live as parents; the rest of the population cap is for births in flight."""
    return _room(state.config.pace, state.caps)


def _window(pace: Pace, caps: RunCaps) -> int:
    return max(1, min(pace.window, caps.max_population // 2))  # at least half is for parents


def _room(pace: Pace, caps: RunCaps) -> int:
    return caps.max_population // 2 if pace.kind == "generational" else caps.max_population - _window(pace, caps)
