"""Recorded embeddings, which a replay reads and never recomputes, and the reasons for degraded ones."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from math import hypot
from struct import pack, unpack
from typing import Annotated, Final, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from mendel.contracts.base import Contract, Text
from mendel.contracts.ids import CandidateId
from mendel.contracts.model_calls import Milliseconds

MOST_DIMENSIONS: Final = 1 << 16  # far above every known model; packed, such a vector takes half a MiB
_NUMBER: Final = 4  # bytes
LEAST_TEXT: Final = 16
"""Smallest allowed limit on the bytes per text."""
UNIT_TOLERANCE: Final = 1e-5
"""Allowed deviation of a vector's length from 1: single precision passes, half precision does not."""

EmbedderName = Annotated[str, StringConstraints(min_length=1, max_length=300)]
TextDigest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Dimension = Annotated[int, Field(ge=1, le=MOST_DIMENSIONS)]

Standing = Literal["measured", "estimated", "absent"]
"""Quality of a score component that uses embeddings: from the configured embedder, from the fallback, or missing."""


def text_digest(text: str) -> str:
    """Return the key of the embedding of ``text``: the SHA-256 of its UTF-8, with lone surrogates passed through."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def packed(numbers: Sequence[float]) -> str:
    """Return numbers as hexadecimal text: single precision, four bytes each, little-endian.

    This takes half the space of decimal digits, and the log need not inspect it.

    Raises:
        ValueError: a number is too large for single precision.
    """
    try:
        return pack(f"<{len(numbers)}f", *numbers).hex()
    except OverflowError:
        raise ValueError("a number is too large") from None


def unpacked(text: str) -> tuple[float, ...]:
    """Return the numbers in a text of :func:`packed`.

    Raises:
        ValueError: the text does not have that form.
    """
    data = bytes.fromhex(text)
    if len(data) % _NUMBER or data.hex() != text:
        raise ValueError("numbers are written as eight lower-case hexadecimal digits each, without separators")
    return unpack(f"<{len(data) // _NUMBER}f", data)


class EmbeddingRecord(Contract):
    """The complete vector of one text: a replay reads it and recomputes only cosines (rule 7).

    ``embedder`` identifies everything that affects the numbers; vectors of different embedders are never compared.
    ``model_id`` is the model used. ``candidate_id`` is the candidate of the text, if any. ``vector`` stays packed text:
    a record is validated far more often than its numbers are read.
    """

    text_digest: TextDigest
    candidate_id: CandidateId | None = None
    embedder: EmbedderName
    model_id: EmbedderName
    dimension: Dimension
    vector: str

    @property
    def numbers(self) -> tuple[float, ...]:
        """The vector as numbers."""
        return unpacked(self.vector)

    @model_validator(mode="after")
    def _is_a_direction(self) -> Self:
        numbers = self.numbers
        if len(numbers) != self.dimension:
            raise ValueError(f"a vector of dimension {self.dimension} has {len(numbers)} numbers")
        # Twice the tolerance of the port: packing may round the numbers. In this form a length of nan is refused, too.
        if not abs(hypot(*numbers) - 1.0) <= 2 * UNIT_TOLERANCE:
            raise ValueError("a recorded vector must have the length 1")
        return self


def similarity(one: EmbeddingRecord | None, other: EmbeddingRecord | None) -> float | None:
    """Return the cosine similarity of two recorded texts, 1 for identical ones; None unless one embedder made both."""
    if one is None or other is None or (one.embedder, one.dimension) != (other.embedder, other.dimension):
        return None
    return sum(mine * yours for mine, yours in zip(one.numbers, other.numbers, strict=True))


class EmbeddingDegraded(Contract):
    """Why a whole batch has vectors of the fallback (``estimated``), or none (``absent``).

    ``reason`` is a stable code: the reason of a failure, the code of an error, ``timeout``, or ``broken`` for an
    unexpected exception of an embedder. The message never contains a text or a key.
    """

    standing: Literal["estimated", "absent"]
    primary: EmbedderName
    fallback: EmbedderName
    reason: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    message: Text


class EmbeddingLimits(Contract):
    """Limits of one call to a provider.

    Texts are truncated to ``bytes_per_text``. A token has at least one byte, so 8,000 bytes fit every model that
    accepts 8,000 tokens.
    """

    texts_per_call: Annotated[int, Field(ge=1, le=2_048)] = 64
    bytes_per_call: Annotated[int, Field(ge=1, le=10_000_000)] = 200_000
    bytes_per_text: Annotated[int, Field(ge=LEAST_TEXT, le=1_000_000)] = 8_000
    timeout_ms: Milliseconds = 60_000
    retries: Annotated[int, Field(ge=0, le=10)] = 2

    @model_validator(mode="after")
    def _a_text_fits_a_call(self) -> Self:
        if self.bytes_per_text > self.bytes_per_call:
            raise ValueError(f"a text of {self.bytes_per_text} bytes does not fit a call of {self.bytes_per_call}")
        return self
