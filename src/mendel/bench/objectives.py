"""Objectives and goals as users write them: `speed`, `speed,memory`, `speed:2,size:1`; a goal such as `20x`."""

from __future__ import annotations

from math import isfinite, log2
from typing import cast, get_args

from mendel.bench.records import FunctionTask, ObjectiveName
from mendel.contracts.errors import ConfigError


def parse_objectives(text: str) -> dict[ObjectiveName, float]:
    """Return the objectives with their weights.

    Raises:
        ConfigError: an objective is unknown or named twice, or a weight is not a positive number.
    """
    found: dict[ObjectiveName, float] = {}
    for part in text.split(","):
        name, _, weight = part.strip().partition(":")
        if name not in get_args(ObjectiveName):
            raise ConfigError(f"no objective {name!r}; known are {', '.join(get_args(ObjectiveName))}")
        if name in found:
            raise ConfigError(f"the objective {name} is named twice")
        found[cast("ObjectiveName", name)] = number_in(weight, part) if weight else 1.0
    return found


def target_of(text: str | None, task: FunctionTask) -> float | None:
    """Return the total fitness of a goal: `20x` is a gain, a plain number a score.

    Raises:
        ConfigError: the goal cannot be parsed, or there are several objectives.
    """
    if text is None:
        return None
    (name, weight), *others = task.objectives.items()
    if others:
        raise ConfigError("--target requires a single objective; several have no common number to reach")
    found = fitness_of(text, scored=name == "score")
    return weight * found if found is not None else None


def fitness_of(target: str | None, *, scored: bool, sign: float = 1.0) -> float | None:
    """Return the fitness of a goal: `20x` is a gain in powers of two, a plain number a score.

    Raises:
        ConfigError: the goal cannot be parsed.
    """
    if target is None:
        return None
    if scored:
        return sign * number_in(target, target, positive=False)
    return log2(number_in(target.removesuffix("x"), target))


def number_in(text: str, whole: str, *, positive: bool = True) -> float:
    """Parse a number; ``whole`` is the text around it, for the error.

    Raises:
        ConfigError: it is not a number, not finite, or not positive.
    """
    try:
        value = float(text)
    except ValueError:
        raise ConfigError(f"{whole!r} contains no number") from None
    if not isfinite(value) or (positive and value <= 0):
        raise ConfigError(f"{whole!r}: the number must be finite and positive")
    return value
