"""References from a claim to its evidence, and from an event to a blob."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from mendel.contracts.base import Contract, Count, Text
from mendel.contracts.ids import UuidText

BLOB_KEY = "$blob"
BlobHash = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]


class BlobRef(Contract):
    """Reference to bytes that are stored outside an event, by their hash.

    In JSON the key of the hash is ``$blob``, so that every reference in a log can be found without knowing the model
    around it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", serialize_by_alias=True, validate_by_name=True)

    hash: Annotated[BlobHash, Field(alias=BLOB_KEY)]
    size: Count
    media_type: Annotated[str, StringConstraints(pattern=r"^[\w.+-]+/[\w.+-]+$", max_length=100)] = (
        "application/octet-stream"
    )


class EvidenceRef(Contract):
    """Reference to an event of the same log. ``uri`` and ``observation_id`` are labels for people and never fetched."""

    kind: Literal["trace", "check_output", "prior_art", "signal", "raw_output", "other"]
    event_id: UuidText | None = None
    uri: Text | None = None
    observation_id: Text | None = None
    label: Text | None = None
