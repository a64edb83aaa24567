"""Finds the living processes of a cluster; a process id alone is no proof, because ids are reused."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")


@dataclass(frozen=True)
class Family:
    """The processes that serve one data folder: the postmaster and its children.

    Each has the data folder as its working directory, and `tag` in its title, through PostgreSQL's `cluster_name`.
    """

    data: Path
    tag: str

    def owns(self, pid: int) -> bool:
        """Whether that process lives and belongs to the family."""
        process = _PROC / str(pid)
        try:
            if (process / "comm").read_text("utf-8", "replace") != "postgres\n":
                return False
            return self._works_in_data(process)
        except OSError:
            return False

    def members(self) -> list[int]:
        """Return every living process of the family."""
        pids = [int(entry.name) for entry in _PROC.iterdir() if entry.name.isdecimal()]
        return [pid for pid in pids if self.owns(pid)]

    def signal(self, pid: int, number: signal.Signals) -> None:
        """Signal that process, if it still belongs to the family."""
        if not self.owns(pid):
            return
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return

    def _works_in_data(self, process: Path) -> bool:
        data = self.data.stat()
        try:
            return os.path.samestat((process / "cwd").stat(), data)
        except PermissionError:
            # A container's root may not read the cwd of another user's process, but may read its title and user.
            title = (process / "cmdline").read_bytes()
            return self.tag.encode() in title and process.stat().st_uid == data.st_uid
