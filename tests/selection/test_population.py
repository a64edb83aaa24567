"""A population is what a list that is sorted again at every question would be."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule
from tests.support.rows import check_rows

from mendel.ports.embedder import Vector
from mendel.selection.population import Member, Population

# Few different values, so that ties are common.
fitnesses = st.sampled_from([-1.5, -0.0, 0.0, 0.25, 1.0, 1e300]) | st.floats(allow_nan=False, allow_infinity=False)


def member(number: int, fitness: float = 0.0, *, parentable: bool = True, birth: int | None = None) -> Member:
    return Member(f"genome-{number}", number if birth is None else birth, fitness, 0, parentable, f"candidate-{number}")


@st.composite
def crowds(draw, min_size=0):
    numbers = draw(st.lists(st.integers(0, 99), unique=True, min_size=min_size, max_size=25))
    return [
        member(number, draw(fitnesses), parentable=draw(st.booleans()), birth=draw(st.integers(0, 9)))
        for number in numbers
    ]


def filled(members) -> Population:
    population = Population()
    for each in members:
        population.add(each)
    return population


def by_rank(members) -> list[Member]:
    """Three stable sorts, the last the most important: another way than the one that is tested."""
    ordered = sorted(members, key=lambda each: each.genome_id)
    ordered.sort(key=lambda each: each.birth)
    ordered.sort(key=lambda each: each.fitness, reverse=True)
    return ordered


def by_birth(members) -> list[Member]:
    parents = [each for each in members if each.parentable]
    return sorted(parents, key=lambda each: (each.birth, each.genome_id))


def everything(population: Population) -> tuple[list[Member], ...]:
    return (
        list(population.ranked()),
        list(population.ranked_from_worst()),
        list(population.ranked_parents()),
        [population.parent_at(index) for index in range(population.parents)],
    )


class PopulationAgainstModel(RuleBasedStateMachine):
    living = Bundle("living")

    def __init__(self):
        super().__init__()
        self.population = Population()
        self.model: dict[str, Member] = {}

    @rule(
        target=living,
        number=st.integers(0, 30),
        fitness=fitnesses,
        parentable=st.booleans(),
        birth=st.integers(0, 5),
    )
    def add(self, number, fitness, parentable, birth):
        new = member(number, fitness, parentable=parentable, birth=birth)
        if new.genome_id in self.model:
            with pytest.raises(ValueError, match=f"{new.genome_id} is in the population already"):
                self.population.add(new)
            return multiple()
        self.population.add(new)
        self.model[new.genome_id] = new
        return new.genome_id

    @rule(genome_id=consumes(living))
    def remove(self, genome_id):
        assert self.population.remove(genome_id) == self.model.pop(genome_id)

    @rule(number=st.integers(31, 40))
    def remove_a_stranger(self, number):
        with pytest.raises(KeyError):
            self.population.remove(f"genome-{number}")

    @invariant()
    def agrees(self):
        ranks, parents = by_rank(self.model.values()), by_birth(self.model.values())
        parent_ranks = [each for each in ranks if each.parentable]
        assert everything(self.population) == (ranks, ranks[::-1], parent_ranks, parents)
        assert len(self.population) == len(self.model)
        assert self.population.parents == len(parents)
        for index, parent in enumerate(parents):
            assert self.population.parent_index(parent.genome_id) == index
        for genome_id, each in self.model.items():
            assert genome_id in self.population
            assert self.population[genome_id] is each
        if ranks:
            assert (self.population.best(), self.population.worst()) == (ranks[0], ranks[-1])


PopulationAgainstModel.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestPopulationAgainstModel = PopulationAgainstModel.TestCase


@given(crowds(), st.data())
def test_the_order_of_adding_never_matters(members, data):
    assert everything(filled(members)) == everything(filled(data.draw(st.permutations(members))))


@given(crowds(min_size=1), st.data())
def test_whoever_came_and_went_leaves_no_trace(members, data):
    gone = data.draw(st.lists(st.sampled_from(members), unique=True))
    population = filled(members)
    for each in gone:
        population.remove(each.genome_id)
    assert everything(population) == everything(filled(each for each in members if each not in gone))


def test_of_equally_fit_ones_the_older_is_better():
    population = filled([member(3, 0.5), member(1, 0.5), member(2, 0.5)])
    assert [each.birth for each in population.ranked()] == [1, 2, 3]
    assert population.best().birth == 1
    assert population.worst().birth == 3


def test_births_count_as_numbers_and_not_as_text():
    population = filled([member(10), member(9), member(100)])
    assert [population.parent_at(index).birth for index in range(3)] == [9, 10, 100]


def test_minus_zero_is_zero():
    assert filled([member(2, 0.0), member(1, -0.0)]).best().birth == 1
    assert filled([member(2, -0.0), member(1, 0.0)]).best().birth == 1


def test_who_may_not_be_a_parent_is_ranked_and_not_drawn():
    population = filled([member(1, 9.0, parentable=False), member(2, 1.0)])
    assert population.best() == member(1, 9.0, parentable=False)
    assert [each.birth for each in population.ranked_parents()] == [2]
    assert population.parents == 1
    assert population.parent_at(0).birth == 2
    with pytest.raises(KeyError, match="genome-1"):
        population.parent_index("genome-1")


def test_an_empty_population_has_no_best_and_no_worst():
    population = Population()
    assert len(population) == population.parents == 0
    assert list(population.ranked()) == []
    for ask in (population.best, population.worst):
        with pytest.raises(IndexError):
            ask()


@check_rows("index", [-1, -2, 2, 3])
def test_there_are_no_parents_beyond_the_ends(index):
    with pytest.raises(IndexError):
        filled([member(1), member(2)]).parent_at(index)


def test_a_stranger_is_not_in_it():
    population = filled([member(1)])
    assert "genome-2" not in population
    assert 1 not in population
    for ask in (population.__getitem__, population.parent_index):
        with pytest.raises(KeyError):
            ask("genome-2")


def test_a_refused_member_changes_nothing():
    population = filled([member(1, 0.5)])
    with pytest.raises(ValueError, match="genome-1"):
        population.add(member(1, 0.9))
    assert everything(population) == everything(filled([member(1, 0.5)]))


@check_rows("fitness", [float("nan"), float("inf"), -float("inf")])
def test_what_has_no_rank_is_no_fitness(fitness):
    with pytest.raises(ValueError, match="genome-7"):
        member(7, fitness)


def test_members_are_as_far_apart_as_what_was_recorded_of_their_looks():
    looks = [Vector("one", np.array(each, np.float32)).record("t") for each in ([1, 0], [0, 1], [-1, 0])]
    other = Vector("other", np.array([1, 0], np.float32)).record("t")
    members = [Member(f"genome-{n}", n, 0.0, 0, True, "c", looks=each) for n, each in enumerate([*looks, other, None])]
    assert [members[0].distance(each) for each in members] == [0.0, 1.0, 2.0, None, None]
