"""Islands: populations that breed separately, with occasional migration to the next island."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from mendel.contracts.entropy import Entropy
from mendel.selection.population import Member, Population
from mendel.selection.selectors import Choice, Outcome, Selector, checked, cut


class Islands(Selector):
    """Births take turns between ``count`` islands; the parents of one child come from one island.

    Each island has its own selector and its own members, born there or migrated there. Founders are distributed in
    order of birth. A child belongs to the island on which its parents were chosen, a repaired child to its parent's.
    After every ``interval`` outcomes, the best ``migrants`` of each island also become members of the next island and
    can be selected there; they stay at home as well. An island with too few parents passes its turn on. If every
    island has too few, the whole population counts as one.

    Its memory is bounded: it contains members of the population, and the births in flight.

    Raises:
        ValueError: fewer than two islands, or an interval or number of migrants below 1.
    """

    def __init__(
        self, selector: Callable[[], Selector], *, count: int = 4, interval: int = 50, migrants: int = 1
    ) -> None:
        if count < 2 or interval < 1 or migrants < 1:
            raise ValueError(
                f"islands need a count >= 2, an interval >= 1 and migrants >= 1, not {count}, {interval} and {migrants}"
            )
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
        """Choose parents on the next island in turn that has enough of them."""
        island = self._able(checked(count))
        if island is None:
            return self._selectors[self._turn].select(population, count, entropy)
        choice = self._selectors[island].select(self._members[island], count, entropy)
        return Choice(choice.parents, cut(f"island {island}: {choice.why}"))

    def chosen(self, choice: Choice) -> None:
        """Pass the choice to its island's selector, remember its birth, and advance the turn."""
        island = self._chosen_on(choice)
        self._selectors[island].chosen(choice)
        if choice.birth is not None:
            self._under_way[choice.birth] = island
        self._turn = (self._turn + 1) % len(self._members)

    def _able(self, count: int) -> int | None:
        """Return the first island in turn with at least ``count`` parents; None if there is none."""
        return next((island for island in self._turns() if self._members[island].parents >= count), None)

    def _chosen_on(self, choice: Choice) -> int:
        """Return the island of a recorded choice: the first one, from the turn on, on which all parents live.

        An earlier island with all of them would have been chosen itself. Permission to be a parent does not count: it
        changes with a cap, residence does not, so a conductor that takes over later finds the same island.
        """
        turns = (island for island in self._turns() if all(each in self._members[island] for each in choice.parents))
        return next(turns, self._turn)

    def _turns(self) -> Iterator[int]:
        islands = len(self._members)
        return ((self._turn + step) % islands for step in range(islands))

    # --- learning ----------------------------------------------------------------------------------------------

    def feedback(self, outcome: Outcome) -> None:
        """Pass the outcome to the selector of the genome's island; after every ``interval`` outcomes, migrate."""
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
        """Add a new member to its home island, or update a changed one wherever it lives."""
        where = self.residences(member.genome_id)
        for island in where:
            self._members[island].remove(member.genome_id)
        if not where:
            home = self._arriving.get(member.genome_id, member.birth % len(self._members))
            self._homes[member.genome_id] = home
        for island in where or [self._homes[member.genome_id]]:
            self._settle(member, island)

    def left(self, member: Member) -> None:
        """Remove a member from every island on which it lives."""
        for island in self.residences(member.genome_id):
            self._members[island].remove(member.genome_id)
            self._selectors[island].left(member)
        self._homes.pop(member.genome_id, None)

    def _settle(self, member: Member, island: int) -> None:
        self._members[island].add(member)
        self._selectors[island].joined(member)

    def _migrate(self) -> None:
        # All migrants are chosen before the first arrives, so that none moves twice. Members that may not be parents
        # count too: that changes with a cap, and a conductor that takes over later would choose other migrants.
        best = [list(islice(members.ranked(), self._migrants)) for members in self._members]
        for island, travellers in enumerate(best):
            neighbour = (island + 1) % len(best)
            for member in travellers:
                if member.genome_id not in self._members[neighbour]:
                    self._settle(member, neighbour)

    # --- looking -----------------------------------------------------------------------------------------------

    def home(self, genome_id: str) -> int | None:
        """Return the island on which a member was born; None if it is not a member."""
        return self._homes.get(genome_id)

    def residences(self, genome_id: str) -> list[int]:
        """Return the islands on which a member can be selected."""
        return [island for island, members in enumerate(self._members) if genome_id in members]
