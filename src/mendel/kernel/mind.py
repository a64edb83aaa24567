"""The mind beside the state: the domain, and the memories of selection.

Outside digest and replay. It is advanced by ``decide`` and rebuilt on resume from what the state recorded: the results
in the order in which they counted (birth order, or arrival) and the choices in the markers. Nothing in it is needed
to know what happened; it is only how the next choice comes about.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import DomainFailed
from mendel.contracts.events.candidate import RepairWish
from mendel.contracts.run_config import Pace
from mendel.kernel.asking import Asked
from mendel.kernel.domain import Domain
from mendel.kernel.domain_thread import Abandoned
from mendel.kernel.state import RunState
from mendel.selection.operators import OperatorWeights
from mendel.selection.population import Member, Population
from mendel.selection.selectors import Choice, Outcome, Selector
from mendel.selection.truncation import cull_to

SelectorFactory = Callable[[], Selector]


class Mind:
    """What the conductor of one run knows beside its state."""

    def __init__(self, domain: Domain, selector: SelectorFactory) -> None:
        self.domain = domain
        self.asked = Asked(domain)
        self.operators = OperatorWeights(domain.operators)
        self.population = Population()
        self.selector = selector()
        self.wishes: deque[tuple[str, RepairWish]] = deque()
        self.learned = 0
        self.candidates = 0
        self._deepest = 0
        self.line: list[str] = []
        self._lined = 0
        self.place = 0

    @classmethod
    def rebuilt(cls, state: RunState, domain: Domain, selector: SelectorFactory) -> Mind:
        """The mind of a conductor that takes ``state`` over."""
        mind = cls(domain, selector)
        for birth in sorted(state.births.bred):
            bred = state.births.bred[birth]
            mind.learn(state, bred.reads_through)
            mind.forget_surplus(state)
            mind.remember(Choice(bred.parents, bred.why))
        mind.stand_in_line(state)
        if state.niche.last_challenger in mind.line:
            mind.place = mind.line.index(state.niche.last_challenger)
        return mind

    # --- results ---------------------------------------------------------------------------------------------

    def learn(self, state: RunState, through: int) -> None:
        """Take in results until ``through`` of them are known; by birth, or as they arrived."""
        while self.learned < through:
            by_birth = counts_by_birth(state.config.pace)
            self._take(state, self.learned if by_birth else state.births.arrived[self.learned])
            self.learned += 1

    def _take(self, state: RunState, birth: int) -> None:
        genome_id = state.births.genome_of.get(birth)
        known = state.genomes[genome_id] if genome_id is not None else None
        bred = state.births.bred.get(birth)
        best = known.best if known is not None else None
        if known is not None and best is not None:
            depth = known.genome.depth
            may = depth < state.caps.max_spawn_depth
            self.population.add(Member(known.genome.id, birth, best[0], depth, may, best[1]))
        self.candidates += len(known.candidates) if known is not None else 0
        outcome = Outcome(
            genome_id or f"lost-{birth}",
            birth,
            bred.parents if bred else (),
            bred.operator if bred else None,
            best[0] if best else None,
        )
        self._ask_selector("feedback", outcome)
        self.operators.feedback(outcome)
        if known is not None and known.genome.depth < state.caps.max_spawn_depth:
            wishes = state.births.wishes.get(birth, ())
            self.wishes.extend(sorted(wishes, key=lambda wish: state.candidates[wish[0]].ordinal))

    def heed_depth(self, state: RunState) -> None:
        """Take those out of parenthood who are too deep since the cap was lowered."""
        cap = state.caps.max_spawn_depth
        if cap == self._deepest:
            return
        self._deepest = cap
        for member in [each for each in self.population.ranked() if each.parentable and each.depth >= cap]:
            self.population.remove(member.genome_id)
            self.population.add(replace(member, parentable=False))
        shallow = [wish for wish in self.wishes if _depth(state, wish[0]) < cap]
        self.wishes = deque(shallow)

    # --- choices ---------------------------------------------------------------------------------------------

    def forget_surplus(self, state: RunState) -> tuple[Member, ...]:
        """Let go of the least fit, so that there is room for those who are on their way."""
        gone = tuple(cull_to(self.population, room_for_parents(state)))
        for member in gone:
            self.population.remove(member.genome_id)
        return gone

    def can_breed(self) -> bool:
        """Whether somebody was wished for, or enough may be parents for some operator."""
        fewest = min((operator.parents for operator in self.domain.operators), default=None)
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

    def stand_in_line(self, state: RunState) -> None:
        """Line up the scored candidates for the gate, in the order in which their results count."""
        if not counts_by_birth(state.config.pace):
            self.line.extend(state.scored_order[len(self.line) :])
            return
        while self._lined < state.births.settled_through:
            genome_id = state.births.genome_of.get(self._lined)
            members = state.genomes[genome_id].candidates if genome_id is not None else []
            self.line.extend(each for each in members if state.candidates[each].score is not None)
            self._lined += 1

    def contender(self, state: RunState) -> str | None:
        """Whose turn it is before the gate; nobody's in a run whose sandbox was weak (rule 3)."""
        if state.weakly_isolated:
            return None
        self.stand_in_line(state)
        return self.line[self.place] if self.place < len(self.line) else None


def _depth(state: RunState, candidate_id: str) -> int:
    return state.genomes[state.candidates[candidate_id].candidate.genome_id].genome.depth


def counts_by_birth(pace: Pace) -> bool:
    """Whether results count in birth order, whenever they arrive."""
    return pace.kind == "generational" or pace.order == "birth"


def window(state: RunState) -> int:
    """How many births may be on their way at once: W, as far as the population has room for parents beside them."""
    return max(1, min(state.config.pace.window, state.caps.max_population // 2))


def room_for_parents(state: RunState) -> int:
    """How many may live on as parents; the rest of the population's cap belongs to those on their way."""
    if state.config.pace.kind == "generational":
        return state.caps.max_population // 2
    return state.caps.max_population - window(state)
