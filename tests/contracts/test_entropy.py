"""Keyed draws: frozen for ever, one key one answer, no two keys alike, and every answer as likely as it should be."""

import json
import os
import subprocess
import sys
from collections import Counter
from hashlib import blake2b
from itertools import pairwise, permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy

parts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.integers()
keys = st.lists(parts, max_size=4).map(tuple)
wheels = st.lists(st.just(0.0) | st.floats(0, 1e300), min_size=1, max_size=8).filter(any)

# --- frozen --------------------------------------------------------------------------------------------------------

# FROZEN FOR EVER. Every run that was ever recorded draws these. A change that breaks one of them is wrong, whatever
# it is for; another derivation needs another name beside this one. Never edit a value, only add lines.
# fmt: off
VECTORS = [
    # key, word(), unit("draw", 3), below(1000, "die"), then pick, weighted and sample as the test below draws them
    ((), 0x79452bd777ca46eb, 0.8932456066913376, 952, "d", 3, "gfbc"),
    (("",), 0xb2c7d272ae48e810, 0.7231306289906155, 565, "c", 3, "cedf"),
    (("", ""), 0xf2b397107d14c81f, 0.6934031365249138, 362, "f", 2, "cdgf"),
    (("seed",), 0xdfed63cb5d54668e, 0.46802223890591765, 304, "g", 2, "dgab"),
    (("seed", 0), 0x14d9a1a8df1a7d75, 0.608414102908172, 128, "b", 3, "bdaf"),
    ((0,), 0x73b0fa76907dc338, 0.5198745993323066, 51, "e", 0, "ebfc"),
    ((-1,), 0x29cf1d3066e191be, 0.8782691472033883, 987, "d", 3, "dceg"),
    (("-1",), 0xdc50d5baeffd3632, 0.10470729151674885, 773, "b", 2, "agde"),
    ((7, "variation", 12), 0xec8da8e649fdd919, 0.25930834032195627, 76, "f", 3, "ecdf"),
    (("Mendel\u2019s peas",), 0x24b6033a657ec4c0, 0.8922530686317285, 142, "a", 3, "efac"),
    (("豌豆", "🌱"), 0x9d946d7f31147418, 0.8605385228139473, 310, "d", 2, "bfcg"),
    (("e\u0301", "\u00e9", "\0"), 0x1d3cd46e90b5fdb1, 0.07837317879640748, 856, "d", 2, "adfg"),
    ((2**63 - 1,), 0x6aa68cf0e48887a5, 0.20413365732636002, 580, "f", 2, "cbad"),
    ((2**64,), 0x03a536a8134c01d3, 0.9693194868248841, 670, "d", 3, "dbec"),
    ((-(10**40), "x"), 0x53e764f6f61a07bc, 0.36377695763584905, 397, "f", 3, "dceg"),
    (("x" * 300,), 0x258d186d10c620bd, 0.7910458297721168, 939, "f", 0, "gbae"),
]
# fmt: on


@check_rows("vector", VECTORS)
def test_the_draws_are_frozen_for_ever(vector):
    key, word, unit, below, pick, weighted, sample = vector
    entropy = Entropy(*key)
    assert entropy.word() == word
    assert entropy.unit("draw", 3) == unit
    assert entropy.below(1000, "die") == below
    assert entropy.pick("abcdefg", "letter") == pick
    assert entropy.weighted([0.5, 0.0, 2.5, 1.0], "wheel") == weighted
    assert entropy.sample("abcdefg", 4, "urn") == list(sample)


def test_the_whole_range_is_frozen_for_ever():
    assert Entropy("seed").below(2**64, "all") == 1836419319576062774
    assert Entropy("seed").below(1, "one") == 0
    assert Entropy("seed").sample(range(12), 12, "deck") == [1, 2, 4, 3, 9, 7, 8, 10, 11, 5, 6, 0]
    assert Entropy("seed").sample(range(12), 99, "deck") == Entropy("seed").sample(range(12), 12, "deck")


@check_rows(
    ("index", "again", "drawn"),
    [
        (3, 0, 3699600564637156563),
        (1, 3, 7529670382059641248),
        (2, 2, 1419346509981637758),
        (32, 4, 5049037656021177196),
    ],
)
def test_drawing_again_is_frozen_for_ever(index, again, drawn):
    """Of this bound's words almost half would favour some: each is drawn again under the next number."""
    entropy, bound = Entropy("again", index), 2**63 + 1
    assert all(entropy.word(number) >= bound for number in range(again))
    assert entropy.word(again) == entropy.below(bound) == drawn


