"""The catalogue is whole and leans to rewrites."""

from collections import Counter

from mendel.breeding.catalogue import OPERATORS, drawn, in_turn
from mendel.contracts.entropy import Entropy

RANDOM = {"statement_delete", "statement_insert", "statement_swap", "statement_replace", "statement_move"}
RANDOM |= {"operator", "constant", "expression"}


def test_names_are_those_of_the_operators():
    assert all(name == operator.name for name, operator in OPERATORS.items())
    assert set(OPERATORS) > RANDOM


def test_rewrites_weigh_more_than_random_edits():
    weights = {name: operator.weight for name, operator in OPERATORS.items()}
    assert all(weight > 0 for weight in weights.values())
    assert sum(weight for name, weight in weights.items() if name not in RANDOM) > 3 * sum(
        weight for name, weight in weights.items() if name in RANDOM
    )


def test_operators_are_drawn_as_often_as_they_weigh():
    draws = 6_000
    found = Counter(drawn(Entropy("drawn", number)) for number in range(draws))
    total = sum(operator.weight for operator in OPERATORS.values())
    assert set(found) == set(OPERATORS)
    for name, operator in OPERATORS.items():
        expected = draws * operator.weight / total
        assert abs(found[name] - expected) < 6 * expected**0.5 + 1
    assert drawn(Entropy("drawn", 1)) == drawn(Entropy("drawn", 1))


def test_everybody_has_a_turn_and_the_weighty_come_early():
    orders = [in_turn(Entropy("turn", number)) for number in range(400)]
    assert all(sorted(order) == sorted(OPERATORS) for order in orders)
    light = min(OPERATORS, key=lambda name: OPERATORS[name].weight)
    weighty = max(OPERATORS, key=lambda name: OPERATORS[name].weight)
    assert sum(order.index(weighty) < order.index(light) for order in orders) > 300
    assert len({order[0] for order in orders}) > len(OPERATORS) / 2
