"""Pictures hold whatever there is to draw."""

import re
from math import isfinite

from hypothesis import given
from hypothesis import strategies as st
from tests.guard.test_page import plain
from tests.projections.report.stories import EVIDENCE
from tests.support.rows import check_rows

from mendel.guard.drawing import RIGHT
from mendel.projections.report.drawing import START, WIDE, draw_curve, draw_sizes, factor_label
from mendel.projections.report.models import CurvePoint, EvidenceRow

factors = st.floats(1e-12, 1e12)


def point(examined, best):
    return CurvePoint(birth=examined, examined=examined, seconds=0.0, best=best)


def corners(path):
    return [tuple(map(float, each.split())) for each in re.split("[ML]", path) if each.strip()]


def test_larger_sizes_stand_further_right_and_more_speed_higher():
    small, large = draw_sizes(EVIDENCE).bars
    assert START < small.at < large.at < RIGHT
    assert large.top <= large.estimate <= large.bottom < small.top
    assert (plain(small.label), plain(large.label)) == ("38.2x", "512x")


def test_the_original_is_on_the_picture():
    drawn = draw_sizes(EVIDENCE)
    assert drawn.origin > max(bar.bottom for bar in drawn.bars)
    assert [plain(mark.label) for mark in drawn.upwards] == ["1x", "10x", "100x"]


def test_a_small_range_has_ticks_between_the_tens():
    drawn = draw_sizes([EvidenceRow(size=9, speedup=3.0, lower=2.5, upper=6.0, original_ms=1.0, samples=5)])
    assert [plain(mark.label) for mark in drawn.upwards] == ["1x", "2x", "5x"]


def test_a_tiny_range_has_ticks_all_the_same():
    drawn = draw_sizes([EvidenceRow(size=9, speedup=1.6, lower=1.5, upper=1.7, original_ms=1.0, samples=5)])
    assert plain(drawn.upwards[0].label) == "1x"
    assert len(drawn.upwards) >= 3


def test_labels_that_would_run_into_each_other_are_left_out():
    close = [EVIDENCE[0].model_copy(update={"size": size}) for size in (100, 101, 102, 200)]
    assert [mark.label for mark in draw_sizes(close).across] == ["100", "200"]


def test_nothing_to_draw():
    assert draw_sizes(()) is None
    assert draw_curve((), (point(1, 1.0),), str) is None


@given(st.lists(st.tuples(st.integers(0, 10_000_000), factors, factors, factors), min_size=1, max_size=6))
def test_any_sizes_can_be_drawn(given_):
    sizes = [
        EvidenceRow(size=size, speedup=sorted(each)[1], lower=min(each), upper=max(each), original_ms=1.0, samples=5)
        for size, *each in given_
    ]
    drawn = draw_sizes(sizes)
    for bar in drawn.bars:
        assert START <= bar.at <= RIGHT
        assert 0 <= bar.top <= bar.estimate <= bar.bottom <= 208
    assert 1 <= len(drawn.upwards) <= 12


def test_the_best_so_far_goes_up_in_steps():
    drawn = draw_curve([point(1, 0.0), point(5, 2.0), point(10, 2.0)], [], str)
    (a, low), (b, still_low), (b2, high), (c, still_high), _ = corners(drawn.mine)
    assert a < b == b2 < c <= WIDE
    assert low == still_low > high == still_high
    assert drawn.other == ""


def test_both_runs_share_their_axes():
    drawn = draw_curve([point(1, 0.0), point(10, 2.0)], [point(1, 0.0), point(20, 1.0)], str)
    assert corners(drawn.mine)[0] == corners(drawn.other)[0]
    assert corners(drawn.mine)[-1][0] < corners(drawn.other)[-1][0]


totals = st.floats(-1e300, 1e300)
climbs = st.lists(st.tuples(st.integers(0, 10**9), totals), min_size=1, max_size=8)


@given(climbs, climbs)
def test_any_curve_can_be_drawn(mine, other):
    drawn = draw_curve([point(*each) for each in mine], [point(*each) for each in other], str)
    for at, height in corners(drawn.mine) + corners(drawn.other):
        assert isfinite(at)
        assert 0 <= at <= WIDE
        assert 0 <= height <= 208


@check_rows(
    ("value", "said"), [(0.5, "0.50x"), (1.0, "1x"), (1.5, "1.50x"), (16.0, "16x"), (4096.0, "4,096x"), (1e9, "1e+09x")]
)
def test_whole_factors_have_no_digits_behind_the_point(value, said):
    assert plain(factor_label(value)) == said
