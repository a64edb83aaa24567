from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mendel.adapters.memory.clock import ManualClock, SystemClock, _Timeline
from mendel.conformance.clock import ClockContract

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class TestSystemClock(ClockContract):
    @pytest.fixture
    def clock(self):
        return SystemClock()


class TestManualClock(ClockContract):
    @pytest.fixture
    def clock(self):
        return ManualClock()

    @pytest.fixture
    def advance(self, clock):
        return clock.advance


def test_a_manual_clock_is_set_and_moved():
    clock = ManualClock(NOON)
    clock.advance(1.5)
    assert clock.now() == NOON + timedelta(seconds=1.5)


def test_a_manual_clock_does_not_go_back():
    with pytest.raises(ValueError, match="cannot go back"):
        ManualClock().advance(-1)


class Machine:
    """A machine whose wall clock can be set."""

    def __init__(self):
        self.wall = NOON
        self.monotonic = 100.0
        self.timeline = _Timeline(lambda: self.wall, lambda: self.monotonic)

    def go_on(self, seconds, *, jump=0.0):
        self.monotonic += seconds
        self.wall += timedelta(seconds=seconds + jump)


def test_a_clock_that_is_set_forward_is_followed():
    machine = Machine()
    machine.go_on(1, jump=3_600)
    assert machine.timeline.now() == NOON + timedelta(seconds=3_601)


def test_a_clock_that_is_set_back_goes_on_at_half_its_pace_until_it_has_caught_up():
    machine = Machine()
    machine.go_on(0, jump=-60)
    assert machine.timeline.now() == NOON
    machine.go_on(60)
    assert machine.timeline.now() == NOON + timedelta(seconds=30)
    machine.go_on(60)
    assert machine.timeline.now() == NOON + timedelta(seconds=60) == machine.wall
    machine.go_on(5)
    assert machine.timeline.now() == machine.wall


@given(st.lists(st.tuples(st.floats(0, 1_000), st.floats(-10_000, 10_000))))
def test_time_never_goes_back_nor_stands_still(moves):
    machine = Machine()
    told = machine.timeline.now()
    for seconds, jump in moves:
        machine.go_on(seconds, jump=jump)
        now = machine.timeline.now()
        assert now >= max(machine.wall, told + timedelta(seconds=seconds / 2) - timedelta(microseconds=1))
        told = now
