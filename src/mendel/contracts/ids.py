"""Ids: UUIDv7 for runs, events and commands; derived names for everything that ``decide`` creates.

The id of a run or an event is generated once and recorded. The ids of genomes, candidates, generations and operations
are derived from (seed, kind, birth index), so that executing a run again from its log yields the same ids.
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


_MARK_BITS = 32  # enough to tell runs with different seeds apart; the rest of an id is unique within a run


@lru_cache(maxsize=65_536)
def derived(seed: int, kind: str, *index: str | int) -> str:
    """Return the id of the item of ``kind`` at ``index``: readable, and different for every seed."""
    mark = Entropy(seed).word("id", kind, *index) >> (64 - _MARK_BITS)
    return f"{kind}-{'.'.join(map(str, index))}-{mark:08x}"


def child_id(seed: int, parent: str, index: int) -> str:
    """Return the id of the ``index``-th child operation of ``parent``."""
    return derived(seed, "child", parent, index)


def new_run_id() -> RunId:
    """Return a new run id; ids sort by creation time."""
    return RunId(str(uuid7()))


def new_event_id() -> EventId:
    """Return a new event id; ids sort by creation time."""
    return EventId(str(uuid7()))


def new_task_id() -> str:
    """Return a new task id, one per submission: a UUIDv7 in hexadecimal without hyphens."""
    return uuid7().hex


def named_uuid(purpose: str, name: str) -> str:
    """Return the UUID derived from a name (version 8, so it differs from every run and event id)."""
    digest = hashlib.blake2b(name.encode(), digest_size=16, person=purpose.encode()).digest()
    # The masks set the version to 8 and the variant to that of RFC 9562.
    return str(UUID(int=int.from_bytes(digest) & ~(0xF << 76) & ~(0x3 << 62) | 8 << 76 | 2 << 62))


def parse_run_id(text: str) -> RunId:
    """Return the run id in ``text`` in canonical form.

    Raises:
        ValueError: ``text`` is not a UUID.
    """
    return RunId(str(UUID(text)))
