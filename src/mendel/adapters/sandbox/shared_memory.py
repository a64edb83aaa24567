"""Memory that the parent shares with a zygote: requests one way, answers and output the other.

Nothing is copied through pipes, so no flood can stall the parent: an area has a size, and that is all it will hold.
The parent reads an area only when the fork that wrote it is dead, and empties it before the next one.
"""

from __future__ import annotations

import fcntl
import mmap
import os
from typing import Final

_ADD_SEALS: Final = 1033
_SEAL_SHRINK, _SEAL_GROW = 2, 4


class Area:
    """Memory of a fixed size; ``handed`` is the descriptor by which another process maps it."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.descriptor = os.memfd_create("mendel", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self.descriptor, size)
        self.memory = mmap.mmap(self.descriptor, size, mmap.MAP_SHARED)
        fcntl.fcntl(self.descriptor, _ADD_SEALS, _SEAL_SHRINK | _SEAL_GROW)

    @property
    def handed(self) -> int:
        """What the inside gets."""
        return self.descriptor

    def empty(self) -> None:
        """Make every byte zero again, and give back every page: even a page that was only read would be a trace."""
        self.memory.madvise(mmap.MADV_REMOVE)

    def close(self) -> None:
        """Give the memory back."""
        self.memory.close()
        os.close(self.descriptor)


class RequestArea(Area):
    """Where the parent writes and the inside only reads: a mapping of a read-only descriptor stays so for ever."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._readable = os.open(f"/proc/self/fd/{self.descriptor}", os.O_RDONLY | os.O_CLOEXEC)

    @property
    def handed(self) -> int:
        """What the inside gets."""
        return self._readable

    def put(self, data: bytes | bytearray) -> None:
        """Lay a request out; nothing of the one before it remains."""
        self.empty()
        self.memory[: len(data)] = bytes(data)

    def close(self) -> None:
        """Give the memory back."""
        super().close()
        os.close(self._readable)


class OutputArea(Area):
    """Where a fork's standard output and error go, by a file position that the parent shares."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.forget()

    def take(self, most: int) -> tuple[str, bool]:
        """What was written, at most so many bytes of it, and whether there was more."""
        written = min(os.lseek(self.descriptor, 0, os.SEEK_CUR), self.size)
        text = self.memory[: min(written, most)].decode("utf-8", "replace")
        return text, written > most

    def forget(self) -> None:
        """Leave nothing by which one program could tell another something: no byte, no position, no time, no mode.

        Done just before a program begins, so that even the time of the last change is its own.
        """
        self.empty()
        os.lseek(self.descriptor, 0, os.SEEK_SET)
        os.utime(self.descriptor, ns=(0, 0))
        os.fchmod(self.descriptor, 0o600)
