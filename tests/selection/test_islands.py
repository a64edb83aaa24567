"""Islands: who breeds with whom, and that migration really brings somebody over."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.selection.crowds import member
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.selection.islands import Islands
from mendel.selection.population import Population
from mendel.selection.selectors import AdaptiveEpsilon, Outcome, Tournament


class Sea:
    """A population and its islands, told what a mind would tell."""

    def __init__(self, islands: Islands) -> None:
        self.islands = islands
        self.population = Population()
        self.story: list[tuple[str, object]] = []

    def tell(self, method: str, *arguments: object) -> None:
        self.story.append((method, *arguments))
        getattr(self.islands, method)(*arguments)

    def born(self, birth: int, fitness: float | None, parents: tuple[str, ...] = ()) -> None:
        self.tell("feedback", Outcome(f"genome-{birth}", birth, parents, "swap" if parents else None, fitness))
        if fitness is not None:
            each = member(birth, fitness)
            self.population.add(each)
            self.tell("joined", each)

    def gone(self, genome_id: str) -> None:
        self.tell("left", self.population.remove(genome_id))

    def bred(self, birth: int, count: int = 1):
        choice = self.islands.select(self.population, count, Entropy("sea", birth))
        self.tell("chosen", type(choice)(choice.parents, choice.why, birth))
        return choice.parents

    def retold(self, fresh: Islands) -> Islands:
        for method, *arguments in self.story:
            getattr(fresh, method)(*arguments)
        return fresh


def sea(founders: int = 8, selector=Tournament, **wants) -> Sea:
    made = Sea(Islands(selector, **{"count": 4, "interval": 1_000, **wants}))
    for birth in range(founders):
        made.born(birth, float(birth))
    return made


def homes(made: Sea, parents) -> set[int]:
    return {made.islands.home(parent) for parent in parents}


def test_founders_are_spread():
    made = sea()
    assert Counter(made.islands.home(f"genome-{n}") for n in range(8)) == {0: 2, 1: 2, 2: 2, 3: 2}


def test_births_take_turns_and_parents_come_from_one_island():
    made = sea()
    assert [homes(made, made.bred(8 + n, 2)) for n in range(8)] == [{0}, {1}, {2}, {3}] * 2


def test_a_child_lives_where_its_parents_were_chosen():
    made = sea()
    parents = {birth: made.bred(birth) for birth in range(8, 12)}
    for birth in (11, 9, 8, 10):  # in whatever order they arrive
        made.born(birth, 0.5, parents[birth])
    assert [made.islands.home(f"genome-{birth}") for birth in range(8, 12)] == [0, 1, 2, 3]


def test_a_repaired_child_lives_with_its_parent():
    made = sea()
    made.born(8, 1.0, ("genome-3",))
    assert made.islands.home("genome-8") == 3


def test_without_migration_an_island_never_sees_another():
    made = sea(selector=lambda: Tournament(50))
    assert made.islands.residences("genome-7") == [3]
    chosen = [made.bred(8 + turn)[0] for turn in range(40)]
    assert set(chosen) == {"genome-4", "genome-5", "genome-6", "genome-7"}


def test_a_migrant_can_be_selected_where_it_came_to():
    made = sea(selector=lambda: Tournament(50), interval=9)
    made.born(8, 99.0)  # on island 0, and the ninth outcome: the best of each travel before it is there
    assert made.islands.residences("genome-4") == [0, 1]
    assert [made.bred(9 + turn) for turn in range(4)] == [("genome-8",), ("genome-5",), ("genome-6",), ("genome-7",)]
    for birth in range(13, 22):
        made.born(birth, None)
    assert made.islands.residences("genome-8") == [0, 1]
    assert made.islands.home("genome-8") == 0
    assert [made.bred(22 + turn)[0] for turn in range(4)][1] == "genome-8"


def test_a_better_genome_reaches_every_island():
    made = sea(interval=5)
    made.born(8, 99.0)
    reached = []
    for birth in range(9, 40):
        made.born(birth, None)
        reached.append(len(made.islands.residences("genome-8")))
    assert reached == sorted(reached)
    assert reached[-1] == 4


def test_nobody_travels_twice_at_once():
    made = sea(interval=9)
    made.born(8, None)
    assert made.islands.residences("genome-7") == [0, 3]


def test_who_is_gone_is_gone_everywhere():
    made = sea(interval=2)
    for birth in range(8, 20):
        made.born(birth, None)
    assert made.islands.residences("genome-7") == [0, 1, 2, 3]
    made.gone("genome-7")
    assert (made.islands.residences("genome-7"), made.islands.home("genome-7")) == ([], None)
    assert all("genome-7" not in made.bred(20 + turn) for turn in range(8))


def test_who_may_not_be_a_parent_any_more_is_not_chosen_wherever_it_lives():
    made = sea(interval=2)
    made.born(8, None)
    changed = member(7, 7.0, parentable=False)
    made.population.remove("genome-7")
    made.population.add(changed)
    where = made.islands.residences("genome-7")
    made.tell("joined", changed)
    assert made.islands.residences("genome-7") == where
    assert all("genome-7" not in made.bred(9 + turn) for turn in range(8))


def test_an_island_with_too_few_passes_its_turn_on():
    made = sea(founders=6)  # islands 2 and 3 have one each
    assert [homes(made, made.bred(6 + turn, 2)) for turn in range(4)] == [{0}, {1}, {0}, {0}]


def test_where_every_island_has_too_few_the_population_is_one():
    made = sea(founders=3)
    assert len(set(made.bred(3, 3))) == 3


@check_rows("wrong", [{"count": 1}, {"interval": 0}, {"migrants": 0}])
def test_islands_are_several(wrong):
    with pytest.raises(ValueError, match="islands need"):
        Islands(Tournament, **wrong)


lives = st.lists(
    st.tuples(st.sampled_from(["founder", "bred", "lost", "gone"]), st.floats(-5, 5), st.integers(1, 2)), max_size=40
)


@settings(deadline=None)
@given(lives, st.integers(1, 5), st.integers(1, 2))
def test_islands_told_the_same_again_choose_the_same_and_remember_no_more_than_lives(life, interval, migrants):
    def fresh() -> Islands:
        return Islands(AdaptiveEpsilon, count=3, interval=interval, migrants=migrants)

    made = Sea(fresh())
    for birth, (what, fitness, count) in enumerate(life):
        if what == "gone" and len(made.population):
            made.gone(made.population.worst().genome_id)
        parents = made.bred(birth, count) if what in ("bred", "lost") and made.population.parents else ()
        if what != "gone":
            made.born(birth, None if what == "lost" else fitness, parents)
    again = made.retold(fresh())
    for seed in range(4):
        choice = made.islands.select(made.population, 2, Entropy(seed))
        assert choice == again.select(made.population, 2, Entropy(seed))
        assert all(parent in made.population for parent in choice.parents)
    living = {each.genome_id for each in made.population.ranked()}
    assert set(made.islands._homes) == living
    assert not made.islands._under_way
