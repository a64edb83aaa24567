"""Keyed draws: every random choice of a run is a function of its seed, what it is for, and an index.

There is no stream that somebody could advance: two draws are equal if their keys are, in any order, on any machine,
in any later version. The derivations below are frozen by test vectors; a change would be another ``_PERSON``.
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
    """A source of draws under one key. Every draw takes a label; the same label draws the same again."""

    __slots__ = ("_key",)

    def __init__(self, *key: Key) -> None:
        self._key = b"".join(map(_spelled, key))

    def child(self, *key: Key) -> Entropy:
        """The source under this key and ``key``; ``Entropy(a).child(b)`` is ``Entropy(a, b)``."""
        child = Entropy(*key)
        child._key = self._key + child._key
        return child

    def word(self, *label: Key) -> int:
        """A number of 64 bits."""
        text = self._key + b"".join(map(_spelled, label))
        return int.from_bytes(blake2b(text, digest_size=_WORD_BITS // 8, person=_PERSON).digest(), "big")

    def unit(self, *label: Key) -> float:
        """A number in [0, 1), on a grid of 2**53 equally likely ones."""
        return (self.word(*label) >> (_WORD_BITS - _FLOAT_BITS)) / (1 << _FLOAT_BITS)

    def below(self, bound: int, *label: Key) -> int:
        """A number in [0, ``bound``), each equally likely: a word that would favour some is drawn again.

        Raises:
            ValueError: ``bound`` is not in 1 … 2**64.
        """
        if not 1 <= bound <= 1 << _WORD_BITS:
            raise ValueError(f"a bound is in 1 … 2**{_WORD_BITS}, not {bound}")
        fair = (1 << _WORD_BITS) // bound * bound
        again = 0
        while (drawn := self.word(*label, again)) >= fair:
            again += 1
        return drawn % bound

    def pick(self, options: Sequence[T], *label: Key) -> T:
        """One of ``options``, each equally likely."""
        return options[self.below(len(options), *label)]

    def weighted(self, weights: Sequence[float], *label: Key) -> int:
        """An index, each as likely as its weight's share.

        Raises:
            ValueError: a weight is negative or not finite, or none is positive.
        """
        total = 0.0
        for weight in weights:  # not sum(): from Python 3.12 on it rounds differently
            total += weight
        if not weights or not all(0.0 <= weight < float("inf") for weight in weights) or not 0 < total < float("inf"):
            raise ValueError("weights are finite and not negative, and one of them is positive")
        mark = self.unit(*label) * total
        for index, weight in enumerate(weights):
            mark -= weight
            if mark < 0:
                return index
        return max(index for index, weight in enumerate(weights) if weight > 0)

    def sample(self, options: Sequence[T], count: int, *label: Key) -> list[T]:
        """``count`` different ones of ``options`` in random order, or all of them if there are fewer."""
        pool = list(options)
        taken = max(0, min(count, len(pool)))
        for place in range(taken):
            other = place + self.below(len(pool) - place, *label, place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:taken]


def _spelled(part: Key) -> bytes:
    """One spelling per value, and no two values with the same: a tag, the length, the bytes."""
    text = part.encode() if isinstance(part, str) else str(int(part)).encode()
    tag = b"s" if isinstance(part, str) else b"i"
    return tag + len(text).to_bytes(4, "big") + text
