"""Sized generators: what they draw, how often they draw what matters, and what they refuse."""

from __future__ import annotations

import datetime as dt
import math
import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.errors import ConfigError, SpecFailed
from mendel.contracts.plain_values import identical, spelled
from mendel.guard.generators import (
    Generator,
    arguments,
    booleans,
    constant,
    dates,
    dictionaries,
    drawn,
    floats,
    graphs,
    integers,
    lists,
    one_of,
    sampled,
    text,
    tuples,
)

N = 400
SEEDS = (0, 1, 2**70)
EVERY = {
    "integers": integers(-1000, 1000),
    "floats": floats(-10, 10, specials=True),
    "booleans": booleans(),
    "text": text("abc ", 50),
    "lists": lists(integers(0, 9), 300),
    "unique": lists(integers(0, 10_000), 300, unique=True),
    "tuples": tuples(integers(0, 5), booleans()),
    "sampled": sampled("xyz"),
    "constant": constant([1]),
    "dates": dates(),
    "dictionaries": dictionaries(text("ab", 8), floats(0, 1), 30),
    "one_of": one_of(integers(0, 3), text("a", 3)),
    "adjacency": graphs(40),
    "edges": graphs(40, weighted=True, directed=True, edge_list=True),
    "mapped": integers(0, 9).map(str),
    "filtered": integers(0, 9).filter(lambda number: number % 2 == 0),
    "arguments": arguments(lists(integers(0, 9), 20), integers(0, 9)),
}

each_seed = check_rows("seed", SEEDS)
each_generator = check_rows("generator", EVERY.values())


def draws(generator: Generator[object], seed: int = 0, count: int = N) -> list:
    return [drawn(generator, seed, index) for index in range(count)]


# --- the same again, and never the same -----------------------------------------------------------------------------


@each_generator
def test_a_case_is_a_function_of_its_seed_and_index(generator):
    first = draws(generator, 5)
    assert identical(first, draws(generator, 5))
    assert identical(first[17:20], [drawn(generator, 5, index) for index in (17, 18, 19)])


@each_generator
def test_another_seed_draws_something_else(generator):
    if len({spelled(value) for value in draws(generator)}) > 1:
        assert not identical(draws(generator, 5), draws(generator, 6))


@each_generator
def test_cases_share_nothing_that_could_be_changed(generator):
    first = draws(generator, 5, 60)
    for value in first:
        if isinstance(value, list):
            value.append("changed")
    assert identical(draws(generator, 5, 60)[30:], draws(generator, 5, 60)[30:])
    assert "changed" not in str(draws(generator, 5, 60))


@check_rows("size", [0.0, 0.3, 1.0])
@each_generator
def test_a_draw_uses_nothing_but_the_generator_it_is_given(generator, size):
    random.seed(1)
    before = random.getstate()
    values = [generator.draw(random.Random(index), size) for index in range(20)]
    assert random.getstate() == before
    assert identical(values, [generator.draw(random.Random(index), size) for index in range(20)])


def test_early_and_late_cases_are_distributed_alike():
    """Nothing grows with the index: the halves of a long draw have the same share of empty and of long lists."""
    lengths = list(map(len, draws(lists(integers(0, 9), 200), 3, 4_000)))
    early, late = lengths[:2_000], lengths[2_000:]
    for what in (lambda length: length == 0, lambda length: length > 100, lambda length: length == 200):
        shares = [sum(map(what, half)) / 2_000 for half in (early, late)]
        assert abs(shares[0] - shares[1]) < 5 * math.sqrt(2 * max(shares) / 2_000)


def test_neighbouring_cases_have_nothing_to_do_with_each_other():
    lengths = list(map(len, draws(lists(integers(0, 9), 200), 3, 4_000)))
    mean = sum(lengths) / len(lengths)
    spread = sum((length - mean) ** 2 for length in lengths)
    together = sum((one - mean) * (other - mean) for one, other in pairwise(lengths))
    assert abs(together / spread) < 0.08


# --- edges come up --------------------------------------------------------------------------------------------------


