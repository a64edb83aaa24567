"""Who a zygote is outside when root starts it: never uid 0, and nobody that anything belongs to."""

from __future__ import annotations

from pathlib import Path
from typing import Final

STRANGER: Final = 1_835_365_988
"""A number that no system gives to anybody."""

_WHOLE_RANGE: Final = 1 << 31


def stranger_id(uid_map: Path = Path("/proc/self/uid_map"), gid_map: Path = Path("/proc/self/gid_map")) -> int | None:
    """An id that root may become here; None in a namespace where nobody but root is known, whose root is none outside.

    In a rootless container only some ids are mapped; there the highest of them is taken.
    """
    ranges = [_mapped(uid_map), _mapped(gid_map)]
    if all(STRANGER in known for known in ranges):
        return STRANGER
    highest = min(known.stop for known in ranges) - 1
    return highest if highest > 0 else None


def _mapped(file: Path) -> range:
    """The longest range of ids that exist here, as far as numbers of ids go."""
    try:
        lines = file.read_text(encoding="ascii").splitlines()
        mapped = [
            range(int(first), min(int(first) + int(count), _WHOLE_RANGE)) for first, _, count in map(str.split, lines)
        ]
    except (OSError, ValueError):
        return range(_WHOLE_RANGE)
    return max(mapped, key=len, default=range(_WHOLE_RANGE))
