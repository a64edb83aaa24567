"""The server's log file: written by another process, and yet limited in size."""

from __future__ import annotations

import os
from pathlib import Path

LIMIT = 4 * 1024 * 1024
KEPT = 1024 * 1024
_TAIL_LINES = 15  # in error messages
_TAIL_BYTES = 16 * 1024


def bound(path: Path) -> None:
    """If the log has grown above LIMIT, move its last KEPT bytes to `<name>.1` and truncate it in place."""
    if size(path) <= LIMIT:
        return
    path.with_name(path.name + ".1").write_bytes(_last(path, KEPT))
    # In place, because the server holds the file open; it appends, so it continues at the new end.
    os.truncate(path, 0)


def size(path: Path) -> int:
    """Return the log's size; 0 if it does not exist."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def tail(path: Path, since: int) -> str:
    """Return the last lines written after the offset `since`."""
    written = size(path) - since
    if written <= 0:
        return ""
    text = _last(path, min(written, _TAIL_BYTES)).decode("utf-8", "replace")
    return last_lines(text)


def last_lines(text: str) -> str:
    """Return the last few non-blank lines."""
    return "\n".join([line for line in text.splitlines() if line.strip()][-_TAIL_LINES:])


def _last(path: Path, count: int) -> bytes:
    with path.open("rb") as stream:
        stream.seek(-min(count, size(path)), os.SEEK_END)
        return stream.read()
