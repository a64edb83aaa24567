"""Frames separate messages in a pipe: four bytes of length, most significant first, then the message."""

from __future__ import annotations

import os
from typing import Final

MAX_FRAME_BYTES: Final = 64 * 1024 * 1024
"""Longer messages are refused on both sides: a larger announced length means that the peer violates the protocol."""

_HEADER_BYTES: Final = 4


class BrokenFrame(ValueError):
    """The bytes are not a valid frame."""


def framed(message: bytes) -> bytes:
    """Return ``message`` as a frame.

    Raises:
        BrokenFrame: it exceeds the size limit.
    """
    if len(message) > MAX_FRAME_BYTES:
        raise BrokenFrame(f"{len(message)} bytes are above the ceiling of {MAX_FRAME_BYTES}")
    return len(message).to_bytes(_HEADER_BYTES, "big") + message


class FrameReader:
    """Extracts messages from bytes that arrive in pieces of any size."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, piece: bytes) -> None:
        """Append the next piece of data."""
        self._buffer += piece

    def take(self) -> bytes | None:
        """Return the next message, or None while it is incomplete.

        Raises:
            BrokenFrame: the announced length exceeds the size limit.
        """
        if len(self._buffer) < _HEADER_BYTES:
            return None
        end = _HEADER_BYTES + int.from_bytes(self._buffer[:_HEADER_BYTES], "big")
        if end > _HEADER_BYTES + MAX_FRAME_BYTES:
            raise BrokenFrame(f"a frame of {end - _HEADER_BYTES} bytes is announced")
        if len(self._buffer) < end:
            return None
        message = bytes(self._buffer[_HEADER_BYTES:end])
        del self._buffer[:end]
        return message


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of ``data``, blocking as long as necessary."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
