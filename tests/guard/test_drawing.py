"""Where the lines of a drawn interval lie."""

from __future__ import annotations

from itertools import pairwise
from math import inf, isfinite, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.verdicts import Decision, Interval, Look
from mendel.guard.drawing import (
    BOTTOM,
    FEW,
    LEFT,
    MOST_LOOKS,
    RIGHT,
    TOP,
    Axis,
    Mark,
    axis_over,
    draw_interval,
    draw_looks,
    drawable,
    minus,
    thinned,
    ticks,
)
from mendel.guard.policy import Band

finite = st.floats(allow_nan=False, allow_infinity=False)
bound = st.none() | finite


def interval(estimate=0.03, lower=-0.01, upper=0.08):
    return Interval(
        name="pass_rate_difference", estimate=estimate, lower=lower, upper=upper, alpha=0.05, method="tango"
    )


def look(n, lower=-0.1, upper=0.1, decision=Decision.UNDECIDED):
    return Look(n=n, interval=interval(0.0, lower, upper), decision=decision)


def places(drawn):
    marks = [mark.at for mark in (*drawn.margins, *drawn.ticks)]
    known = [drawn.start, drawn.end, drawn.estimate, drawn.lower, drawn.upper, drawn.origin, *marks]
    return [place for place in known if place is not None]


class TestAnInterval:
    def test_lies_in_the_order_of_its_numbers(self):
        drawn = draw_interval(interval(), Band(low=-0.02), origin=0.0, rate=True)
        margin = drawn.margins[0].at
        assert LEFT <= margin < drawn.lower < drawn.origin < drawn.estimate < drawn.upper <= RIGHT
        assert (drawn.start, drawn.end) == (drawn.lower, drawn.upper)

    @check_rows("margin", [-0.9, -0.02, 0.0, 0.05, 0.9])
    def test_has_the_margin_inside_the_axis(self, margin):
        drawn = draw_interval(interval(), Band(low=margin), origin=0.0, within=(-1.0, 1.0))
        assert LEFT < drawn.margins[0].at < RIGHT

    def test_without_bounds_runs_on_to_the_ends_of_the_axis(self):
        drawn = draw_interval(interval(lower=None, upper=None), Band())
        assert (drawn.lower, drawn.upper) == (None, None)
        assert (drawn.start, drawn.end) == (LEFT, RIGHT)
        assert LEFT < drawn.estimate < RIGHT

    def test_with_one_bound_ends_there(self):
        drawn = draw_interval(interval(lower=None), Band())
        assert drawn.start == LEFT < drawn.estimate < drawn.upper == drawn.end

    @check_rows("value", [0.0, 1.0, -3.5, 1e-320, 1e308, -1e308, 1e-9])
    def test_of_a_single_number_is_drawn_all_the_same(self, value):
        drawn = draw_interval(interval(value, value, value), Band())
        assert drawn.lower == drawn.estimate == drawn.upper
        assert LEFT < drawn.estimate < RIGHT

    def test_shows_no_rate_that_cannot_be(self):
        drawn = draw_interval(interval(1.0, 0.99, 1.0), Band(low=0.9, closed=True), rate=True, within=(0.0, 1.0))
        assert drawn.estimate == drawn.upper == RIGHT
        assert all(0 <= tick.value <= 1 for tick in drawn.ticks)

    def test_has_its_zone_on_the_demanded_side(self):
        above = draw_interval(interval(), Band(low=-0.02))
        below = draw_interval(interval(), Band(high=0.09))
        between = draw_interval(interval(), Band(low=-0.02, high=0.02))
        assert above.zone == (above.margins[0].at, pytest.approx(RIGHT - above.margins[0].at))
        assert below.zone == (LEFT, pytest.approx(below.margins[0].at - LEFT))
        assert between.zone is not None
        assert sum(between.zone) == pytest.approx(between.margins[1].at)
        assert draw_interval(interval(), Band()).zone is None

    @given(finite, bound, bound, bound, bound, bound)
    def test_is_drawn_inside_whatever_the_numbers(self, estimate, lower, upper, low, high, origin):
        drawn = draw_interval(interval(estimate, lower, upper), Band(low, high), origin=origin)
        assert all(isfinite(place) and LEFT <= place <= RIGHT for place in places(drawn))
        if lower is not None and lower <= estimate:
            assert drawn.start <= drawn.estimate
        if upper is not None and upper >= estimate:
            assert drawn.estimate <= drawn.end