@each_seed
@check_rows(("low", "high"), [(-5, 5), (-1000, 1000), (0, 10**9), (-(10**30), 10**30), (7, 900), (-90, -3)])
def test_the_edges_of_a_range_of_integers_come_up_often(low, high, seed):
    found = Counter(draws(integers(low, high), seed))
    for edge in (low, high, low + 1, high - 1, *(edge for edge in (-1, 0, 1) if low <= edge <= high)):
        assert found[edge] >= 2, edge
    assert low <= min(found)
    assert max(found) <= high
    assert len(found) > min(high - low, 100) / 2


@each_seed
def test_integers_are_of_every_magnitude(seed):
    lengths = {len(str(abs(number))) for number in draws(integers(-(10**30), 10**30), seed)}
    assert len(lengths) > 15


@each_seed
def test_floats_have_edges_and_specials(seed):
    plain = draws(floats(-10, 10), seed)
    assert {-10.0, 10.0, 0.0, 1.0, -1.0} <= set(plain)
    assert all(type(number) is float and -10 <= number <= 10 for number in plain)
    special = draws(floats(-10, 10, specials=True), seed)
    assert {math.inf, -math.inf} <= set(special)
    assert any(map(math.isnan, special))
    assert any(number == 0 and math.copysign(1, number) < 0 for number in special)
    assert sum(number == int(number) for number in plain) > 40, "whole numbers"


@each_seed
def test_lists_have_every_shape_in_which_mistakes_hide(seed):
    found = draws(lists(integers(-1000, 1000), 2_000), seed)
    shapes: dict[str, Callable[[list[int]], bool]] = {
        "empty": lambda items: not items,
        "single": lambda items: len(items) == 1,
        "two": lambda items: len(items) == 2,
        "as long as can be": lambda items: len(items) == 2_000,
        "longer than Hypothesis makes them": lambda items: len(items) > 1_500,
        "all equal": lambda items: len(items) > 2 and len(set(items)) == 1,
        "few different": lambda items: len(items) > 50 and len(set(items)) < len(items) / 4,
        "rising": lambda items: len(set(items)) > 3 and items == sorted(items),
        "falling": lambda items: len(set(items)) > 3 and items == sorted(items, reverse=True),
        "in no order": lambda items: len(set(items)) > 3 and items not in (sorted(items), sorted(items)[::-1]),
        "with the largest twice": lambda items: len(set(items)) > 3 and items.count(max(items)) > 1,
        "with the largest once": lambda items: len(set(items)) > 3 and items.count(max(items)) == 1,
    }
    for name, shape in shapes.items():
        assert sum(map(shape, found)) >= 3, name


@each_seed
def test_strings_are_empty_single_and_long(seed):
    lengths = Counter(map(len, draws(text("ab", 30), seed)))
    assert min(lengths[0], lengths[1], lengths[30]) >= 3
    assert all(set(string) <= {"a", "b"} for string in draws(text("ab", 30), seed))


@each_seed
def test_days_turn_months_years_and_leap_years(seed):
    low, high = dt.date(1999, 3, 5), dt.date(2031, 8, 9)
    found = draws(dates(low, high), seed)
    assert low == min(found)
    assert high == max(found)
    assert {(2, 29), (12, 31), (1, 1)} <= {(day.month, day.day) for day in found}
    assert sum((day + dt.timedelta(days=1)).day == 1 for day in found) > 20
    assert len({day.weekday() for day in found}) == 7


@check_rows("only", [dt.date.min, dt.date.max, dt.date(1900, 3, 1), dt.date(2000, 2, 29)])
def test_a_single_day_can_be_drawn(only):
    assert set(draws(dates(only, only))) == {only}


def test_the_whole_calendar_can_be_drawn():
    found = draws(dates(dt.date.min, dt.date.max))
    assert {dt.date.min, dt.date.max} <= set(found)


# --- mutants are found ----------------------------------------------------------------------------------------------

MUTANTS: dict[str, tuple[Generator[object], Callable[..., object], Callable[..., object]]] = {
    "forgets the empty list": (lists(integers(0, 99), 500), sum, lambda items: sum(items) or None),
    "wrong for one item": (lists(integers(0, 99), 500), len, lambda items: len(items) + (len(items) == 1)),
    "strict comparison": (integers(0, 10**6), lambda number: number >= 10**6, lambda number: number > 10**6),
    "off by one below": (integers(-500, 500), lambda number: number >= -499, lambda number: number > -499),
    "sign of zero": (integers(-(10**9), 10**9), lambda number: number >= 0, lambda number: number > 0),
    "drops duplicates": (lists(integers(0, 10**9), 500), sorted, lambda items: sorted(set(items))),
    "stops before the last": (lists(integers(0, 10**9), 500), list, lambda items: items[:499]),
    "nan": (floats(-1, 1, specials=True), lambda number: number == number, lambda number: True),
    "29 February": (dates(), lambda day: day.day, lambda day: min(day.day, 28) if day.month == 2 else day.day),
    "ties in the first place": (
        lists(integers(0, 10**6), 300, 1),
        lambda items: items.index(max(items)),
        lambda items: len(items) - 1 - items[::-1].index(max(items)),
    ),
}


