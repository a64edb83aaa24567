"""What the mind knows of one niche: who lives there and may be a parent, who wishes, and who stands before its gate."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import DomainFailed
from mendel.contracts.events.candidate import RepairWish
from mendel.contracts.run_config import RunConfig
from mendel.kernel.domain_thread import Abandoned
from mendel.kernel.state import RunState
from mendel.kernel.waiting import Waiting
from mendel.selection.archive import archive_of
from mendel.selection.islands import Islands
from mendel.selection.population import Member, Population
from mendel.selection.selectors import Choice, Outcome, Selector
from mendel.selection.survival import Survival

SelectorFactory = Callable[[], Selector]


class NicheMind:
    """The population of one niche with its selector, its archive and its islands. Parents are chosen within it."""

    def __init__(self, selector: SelectorFactory, config: RunConfig, waiting: Waiting) -> None:
        self.population = Population()
        self.selector = _selector(selector, config)
        self.wishes: deque[tuple[str, RepairWish]] = deque()
        self.waiting = waiting
        self._survival = _survival(config, self.selector)

    # --- who lives -------------------------------------------------------------------------------------------

    def hear(self, outcome: Outcome) -> None:
        """Tell the selector what became of a genome."""
        self._ask_selector("feedback", outcome)

    def settle(self, member: Member) -> None:
        """Tell whoever wants to know that a member is there, or has changed; its island first."""
        self._ask_selector("joined", member)
        if self._survival is not None:
            self._survival.joined(member)

    def change(self, member: Member) -> None:
        """The member is another one now: as fit as it says, or no parent any more."""
        self.population.remove(member.genome_id)
        self.population.add(member)
        self.settle(member)

    def let_go(self, member: Member) -> Member:
        """The member has no offspring any more."""
        self.population.remove(member.genome_id)
        self._ask_selector("left", member)
        if self._survival is not None:
            self._survival.left(member.genome_id)
        return member

    def next_out(self) -> Member:
        """Who makes room next; nobody is removed."""
        return self._survival.next_out(self.population) if self._survival is not None else self.population.worst()

    def heed_depth(self, cap: int, depth_of: Callable[[str], int]) -> None:
        """Take those out of parenthood, and forget the wishes of those, who are too deep."""
        for member in [each for each in self.population.ranked() if each.parentable and each.depth >= cap]:
            self.change(replace(member, parentable=False))
        self.wishes = deque(wish for wish in self.wishes if depth_of(wish[0]) < cap)

    # --- choices ---------------------------------------------------------------------------------------------

    def can_breed(self, fewest: int | None) -> bool:
        """Whether somebody was wished for, or enough may be parents; ``fewest`` is what an operator needs at least."""
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

    def contender(self, state: RunState) -> str | None:
        """Whose turn it is before the gate; nobody's if the run never challenges or its sandbox was weak (rule 3)."""
        if state.weakly_isolated or state.config.never_challenges:
            return None
        return self.waiting.next(state)

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
