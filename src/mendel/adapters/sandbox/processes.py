"""The process limit of a zygote's namespace, and the conditions for granting commands."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from typing import Final

from mendel.contracts.errors import SandboxRefused
from mendel.contracts.evaluations import ALWAYS_NEEDED, NAMESPACES_NEEDED

COMMAND_PROCESSES: Final = 64
"""Maximum number of processes and threads that commands may have at once: a compiler takes five, node a dozen."""

_OWN: Final = 8  # for the zygote itself
_ANY: Final = 1 << 20  # RLIMIT_NPROC counts all processes of the user here


def most_processes(more: int, *, apart: bool) -> int:
    """Return the process limit: ``more`` plus the zygote's own, or no real one where a user's processes all count."""
    return more + _OWN if apart and counted_apart() else _ANY


def counted_apart() -> bool:
    """Whether the kernel counts a user's processes per user namespace, as it does since Linux 5.14."""
    numbers = platform.release().split("-")[0].split(".")
    version = tuple(int(number) for number in numbers[:2] if number.isdigit())
    return version >= (5, 14)


def refuse_commands_without(missing: Mapping[str, str]) -> None:
    """Refuse commands if any layer but Landlock is missing: only a pid namespace ends every process they started.

    Raises:
        SandboxRefused: a layer is missing, or the kernel is too old to limit the number of processes.
    """
    lacking = [layer for layer in sorted(NAMESPACES_NEEDED | ALWAYS_NEEDED) if layer in missing]
    if lacking:
        raise SandboxRefused(f"commands cannot be granted here: {lacking[0]} is missing: {missing[lacking[0]]}")
    if not counted_apart():
        raise SandboxRefused("commands cannot be granted here: to limit their processes requires Linux 5.14 or newer")
