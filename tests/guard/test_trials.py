"""Trials: an input and what relations make of it."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.guard.making import LISTS, NUMBERS

from mendel.contracts.errors import SpecFailed
from mendel.contracts.plain_values import identical
from mendel.guard import MetamorphicRelation, TaskSpec
from mendel.guard.trials import Trial, Trials, copied

plain = st.recursive(
    st.none() | st.integers() | st.floats() | st.text() | st.binary().map(bytearray) | st.dates(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.sets(st.integers(), max_size=3)
    ),
    max_leaves=10,
)


def changeable(value: object) -> set[int]:
    """Every object in a value that could be changed in place."""
    inside = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list | tuple) else []
    own = {id(value)} if isinstance(value, list | dict | set | bytearray) else set()
    return own.union(*(changeable(item) for item in inside))


@given(plain)
def test_a_copy_is_the_same_and_shares_nothing_changeable(value):
    copy = copied(value)
    assert identical(copy, value)
    assert not changeable(copy) & changeable(value)


def trials(*relations: MetamorphicRelation, seed: int = 1, **parts) -> Trials:
    return Trials(TaskSpec("task", NUMBERS, relations=relations, **parts), seed)


def test_without_relations_a_trial_is_an_input():
    assert trials().of([(1,), (2,)], first=5) == [Trial(5, (1,)), Trial(6, (2,))]


def test_each_relation_makes_a_variant_or_none():
    made = trials(
        MetamorphicRelation("double", lambda x: (2 * x,)),
        MetamorphicRelation("half", lambda x: None if x % 2 else (x // 2,)),
    ).of([(3,), (4,)])
    assert made == [Trial(0, (3,), ((6,), None)), Trial(1, (4,), ((8,), (2,)))]


def test_random_transforms_depend_on_seed_relation_and_case_alone():
    def moved(x, rng):
        return (x + rng.random(),)

    def variants(seed: int, *names: str, first: int = 0) -> list[tuple]:
        relations = [MetamorphicRelation(name, moved, accepts_rng=True) for name in names]
        return [made.variants for made in trials(*relations, seed=seed).of([(0,)] * 3, first)]

    assert variants(1, "a", "b") == variants(1, "a", "b")
    assert variants(1, "a", "b") == list(
        zip([v[0] for v in variants(1, "a")], [v[0] for v in variants(1, "b")], strict=True)
    )
    assert variants(1, "a")[1:] == variants(1, "a", first=1)[:2]
    assert len({v[0] for v in variants(1, "a") + variants(1, "b") + variants(2, "a")}) == 9


def test_a_transform_that_changes_its_input_gets_a_copy_and_is_remembered():
    def sort_in_place(xs):
        xs[0].sort()
        return (xs,)

    original = ([[3, 1]],)
    maker = trials(MetamorphicRelation("sorted", sort_in_place), MetamorphicRelation("turned", lambda xs: (xs[::-1],)))
    assert maker.of([original])[0].variants[0] == ([[1, 3]],)
    assert original == ([[3, 1]],)
    assert maker.mutating == {"sorted"}


def test_a_transform_that_raises_is_the_tasks_failure_with_the_input():
    with pytest.raises(SpecFailed, match=r"relation 'inverse' raised ZeroDivisionError.*input 1: \(0,\)"):
        trials(MetamorphicRelation("inverse", lambda x: (1 / x,))).of([(1,), (0,)])


def test_a_failure_is_told_although_the_input_cannot_be_shown():
    with pytest.raises(SpecFailed, match="relation 'inverse' raised ZeroDivisionError"):
        trials(MetamorphicRelation("inverse", lambda x: (1 / x,)), fmt_in=lambda args: args[9]).of([(0,)])


def test_an_input_that_is_no_plain_value_is_the_tasks_failure():
    with pytest.raises(SpecFailed):
        trials(MetamorphicRelation("same", lambda x: (x,))).of([(object(),)])


def test_dates_and_lists_are_inputs_as_others_are():
    day = dt.date(2026, 11, 16)
    assert Trials(TaskSpec("t", LISTS, relations=[MetamorphicRelation("same", lambda d: (d,))]), 1).of([(day,)]) == [
        Trial(0, (day,), ((day,),))
    ]
