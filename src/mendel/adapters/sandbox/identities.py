"""The uid of a zygote outside the sandbox when root starts it: never 0, and one that owns no files."""

from __future__ import annotations

from pathlib import Path
from typing import Final

STRANGER: Final = 1_835_365_988
"""A number that no system assigns to a user."""

_WHOLE_RANGE: Final = 1 << 31


def stranger_id(uid_map: Path = Path("/proc/self/uid_map"), gid_map: Path = Path("/proc/self/gid_map")) -> int | None:
    """Return an id that root may change to here, or None in a namespace that maps only an outside user as root.

    A rootless container maps only some ids; the highest of them is used there.
    """
    ranges = [_mapped(uid_map), _mapped(gid_map)]
    if all(STRANGER in known for known in ranges):
        return STRANGER
    highest = min(known.stop for known in ranges) - 1
    return highest if highest > 0 else None


def _mapped(file: Path) -> range:
    """Return the longest range of ids mapped here, capped at the largest valid id."""
    try:
        lines = file.read_text(encoding="ascii").splitlines()
        mapped = [
            range(int(first), min(int(first) + int(count), _WHOLE_RANGE)) for first, _, count in map(str.split, lines)
        ]
    except (OSError, ValueError):
        return range(_WHOLE_RANGE)
    return max(mapped, key=len, default=range(_WHOLE_RANGE))
