"""What is to be improved, as people write it: `speed`, `speed,memory`, `speed:2,size:1`; and goals such as `20x`."""

from __future__ import annotations

from math import isfinite, log2
from typing import cast, get_args

from mendel.bench.records import FunctionTask, ObjectiveName
from mendel.contracts.errors import ConfigError


def parse_objectives(text: str) -> dict[ObjectiveName, float]:
    """Objectives with their weights.

    Raises:
        ConfigError: it names one that there is not, or one twice, or a weight that is no positive number.
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
    """The total fitness that a goal asks for: `20x` is a gain, a plain number a score.

    Raises:
        ConfigError: it cannot be read, or there are several objectives.
    """
    if text is None:
        return None
    (name, weight), *others = task.objectives.items()
    if others:
        raise ConfigError("--target is for one objective; with several there is no single number to reach")
    found = fitness_of(text, scored=name == "score")
    return weight * found if found is not None else None


def fitness_of(target: str | None, *, scored: bool, sign: float = 1.0) -> float | None:
    """The fitness that a goal asks for: `20x` is a gain in powers of two, a plain number a score.

    Raises:
        ConfigError: it cannot be read.
    """
    if target is None:
        return None
    if scored:
        return sign * number_in(target, target, positive=False)
    return log2(number_in(target.removesuffix("x"), target))


def number_in(text: str, whole: str, *, positive: bool = True) -> float:
    """A number as people write it; ``whole`` is what they wrote.

    Raises:
        ConfigError: it is none, or not finite, or not positive.
    """
    try:
        value = float(text)
    except ValueError:
        raise ConfigError(f"{whole!r} holds no number") from None
    if not isfinite(value) or (positive and value <= 0):
        raise ConfigError(f"{whole!r}: the number is finite and positive")
    return value
