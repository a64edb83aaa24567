"""What every selector promises, held against each of them; and the draws they share."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mendel.contracts.entropy import Entropy
from mendel.selection.adaptive_epsilon import AdaptiveEpsilon
from mendel.selection.population import Member, Population
from mendel.selection.selectors import LONGEST_WHY, BestSoFar, Choice, Outcome, cut, draw_parents, shown
from mendel.selection.tournament import Tournament

SELECTORS = {
    "tournament": Tournament,
    "tournament-of-1": lambda: Tournament(1),
    "tournament-of-9": lambda: Tournament(9),
    "epsilon": AdaptiveEpsilon,
    "epsilon-half": lambda: AdaptiveEpsilon(0.5),
    "epsilon-one": lambda: AdaptiveEpsilon(1.0, highest=1.0),
}
each_selector = pytest.mark.parametrize("make", SELECTORS.values(), ids=SELECTORS)


@st.composite
def crowds(draw):
    numbers = draw(st.lists(st.integers(0, 99), unique=True, max_size=12))
    fitnesses = st.sampled_from([0.0, 0.5, 1.0])
    return [Member(f"genome-{n}", n, draw(fitnesses), 0, draw(st.booleans()), f"candidate-{n}") for n in numbers]


outcomes = st.builds(
    Outcome,
    genome_id=st.just("genome-1"),
    birth=st.integers(0, 99),
    parents=st.sampled_from([(), ("genome-1",), ("genome-1", "genome-2")]),
    operator=st.sampled_from([None, "swap"]),
    fitness=st.none() | st.floats(allow_nan=False, allow_infinity=False),
)
choices = st.builds(Choice, st.sampled_from([("genome-1",), ()]), st.just("because"))


def filled(members) -> Population:
    population = Population()
    for each in members:
        population.add(each)
    return population


def crowd(size: int) -> Population:
    return filled(Member(f"genome-{n}", n, n / 10, 0, True, f"candidate-{n}") for n in range(size))


def told(selector, story):
    for line in story:
        selector.chosen(line) if isinstance(line, Choice) else selector.feedback(line)
    return selector


# --- the promises of the interface ---------------------------------------------------------------------------------


@each_selector
@given(crowds(), st.integers(1, 9), st.integers())
def test_parents_are_different_and_may_be_parents(make, members, count, seed):
    population = filled(members)
    choice = make().select(population, count, Entropy(seed))
    assert len(set(choice.parents)) == len(choice.parents) == min(count, population.parents)
    assert all(population[parent].parentable for parent in choice.parents)
    assert 0 < len(choice.why) <= LONGEST_WHY
    assert all(shown(population[parent]) in choice.why for parent in choice.parents)


@each_selector
@given(crowds(), st.data(), st.integers(1, 4), st.integers())
def test_the_order_of_adding_never_matters(make, members, data, count, seed):
    other = data.draw(st.permutations(members))
    chosen = [make().select(filled(order), count, Entropy(seed)) for order in (members, other)]
    assert chosen[0] == chosen[1]


@each_selector
@given(crowds(), st.integers(), st.lists(outcomes | choices, max_size=12), st.integers(0, 3))
def test_a_selector_told_the_same_again_chooses_the_same(make, members, seed, story, glances):
    population, entropy = filled(members), Entropy(seed)
    lived = make()
    for line in story:
        for glance in range(glances):  # choices that were never recorded leave no trace
            lived.select(population, 1 + glance, entropy.child(glance))
        told(lived, [line])
    resumed = told(make(), story)
    assert lived.select(population, 3, entropy) == resumed.select(population, 3, entropy)


@each_selector
@given(crowds(), st.integers(1, 4))
def test_choosing_leaves_the_population_alone(make, members, count):
    population = filled(members)
    before = list(population.ranked())
    make().select(population, count, Entropy("seed"))
    assert list(population.ranked()) == before


@each_selector
def test_nobody_is_chosen_where_nobody_may_be_a_parent(make):
    barren = filled([Member("genome-1", 1, 0.5, 0, False, "candidate-1")])
    for population in (Population(), barren):
        assert make().select(population, 2, Entropy("seed")) == Choice((), "nobody may be a parent")


@each_selector
@pytest.mark.parametrize("count", [0, -1])
def test_a_child_without_parents_is_not_selected_for(make, count):
    for population in (Population(), crowd(3)):
        with pytest.raises(ValueError, match="at least one parent"):
            make().select(population, count, Entropy("seed"))


@each_selector
def test_a_long_story_is_cut(make):
    names = [f"genome-{n:0120d}" for n in range(40)]
    population = filled(Member(name, n, 0.0, 0, True, "candidate-1") for n, name in enumerate(names))
    choice = make().select(population, 30, Entropy("seed"))
    assert len(choice.parents) == 30
    assert len(choice.why) == LONGEST_WHY
    assert choice.why.endswith("…")


@each_selector
def test_the_cost_of_a_choice_does_not_grow_with_the_population(make, monkeypatch):
    drawn = []
    word = Entropy.word
    monkeypatch.setattr(Entropy, "word", lambda self, *label: drawn.append(label) or word(self, *label))
    looked_up = []
    look = Population.parent_at
    monkeypatch.setattr(Population, "parent_at", lambda self, index: looked_up.append(index) or look(self, index))
    make().select(crowd(3_000), 2, Entropy("seed"))
    assert len(drawn) <= 20
    assert len(looked_up) <= 20


# --- draws ---------------------------------------------------------------------------------------------------------


@given(st.integers(0, 12), st.integers(0, 14), st.data(), st.integers())
def test_draws_are_different_and_leave_out_who_is_left_out(size, count, data, seed):
    population = crowd(size)
    ids = [member.genome_id for member in population.ranked()]
    without = data.draw(st.lists(st.sampled_from(ids), unique=True)) if ids else []
    drawn = {member.genome_id for member in draw_parents(population, count, Entropy(seed), without=without)}
    assert len(drawn) == min(count, size - len(without))
    assert not drawn & set(without)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_every_set_is_equally_likely(count):
    population, draws = crowd(6), 4_000
    sets = list(combinations(["genome-0", "genome-2", "genome-3", "genome-5"], count))
    seen = Counter(
        tuple(
            sorted(m.genome_id for m in draw_parents(population, count, Entropy(n), without=["genome-4", "genome-1"]))
        )
        for n in range(draws)
    )
    assert sorted(seen) == sets
    assert all(0.8 < times * len(sets) / draws < 1.2 for times in seen.values())


def test_whoever_cannot_be_drawn_cannot_be_left_out():
    with pytest.raises(KeyError):
        draw_parents(crowd(3), 1, Entropy("seed"), without=["genome-9"])


# --- values --------------------------------------------------------------------------------------------------------


def test_a_reason_has_its_bounds():
    assert Choice((), "x" * LONGEST_WHY).why == cut("x" * LONGEST_WHY)
    with pytest.raises(ValueError, match="at most 2000"):
        Choice((), "x" * (LONGEST_WHY + 1))
    assert cut("x" * 5_000) == "x" * (LONGEST_WHY - 1) + "…"


@pytest.mark.parametrize("fitness", [float("nan"), float("inf"), -float("inf")])
def test_an_outcome_failed_or_has_a_number(fitness):
    with pytest.raises(ValueError, match="genome-7"):
        Outcome("genome-7", 7, (), None, fitness)
    assert Outcome("genome-7", 7, (), None, None).fitness is None


@given(st.lists(st.none() | st.sampled_from([-1.0, 0.0, 1.0]) | st.floats(-5, 5), max_size=20))
def test_an_improvement_is_fitter_than_everything_before(fitnesses):
    best = BestSoFar()
    for index, fitness in enumerate(fitnesses):
        before = [each for each in fitnesses[:index] if each is not None]
        expected = fitness is not None and all(fitness > each for each in before)
        assert best.improved_by(Outcome("genome-1", 1, (), None, fitness)) == expected