@each_seed
@check_rows("mutant", MUTANTS)
def test_a_mutant_that_differs_at_an_edge_is_found(mutant, seed):
    generator, right, wrong = MUTANTS[mutant]
    assert any(right(value) != wrong(value) for value in draws(generator, seed))


# --- each generator -------------------------------------------------------------------------------------------------


@given(st.integers(), st.integers(), st.integers(), st.floats(0, 1))
def test_integers_lie_within_their_range_however_large_it_is(one, other, seed, size):
    low, high = sorted((one, other))
    assert low <= integers(low, high).draw(random.Random(seed), size) <= high


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300), st.integers(), st.floats(0, 1))
def test_floats_lie_within_their_range(one, other, seed, size):
    low, high = sorted((one, other))
    assert low <= floats(low, high).draw(random.Random(seed), size) <= high


@given(st.integers(0, 50), st.integers(0, 50), st.integers(), st.floats(0, 1))
def test_lists_have_a_length_that_is_allowed(one, other, seed, size):
    least, most = sorted((one, other))
    assert least <= len(lists(booleans(), most, least).draw(random.Random(seed), size)) <= most
    different = lists(integers(0, 10**6), most, least, unique=True).draw(random.Random(seed), size)
    assert least <= len(different) <= most
    assert len(set(different)) == len(different)


@given(st.integers(0, 10**6))
def test_size_zero_is_small(seed):
    rng = random.Random(seed)
    assert len(lists(integers(0, 9), 10_000).draw(rng, 0.0)) <= 3


def test_items_that_are_repeated_are_not_the_same_object():
    for items in draws(lists(lists(integers(0, 9), 3), 20)):
        assert len({id(item) for item in items}) == len(items)


def test_lists_of_what_cannot_be_ordered_or_hashed():
    mixed = one_of(constant(None), integers(0, 3), text("a", 2), lists(integers(0, 2), 2))
    assert any(len({type(item) for item in items}) > 2 for items in draws(lists(mixed, 20)))
    for items in draws(lists(tuples(lists(integers(0, 2), 2)), 9, unique=True)):
        assert len({spelled(item) for item in items}) == len(items)


def test_unique_lists_are_as_long_as_they_can_be():
    assert max(map(len, draws(lists(integers(1, 6), 100, unique=True)))) == 6
    with pytest.raises(SpecFailed, match="only 2 different values came up, but 3 are needed"):
        draws(lists(booleans(), 5, 3, unique=True))


def test_dictionaries():
    found = draws(dictionaries(integers(0, 10**6), sampled("ab"), 50, 2))
    assert {2, 50} <= {len(mapping) for mapping in found}
    assert all(2 <= len(mapping) <= 50 and set(mapping.values()) <= {"a", "b"} for mapping in found)


def test_one_of_sampled_and_booleans_draw_everything_about_as_often():
    for generator, options in (
        (one_of(constant(1), constant(2)), {1, 2}),
        (sampled("abc"), {*"abc"}),
        (booleans(), {True, False}),
    ):
        found = Counter(draws(generator, count=1_000))
        assert set(found) == options
        assert min(found.values()) > 0.8 * 1_000 / len(options)


def test_constants_are_copies():
    value = [1, [2]]
    first, second = draws(constant(value), count=2)
    first[1].append(3)
    assert value == second == [1, [2]]


def test_arguments_are_a_tuple():
    assert all(isinstance(args, tuple) and len(args) == 1 for args in draws(arguments(lists(booleans(), 3))))
    assert draws(arguments(), count=1) == [()]


def test_map_and_filter():
    even = integers(0, 1000).map(lambda number: 2 * number).filter(lambda number: number % 3 == 0)
    assert all(number % 6 == 0 for number in draws(even))
    assert len(set(draws(even))) > 50


