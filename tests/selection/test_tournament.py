"""Tournaments: who wins, how often, and what is said about it."""

from collections import Counter
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.selection.population import Member, Population
from mendel.selection.selectors import Outcome, Tournament

DRAWS = 4_000


def crowd(*fitnesses: float) -> Population:
    population = Population()
    for number, fitness in enumerate(fitnesses):
        population.add(Member(f"genome-{number}", number, fitness, 0, True, f"candidate-{number}"))
    return population


def winners(size: int, population: Population, count: int = 1) -> list[tuple[str, ...]]:
    return [Tournament(size).select(population, count, Entropy("wins", draw)).parents for draw in range(DRAWS)]


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=9), st.integers(1, 9), st.integers())
def test_a_tournament_among_all_takes_the_best_in_order(fitnesses, count, seed):
    population = crowd(*fitnesses)
    choice = Tournament(len(fitnesses)).select(population, count, Entropy(seed))
    assert choice.parents == tuple(member.genome_id for member in population.ranked())[:count]


@given(st.integers(2, 6), st.integers())
def test_the_worst_wins_only_when_there_are_too_few_others(size, seed):
    population = crowd(*range(8))
    assert "genome-0" not in Tournament(size).select(population, 9 - size, Entropy(seed)).parents


@check_rows("size", [1, 2, 3, 5])
def test_each_rank_wins_as_often_as_arithmetic_says(size):
    """Rank r of n wins if it is drawn with size-1 of the n-1-r that are worse."""
    members = 6
    wins = Counter(parent for (parent,) in winners(size, crowd(*range(members))))
    for fitness in range(members):
        expected = comb(fitness, size - 1) / comb(members, size)
        assert wins[f"genome-{fitness}"] / DRAWS == pytest.approx(expected, abs=0.035)


def test_the_second_parent_is_a_tournament_among_the_rest():
    pairs = Counter(winners(2, crowd(0, 1, 2), count=2))
    assert pairs["genome-2", "genome-1"] / DRAWS == pytest.approx(2 / 3, abs=0.04)
    assert pairs["genome-1", "genome-2"] / DRAWS == pytest.approx(1 / 3, abs=0.04)


def test_the_reason_names_who_was_drawn_and_who_won():
    choice = Tournament(3).select(crowd(0.81, 0.2, 0.1), 1, Entropy("seed"))
    assert choice.why == "tournament of 3: genome-0 (0.81) over genome-1 (0.2), genome-2 (0.1)"


def test_the_reason_tells_every_tournament():
    choice = Tournament(9).select(crowd(1 / 3, 2.0, -5e-7), 3, Entropy("seed"))
    assert choice.parents == ("genome-1", "genome-0", "genome-2")
    assert choice.why == (
        "tournament of 3: genome-1 (2) over genome-0 (0.333333), genome-2 (-5e-07); "
        "tournament of 2: genome-0 (0.333333) over genome-2 (-5e-07); "
        "tournament of 1: genome-2 (-5e-07)"
    )


def test_it_learns_nothing():
    tournament, population = Tournament(), crowd(*range(20))
    before = tournament.select(population, 2, Entropy("seed"))
    tournament.chosen(before)
    tournament.feedback(Outcome("genome-20", 20, before.parents, "swap", 99.0))
    assert tournament.select(population, 2, Entropy("seed")) == before


def test_different_keys_choose_differently():
    assert len(set(winners(1, crowd(*range(6))))) == 6


@pytest.mark.parametrize("size", [0, -3])
def test_a_tournament_needs_somebody(size):
    with pytest.raises(ValueError, match=str(size)):
        Tournament(size)