def test_the_spelling_is_frozen_for_ever():
    """Worked out by hand: a tag, four bytes of length, the text."""
    text = b"s\0\0\0\x04seed" + b"i\0\0\0\x03-12" + b"s\0\0\0\0" + b"s\0\0\0\x02\xc3\xa9" + b"i\0\0\0\x010"
    digest = blake2b(text, digest_size=8, person=b"mendel.draws.1").digest()
    assert Entropy("seed", -12, "").word("é", 0) == int.from_bytes(digest, "big") == 0x695DC79C74FC834D


def test_a_weighted_draw_is_the_same_on_every_python():
    assert Entropy("seed", 0).weighted([0.5851664854098413, *[0.1] * 10], "operator") == 1


PROGRAM = """
import json
from mendel.contracts.entropy import Entropy

entropy = Entropy("seed", 7).child("é")
print(json.dumps([
    entropy.word("a"), entropy.unit("a"), entropy.below(99, "a"), entropy.pick("abc", "a"),
    entropy.weighted([1.0, 2.0], "a"), entropy.sample(range(9), 5, "a"),
]))
"""


@check_rows("hash_seed", ["0", "1", "4294967295", "random"])
def test_a_process_with_other_hashes_draws_the_same(hash_seed):
    environ = os.environ | {"PYTHONHASHSEED": hash_seed}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environ, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [9926307672872528649, 0.5381062171843963, 33, "a", 1, [0, 2, 7, 5, 4]]


# --- keys ----------------------------------------------------------------------------------------------------------


@check_rows(
    ("one", "other"),
    [
        (("ab", "c"), ("a", "bc")),
        (("abc",), ("ab", "c")),
        ((1,), ("1",)),
        ((-1,), ("-1",)),
        ((12,), (1, 2)),
        ((1, "2"), ("1", 2)),
        ((), ("",)),
        (("",), ("", "")),
        (("a", "b"), ("b", "a")),
        (("\u00e9",), ("e\u0301",)),
        (("s\0\0\0\x01b",), ("s", "b")),
        (("a", "s\0\0\0\x01b"), ("a", "", "b")),
        ((0,), (-0, 0)),
        ((2**64,), (0,)),
    ],
)
def test_different_keys_are_different(one, other):
    assert Entropy(*one).word() != Entropy(*other).word()
    assert Entropy().word(*one) != Entropy().word(*other)


@given(keys, keys)
def test_no_two_keys_draw_alike(one, other):
    assume(one != other)
    assert Entropy(*one).word() != Entropy(*other).word()


@given(keys, keys, keys)
def test_a_child_is_the_longer_key(one, two, three):
    expected = Entropy(*one, *two, *three).word()
    assert Entropy(*one).child(*two).word(*three) == expected
    assert Entropy(*one).child(*two).child(*three).word() == expected
    assert Entropy(*one).child(*two, *three).word() == expected
    assert Entropy().word(*one, *two, *three) == expected


def test_a_child_leaves_its_parent_alone():
    parent = Entropy("seed")
    before = parent.word("a")
    parent.child("b").word("a")
    assert parent.word("a") == before


def test_true_is_one():
    assert Entropy(True, False).word() == Entropy(1, 0).word()


@given(keys, st.lists(st.sampled_from(["word", "unit"]), max_size=6))
def test_there_is_no_stream_to_advance(key, others):
    entropy = Entropy(*key)
    before = entropy.word("a"), entropy.unit("b")
    for number, name in enumerate(others):
        getattr(entropy, name)(number)
    assert (entropy.word("a"), entropy.unit("b")) == before


# --- bounds --------------------------------------------------------------------------------------------------------


@given(keys)
def test_words_and_units_stay_in_their_bounds(key):
    word, unit = Entropy(*key).word(), Entropy(*key).unit()
    assert 0 <= word < 2**64
    assert 0.0 <= unit < 1.0
    assert unit * 2**53 == word >> 11


def test_the_ends_of_a_unit(monkeypatch):
    monkeypatch.setattr(Entropy, "word", lambda *_: 2**64 - 1)
    assert Entropy().unit() == 1 - 2**-53
    monkeypatch.setattr(Entropy, "word", lambda *_: 0)
    assert Entropy().unit() == 0.0


@given(keys, st.integers(1, 2**64))
def test_numbers_stay_below(key, bound):
    assert 0 <= Entropy(*key).below(bound) < bound


@check_rows("bound", [0, -1, 2**64 + 1])
def test_a_bound_has_bounds(bound):
    with pytest.raises(ValueError, match=str(bound)):
        Entropy().below(bound)


@given(keys, st.lists(st.integers(), min_size=1))
def test_what_is_picked_was_offered(key, options):
    assert Entropy(*key).pick(options) in options


