"""The front against brute force, and who goes where it is too long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.selection.crowds import member

from mendel.selection.pareto import ParetoFront, crowding, dominates

OBJECTIVES = {"speed": "max", "memory": "min"}
few = st.sampled_from([-1.0, 0.0, 1.0, 2.0])


def one(number, speed, memory):
    return member(number, components={"speed": speed, "memory": memory})


crowds = st.lists(st.builds(one, st.integers(0, 40), few, few), max_size=14, unique_by=lambda each: each.genome_id)


def beaten(each, others):
    """Somebody is as fast with as little memory, and better in one of the two."""
    mine = (each.components["speed"], -each.components["memory"])
    theirs = [(other.components["speed"], -other.components["memory"]) for other in others]
    return any(a >= mine[0] and b >= mine[1] and (a, b) != mine for a, b in theirs)


@given(crowds)
def test_the_front_is_who_nobody_beats(offered):
    front = ParetoFront(OBJECTIVES)
    for each in offered:
        front.offer(each)
    expected = {each.genome_id for each in offered if not beaten(each, offered)}
    assert {each.genome_id for each in front.members()} == expected
    assert len(front) == len(expected)


@given(crowds, st.integers(1, 4))
def test_a_bounded_front_beats_nobody_of_itself(offered, limit):
    front = ParetoFront(OBJECTIVES, limit)
    for each in offered:
        assert front.offer(each) == (each.genome_id in front)
    kept = list(front.members())
    assert len(kept) <= limit
    assert len(kept) > 0 or not offered
    assert not any(beaten(each, kept) for each in kept)


@given(crowds)
def test_offering_again_changes_nothing(offered):
    front = ParetoFront(OBJECTIVES)
    for each in [*offered, *offered]:
        front.offer(each)
    once = ParetoFront(OBJECTIVES)
    for each in offered:
        once.offer(each)
    assert list(front.members()) == list(once.members())


def test_the_one_in_the_densest_place_goes_and_the_ends_stay():
    front = ParetoFront(OBJECTIVES, 4)
    line = [one(n, speed, speed) for n, speed in enumerate([0.0, 4.0, 5.0, 6.0, 10.0])]
    for each in line:
        front.offer(each)
    assert [each.genome_id for each in front.members()] == ["genome-0", "genome-1", "genome-3", "genome-4"]


def test_whoever_lacks_an_objective_is_not_taken():
    front = ParetoFront(OBJECTIVES)
    assert not front.offer(member(1, components={"speed": 9.0}))
    assert len(front) == 0


def test_who_is_gone_is_gone():
    front = ParetoFront(OBJECTIVES)
    front.offer(one(1, 1.0, 1.0))
    front.forget("genome-1")
    front.forget("genome-1")
    assert "genome-1" not in front


@pytest.mark.parametrize(("objectives", "limit"), [({}, 5), (OBJECTIVES, 0)])
def test_a_front_has_an_objective_and_room(objectives, limit):
    with pytest.raises(ValueError, match="front"):
        ParetoFront(objectives, limit)


@given(st.lists(st.tuples(few, few), max_size=9))
def test_ends_are_infinitely_far_apart(points):
    distances = crowding(points)
    assert len(distances) == len(points)
    for axis in range(2 if points else 0):
        low = min(point[axis] for point in points)
        assert any(d == float("inf") for d, point in zip(distances, points, strict=True) if point[axis] == low)


@given(st.tuples(few, few, few), st.tuples(few, few, few))
def test_nobody_dominates_itself_nor_each_other(a, b):
    assert not dominates(a, a)
    assert not (dominates(a, b) and dominates(b, a))
