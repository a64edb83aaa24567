"""The bandit: nobody is impossible, what gains is taken more, and old gains fade."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.selection.operators import Bandit, Operator, OperatorWeights
from mendel.selection.selectors import Outcome

ARMS = {("swap", "loops"): 1.5, ("swap", "calls"): 1.5, ("tweak", ""): 1.0, ("cross", ""): 4.0}
KEYS = list(ARMS)
NAMES = st.sampled_from(["swap", "tweak", "cross"])
PLACES = st.sampled_from(["loops", "calls", "", "elsewhere"])
GAINS = st.sampled_from([0.0, 0.0, 1.0, 1e-9, 1e12]) | st.floats(0.0, allow_nan=False, allow_infinity=True)
COSTS = st.sampled_from([1.0, 50.0, 3_000.0]) | st.floats(1e-300, 1e300)
stories = st.lists(st.tuples(NAMES, PLACES, GAINS, COSTS), max_size=60)


def told(story) -> Bandit:
    bandit = Bandit(ARMS)
    for line in story:
        bandit.tell(*line)
    return bandit


def shares(bandit, keys=KEYS):
    weights = bandit.weights(keys)
    return {key: weight / sum(weights) for key, weight in zip(keys, weights, strict=True)}


@given(stories)
def test_nobody_is_impossible_and_every_weight_is_a_number(story):
    prior = sum(ARMS.values())
    for key, likely in shares(told(story)).items():
        assert likely >= 0.19 * ARMS[key] / prior
        assert likely <= 1.0


@given(stories, stories)
def test_the_same_story_gives_the_same_weights(story, more):
    living = told(story)
    living.weights(KEYS)  # looking changes nothing
    for line in more:
        living.tell(*line)
    assert living.weights(KEYS) == told([*story, *more]).weights(KEYS)


@given(st.lists(st.tuples(NAMES, PLACES, st.just(0.0), COSTS), max_size=60))
def test_what_teaches_nothing_leaves_the_declared_weights_to_the_last_bit(story):
    assert told(story).weights(KEYS) == list(ARMS.values())


@given(stories, st.sampled_from([2.0**-20, 2.0**20]))
def test_the_unit_of_fitness_does_not_matter(story, unit):
    sane = [
        (name, place, min(gain, 1e9) if gain > 1e-9 else 0.0, min(max(cost, 1.0), 1e9))
        for name, place, gain, cost in story
    ]
    scaled = [(name, place, gain * unit, cost) for name, place, gain, cost in sane]
    assert told(scaled).weights(KEYS) == pytest.approx(told(sane).weights(KEYS))


@check_rows("winner", KEYS)
def test_an_arm_that_gains_is_preferred(winner):
    story = [(*key, 1.0 if key == winner else 0.0, 1.0) for _ in range(30) for key in KEYS]
    after, before = shares(told(story)), shares(Bandit(ARMS))
    assert after[winner] > 1.2 * before[winner]
    assert after[winner] > 0.5
    assert all(after[key] < before[key] for key in KEYS if key != winner and key[0] != winner[0])


def test_gain_counts_by_its_cost():
    story = [(*key, 1.0, 100.0 if key[0] == "cross" else 1.0) for _ in range(30) for key in KEYS]
    assert shares(told(story))["cross", ""] < 0.2 < shares(Bandit(ARMS))["cross", ""]


def test_recent_gains_count_more():
    then = [("tweak", "", 1.0, 1.0), ("cross", "", 0.0, 1.0)] * 100
    now = [("tweak", "", 0.0, 1.0), ("cross", "", 1.0, 1.0)] * 200
    early, late = shares(told(then)), shares(told([*then, *now]))
    assert early["tweak", ""] > early["cross", ""]
    assert late["cross", ""] > 4 * late["tweak", ""]


def test_a_site_learns_from_its_operator_and_from_itself():
    story = [("swap", "loops", 1.0, 1.0), ("swap", "calls", 0.0, 1.0), ("tweak", "", 0.0, 1.0)] * 20
    after = shares(told(story))
    assert after["swap", "loops"] > 2 * after["swap", "calls"]
    unknown = shares(told([("swap", "elsewhere", gain, cost) for _, _, gain, cost in story[:2]] * 20))
    assert unknown["swap", "loops"] == unknown["swap", "calls"]


def test_a_stranger_is_refused():
    with pytest.raises(KeyError):
        Bandit(ARMS).tell("marriage", "", 1.0, 1.0)


# --- in the weights of operators -----------------------------------------------------------------------------------

SWAP = Operator(name="swap", step="a.swap", sites=("loops", "calls"))
TWEAK = Operator(name="tweak", step="a.tweak")

births = st.lists(
    st.tuples(
        st.sampled_from([("swap", "loops"), ("swap", "calls"), ("swap", None), ("tweak", None), (None, None)]),
        st.none() | st.floats(-9, 9),
        st.none() | st.floats(0, 9),
    ),
    max_size=40,
)


def outcome(arm, fitness, gain) -> Outcome:
    return Outcome("genome-9", 9, ("genome-1",) if arm[0] else (), arm[0], fitness, site=arm[1], gain=gain, cost=50)


@settings(deadline=None)
@given(births, st.integers())
def test_weights_told_the_same_again_draw_the_same(story, seed):
    living, rebuilt = OperatorWeights([SWAP, TWEAK]), OperatorWeights([SWAP, TWEAK])
    for turn, line in enumerate(story):
        living.draw(2, Entropy(turn))
        living.feedback(outcome(*line))
    for line in story:
        rebuilt.feedback(outcome(*line))
    assert living.draw(2, Entropy(seed)) == rebuilt.draw(2, Entropy(seed))


def test_a_site_that_gains_is_drawn_more_often():
    weights = OperatorWeights([SWAP, TWEAK])
    for _ in range(40):
        weights.feedback(outcome(("swap", "calls"), 1.0, 0.5))
        weights.feedback(outcome(("swap", "loops"), 1.0, 0.0))
        weights.feedback(outcome(("tweak", None), None, 0.0))
    drawn = [weights.draw(1, Entropy(n)) for n in range(400)]
    assert sum(arm.site == "calls" for arm in drawn) > 280
    assert {(arm.operator.name, arm.site) for arm in drawn} == {("swap", "calls"), ("swap", "loops"), ("tweak", None)}


def test_what_cannot_be_compared_teaches_nothing():
    weights = OperatorWeights([SWAP, TWEAK])
    before = [weights.draw(1, Entropy(n)) for n in range(50)]
    for _ in range(40):
        weights.feedback(outcome(("tweak", None), 1.0, None))
    assert [weights.draw(1, Entropy(n)) for n in range(50)] == before
