"""Embeddings from a log: the contract, bit for bit what was recorded, and nothing beyond it."""

import asyncio

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_st

from mendel.adapters.embeddings.recorded import RecordedEmbedder
from mendel.adapters.memory.embedder import MemoryEmbedder
from mendel.adapters.ngrams.embedder import NgramEmbedder
from mendel.conformance.embedder import COPY, ORIGINAL, STRANGER, TEXTS, EmbedderContract
from mendel.contracts.canonical import bounded
from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.errors import ModelCallFailed
from mendel.ports.embedder import Vector


async def recorded(embedder, texts):
    """Their records, as a log gives them back."""
    vectors = await embedder.embed(texts)
    records = [vector.record(text) for text, vector in zip(texts, vectors, strict=True)]
    stored = [bounded(record.model_dump(mode="json")) for record in records]
    return [EmbeddingRecord.model_validate_json(data) for data in stored]


RECORDS = asyncio.run(recorded(NgramEmbedder(64), TEXTS))


class TestRecordedEmbedder(EmbedderContract):
    @pytest.fixture
    def open_embedder(self):
        return lambda: RecordedEmbedder(RECORDS)


async def test_it_answers_as_the_one_that_was_recorded():
    first, again = NgramEmbedder(64), RecordedEmbedder(RECORDS)
    assert (again.name, again.model_id, again.dimension) == (first.name, first.model_id, first.dimension)
    for one, other in zip(await first.embed(TEXTS), await again.embed(TEXTS), strict=True):
        assert one.values.tobytes() == other.values.tobytes()
        assert one.similarity(other) == one.similarity(one)


async def test_an_unknown_text_is_an_error_that_does_not_hold_it():
    with pytest.raises(ModelCallFailed, match=r"2 of 3 texts have no recorded vector of ngrams\.1\.64") as caught:
        await RecordedEmbedder(RECORDS).embed(["secret one", ORIGINAL, "secret two"])
    assert caught.value.reason == "not_recorded"
    assert "secret" not in str(caught.value)


async def test_records_are_of_one_embedder():
    others = await recorded(MemoryEmbedder(64), [COPY])
    with pytest.raises(ValueError, match=r"ngrams\.1\.64 \(64\), words\.1\.64 \(64\)"):
        RecordedEmbedder([*RECORDS, *others])
    with pytest.raises(ValueError, match="none"):
        RecordedEmbedder([])


async def test_of_two_for_one_text_the_first_stands():
    one, other = await recorded(NgramEmbedder(64), [ORIGINAL, STRANGER])
    embedder = RecordedEmbedder([one, other.model_copy(update={"text_digest": one.text_digest})])
    (vector,) = await embedder.embed([ORIGINAL])
    assert vector.similarity(Vector.recorded(one)) == pytest.approx(1.0)


@given(numpy_st.arrays(np.float32, 24, elements=st.floats(-1.0, 1.0, width=32)).filter(lambda row: row.any()))
def test_no_bit_is_lost_on_the_way_through_the_log(row):
    scaled = (row.astype(np.float64) / np.abs(row).max()).astype(np.float64)
    values = (scaled / np.linalg.norm(scaled)).astype(np.float32)
    record = Vector("x.1", values, "x").record("pea", "candidate-1")
    back = Vector.recorded(EmbeddingRecord.model_validate_json(bounded(record.model_dump(mode="json"))))
    assert back.values.tobytes() == values.tobytes()
    assert (back.embedder, back.model_id, record.candidate_id) == ("x.1", "x", "candidate-1")
    assert not back.values.flags.writeable


async def test_a_record_is_brief():
    (vector,) = await NgramEmbedder(512).embed([STRANGER])
    assert len(bounded(vector.record(STRANGER).model_dump(mode="json"))) < 512 * 14
