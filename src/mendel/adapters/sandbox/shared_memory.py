"""Memory that the parent shares with a zygote: requests in one direction, answers and output in the other.

No pipes are involved, so a flood of output cannot stall the parent: an area has a fixed size and holds no more.
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
    """Memory of a fixed size; another process maps it through the descriptor ``handed``."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.descriptor = os.memfd_create("mendel", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self.descriptor, size)
        self.memory = mmap.mmap(self.descriptor, size, mmap.MAP_SHARED)
        fcntl.fcntl(self.descriptor, _ADD_SEALS, _SEAL_SHRINK | _SEAL_GROW)

    @property
    def handed(self) -> int:
        """The descriptor that the zygote receives."""
        return self.descriptor

    def empty(self) -> None:
        """Zero every byte and free every page: even a page that was only read would be a trace."""
        self.memory.madvise(mmap.MADV_REMOVE)

    def close(self) -> None:
        """Free the memory."""
        self.memory.close()
        os.close(self.descriptor)


class RequestArea(Area):
    """Written by the parent, read-only inside: a mapping of a read-only descriptor can never become writable."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._readable = os.open(f"/proc/self/fd/{self.descriptor}", os.O_RDONLY | os.O_CLOEXEC)

    @property
    def handed(self) -> int:
        """The descriptor that the zygote receives."""
        return self._readable

    def put(self, data: bytes | bytearray) -> None:
        """Write a request; nothing of the previous one remains."""
        self.empty()
        self.memory[: len(data)] = bytes(data)

    def close(self) -> None:
        """Free the memory."""
        super().close()
        os.close(self._readable)


class OutputArea(Area):
    """Receives a fork's standard output and error, at a file position shared with the parent."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.forget()

    def take(self, most: int) -> tuple[str, bool]:
        """Return the output, truncated to ``most`` bytes, and whether it was truncated."""
        written = min(os.lseek(self.descriptor, 0, os.SEEK_CUR), self.size)
        text = self.memory[: min(written, most)].decode("utf-8", "replace")
        return text, written > most

    def forget(self) -> None:
        """Remove everything through which one program could signal another: bytes, file position, times and mode.

        Done just before a program starts, so that even the time of the last change is its own.
        """
        self.empty()
        os.lseek(self.descriptor, 0, os.SEEK_SET)
        os.utime(self.descriptor, ns=(0, 0))
        os.fchmod(self.descriptor, 0o600)
