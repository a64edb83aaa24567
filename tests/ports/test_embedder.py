"""The port's door: what it lets out, and what may be compared."""

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest
from tests.support.rows import check_rows

from mendel.adapters.memory.embedder import MemoryEmbedder
from mendel.adapters.ngrams.embedder import NgramEmbedder
from mendel.contracts.errors import BrokenPlugin
from mendel.ports.embedder import GROUP, Embedder
from mendel.ports.registry import GROUPS

ROOT = Path(__file__).parents[2]


class Answering(Embedder):
    """Answers whatever it is told to."""

    name = "answering.1"
    dimension = 2

    def __init__(self, answer):
        self.answer = answer
        self.asked = 0

    async def _embed(self, texts):
        self.asked += 1
        return np.array(self.answer)


async def test_a_good_answer_comes_through():
    (vector,) = await Answering([[0.6, 0.8]]).embed(["secret text"])
    assert vector.embedder == "answering.1"
    assert vector.values.tolist() == pytest.approx([0.6, 0.8])


@check_rows(
    "answer",
    [[[1.0]], [[1.0, 0.0], [1.0, 0.0]], [1.0, 0.0], [[0.0, 0.0]], [[1.0, 1.0]], [[1.0, 1e-2]], [[float("nan"), 1.0]]],
)
async def test_what_is_no_direction_is_refused_without_telling_the_text(answer):
    with pytest.raises(BrokenPlugin, match=r"answering\.1") as caught:
        await Answering(answer).embed(["secret text"])
    assert "secret" not in str(caught.value)


async def test_nobody_is_asked_about_nothing():
    embedder = Answering([])
    assert await embedder.embed([]) == ()
    assert embedder.asked == 0


async def test_what_an_implementation_keeps_is_not_what_callers_get():
    embedder = Answering(None)
    embedder.answer = np.array([[0.6, 0.8]], dtype=np.float32)
    (vector,) = await embedder.embed(["text"])
    embedder.answer[0, 0] = 0.0
    assert vector.values[0] == np.float32(0.6)


async def test_vectors_of_different_embedders_are_never_compared():
    (words,) = await MemoryEmbedder(256).embed(["pea"])
    (ngrams,) = await NgramEmbedder(256).embed(["pea"])
    (wider,) = await NgramEmbedder(512).embed(["pea"])
    for one, other in [(words, ngrams), (ngrams, wider)]:
        with pytest.raises(ValueError, match="cannot be compared"):
            one.similarity(other)
    assert words.similarity(words) == pytest.approx(1.0)


def test_the_default_is_a_plug_in():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    assert GROUP in GROUPS
    openers = {name: EntryPoint(name, value, GROUP).load() for name, value in declared[GROUP].items()}
    assert isinstance(openers["ngrams"](), Embedder)
    assert all(callable(opener) for opener in openers.values())
