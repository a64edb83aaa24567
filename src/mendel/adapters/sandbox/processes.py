"""How many processes a zygote's namespace may hold, and where commands can be granted at all."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from typing import Final

from mendel.contracts.errors import SandboxRefused
from mendel.contracts.evaluations import ALWAYS_NEEDED, NAMESPACES_NEEDED

COMMAND_PROCESSES: Final = 64
"""How many processes and threads commands may have at once: a compiler takes five, node a dozen."""

_OWN: Final = 8
_ANY: Final = 1 << 20


def most_processes(more: int, *, apart: bool) -> int:
    """The limit where a program may have so many beside its own; where all of a user's count, any."""
    return more + _OWN if apart and counted_apart() else _ANY


def counted_apart() -> bool:
    """Whether a user's processes are counted for each user namespace, as they are since Linux 5.14."""
    numbers = platform.release().split("-")[0].split(".")
    version = tuple(int(number) for number in numbers[:2] if number.isdigit())
    return version >= (5, 14)


def refuse_commands_without(missing: Mapping[str, str]) -> None:
    """Commands need every wall but Landlock: only a pid namespace ends all that they started.

    Raises:
        SandboxRefused: one is missing.
    """
    lacking = [layer for layer in sorted(NAMESPACES_NEEDED | ALWAYS_NEEDED) if layer in missing]
    if lacking:
        raise SandboxRefused(f"commands cannot be granted here: {lacking[0]} is missing: {missing[lacking[0]]}")
    if not counted_apart():
        raise SandboxRefused("commands cannot be granted here: to bound their processes takes Linux 5.14 or newer")
