"""Frames: how messages keep apart in a pipe. Four bytes of length, most significant first, then the message."""

from __future__ import annotations

import os
from typing import Final

MAX_FRAME_BYTES: Final = 64 * 1024 * 1024
"""A longer message is refused at either end: whoever announces one does not speak this protocol."""

_HEADER_BYTES: Final = 4


class BrokenFrame(ValueError):
    """The bytes are no frame of ours."""


def framed(message: bytes) -> bytes:
    """``message`` as it travels.

    Raises:
        BrokenFrame: it is above the ceiling.
    """
    if len(message) > MAX_FRAME_BYTES:
        raise BrokenFrame(f"{len(message)} bytes are above the ceiling of {MAX_FRAME_BYTES}")
    return len(message).to_bytes(_HEADER_BYTES, "big") + message


class FrameReader:
    """Finds the messages in bytes that arrive in pieces of any size."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, piece: bytes) -> None:
        """Take what has arrived."""
        self._buffer += piece

    def take(self) -> bytes | None:
        """The next message, or None while it is not whole.

        Raises:
            BrokenFrame: a length above the ceiling is announced.
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
    """Write all of ``data``, however long it blocks."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
