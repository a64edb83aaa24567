"""Bulk draws from an ``Entropy``, for the thousands of choices that resampling needs.

Each draw depends only on the entropy's key, the label and its position, so a longer draw begins with a shorter one of
the same label. Test vectors freeze the words and everything derived from them by exact arithmetic. ``gammas`` uses
logarithms and cosines, whose last bits depend on the machine.
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
    """Draw ``count`` numbers of 64 bits."""
    return np.frombuffer(_octets(entropy, count * 8, label), dtype="<u8").astype(np.uint64)


def uniforms(entropy: Entropy, count: int, *label: Key) -> Floats:
    """Draw ``count`` numbers in [0, 1), from a grid of 2**53 equally likely values."""
    high = words(entropy, count, *label) >> np.uint64(_WORD_BITS - _FLOAT_BITS)
    return high.astype(np.float64) * 2.0**-_FLOAT_BITS


def indices(entropy: Entropy, bound: int, count: int, *label: Key) -> Integers:
    """Draw ``count`` integers in [0, ``bound``) as scaled uniforms; their probabilities differ by at most 2**-53.

    Raises:
        ValueError: ``bound`` is not in 1 … 2**32; beyond that, rounding would matter.
    """
    if not 1 <= bound <= 1 << 32:
        raise ValueError(f"bound must be in 1 … 2**32, not {bound}")
    return (uniforms(entropy, count, *label) * bound).astype(np.int64)


def coins(entropy: Entropy, count: int, *label: Key) -> NDArray[np.bool_]:
    """Draw ``count`` fair booleans, one bit each."""
    octets = np.frombuffer(_octets(entropy, -(-count // 8), label), dtype=np.uint8)
    return np.unpackbits(octets, count=count, bitorder="little").astype(np.bool_)


def signs(entropy: Entropy, count: int, *label: Key) -> Floats:
    """Draw ``count`` fair choices between -1 and 1."""
    return np.where(coins(entropy, count, *label), 1.0, -1.0)


def gammas(entropy: Entropy, shape: float, count: int, *label: Key) -> Floats:
    """Draw ``count`` numbers from the gamma distribution with ``shape`` and scale 1.

    The method is Marsaglia and Tsang's rejection from a cubed normal. It requires a shape of at least 1; for a smaller
    one, a draw with the shape plus 1 is multiplied by a power of a uniform.

    Raises:
        ValueError: ``shape`` is not positive and finite.
    """
    if not 0.0 < shape < float("inf"):
        raise ValueError(f"shape must be positive and finite, not {shape}")
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
    """Split ``rows`` into batches of about a million draws to limit memory; yield each batch's number and rows."""
    each = max(1, _AT_ONCE // width)
    for number, start in enumerate(range(0, rows, each)):
        yield number, min(each, rows - start)


def _proposals(units: Floats, shape: float) -> tuple[Floats, NDArray[np.bool_]]:
    """Return one proposal for each three of ``units``, and whether it is accepted."""
    radius, angle, height = 1.0 - units.reshape(-1, 3).T  # in (0, 1], where every logarithm is finite
    normal = np.sqrt(-2.0 * np.log(radius)) * np.cos(tau * angle)
    centre = shape - 1.0 / 3.0
    root = 1.0 + normal / sqrt(9.0 * centre)
    cube = np.where(root > 0.0, root, 1.0) ** 3
    roof = 0.5 * normal**2 + centre * (1.0 - cube + np.log(cube))
    return centre * cube, (root > 0.0) & (np.log(height) < roof)


def _octets(entropy: Entropy, count: int, label: tuple[Key, ...]) -> bytes:
    # One word is too short for a key: among 2**32 labels, two would be likely to share one.
    key = b"".join(entropy.word(*label, "bulk", part).to_bytes(8, "big") for part in range(_KEY_WORDS))
    return shake_256(_NAME + key).digest(count)
