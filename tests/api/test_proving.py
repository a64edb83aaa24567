"""What is said of a run without a winner is what came of its challenges, and no more."""

from __future__ import annotations

from collections import Counter

import pytest

from mendel.api.proving import _after


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({}, "had not answered"),
        ({"reject": 2, "undecided": 1}, "let nobody in"),
        ({"reject": 1, "adopt": 1}, "over before anybody was adopted"),
        ({"adopt": 1, "adopted": 1, "revoked": 1}, "has not held"),
    ],
)
def test_each_way_of_having_no_winner_is_told_apart(told, said):
    assert said in _after(Counter(told))
