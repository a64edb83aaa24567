"""What is recorded of embeddings."""

import pytest
from pydantic import ValidationError
from tests.support.rows import check_rows

from mendel.contracts.embeddings import EmbeddingLimits, EmbeddingRecord, packed, text_digest, unpacked

GOOD = {
    "text_digest": text_digest("pea"),
    "embedder": "ngrams.1.2",
    "model_id": "ngrams.1.2",
    "dimension": 2,
    "vector": packed((0.6, 0.8)),
}


def test_a_record_survives_the_log():
    record = EmbeddingRecord(**GOOD, candidate_id="candidate-1")
    assert EmbeddingRecord.model_validate_json(record.model_dump_json()) == record


@check_rows(
    "change",
    [
        {"vector": packed((0.6,))},
        {"vector": packed((0.6, 0.9))},
        {"vector": packed((float("nan"), 1.0))},
        {"vector": packed((float("inf"), 1.0))},
        {"vector": (0.6, 0.8)},
        {"vector": "0000803f"},
        {"vector": "0000803f00"},
        {"vector": "no numbers"},
        {"vector": "0000803F00000000"},
        {"vector": "0000803f 00000000"},
        {"vector": "", "dimension": 0},
        {"dimension": 3},
        {"dimension": 65_537},
        {"embedder": ""},
        {"model_id": ""},
        {"text_digest": "pea"},
        {"text": "pea"},
    ],
)
def test_what_is_no_vector_of_a_text_is_not_recorded(change):
    with pytest.raises(ValidationError):
        EmbeddingRecord(**{**GOOD, **change})


def test_numbers_that_single_precision_has_come_back_as_they_were():
    numbers = (0.0, -0.5, 1.25, 3.0e38, 1e-45)
    assert packed(unpacked(packed(numbers))) == packed(numbers)
    assert unpacked(packed(numbers))[:3] == numbers[:3]
    assert EmbeddingRecord(**GOOD).numbers == pytest.approx((0.6, 0.8))


def test_a_number_that_single_precision_does_not_have_is_not_written_down():
    with pytest.raises(ValueError, match="too large"):
        packed((1e300, 1.0))


def test_a_digest_takes_any_text_and_tells_them_apart():
    texts = ["", " ", "\0", "\ud800", "\ud801", "\N{REPLACEMENT CHARACTER}", "pea"]
    assert len({text_digest(text) for text in texts}) == len(texts)
    assert text_digest("pea") == "6d906f667d80107336485030127c84fca2565c0c1491678b66ab773655b48e36"


def test_the_longest_text_fits_a_call():
    with pytest.raises(ValidationError, match="does not fit"):
        EmbeddingLimits(bytes_per_call=100, bytes_per_text=101)
