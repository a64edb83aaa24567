"""What is recorded of embeddings: vectors that a replay reads and never computes again, and why they are degraded."""

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

MOST_DIMENSIONS: Final = 1 << 16
_NUMBER: Final = 4
LEAST_TEXT: Final = 16
"""So many bytes of a text are taken at least."""
UNIT_TOLERANCE: Final = 1e-5
"""By so much the length of a vector may differ from 1: half precision does not pass, single precision does."""

EmbedderName = Annotated[str, StringConstraints(min_length=1, max_length=300)]
TextDigest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Dimension = Annotated[int, Field(ge=1, le=MOST_DIMENSIONS)]

Standing = Literal["measured", "estimated", "absent"]
"""What a component that rests on embeddings is worth: as meant, from the fallback's vectors, or not to be had."""


def text_digest(text: str) -> str:
    """Under which name an embedding of ``text`` is recorded: SHA-256 of its UTF-8, a lone surrogate taken as it is."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def packed(numbers: Sequence[float]) -> str:
    """How a record holds numbers: of single precision, four bytes each in hexadecimal, the lowest first.

    Half of what digits take, and nothing that a log has to look into.

    Raises:
        ValueError: a number is too large.
    """
    try:
        return pack(f"<{len(numbers)}f", *numbers).hex()
    except OverflowError:
        raise ValueError("a number is too large") from None


def unpacked(text: str) -> tuple[float, ...]:
    """The numbers that :func:`packed` has written down.

    Raises:
        ValueError: it has not written that.
    """
    data = bytes.fromhex(text)
    if len(data) % _NUMBER or data.hex() != text:
        raise ValueError("numbers are written as eight small hexadecimal digits each, and nothing between them")
    return unpack(f"<{len(data) // _NUMBER}f", data)


class EmbeddingRecord(Contract):
    """The vector of one text, whole: replay reads it, and recomputes nothing but cosines (rule 7).

    ``embedder`` names everything that moved the numbers; vectors of different names are never compared. ``model_id`` is
    the model behind it. ``candidate_id`` says whose text it was, where it was somebody's. ``vector`` stays the text
    that is recorded: a record is validated far more often than somebody wants its numbers.
    """

    text_digest: TextDigest
    candidate_id: CandidateId | None = None
    embedder: EmbedderName
    model_id: EmbedderName
    dimension: Dimension
    vector: str

    @property
    def numbers(self) -> tuple[float, ...]:
        """The vector."""
        return unpacked(self.vector)

    @model_validator(mode="after")
    def _is_a_direction(self) -> Self:
        numbers = self.numbers
        if len(numbers) != self.dimension:
            raise ValueError(f"a vector of dimension {self.dimension} has {len(numbers)} numbers")
        # Asked this way round, a length that is no number is wrong too.
        if not abs(hypot(*numbers) - 1.0) <= 2 * UNIT_TOLERANCE:
            raise ValueError("the length of a recorded vector is 1")
        return self


def similarity(one: EmbeddingRecord | None, other: EmbeddingRecord | None) -> float | None:
    """How much alike two recorded texts are: 1 for no difference; none unless one embedder saw both."""
    if one is None or other is None or (one.embedder, one.dimension) != (other.embedder, other.dimension):
        return None
    return sum(mine * yours for mine, yours in zip(one.numbers, other.numbers, strict=True))


class EmbeddingDegraded(Contract):
    """Why a whole batch was embedded by another one, or by nobody.

    ``reason`` is a stable code: a failure's reason, an error's code, ``timeout``, or ``broken`` for what an embedder
    never should have raised. No message holds a text or a key.
    """

    standing: Literal["estimated", "absent"]
    primary: EmbedderName
    fallback: EmbedderName
    reason: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    message: Text


class EmbeddingLimits(Contract):
    """What is handed to a provider at once.

    A text is cut at ``bytes_per_text``: no token is shorter than a byte, so that one of 8,000 bytes fits every model
    that takes 8,000 tokens.
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
