"""Many draws at once: what ``Entropy`` is for one choice, these are for the thousands that a resampling needs.

A draw is a function of the entropy's key, its label and its place, as everywhere; more of the same label begin with the
same. The words are frozen by test vectors, and so is what follows from them by exact arithmetic. ``gammas`` goes
through logarithms and cosines, whose last bits are the machine's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import shake_256
from math import sqrt, tau
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mendel.contracts.entropy import Entropy, Key

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

_NAME: Final = b"mendel.bulk.1"
_KEY_WORDS: Final = 4
_WORD_BITS: Final = 64
_FLOAT_BITS: Final = 53
_AT_ONCE: Final = 1 << 20


def words(entropy: Entropy, count: int, *label: Key) -> NDArray[np.uint64]:
    """``count`` numbers of 64 bits."""
    return np.frombuffer(_octets(entropy, count * 8, label), dtype="<u8").astype(np.uint64)


def uniforms(entropy: Entropy, count: int, *label: Key) -> Floats:
    """``count`` numbers in [0, 1), on a grid of 2**53 equally likely ones."""
    high = words(entropy, count, *label) >> np.uint64(_WORD_BITS - _FLOAT_BITS)
    return high.astype(np.float64) * 2.0**-_FLOAT_BITS


def indices(entropy: Entropy, bound: int, count: int, *label: Key) -> Integers:
    """``count`` numbers in [0, ``bound``): scaled uniforms, so that one may be likelier than another by 2**-53 at most.

    Raises:
        ValueError: ``bound`` is not in 1 … 2**32, beyond which rounding would show.
    """
    if not 1 <= bound <= 1 << 32:
        raise ValueError(f"a bound is in 1 … 2**32, not {bound}")
    return (uniforms(entropy, count, *label) * bound).astype(np.int64)


def coins(entropy: Entropy, count: int, *label: Key) -> NDArray[np.bool_]:
    """``count`` fair choices between true and false, one bit each."""
    octets = np.frombuffer(_octets(entropy, -(-count // 8), label), dtype=np.uint8)
    return np.unpackbits(octets, count=count, bitorder="little").astype(np.bool_)


def signs(entropy: Entropy, count: int, *label: Key) -> Floats:
    """``count`` fair choices between -1 and 1."""
    return np.where(coins(entropy, count, *label), 1.0, -1.0)


def gammas(entropy: Entropy, shape: float, count: int, *label: Key) -> Floats:
    """``count`` draws from the gamma distribution with ``shape`` and scale 1.

    Marsaglia and Tsang's rejection from a cubed normal; below shape 1, where it would not hold, a draw of one shape
    more times a power of a uniform.

    Raises:
        ValueError: ``shape`` is not positive and finite.
    """
    if not 0.0 < shape < float("inf"):
        raise ValueError(f"a shape is positive and finite, not {shape}")
    if shape < 1.0:
        power = (1.0 - uniforms(entropy, count, *label, "power")) ** (1.0 / shape)
        return gammas(entropy, shape + 1.0, count, *label) * power
    drawn = np.empty(count)
    pending = np.arange(count)
    attempt = 0
    while pending.size:
        proposed, accepted = _proposals(uniforms(entropy, 3 * pending.size, *label, attempt), shape)
        drawn[pending[accepted]] = proposed[accepted]
        pending = pending[~accepted]
        attempt += 1
    return drawn


def batches(rows: int, width: int) -> Iterator[tuple[int, int]]:
    """A number and how many rows, for each part of ``rows`` that is drawn at once: about a million draws, never all."""
    each = max(1, _AT_ONCE // width)
    for number, start in enumerate(range(0, rows, each)):
        yield number, min(each, rows - start)


def _proposals(units: Floats, shape: float) -> tuple[Floats, NDArray[np.bool_]]:
    """One candidate for each three of ``units``, and whether it is accepted."""
    radius, angle, height = 1.0 - units.reshape(-1, 3).T  # in (0, 1], where every logarithm is finite
    normal = np.sqrt(-2.0 * np.log(radius)) * np.cos(tau * angle)
    centre = shape - 1.0 / 3.0
    root = 1.0 + normal / sqrt(9.0 * centre)
    cube = np.where(root > 0.0, root, 1.0) ** 3
    roof = 0.5 * normal**2 + centre * (1.0 - cube + np.log(cube))
    return centre * cube, (root > 0.0) & (np.log(height) < roof)


def _octets(entropy: Entropy, count: int, label: tuple[Key, ...]) -> bytes:
    # one word is no key for millions of draws: two among 2**32 labels would share theirs
    key = b"".join(entropy.word(*label, "bulk", part).to_bytes(8, "big") for part in range(_KEY_WORDS))
    return shake_256(_NAME + key).digest(count)