def test_there_is_nothing_to_pick_from_nothing():
    with pytest.raises(ValueError, match="bound"):
        Entropy().pick([])


@given(keys, wheels)
def test_a_weight_of_zero_is_never_drawn(key, weights):
    index = Entropy(*key).weighted(weights)
    assert 0 <= index < len(weights)
    assert weights[index] > 0


@check_rows("unit", [0.0, 0.5, 1 - 2**-53])
@given(weights=wheels)
def test_no_mark_falls_off_the_wheel(unit, weights):
    class Fixed(Entropy):
        def unit(self, *label):
            return unit

    assert weights[Fixed().weighted(weights)] > 0


@check_rows(
    "weights",
    [[], [0.0], [0.0, 0.0], [-1.0], [2.0, -1.0], [float("nan")], [float("inf")], [1.0, float("nan")], [1.7e308] * 2],
)
def test_a_wheel_without_shares_is_refused(weights):
    with pytest.raises(ValueError, match="weights must be finite"):
        Entropy().weighted(weights)


@given(keys, st.lists(st.integers(), unique=True, max_size=12), st.integers(0, 15))
def test_a_sample_holds_different_ones_of_the_options(key, options, count):
    before = list(options)
    drawn = Entropy(*key).sample(options, count)
    assert len(drawn) == len(set(drawn)) == min(count, len(options))
    assert set(drawn) <= set(options)
    assert options == before


@given(keys, st.lists(st.integers(), max_size=8))
def test_equal_options_are_as_many_in_a_whole_sample(key, options):
    assert Counter(Entropy(*key).sample(options, len(options))) == Counter(options)


@given(keys, st.integers(0, 8), st.integers(0, 8))
def test_a_smaller_sample_begins_a_larger_one(key, one, other):
    few, many = sorted((one, other))
    assert Entropy(*key).sample(range(8), many)[:few] == Entropy(*key).sample(range(8), few)


# --- how likely ----------------------------------------------------------------------------------------------------

DRAWS = 20_000


def chi_square(counts, shares) -> float:
    """Divided by the degrees of freedom: about 1 if the shares are right."""
    total = sum(counts.values())
    assert set(counts) <= set(shares)
    terms = ((counts[each] - total * share) ** 2 / (total * share) for each, share in shares.items())
    return sum(terms) / (len(shares) - 1)


def fits(drawn, shares) -> bool:
    """The keys are fixed, so this never flickers; 4 is beyond any accident, and 0.05 would be too good to be true."""
    return 0.05 < chi_square(Counter(drawn), shares) < 4.0


def even(options) -> dict:
    return {each: 1 / len(options) for each in options}


@check_rows("bound", [2, 3, 7, 10, 64, 100])
def test_numbers_below_a_bound_are_equally_likely(bound):
    assert fits((Entropy("below", index).below(bound, "x") for index in range(DRAWS)), even(range(bound)))


def test_labels_are_as_good_as_keys():
    entropy = Entropy("labels")
    assert fits((entropy.below(10, index) for index in range(DRAWS)), even(range(10)))


def test_a_large_bound_favours_nobody():
    """Without a second draw the lowest third of this bound would come twice as often."""
    bound = 3 * 2**62
    thirds = (Entropy("large", index).below(bound) // 2**62 for index in range(DRAWS))
    assert fits(thirds, even(range(3)))


def test_units_are_spread_evenly():
    assert fits((int(Entropy("unit", index).unit() * 32) for index in range(DRAWS)), even(range(32)))


def test_neighbours_know_nothing_of_each_other():
    units = [int(Entropy("pairs").unit(index) * 6) for index in range(DRAWS)]
    assert fits(pairwise(units), even([(one, other) for one in range(6) for other in range(6)]))


def test_every_bit_of_a_word_is_fair():
    words = [Entropy("bits", index).word() for index in range(DRAWS)]
    for bit in range(64):
        ones = sum(word >> bit & 1 for word in words)
        assert abs(ones / DRAWS - 0.5) < 0.02


def test_picks_are_equally_likely():
    assert fits((Entropy("pick", index).pick("abcde") for index in range(DRAWS)), even("abcde"))


def test_weights_are_shares():
    weights = [1.0, 0.0, 5.0, 0.25, 2.0]
    shares = {index: weight / 8.25 for index, weight in enumerate(weights) if weight}
    assert fits((Entropy("wheel", index).weighted(weights) for index in range(DRAWS)), shares)


def test_every_sample_in_every_order_is_equally_likely():
    drawn = (tuple(Entropy("urn", index).sample("abcd", 3)) for index in range(DRAWS))
    assert fits(drawn, even(list(permutations("abcd", 3))))
