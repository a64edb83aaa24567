"""Hashed n-grams: the contract, a slow spelling of the same recipe, and bits that never change."""

import asyncio
import subprocess
import sys
from hashlib import sha256
from math import copysign, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.adapters.ngrams.embedder import NgramEmbedder
from mendel.conformance.embedder import COPY, ORIGINAL, STRANGER, EmbedderContract

MASK = (1 << 64) - 1
FROZEN = "bb602e2f31d3012505cfdc1ea99ed63dc4a3d64248f55d92378f1db522c4faaa"
TEXTS = ["", "a", ORIGINAL, STRANGER, "\N{SEEDLING}" * 40, "x" * 5_000, *(f"text {number}" for number in range(40))]


class TestNgramEmbedder(EmbedderContract):
    @pytest.fixture
    def open_embedder(self):
        return NgramEmbedder


class TestSmallNgramEmbedder(EmbedderContract):
    @pytest.fixture
    def open_embedder(self):
        return lambda: NgramEmbedder(64)


def mixed(word):
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)


def slowly(text, dimension):
    """One n-gram after the other."""
    numbers = [0x110000, 0x110000, *map(ord, text), 0x110001]
    counts = [0] * dimension
    for size in (3, 4, 5):
        for start in range(len(numbers) - size + 1):
            word = 0
            for number in numbers[start : start + size]:
                word = (word * 0x9E3779B97F4A7C15 + number + 1) & MASK
            hashed = mixed(word)
            counts[hashed % dimension] += 1 if hashed >> 63 else -1
    total = sum(map(abs, counts))
    if total == 0:
        counts[0] = total = 1
    return [np.float32(copysign(sqrt(abs(count) / total), count)) for count in counts]


@given(st.lists(st.text(), min_size=1, max_size=6))
@settings(max_examples=60)
def test_it_counts_n_grams(texts):
    found = asyncio.run(NgramEmbedder(64).embed(texts))
    assert [vector.values.tolist() for vector in found] == [slowly(text, 64) for text in texts]


async def test_many_texts_are_embedded_as_few_are():
    texts = [f"{number} " * number for number in range(400)]
    found = await NgramEmbedder().embed(texts)
    for number in (0, 1, 150, 399):
        assert found[number].values.tolist() == slowly(texts[number], 512)


async def digest():
    found = await NgramEmbedder().embed(TEXTS)
    return sha256(b"".join(vector.values.astype("<f4").tobytes() for vector in found)).hexdigest()


async def test_the_bits_are_frozen():
    assert NgramEmbedder().name == "ngrams.1.512"
    assert await digest() == FROZEN, "another recipe needs another name"


@check_rows("seed", ["0", "1", "random"])
def test_another_process_finds_the_same_bits(seed):
    code = (
        "import asyncio, hashlib\n"
        "from mendel.adapters.ngrams.embedder import NgramEmbedder\n"
        f"found = asyncio.run(NgramEmbedder().embed({TEXTS!r}))\n"
        "joined = b''.join(vector.values.astype('<f4').tobytes() for vector in found)\n"
        "print(hashlib.sha256(joined).hexdigest())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONHASHSEED": seed})
    assert done.stdout.strip() == FROZEN, done.stderr


async def test_copies_are_near_and_strangers_are_not():
    original, copy, stranger = await NgramEmbedder().embed([ORIGINAL, COPY, STRANGER])
    assert original.similarity(copy) > 0.75
    assert original.similarity(stranger) < 0.2


async def test_what_is_repeated_does_not_drown_the_rest():
    one, padded = await NgramEmbedder().embed([STRANGER, STRANGER + "-" * 200])
    assert one.similarity(padded) > 0.4, "plain counts would make it less than 0.1"


@check_rows("dimension", [0, 8, 100, 1 << 17, -16])
def test_a_dimension_is_a_power_of_two(dimension):
    with pytest.raises(ValueError, match="power of two"):
        NgramEmbedder(dimension)
