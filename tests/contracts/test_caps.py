"""Rule 1: caps are limits, and nothing makes one larger than the ceiling."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.support.rows import check_rows

from mendel.api.launch_schemas import CapsAsked
from mendel.contracts.caps import RunCaps
from mendel.contracts.events.run import CapName
from mendel.settings import Settings

NAMES = sorted(RunCaps.model_fields)
caps = st.builds(RunCaps, **dict.fromkeys(NAMES, st.integers(1, 50)))


@check_rows("name", NAMES)
@check_rows("value", [0, -1, 2**53, None, 1.5, float("inf"), float("nan")])
def test_a_cap_is_a_positive_whole_number(name, value):
    with pytest.raises(ValidationError, match=name):
        RunCaps.model_validate({name: value})


def test_there_is_no_run_without_every_cap():
    assert all(getattr(RunCaps(), name) > 0 for name in NAMES)


def test_every_cap_can_be_named_by_the_event_that_says_it_was_reached():
    assert set(get_args(CapName)) == set(NAMES)


def test_every_cap_has_a_ceiling_and_can_be_asked_for():
    """A cap without a ceiling of its own would have its default as one, and nobody would see that."""
    assert set(type(Settings().ceilings).model_fields) == set(NAMES)
    assert set(CapsAsked.model_fields) == set(NAMES)


@given(caps, caps)
def test_above_names_exactly_what_exceeds_the_ceiling(wish, ceiling):
    assert set(wish.above(ceiling)) == {name for name in NAMES if getattr(wish, name) > getattr(ceiling, name)}


@given(caps, caps)
def test_clamped_caps_are_within_both(wish, ceiling):
    clamped = wish.clamped(ceiling)
    assert clamped.above(ceiling) == ()
    assert clamped.above(wish) == ()
    for name in NAMES:
        assert getattr(clamped, name) in {getattr(wish, name), getattr(ceiling, name)}


@given(caps, caps)
def test_clamping_is_idempotent_and_leaves_what_fits_alone(wish, ceiling):
    clamped = wish.clamped(ceiling)
    assert clamped.clamped(ceiling) == clamped
    assert wish.clamped(wish) == wish
    assert (clamped == wish) == (wish.above(ceiling) == ())
