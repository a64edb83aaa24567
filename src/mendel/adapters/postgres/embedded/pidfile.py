"""PostgreSQL's `postmaster.pid`: which process serves the folder, and how far it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

NAME = "postmaster.pid"

# Above the kernel's ceiling for process ids (2^22), so no process ever has it.
_NOBODY = 2**31 - 1
_PID, _STARTED, _SOCKET_DIR, _STATE = 0, 2, 4, 7


@dataclass(frozen=True)
class PidFile:
    """What the file says; that the process lives, and is ours, is for `processes` to find out."""

    pid: int
    started_at: datetime | None
    socket_dir: Path | None
    state: str


def read(data: Path) -> PidFile | None:
    """The file's content; None where there is none, or none yet that can be understood."""
    try:
        lines = (data / NAME).read_text("utf-8", "replace").splitlines()
    except OSError:
        return None
    pid, started, socket_dir = (_line(lines, number) for number in (_PID, _STARTED, _SOCKET_DIR))
    if not pid.lstrip("-").isdecimal():
        return None
    return PidFile(
        # A stand-alone backend writes its id negated.
        pid=abs(int(pid)),
        started_at=datetime.fromtimestamp(int(started), UTC) if started.isdecimal() else None,
        socket_dir=Path(socket_dir) if socket_dir else None,
        state=_line(lines, _STATE),
    )


def retire(data: Path) -> None:
    """Make the file of a dead server one that PostgreSQL recognises as such.

    PostgreSQL takes any living process of that id for its predecessor, so a reused id would keep it from
    starting. The file is not removed: what it says of shared memory is how PostgreSQL finds what its
    predecessor left there, and whether somebody still uses it. Only the caller knows that nobody does.
    """
    path = data / NAME
    if not path.exists():
        return
    if read(data) is None:
        path.unlink()
        return
    _, _, rest = path.read_text("utf-8", "replace").partition("\n")
    retired = path.with_name("postmaster.pid.retired")
    retired.write_text(f"{_NOBODY}\n{rest}", "utf-8")
    retired.replace(path)


def _line(lines: list[str], number: int) -> str:
    return lines[number].strip() if number < len(lines) else ""
