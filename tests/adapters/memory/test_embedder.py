import pytest

from mendel.adapters.memory.embedder import MemoryEmbedder
from mendel.conformance.embedder import EmbedderContract


class TestMemoryEmbedder(EmbedderContract):
    @pytest.fixture
    def open_embedder(self):
        return MemoryEmbedder


async def test_it_counts_words():
    one, again, other = await MemoryEmbedder(4_096).embed(["green peas", "peas\n green", "green green peas"])
    assert one.similarity(again) == pytest.approx(1.0)
    assert one.similarity(other) == pytest.approx((2 + 1 + 1) / (3**0.5 * 6**0.5))


def test_a_vector_has_numbers():
    with pytest.raises(ValueError, match="at least one"):
        MemoryEmbedder(0)