class TestAnAxis:
    @given(st.lists(finite, max_size=5), st.booleans())
    def test_has_round_rising_ticks(self, values, rate):
        axis = axis_over(values)
        marks = ticks(axis, rate=rate)
        assert axis.low < axis.high
        assert 1 <= len(marks) <= FEW + 1
        assert all(before.at < after.at for before, after in pairwise(marks))
        assert all("nan" not in mark.label and "inf" not in mark.label for mark in marks)

    def test_labels_are_told_apart(self):
        for axis in (Axis(-0.02, 0.08), Axis(0.9991, 0.9999), Axis(0.0, 3e-5), Axis(-4.0, 1e9), Axis(1e8, 1e8 + 10)):
            labels = [mark.label for mark in ticks(axis)]
            assert len(set(labels)) == len(labels), labels

    def test_of_rates_is_in_percent(self):
        labels = [mark.label for mark in ticks(Axis(-0.02, 0.04), rate=True)]
        assert labels == ["\N{MINUS SIGN}2%", "\N{MINUS SIGN}1%", "0%", "1%", "2%", "3%", "4%"]

    def test_of_nothing_is_an_axis(self):
        axis = axis_over([None, nan, inf])
        assert axis.low < 0 < axis.high

    def test_draws_what_lies_beyond_on_its_end(self):
        axis = Axis(0.0, 1.0)
        assert (axis.at(-5.0), axis.at(0.5), axis.at(5.0)) == (LEFT, (LEFT + RIGHT) / 2, RIGHT)

    @check_rows(("place", "anchor"), [(LEFT, "start"), (50.0, "middle"), (RIGHT, "end")])
    def test_keeps_labels_inside(self, place, anchor):
        assert Mark(place, 0.0).anchor == anchor


class TestABand:
    @check_rows(
        ("band", "lower", "upper", "state"),
        [
            (Band(low=0.0), 0.1, 0.2, "cleared"),
            (Band(low=0.0), 0.0, 0.2, "open"),
            (Band(low=0.0, closed=True), 0.0, 0.2, "cleared"),
            (Band(low=0.0), -0.2, -0.1, "missed"),
            (Band(low=0.0), None, 0.2, "open"),
            (Band(low=0.0), None, -0.2, "missed"),
            (Band(high=0.1, closed=True), 0.0, 0.1, "cleared"),
            (Band(high=0.1), 0.0, None, "open"),
            (Band(-0.1, 0.1), -0.05, 0.05, "cleared"),
            (Band(-0.1, 0.1), -0.05, 0.15, "open"),
            (Band(-0.1, 0.1), 0.15, 0.2, "missed"),
        ],
    )
    def test_says_where_bounds_lie(self, band, lower, upper, state):
        assert band.state(lower, upper) == state


class TestLooks:
    def test_stand_in_their_order(self):
        drawn = draw_looks([look(100), look(200, -0.05, 0.05), look(300, -0.02, None)], Band(low=-0.02), origin=0.0)
        first, second, third = drawn.looks
        assert LEFT < first.at < second.at < third.at <= RIGHT
        assert first.top < first.estimate < first.bottom
        assert third.top == TOP
        assert all(TOP <= mark.at <= BOTTOM for mark in (*drawn.margins, *drawn.upwards))

    def test_of_one_case_are_drawn(self):
        drawn = draw_looks([look(1)], Band())
        assert [mark.value for mark in drawn.across] == [0, 1]

    def test_that_are_many_are_thinned_out_and_keep_the_last(self):
        looks = [look(n) for n in range(1, 1002)]
        assert len(thinned(looks)) <= MOST_LOOKS
        assert thinned(looks)[-1].n == 1001
        assert thinned(looks[:3]) == looks[:3]


def test_numbers_that_cannot_be_drawn_are_none():
    assert [drawable(value) for value in (None, nan, inf, -inf)] == [None] * 4
    assert drawable(1e308) == 1e300
    assert drawable(-1e-310) == 0.0


@check_rows(("text", "shown"), [("-0.00%", "0.00%"), ("-0.5", "\N{MINUS SIGN}0.5"), ("1e-05", "1e-05")])
def test_there_is_no_negative_zero(text, shown):
    assert minus(text) == shown
