"""Ids: UUIDv7 for runs, events and commands; derived names for whatever ``decide`` makes.

A run's or an event's id is drawn once and recorded. The ids of genomes, candidates, generations and operations
are derived from (seed, kind, birth index), so that a run performed again from its log makes the same ones.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Annotated, NewType
from uuid import UUID

from pydantic import StringConstraints
from uuid_utils import uuid7

from mendel.contracts.entropy import Entropy

_HYPHENATED = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
_DERIVED = r"^[a-z][a-z0-9_]*[-:][0-9A-Za-z][0-9A-Za-z_.:-]*$"


_Derived = Annotated[str, StringConstraints(pattern=_DERIVED, max_length=128)]

RunId = NewType("RunId", str)
EventId = NewType("EventId", str)

UuidText = Annotated[str, StringConstraints(pattern=_HYPHENATED)]
"""A UUID in canonical lower-case text."""

GenerationId = _Derived
GenomeId = _Derived
CandidateId = _Derived
OperationId = _Derived


_MARK_BITS = 32


@lru_cache(maxsize=65_536)
def derived(seed: int, kind: str, *index: str | int) -> str:
    """The id of the thing of ``kind`` at ``index``: readable, and another one under another seed."""
    mark = Entropy(seed).word("id", kind, *index) >> (64 - _MARK_BITS)
    return f"{kind}-{'.'.join(map(str, index))}-{mark:08x}"


def child_id(seed: int, parent: str, index: int) -> str:
    """The id of the ``index``-th child operation of ``parent``."""
    return derived(seed, "child", parent, index)


def new_run_id() -> RunId:
    """A fresh run id; sorts by time of creation."""
    return RunId(str(uuid7()))


def new_event_id() -> EventId:
    """A fresh event id; sorts by time of creation."""
    return EventId(str(uuid7()))


def new_task_id() -> str:
    """A fresh task id: UUIDv7 in hex without hyphens, one per submission."""
    return uuid7().hex


def named_uuid(purpose: str, name: str) -> str:
    """The UUID that always stands for a name (version 8, so it is no run's and no event's)."""
    digest = hashlib.blake2b(name.encode(), digest_size=16, person=purpose.encode()).digest()
    return str(UUID(int=int.from_bytes(digest) & ~(0xF << 76) & ~(0x3 << 62) | 8 << 76 | 2 << 62))


def parse_run_id(text: str) -> RunId:
    """The run id that ``text`` spells, in canonical form.

    Raises:
        ValueError: ``text`` is not a UUID.
    """
    return RunId(str(UUID(text)))
