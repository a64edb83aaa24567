"""Dice: frozen for ever, fair, and as wide as is asked for."""

from __future__ import annotations

from collections import Counter

from mendel.bench.inputs.dice import Dice

FROZEN = [339993, 9292290720805183206958086320, 4, 0.5734986976796269, "efabdc"]


def test_draws_are_frozen():
    dice = Dice("test", 1)
    drawn = [
        dice.below(1_000_000),
        dice.below(2**100),
        dice.between(-5, 5),
        dice.unit(),
        "".join(dice.shuffled("abcdef")),
    ]
    assert drawn == FROZEN


def test_draws_go_on_beyond_a_block_and_never_repeat():
    dice = Dice("long")
    assert len({dice.below(2**64) for _ in range(10_000)}) == 10_000


def test_every_value_is_as_likely():
    dice = Dice("fair")
    counts = Counter(dice.below(7) for _ in range(14_000))
    assert set(counts) == set(range(7))
    assert all(1_800 < count < 2_200 for count in counts.values())


def test_bounds_may_be_wider_than_a_word():
    dice = Dice("wide")
    drawn = [dice.below(2**70 + 1) for _ in range(400)]
    assert 0 <= min(drawn) < 2**66
    assert 2**69 < max(drawn) <= 2**70
    assert dice.between(5, 3) == 5
    assert {dice.between(-1, 1) for _ in range(60)} == {-1, 0, 1}


def test_other_keys_draw_otherwise():
    assert Dice("a", 1).below(2**64) != Dice("a", 2).below(2**64)
    assert Dice("a", "1").below(2**64) != Dice("a", 1).below(2**64)
    assert Dice("a", 1).sample(range(100), 5) == Dice("a", 1).sample(range(100), 5)
    assert sorted(Dice("a").shuffled(range(50))) == list(range(50))
