"""Ids of what ``decide`` makes: derived from the run's seed, the kind and an index, so that they come out alike."""

from __future__ import annotations

from functools import lru_cache

from mendel.contracts.entropy import Entropy

_MARK_BITS = 32


@lru_cache(maxsize=65_536)
def derived(seed: int, kind: str, *index: str | int) -> str:
    """The id of the thing of ``kind`` at ``index``: readable, and another one under another seed."""
    mark = Entropy(seed).word("id", kind, *index) >> (64 - _MARK_BITS)
    return f"{kind}-{'.'.join(map(str, index))}-{mark:08x}"
