"""A stream of draws under one key, fast enough for inputs of a hundred thousand numbers.

Its words are SHAKE-256 of a keyed draw, so they are the same on every machine and in every later version.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from hashlib import shake_256
from typing import Final, TypeVar

from mendel.contracts.entropy import Entropy, Key

T = TypeVar("T")
_FIRST_BLOCK: Final = 64  # small, since most inputs need few words
_BLOCK: Final = 2048
_ALL: Final = 1 << 64


class Dice:
    """Draws in sequence; two dice with the same key draw the same."""

    __slots__ = ("_words",)

    def __init__(self, *key: Key) -> None:
        self._words = _stream(Entropy("programs.inputs", *key))

    def below(self, bound: int) -> int:
        """Return a number in [0, ``bound``), each equally likely; the bound may have any size."""
        if bound > _ALL:
            return self._wide(bound)
        fair = _ALL // bound * bound  # words from here on would make small numbers more likely, so they are redrawn
        while (word := next(self._words)) >= fair:
            pass
        return word % bound

    def _wide(self, bound: int) -> int:
        while True:
            number = 0
            for _ in range((bound.bit_length() + 63) // 64):
                number = number << 64 | next(self._words)
            number >>= -bound.bit_length() % 64  # drop surplus bits, so that few numbers are beyond the bound
            if number < bound:
                return number

    def between(self, low: int, high: int) -> int:
        """Return a number from ``low`` to ``high``, both included; ``low`` if the range is empty."""
        return low + self.below(max(1, high - low + 1))

    def unit(self) -> float:
        """Return a number in [0, 1)."""
        return (next(self._words) >> 11) / (1 << 53)

    def chance(self, share: float) -> bool:
        """Return true for this share of the draws."""
        return self.unit() < share

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options, each equally likely."""
        return options[self.below(len(options))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order."""
        pool = list(items)
        for place in range(len(pool) - 1, 0, -1):
            other = self.below(place + 1)
            pool[place], pool[other] = pool[other], pool[place]
        return pool

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Return ``count`` of the items in random order, or all of them if there are fewer."""
        return self.shuffled(items)[:count]


def _stream(entropy: Entropy) -> Iterator[int]:
    block = 0
    while True:
        words = _BLOCK if block else _FIRST_BLOCK
        seed = entropy.word("block", block).to_bytes(8, "big")
        yield from struct.unpack(f">{words}Q", shake_256(seed).digest(words * 8))
        block += 1