def test_a_filter_may_keep_large_values_only():
    large = lists(booleans(), 100).filter(lambda items: len(items) > 60)
    assert min(map(len, draws(large, count=40))) > 60


def test_a_filter_gives_up():
    with pytest.raises(SpecFailed, match="a filter refused 1,000 values in a row; generate only values that it keeps"):
        drawn(integers(0, 9).filter(lambda number: number > 9), 0, 0)


# --- graphs ---------------------------------------------------------------------------------------------------------


def test_an_adjacency_has_every_node_and_both_directions():
    for graph in draws(graphs(60)):
        assert set(graph) == set(range(len(graph)))
        for node, near in graph.items():
            assert node not in near
            assert len(set(near)) == len(near)
            assert all(node in graph[other] for other in near)


def test_weights_are_those_of_the_edge():
    for graph in draws(graphs(30, weighted=True)):
        for node, near in graph.items():
            assert all(graph[other][node] == weight and 1 <= weight <= 100 for other, weight in near.items())
    own = draws(graphs(30, weighted=constant(0.5), directed=True))
    assert {weight for graph in own for near in graph.values() for weight in near.values()} == {0.5}


def test_an_edge_list_names_no_edge_twice():
    for count, edges in draws(graphs(60, edge_list=True)):
        assert all(0 <= left < count and 0 <= right < count and left != right for left, right in edges)
        assert len({frozenset(edge) for edge in edges}) == len(edges)
    assert any(
        (right, left) in edges for _, edges in draws(graphs(9, directed=True, edge_list=True)) for left, right in edges
    )
    assert all(len(edge) == 3 for _, edges in draws(graphs(9, weighted=True, edge_list=True)) for edge in edges)


def test_acyclic_graphs_have_no_ring():
    for count, edges in draws(graphs(40, acyclic=True, edge_list=True)):
        left = set(range(count))
        while left:
            free = {node for node in left if not any(end == node and start in left for start, end in edges)}
            assert free, "a ring"
            left -= free


@each_seed
def test_graphs_have_every_shape(seed):
    found = draws(graphs(60), seed)
    degrees = [sorted(map(len, graph.values())) for graph in found]
    assert sum(not graph for graph in found) >= 3, "no nodes"
    assert sum(len(graph) == 1 for graph in found) >= 3, "one node"
    assert sum(len(graph) > 5 and max(of) == 0 for graph, of in zip(found, degrees, strict=True)) >= 3, "no edges"
    assert sum(len(of) > 5 and of[:2] == [1, 1] and set(of[2:]) == {2} for of in degrees) >= 3, "a path"
    assert sum(len(of) > 5 and set(of) == {2} for of in degrees) >= 3, "a ring"
    assert sum(len(of) > 5 and of[-1] == len(of) - 1 and of[-2] == 1 for of in degrees) >= 3, "a star"
    assert sum(len(of) > 2 and of[0] == len(of) - 1 for of in degrees) >= 3, "a clique"


# --- what makes no sense --------------------------------------------------------------------------------------------


@check_rows(
    ("make", "message"),
    [
        (lambda: integers(2, 1), "the range from 2 to 1 is empty"),
        (lambda: floats(1, 0), "the range from 1 to 0 is empty"),
        (lambda: floats(math.nan, 0), "the range from nan to 0 is empty"),
        (lambda: floats(0, math.inf), "specials=True adds infinities"),
        (lambda: dates(dt.date(2000, 1, 2), dt.date(2000, 1, 1)), "the range from 2000-01-02 to 2000-01-01 is empty"),
        (lambda: sampled(()), "give at least one option"),
        (lambda: text("", 3), "give at least one option"),
        (one_of, "one_of needs at least one generator"),
        (lambda: lists(booleans(), 1, 2), "sizes from 2 to 1 are invalid"),
        (lambda: lists(booleans(), -1), "sizes from 0 to -1 are invalid"),
        (lambda: dictionaries(booleans(), booleans(), 1, 2), "sizes from 2 to 1"),
        (lambda: graphs(-1), "sizes from 0 to -1"),
    ],
)
def test_what_cannot_be_drawn_is_refused_at_once(make, message):
    with pytest.raises(ConfigError, match=message):
        make()
