"""PostgreSQL's `postmaster.pid`: the process that serves the data folder, and its state."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

NAME = "postmaster.pid"

# Above the kernel's maximum process id (2^22), so no process ever has it.
_NOBODY = 2**31 - 1
_PID, _STARTED, _SOCKET_DIR, _STATE = 0, 2, 4, 7  # line numbers


@dataclass(frozen=True)
class PidFile:
    """The content of the file; `processes` checks whether the process lives and is ours."""

    pid: int
    started_at: datetime | None
    socket_dir: Path | None
    state: str


def read(data: Path) -> PidFile | None:
    """Return the file's content; None if it is missing or not completely written yet."""
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
    """Rewrite the file of a dead server so that PostgreSQL recognises the server as dead.

    PostgreSQL takes any living process with that id for its predecessor, so a reused id would keep it from
    starting. The file is kept, because PostgreSQL reads from it which shared memory its predecessor left, and
    checks whether that is still in use. The caller must ensure that no process of the dead server is left.
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
