"""Keyed random draws: every random choice of a run is a function of its seed, its purpose and an index.

There is no generator state to advance: equal keys give equal draws, in any order, on any machine and in any later
version. Test vectors freeze the derivations below; a changed derivation would need a new ``_PERSON``.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, TypeVar

T = TypeVar("T")

Key = str | int

_PERSON: Final = b"mendel.draws.1"
_WORD_BITS: Final = 64
_FLOAT_BITS: Final = 53


class Entropy:
    """Source of random draws under one key. Every draw takes a label; the same label gives the same draw."""

    __slots__ = ("_key",)

    def __init__(self, *key: Key) -> None:
        self._key = b"".join(map(_spelled, key))

    def child(self, *key: Key) -> Entropy:
        """Return the source under this key followed by ``key``: ``Entropy(a).child(b)`` equals ``Entropy(a, b)``."""
        child = Entropy(*key)
        child._key = self._key + child._key
        return child

    def word(self, *label: Key) -> int:
        """Return a uniform integer of 64 bits."""
        text = self._key + b"".join(map(_spelled, label))
        return int.from_bytes(blake2b(text, digest_size=_WORD_BITS // 8, person=_PERSON).digest(), "big")

    def unit(self, *label: Key) -> float:
        """Return a uniform float in [0, 1), a multiple of 2**-53."""
        return (self.word(*label) >> (_WORD_BITS - _FLOAT_BITS)) / (1 << _FLOAT_BITS)

    def below(self, bound: int, *label: Key) -> int:
        """Return a uniform integer in [0, ``bound``), by rejection sampling: a plain remainder would be biased.

        Raises:
            ValueError: ``bound`` is not in 1 … 2**64.
        """
        if not 1 <= bound <= 1 << _WORD_BITS:
            raise ValueError(f"a bound must be in 1 … 2**{_WORD_BITS}, not {bound}")
        fair = (1 << _WORD_BITS) // bound * bound
        again = 0
        while (drawn := self.word(*label, again)) >= fair:
            again += 1
        return drawn % bound

    def pick(self, options: Sequence[T], *label: Key) -> T:
        """Return one of ``options``, chosen uniformly."""
        return options[self.below(len(options), *label)]

    def weighted(self, weights: Sequence[float], *label: Key) -> int:
        """Return an index, with probability proportional to its weight.

        Raises:
            ValueError: a weight is negative or not finite, or none is positive.
        """
        total = 0.0
        for weight in weights:  # not sum(): since Python 3.12 it rounds differently
            total += weight
        if not weights or not all(0.0 <= weight < float("inf") for weight in weights) or not 0 < total < float("inf"):
            raise ValueError("weights must be finite and not negative, and one of them positive")
        mark = self.unit(*label) * total
        for index, weight in enumerate(weights):
            mark -= weight
            if mark < 0:
                return index
        # Rounding can leave a rest: the last index with a weight takes it.
        return max(index for index, weight in enumerate(weights) if weight > 0)

    def sample(self, options: Sequence[T], count: int, *label: Key) -> list[T]:
        """Return ``count`` distinct items of ``options`` in random order, or all of them if there are fewer."""
        pool = list(options)
        taken = max(0, min(count, len(pool)))
        for place in range(taken):
            other = place + self.below(len(pool) - place, *label, place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:taken]


def _spelled(part: Key) -> bytes:
    """Return an injective encoding: a tag for the type, the length, the bytes."""
    text = part.encode() if isinstance(part, str) else str(int(part)).encode()
    tag = b"s" if isinstance(part, str) else b"i"
    return tag + len(text).to_bytes(4, "big") + text  # frozen, like everything that draws depend on
