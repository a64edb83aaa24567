"""Faults are looked for where failing cases go and passing ones do not."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.guard.making import Native
from tests.support import skip_or_fail

from mendel.breeding.code import Code
from mendel.breeding.localisation import LEAST, ochiai, suspicion
from mendel.breeding.view import View
from mendel.contracts.errors import SandboxUnavailable


@pytest.fixture(scope="module")
def native() -> Iterator[Native]:
    try:
        place = Native()
    except SandboxUnavailable as error:
        skip_or_fail(str(error))
    yield place
    place.close()


def test_a_line_that_only_failing_cases_run_is_most_suspicious():
    told = ochiai([{1, 2}, {1, 3}, {1, 3}, {1}], [True, False, False, True], lines=[1, 2, 3, 4])
    assert told == {1: 2 / math.sqrt(2 * 4), 2: LEAST, 3: 1.0, 4: LEAST}


def test_where_nothing_fails_nothing_is_suspicious():
    assert set(ochiai([{1, 2}, {2}], [True, True]).values()) == {LEAST}


def test_every_case_has_a_verdict():
    with pytest.raises(ValueError, match="2 cases ran"):
        ochiai([{1}, {2}], [True])


cases = st.lists(st.tuples(st.sets(st.integers(1, 9)), st.booleans()), max_size=12)


@given(cases)
def test_suspicion_is_a_share_and_order_does_not_matter(given_cases):
    told = ochiai([lines for lines, _ in given_cases], [good for _, good in given_cases])
    turned = ochiai([lines for lines, _ in given_cases[::-1]], [good for _, good in given_cases[::-1]])
    assert told == turned
    assert all(LEAST <= value <= 1.0 + 1e-9 for value in told.values())


SIGN = "def sign(x):\n    if x > 0:\n        return 1\n    if x < 0:\n        return 1\n    return 0\n"


def test_the_faulty_line_is_found(native):
    inputs = [(3,), (-2,), (0,), (-7,), (8,)]
    passed = [args[0] >= 0 for args in inputs]
    told = native.awaited(suspicion(View(Code(SIGN), ("sign",)), inputs, passed, native.sandbox, entry="sign"))
    assert max(told, key=told.__getitem__) == 5
    assert told[5] == 1.0
    assert told[3] == told[6] == LEAST


def test_a_case_that_never_ends_says_where_it_was(native):
    text = "def f(x):\n    if x:\n        return 1\n    while True:\n        x = 0\n"
    told = native.awaited(suspicion(View(Code(text), ("f",)), [(1,), (0,)], [True, False], native.sandbox, entry="f"))
    assert told[5] == 1.0 > told[3]


def test_a_case_whose_process_dies_says_nothing(native):
    text = "import os\n\ndef f(x):\n    if x:\n        os._exit(1)\n    return 1\n"
    told = native.awaited(suspicion(View(Code(text), ("f",)), [(1,), (0,)], [False, True], native.sandbox, entry="f"))
    assert set(told) == {3, 4, 5, 6}
