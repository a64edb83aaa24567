"""The contract suite of port ``Embedder``: subclass it and override the fixture ``open_embedder``."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from mendel.ports.embedder import UNIT_TOLERANCE, Embedder, OpenEmbedder, Vector

ORIGINAL = "def area(width, height):\n    total = width * height\n    return total\n"
COPY = "def area(width, height):\n    total = height * width\n    return total\n"  # differs in the order of two factors
STRANGER = "Peas were crossed in a garden at Brno, and the seeds of every plant were counted by colour.\n"
TEXTS = (
    "",
    " ",
    "a",
    "ab\n",
    "x" * 100_000,
    "\0",
    "\ud800",
    "\N{SEEDLING}" * 3,
    "e\N{COMBINING ACUTE ACCENT}",
    "\r\n\t",
    ORIGINAL,
    COPY,
    STRANGER,
)


@pytest.mark.asyncio
class EmbedderContract:
    """What every embedder must do. ``open_embedder`` opens another one with the same configuration at every call."""

    @pytest.fixture
    def open_embedder(self) -> OpenEmbedder:
        raise NotImplementedError("override this fixture with a callable that opens the embedder under test")

    @pytest.fixture
    def embedder(self, open_embedder: OpenEmbedder) -> Embedder:
        return open_embedder()

    async def test_each_text_has_a_direction_of_its_embedder(self, embedder: Embedder) -> None:
        found = await embedder.embed(TEXTS)
        assert len(found) == len(TEXTS)
        for vector in found:
            assert vector.embedder == embedder.name
            assert vector.values.shape == (embedder.dimension,)
            assert vector.values.dtype == np.float32
            assert abs(float(np.linalg.norm(vector.values)) - 1.0) <= UNIT_TOLERANCE

    async def test_no_text_no_vector(self, embedder: Embedder) -> None:
        assert list(await embedder.embed([])) == []

    async def test_the_order_of_the_texts_is_kept(self, embedder: Embedder) -> None:
        forth, back = await embedder.embed(TEXTS), await embedder.embed(TEXTS[::-1])
        assert _spelled(*forth) == _spelled(*reversed(back))

    async def test_neighbours_in_the_batch_change_nothing(self, embedder: Embedder) -> None:
        together = await embedder.embed(TEXTS * 2)
        alone = [(await embedder.embed([text]))[0] for text in TEXTS]
        assert _spelled(*together) == _spelled(*alone, *alone)

    async def test_another_one_made_alike_answers_alike(self, embedder: Embedder, open_embedder: OpenEmbedder) -> None:
        other = open_embedder()
        assert (other.name, other.dimension) == (embedder.name, embedder.dimension)
        assert _spelled(*await other.embed(TEXTS)) == _spelled(*await embedder.embed(TEXTS))

    async def test_several_may_ask_at_once(self, embedder: Embedder) -> None:
        expected = _spelled(*await embedder.embed(TEXTS))
        answers = await asyncio.gather(*(embedder.embed(TEXTS) for _ in range(8)))
        assert all(_spelled(*answer) == expected for answer in answers)

    async def test_a_copy_is_nearer_than_a_stranger(self, embedder: Embedder) -> None:
        original, copy, stranger = await embedder.embed([ORIGINAL, COPY, STRANGER])
        assert original.similarity(copy) > original.similarity(stranger)
        assert abs(original.similarity(original) - 1.0) <= 2 * UNIT_TOLERANCE

    async def test_a_vector_cannot_be_changed(self, embedder: Embedder) -> None:
        (vector,) = await embedder.embed([ORIGINAL])
        with pytest.raises(ValueError, match="read-only"):
            vector.values[0] = 0.5

    async def test_it_can_be_closed_twice(self, embedder: Embedder) -> None:
        async with embedder:
            await embedder.embed([ORIGINAL])
        await embedder.aclose()


def _spelled(*vectors: Vector) -> list[tuple[str, bytes]]:
    return [(vector.embedder, vector.values.tobytes()) for vector in vectors]
