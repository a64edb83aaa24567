"""The shipped tasks, each with example programs: a baseline, an improvement, a mistake, and cheats."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mendel.contracts.errors import ConfigError
from mendel.guard.tasks import business_days, components, lru_cache, quantiles, top_k, word_wrap

_PROGRAMS: Final = Path(__file__).parent / "programs"
_TASKS: Final = tuple(
    module.__name__.rpartition(".")[2] for module in (business_days, components, lru_cache, quantiles, top_k, word_wrap)
)


def programs(task: str) -> dict[str, Path]:
    """Return the programs of a shipped task by name: ``baseline``, ``improved``, ``bad``, ``cheat_…``.

    Raises:
        ConfigError: there is no such shipped task.
    """
    if task not in _TASKS:
        raise ConfigError(f"there is no shipped task {task!r} with programs; the shipped tasks are {', '.join(_TASKS)}")
    return {path.stem: path for path in sorted((_PROGRAMS / task).glob("*.py"))}


def program(task: str, name: str) -> Path:
    """Return the path of one program of a task.

    Raises:
        ConfigError: there is no such task or program.
    """
    known = programs(task)
    if name not in known:
        raise ConfigError(f"task {task!r} has no program {name!r}; known are {', '.join(known)}")
    return known[name]
