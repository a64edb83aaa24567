"""The index against brute force, and what makes it a memory."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.ports.embedder import Vector
from mendel.selection.novelty import Looks, LooksTable, Neighbour, Novelty

DIMENSION = 128


def vector(values, embedder="test.1"):
    values = np.array(values, dtype=np.float64)
    return Vector(embedder, (values / np.linalg.norm(values)).astype(np.float32))


def cloud(seed, count, dimension=DIMENSION):
    return np.random.default_rng(seed).normal(size=(count, dimension))


def beside(values, similarity, seed):
    """A direction at exactly this similarity."""
    unit = values / np.linalg.norm(values)
    away = cloud(1_000_000 + seed, 1, len(values))[0]
    away -= (away @ unit) * unit
    return similarity * unit + np.sqrt(1 - similarity**2) * away / np.linalg.norm(away)


def index(vectors, threshold=0.9, recent=64, seed=1):
    made = Novelty(threshold, Entropy(seed), recent=recent)
    for number, each in enumerate(vectors):
        made.tell(f"r{number}", each)
    return made


def brute(vectors, asked):
    similarities = [asked.similarity(each) for each in vectors]
    best = int(np.argmax(similarities))
    return f"r{best}", similarities[best]


def test_who_knows_nobody_finds_nobody():
    novelty = Novelty(0.9, Entropy(1))
    assert novelty.nearest(vector([1.0, 2.0])) is None
    assert novelty.duplicate(vector([1.0, 2.0])) is None
    assert len(novelty) == 0


@given(st.integers(0, 10_000), st.integers(1, 64))
@settings(max_examples=50)
def test_the_recent_are_compared_one_by_one(seed, count):
    known = [vector(each) for each in cloud(seed, count, 8)]
    asked = vector(cloud(seed + 1, 1, 8)[0])
    found = index(known).nearest(asked)
    name, similarity = brute(known, asked)
    assert found.id == name
    assert found.similarity == pytest.approx(similarity, abs=1e-6)


@check_rows(("threshold", "count"), [(0.8, 400), (0.9, 1_500), (0.97, 1_500), (0.995, 1_500)])
def test_what_is_at_the_threshold_is_found_among_the_old(threshold, count):
    values = cloud(5, count)
    novelty = index([vector(each) for each in values], threshold, recent=0)
    targets = range(0, count, 4)
    asked = [vector(beside(values[each], threshold + 1e-6, each)) for each in targets]
    found = [novelty.duplicate(each) for each in asked]
    hits = sum(got is not None and got.id == f"r{each}" for got, each in zip(found, targets, strict=True))
    assert hits >= 0.97 * len(asked), "promised is 0.99; two hundredths are left to chance"
    assert novelty.chance(threshold) >= 0.99
    assert novelty.chance(0.0) < 0.99


def test_what_is_found_has_its_true_similarity():
    values = cloud(6, 300)
    known = [vector(each) for each in values]
    novelty = index(known, recent=0)
    for number in range(0, 300, 7):
        asked = vector(beside(values[number], 0.93, number))
        found = novelty.nearest(asked)
        assert found.similarity == pytest.approx(asked.similarity(known[int(found.id[1:])]), abs=1e-6)
        assert found.similarity <= brute(known, asked)[1] + 1e-6


def test_a_stranger_is_no_duplicate():
    known = [vector(each) for each in cloud(7, 200)]
    novelty = index(known)
    stranger = vector(cloud(8, 1)[0])
    assert novelty.nearest(stranger).similarity < 0.5
    assert novelty.duplicate(stranger) is None


def test_the_same_vector_is_found_however_large_the_crowd_behind_it():
    base = cloud(9, 1)[0]
    crowd = [vector(beside(base, 0.999999, seed)) for seed in range(400)]
    novelty = index([vector(base), *crowd, vector(base)], recent=0)
    assert novelty.nearest(vector(base)) == Neighbour("r0", 1.0)


def test_of_equals_the_first_told_is_named():
    base = cloud(10, 1)[0]
    asked = vector(beside(base, 0.95, 3))
    assert index([vector(base)] * 5).nearest(asked).id == "r0"


@given(st.integers(0, 10_000), st.integers(0, 90))
@settings(max_examples=40, deadline=None)
def test_an_answer_as_of_then_is_the_answer_then(seed, before):
    values = cloud(seed, 3, 16)
    known = [vector(beside(values[each % 3], 0.97, each)) for each in range(90)]
    asked = vector(values[seed % 3])
    late, then = index(known, recent=4, seed=seed), index(known[:before], recent=4, seed=seed)
    assert late.nearest(asked, before) == then.nearest(asked)
    assert late.duplicate(asked, before) == then.duplicate(asked)


def test_asking_changes_nothing():
    known = [vector(each) for each in cloud(11, 150)]
    asked = [vector(beside(np.array(each.values, dtype=float), 0.95, 1)) for each in known[::3]]
    curious, quiet = Novelty(0.9, Entropy(2), recent=8), Novelty(0.9, Entropy(2), recent=8)
    for number, each in enumerate(known):
        curious.nearest(asked[number // 3])
        curious.tell(str(number), each)
        quiet.tell(str(number), each)
    assert [curious.nearest(each) for each in asked] == [quiet.nearest(each) for each in asked]


def test_the_planes_are_those_of_the_entropy():
    values = cloud(12, 400)
    known = [vector(each) for each in values]
    asked = [vector(beside(each, 0.6, 1)) for each in values[:100]]

    def answers(seed):
        novelty = index(known, recent=0, seed=seed)
        return [novelty.nearest(each) for each in asked]

    assert answers(1) == answers(1)
    assert answers(1) != answers(2)


def test_no_more_are_looked_at_in_a_larger_crowd():
    base = cloud(13, 1)[0]
    novelty = Novelty(0.9, Entropy(1), recent=8)
    for number in range(1_500):
        novelty.tell(str(number), vector(beside(base, 0.99, number)))
    assert len(novelty.nearby(vector(base), 1_500)) <= 8 + 16 * 16


@given(st.integers(0, 10_000), st.integers(0, 12))
@settings(max_examples=40, deadline=None)
def test_those_nearby_come_in_order(seed, count):
    known = [vector(each) for each in cloud(seed, 40, 6)]
    asked = vector(cloud(seed + 1, 1, 6)[0])
    found = index([*known, *known]).nearby(asked, count)
    expected = sorted(range(40), key=lambda each: -asked.similarity(known[each]))
    # Each is known twice, and the recent reach back to the 16th of the first telling.
    names = [name for each in expected for name in (f"r{each}", f"r{each + 40}")]
    seen = [each.id for each in found]
    assert seen == [name for name in names if name in seen]
    assert len(found) == count
    assert found[:1] == ([index([*known, *known]).nearest(asked)] if count else [])


def test_vectors_of_another_embedder_are_refused():
    novelty = index([vector([1.0, 0.0])])
    with pytest.raises(ValueError, match=r"test\.1"):
        novelty.nearest(vector([1.0, 0.0], "other.1"))
    with pytest.raises(ValueError, match=r"other\.1"):
        novelty.tell("x", vector([1.0, 0.0], "other.1"))
    assert len(novelty) == 1


@check_rows(("threshold", "recent"), [(0.0, 1), (1.1, 1), (-1.0, 1), (float("nan"), 1), (0.9, -1)])
def test_what_makes_no_sense_is_refused(threshold, recent):
    with pytest.raises(ValueError, match="threshold"):
        Novelty(threshold, Entropy(1), recent=recent)


# --- recorded vectors ------------------------------------------------------------------------------------------


def record(numbers, embedder="test.1"):
    return vector(numbers, embedder).record("text")


def test_a_table_of_vectors_finds_the_nearest_of_the_same_embedder_and_dimension():
    table = LooksTable([record([1, 0]), record([1, 0], "test.2"), record([1, 0, 0]), record([0, 1]), record([1, 0.1])])
    assert table.nearby(record([1, 0]), 9) == [(0, 1.0), (4, pytest.approx(0.995, abs=1e-3)), (3, pytest.approx(0.0))]
    assert table.nearby(record([1, 0]), 1) == [(0, 1.0)]
    assert table.nearby(record([0, 1, 0]), 1) == [(2, pytest.approx(0.0))]
    assert table.nearby(record([1, 0, 0, 0]), 1) == []


def test_looks_of_another_dimension_are_not_compared():
    known = Looks(Entropy(1))
    known.tell("flat", record([1, 0]), 0)
    known.tell("deep", record([1, 0, 0]), 1)
    assert [each.id for each in known.nearby(record([1, 0]), 5, 9)] == ["flat"]
    assert [each.id for each in known.nearby(record([1, 0, 0]), 5, 9)] == ["deep"]
    assert known.nearby(record([1, 0, 0, 0]), 5, 9) == []
