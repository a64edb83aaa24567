"""What is to be improved, as people write it: `speed`, `speed,memory`, `speed:2,size:1`; and goals such as `20x`."""

from __future__ import annotations

from math import isfinite, log2
from typing import cast, get_args

from mendel.contracts.errors import ConfigError
from mendel.domains.programs.models import ObjectiveName, ProgramTask


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
        found[cast("ObjectiveName", name)] = _number(weight, part) if weight else 1.0
    return found


def target_of(text: str | None, task: ProgramTask) -> float | None:
    """The total fitness that a goal asks for: `20x` is a gain, a plain number a score.

    Raises:
        ConfigError: it cannot be read, or there are several objectives.
    """
    if text is None:
        return None
    (name, weight), *others = task.objectives.items()
    if others:
        raise ConfigError("--target is for one objective; with several there is no single number to reach")
    if name == "score":
        return weight * _number(text, text, positive=False)
    return weight * log2(_number(text.removesuffix("x"), text))


def _number(text: str, whole: str, *, positive: bool = True) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ConfigError(f"{whole!r} holds no number") from None
    if not isfinite(value) or (positive and value <= 0):
        raise ConfigError(f"{whole!r}: the number is finite and positive")
    return value
