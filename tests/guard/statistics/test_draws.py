"""Bulk draws: frozen for ever, one label one answer, and distributed as they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.guard.statistics.draws import batches, coins, gammas, indices, signs, uniforms, words

KEY = Entropy("guard", 7)

# FROZEN FOR EVER, as the vectors of Entropy are. Never edit a value, only add lines.
# fmt: off
WORDS = [0x436801e20cffc523, 0xb5828751c99a0ea, 0xf74215444b60173a]
UNIFORMS = [0.2633057762986928, 0.04431393489048796, 0.9658520976767024]
INDICES = [561, 242, 127, 675, 354, 693, 632, 932, 455, 708, 942, 870]
SIGNS = "++---+--+-+---++++++"
GAMMAS = {
    0.5: [0.11826728261979962, 0.23412832790571997, 0.001799151237130342],
    1.0: [0.2316541867807968, 0.22341014674543191, 0.3203853148969441],
    3.25: [1.0465833588694604, 1.8165297961493143, 2.1007784723783867],
    250.0: [226.9638870911925, 238.03181704117574, 241.37260919539233],
}
# fmt: on


def test_the_draws_are_frozen_for_ever():
    assert words(KEY, 3, "a").tolist() == WORDS
    assert uniforms(KEY, 3, "a").tolist() == UNIFORMS
    assert indices(KEY, 1000, 12, "a", 1).tolist() == INDICES
    assert "".join("+" if sign > 0 else "-" for sign in signs(KEY, 20, "a")) == SIGNS


@check_rows("shape", GAMMAS)
def test_the_gamma_draws_are_frozen_but_for_the_last_bits(shape):
    assert gammas(KEY, shape, 3, "g") == pytest.approx(GAMMAS[shape], rel=1e-12)


@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from([0.3, 1.0, 2.5]))
def test_more_of_the_same_label_begin_with_the_same(few, more, shape):
    few, more = sorted((few, more))
    for draw in (
        lambda count: words(KEY, count, "x"),
        lambda count: indices(KEY, 10, count, "x"),
        lambda count: coins(KEY, count, "x"),
        lambda count: gammas(KEY, shape, count, "x"),
    ):
        assert draw(more)[:few].tolist() == draw(few).tolist()
        assert len(draw(more)) == more


def test_keys_and_labels_draw_differently():
    drawn = [uniforms(entropy, 4, *label) for entropy in (KEY, KEY.child("c")) for label in ((), ("a",), ("b",), (0,))]
    assert len(np.unique(np.concatenate(drawn))) == 4 * 8


def test_a_child_and_a_label_are_the_same_key():
    assert words(KEY.child("a"), 2).tolist() == words(KEY, 2, "a").tolist()


def test_uniforms_are_uniform_and_independent_of_their_neighbours():
    drawn = uniforms(KEY, 40_000, "many")
    assert drawn.min() >= 0.0
    assert drawn.max() < 1.0
    assert stats.kstest(drawn, "uniform").pvalue > 0.01
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 0.02


@check_rows("bound", [1, 2, 7, 100])
def test_indices_fall_everywhere_below_their_bound_alike(bound):
    counts = np.bincount(indices(KEY, bound, 20_000, "many"), minlength=bound)
    assert len(counts) == bound
    if bound > 1:
        assert stats.chisquare(counts).pvalue > 0.01


@check_rows("bound", [0, -1, 2**32 + 1])
def test_an_impossible_bound_is_refused(bound):
    with pytest.raises(ValueError, match="bound must be in"):
        indices(KEY, bound, 1)


def test_the_largest_bound_is_never_reached():
    assert indices(KEY, 2**32, 5000).max() < 2**32


def test_signs_are_fair_and_each_its_own():
    drawn = signs(KEY, 64 * 400, "many")
    assert set(drawn.tolist()) == {-1.0, 1.0}
    assert abs(drawn.mean()) < 0.02
    assert stats.kstest(drawn.reshape(400, 64).sum(axis=1) / 8.0, "norm").pvalue > 0.001
    assert abs((drawn[:-1] * drawn[1:]).mean()) < 0.02


@check_rows("shape", [0.05, 0.5, 1.0, 1.5, 7.5, 1000.0])
def test_gammas_are_gamma_distributed(shape):
    drawn = gammas(KEY, shape, 20_000, "many")
    assert stats.kstest(drawn, stats.gamma(shape).cdf).pvalue > 0.01
    assert drawn.mean() == pytest.approx(shape, abs=4.0 * (shape / 20_000) ** 0.5)


@check_rows("shape", [0.0, -1.0, float("inf"), float("nan")])
def test_a_shape_without_a_distribution_is_refused(shape):
    with pytest.raises(ValueError, match="shape must be positive"):
        gammas(KEY, shape, 1)


@given(st.integers(0, 5000), st.integers(1, 1 << 21))
def test_batches_have_every_row_once_and_are_not_large(rows, width):
    parts = list(batches(rows, width))
    assert [number for number, _ in parts] == list(range(len(parts)))
    assert sum(each for _, each in parts) == rows
    assert all(each == 1 or each * width <= 1 << 20 for _, each in parts)
