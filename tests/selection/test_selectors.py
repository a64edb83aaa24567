"""What every selector promises, held against each of them; and the draws they share."""

import tomllib
from collections import Counter
from importlib import import_module
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.selection.crowds import Counting
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.selection.islands import Islands
from mendel.selection.population import Member, Population
from mendel.selection.selectors import (
    LONGEST_WHY,
    AdaptiveEpsilon,
    AgeSelection,
    BestSoFar,
    Choice,
    Lexicase,
    Outcome,
    ProportionalSelection,
    Tournament,
    cut,
    draw_parents,
    shown,
)
from mendel.selection.track_record import UpperConfidenceBound

ROOT = Path(__file__).parents[2]


def registered():
    """Every selector that the project registers, from the file that registers it."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    places = {name: place.split(":") for name, place in groups["mendel.selectors"].items()}
    return {name: getattr(import_module(module), maker) for name, (module, maker) in places.items()}


SELECTORS = registered() | {
    "tournament-of-1": lambda: Tournament(1),
    "tournament-of-9": lambda: Tournament(9),
    "epsilon-half": lambda: AdaptiveEpsilon(0.5),
    "epsilon-one": lambda: AdaptiveEpsilon(1.0, highest=1.0),
    "ucb-greedy": lambda: UpperConfidenceBound(0.0),
    "ucb-curious": lambda: UpperConfidenceBound(9.0),
    "age-of-1": lambda: AgeSelection(1),
    "lexicase-of-1": lambda: Lexicase(1),
    "proportional-flat": lambda: ProportionalSelection(1.0),
    "islands": lambda: Islands(Tournament, count=3, interval=2),
    "islands-of-ucb": lambda: Islands(UpperConfidenceBound, count=2, interval=1),
}
each_selector = pytest.mark.parametrize("make", SELECTORS.values(), ids=SELECTORS)
moderately = settings(max_examples=20, deadline=None)  # for each of many selectors


@st.composite
def crowds(draw):
    numbers = draw(st.lists(st.integers(0, 99), unique=True, max_size=10))
    fitnesses = st.sampled_from([-1.0, 0.0, 0.5, 1.0]) | st.floats(allow_nan=False, allow_infinity=False)
    components = st.dictionaries(st.sampled_from("abc"), st.sampled_from([-2.0, 0.0, 1.0]) | st.floats(-9, 9))
    return [
        Member(f"genome-{n}", n, draw(fitnesses), 0, draw(st.booleans()), f"candidate-{n}", draw(components))
        for n in numbers
    ]


outcomes = st.builds(
    Outcome,
    genome_id=st.sampled_from(["genome-1", "genome-2", "genome-3"]),
    birth=st.integers(0, 99),
    parents=st.sampled_from([(), ("genome-1",), ("genome-1", "genome-2")]),
    operator=st.sampled_from([None, "swap"]),
    fitness=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    gain=st.none() | st.sampled_from([0.0, 1.0]),
)
choices = st.builds(
    Choice, st.sampled_from([("genome-1",), ("genome-2", "genome-1"), ()]), st.just("because"), st.integers(0, 99)
)


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
@moderately
@given(crowds(), st.integers(1, 9), st.integers())
def test_parents_are_different_and_may_be_parents_and_the_population_is_left_alone(make, members, count, seed):
    population = filled(members)
    before = list(population.ranked())
    choice = make().select(population, count, Entropy(seed))
    assert list(population.ranked()) == before
    assert len(set(choice.parents)) == len(choice.parents) == min(count, population.parents)
    assert all(population[parent].parentable for parent in choice.parents)
    assert 0 < len(choice.why) <= LONGEST_WHY
    assert all(shown(population[parent]) in choice.why for parent in choice.parents)


@each_selector
@moderately
@given(crowds(), st.data(), st.integers(1, 4), st.integers())
def test_the_order_of_adding_never_matters(make, members, data, count, seed):
    other = data.draw(st.permutations(members))
    chosen = [make().select(filled(order), count, Entropy(seed)) for order in (members, other)]
    assert chosen[0] == chosen[1]


@each_selector
@moderately
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
def test_nobody_is_chosen_where_nobody_may_be_a_parent(make):
    barren = filled([Member("genome-1", 1, 0.5, 0, False, "candidate-1")])
    for population in (Population(), barren):
        assert make().select(population, 2, Entropy("seed")) == Choice((), "none may be a parent")


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


def work(make, size, monkeypatch):
    """How many members are looked at, and how many words drawn, for two parents and three inspirations."""
    population = Counting()
    for n in range(size):
        population.add(Member(f"genome-{n}", n, (n * 37 % size) / 10, 0, True, f"candidate-{n}", {"a": n, "b": -n}))
    population.looks = 0
    drawn = []
    word = Entropy.word
    with monkeypatch.context() as patch:
        patch.setattr(Entropy, "word", lambda self, *label: drawn.append(label) or word(self, *label))
        selector = make()
        choice = selector.select(population, 2, Entropy("seed"))
        selector.sample_inspirations(population, choice.parents, 3, Entropy("seed"))
    return population.looks, len(drawn)


@each_selector
def test_the_cost_of_a_choice_does_not_grow_with_the_population(make, monkeypatch):
    small, large = work(make, 250, monkeypatch), work(make, 4_000, monkeypatch)
    doublings = 4
    assert large[0] <= small[0] + 40 * doublings  # at most logarithmically
    assert large[0] < 250
    assert large[1] < 250


# --- inspirations --------------------------------------------------------------------------------------------------


@each_selector
@moderately
@given(crowds(), st.data(), st.integers(-1, 9), st.integers())
def test_inspirations_are_different_and_never_the_parents(make, members, data, count, seed):
    population = filled(members)
    ids = [member.genome_id for member in population.ranked()]
    parents = data.draw(st.lists(st.sampled_from([*ids, "genome-gone"]), unique=True, max_size=3))
    drawn = make().sample_inspirations(population, parents, count, Entropy(seed))
    assert drawn == make().sample_inspirations(population, parents, count, Entropy(seed))
    left = set(ids) - set(parents)
    assert len(drawn) == len(set(drawn)) == max(0, min(count, len(left)))
    assert set(drawn) <= left


def test_inspirations_are_the_best_and_others():
    population = crowd(50)
    seen = [Tournament().sample_inspirations(population, ["genome-49"], 4, Entropy(n)) for n in range(200)]
    assert all(drawn[:2] == ("genome-48", "genome-47") for drawn in seen)
    assert len({each for drawn in seen for each in drawn[2:]}) > 40


# --- what is told --------------------------------------------------------------------------------------------------


@check_rows("wrong", [{"gain": -1.0}, {"gain": float("nan")}, {"cost": 0.0}, {"cost": float("inf")}])
def test_a_gain_is_not_negative_and_a_cost_is_positive(wrong):
    with pytest.raises(ValueError, match="genome-7"):
        Outcome("genome-7", 7, (), None, 1.0, **wrong)


def test_what_a_project_registers_goes_by_the_names_of_the_seed():
    names = {"epsilon", "tournament", "ucb", "rank", "proportional", "thompson", "age", "lexicase"}
    assert set(registered()) == names


# --- draws ---------------------------------------------------------------------------------------------------------


@given(st.integers(0, 12), st.integers(0, 14), st.data(), st.integers())
def test_draws_are_different_and_leave_out_who_is_left_out(size, count, data, seed):
    population = crowd(size)
    ids = [member.genome_id for member in population.ranked()]
    without = data.draw(st.lists(st.sampled_from(ids), unique=True)) if ids else []
    drawn = {member.genome_id for member in draw_parents(population, count, Entropy(seed), without=without)}
    assert len(drawn) == min(count, size - len(without))
    assert not drawn & set(without)


@check_rows("count", [1, 2, 3])
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


@check_rows("fitness", [float("nan"), float("inf"), -float("inf")])
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
