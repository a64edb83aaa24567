"""Islands: populations that breed apart, and now and then learn from their neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from mendel.contracts.entropy import Entropy
from mendel.selection.population import Member, Population
from mendel.selection.selectors import Choice, Outcome, Selector, checked, cut


class Islands(Selector):
    """Births take turns between ``count`` islands; the parents of one child come from one island.

    Each island has a selector of its own and its own members: who was born there, and who migrated there. Founders are
    spread in order of birth; a child belongs to the island that its parents were chosen on, a repaired one to its
    parent's. After every ``interval`` outcomes the best ``migrants`` of each island become members of the next island
    too, where they can be selected; they stay at home as well. An island with too few parents passes its turn on, and
    where every island has too few the whole population is one.

    Remembers its members, which are in the population, and the births that are on their way; nothing that grows.

    Raises:
        ValueError: fewer than two islands, or an interval or number of migrants below 1.
    """

    def __init__(
        self, selector: Callable[[], Selector], *, count: int = 4, interval: int = 50, migrants: int = 1
    ) -> None:
        if count < 2 or interval < 1 or migrants < 1:
            raise ValueError(f"no islands: count {count}, interval {interval}, migrants {migrants}")
        self._selectors = [selector() for _ in range(count)]
        self._members = [Population() for _ in range(count)]
        self._interval, self._migrants = interval, migrants
        self._turn = 0
        self._told = 0
        self._under_way: dict[int, int] = {}
        self._arriving: dict[str, int] = {}
        self._homes: dict[str, int] = {}

    # --- choosing ----------------------------------------------------------------------------------------------

    def select(self, population: Population, count: int, entropy: Entropy) -> Choice:
        """The choice of the island whose turn it is."""
        island = self._able(checked(count))
        if island is None:
            return self._selectors[self._turn].select(population, count, entropy)
        choice = self._selectors[island].select(self._members[island], count, entropy)
        return Choice(choice.parents, cut(f"island {island}: {choice.why}"))

    def chosen(self, choice: Choice) -> None:
        """The turn passes on."""
        island = self._chosen_on(choice)
        self._selectors[island].chosen(choice)
        if choice.birth is not None:
            self._under_way[choice.birth] = island
        self._turn = (self._turn + 1) % len(self._members)

    def _able(self, count: int) -> int | None:
        """The island whose turn it is, or the next one with ``count`` parents."""
        return next((island for island in self._turns() if self._members[island].parents >= count), None)

    def _chosen_on(self, choice: Choice) -> int:
        """The island of a recorded choice: the first, from the turn on, where all parents live.

        An island before it would have been able itself. Unlike who may be a parent, who lives where does not change
        with a cap, so a conductor that takes over later finds the same island.
        """
        turns = (island for island in self._turns() if all(each in self._members[island] for each in choice.parents))
        return next(turns, self._turn)

    def _turns(self) -> Iterator[int]:
        islands = len(self._members)
        return ((self._turn + step) % islands for step in range(islands))

    # --- learning ----------------------------------------------------------------------------------------------

    def feedback(self, outcome: Outcome) -> None:
        """Tell the island where the genome was born; from time to time, let the best migrate."""
        island = self._born_on(outcome)
        self._selectors[island].feedback(outcome)
        self._arriving = {outcome.genome_id: island}
        self._told += 1
        if self._told % self._interval == 0:
            self._migrate()

    def _born_on(self, outcome: Outcome) -> int:
        island = self._under_way.pop(outcome.birth, None)
        if island is None:
            homes = [self._homes[parent] for parent in outcome.parents if parent in self._homes]
            island = homes[0] if homes else outcome.birth % len(self._members)
        return island

    def joined(self, member: Member) -> None:
        """A member settles on its island; one that changed, wherever it lives."""
        where = self.residences(member.genome_id)
        for island in where:
            self._members[island].remove(member.genome_id)
        if not where:
            home = self._arriving.get(member.genome_id, member.birth % len(self._members))
            self._homes[member.genome_id] = home
        for island in where or [self._homes[member.genome_id]]:
            self._settle(member, island)

    def left(self, member: Member) -> None:
        """A member is gone from wherever it lives."""
        for island in self.residences(member.genome_id):
            self._members[island].remove(member.genome_id)
            self._selectors[island].left(member)
        self._homes.pop(member.genome_id, None)

    def _settle(self, member: Member, island: int) -> None:
        self._members[island].add(member)
        self._selectors[island].joined(member)

    def _migrate(self) -> None:
        # All leave before one arrives: nobody travels twice at once. Whether one may be a parent does not count: that
        # changes with a cap, and a conductor that takes over later would let others migrate.
        best = [list(islice(members.ranked(), self._migrants)) for members in self._members]
        for island, travellers in enumerate(best):
            neighbour = (island + 1) % len(best)
            for member in travellers:
                if member.genome_id not in self._members[neighbour]:
                    self._settle(member, neighbour)

    # --- looking -----------------------------------------------------------------------------------------------

    def home(self, genome_id: str) -> int | None:
        """The island on which a member was born."""
        return self._homes.get(genome_id)

    def residences(self, genome_id: str) -> list[int]:
        """The islands on which a member can be selected."""
        return [island for island, members in enumerate(self._members) if genome_id in members]
