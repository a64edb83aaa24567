"""When the time of a fork is over: it is believed once for each case that ended, and never beyond the batch."""

import sys
import time
from pathlib import Path

import pytest

from mendel.adapters.sandbox import zygote_process


@pytest.fixture(scope="module")
def case_clock():
    """The class as the inside has it: its file knows its neighbours by their bare names."""
    folder = str(Path(zygote_process.__file__).parent)
    before = set(sys.modules)
    sys.path.insert(0, folder)
    try:
        import zygote

        yield zygote.CaseClock
    finally:
        sys.path.remove(folder)
        for name in set(sys.modules) - before:
            if name in {"zygote", "child", "kernel_calls", "probing", "protocol"}:
                del sys.modules[name]


@pytest.fixture
def now(monkeypatch):
    clock = [1_000.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    return clock


def ns(seconds):
    return int(seconds * 1e9)


def test_a_case_has_its_time_from_when_it_began(case_clock, now):
    clock = case_clock(1_000.0, 1.0, 10.0)
    assert clock.left(0, 0) == 1_000
    now[0] = 1_000.9
    assert clock.left(3, ns(1_000.8)) == 900
    now[0] = 1_001.8
    assert clock.left(3, ns(1_000.8)) == 0


def test_to_begin_anew_without_having_ended_gains_nothing(case_clock, now):
    clock = case_clock(1_000.0, 1.0, 10.0)
    clock.left(1, ns(1_000.0))
    now[0] = 1_001.0
    assert clock.left(1, ns(1_001.0)) == 0


@pytest.mark.parametrize("told", [0, ns(5), ns(10**9), 2**64 - 1])
def test_a_beginning_that_cannot_be_is_not_believed(case_clock, now, told):
    clock = case_clock(1_000.0, 1.0, 10.0)
    now[0] = 1_000.5
    assert 0 < clock.left(1, told) <= 1_000


def test_nothing_goes_beyond_the_batch(case_clock, now):
    clock = case_clock(1_000.0, 1.0, 3.0)
    for number in range(1, 100):
        now[0] += 0.1
        left = clock.left(number, ns(now[0]))
        assert left == 0 if now[0] >= 1_003.0 else left <= 1_000
