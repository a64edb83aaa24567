"""From a task to the configuration of its run, and of the run that it is compared with."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite, log2
from typing import Final, Literal

from mendel.contracts.caps import RunCaps
from mendel.contracts.errors import ConfigError
from mendel.contracts.providers import ModelRole, ModelRoute
from mendel.contracts.run_config import LIVE, OFFLINE, IslandsConfig, Pace, RunConfig, StopConditions
from mendel.contracts.scoring import ScoringPolicy
from mendel.domains.texts.bench import SCORE
from mendel.domains.texts.domain import Texts, task_of
from mendel.domains.texts.models import DOMAIN, TextTask, payload

STAGNATION: Final = 600
WINDOW: Final = 8
_LONG_S: Final = 24 * 3_600.0
_HARD_S: Final = 1_800.0
"""How much longer than asked a run may take before its cap ends it: what stands before the gate is heard to its end."""


@dataclass(frozen=True)
class TextSearch:
    """How a run searches, and when it stops; ``target`` is a gain such as ``20x``, or a score."""

    generations: int | None = None
    candidates: int | None = None
    seconds: float | None = None
    target: str | None = None
    budget: int | None = None
    evaluations: int | None = None
    selector: str = "epsilon"
    population: int = 40
    slots: int | None = None
    order: Literal["arrival", "birth"] = "arrival"
    islands: int = 1
    weak: bool = False
    models: bool = False
    routes: Mapping[ModelRole, ModelRoute] = field(default_factory=dict)


def planned(task: TextTask, seed: int, search: TextSearch) -> RunConfig:
    """The run of a task.

    Raises:
        ConfigError: its target cannot be.
    """
    return RunConfig(
        domain=DOMAIN,
        problem=task.path,
        rng_seed=seed,
        caps=_caps(search),
        pace=Pace(kind="steady", order=search.order, window=WINDOW),
        slots=search.slots or (os.cpu_count() or 1) + 1,
        selector=search.selector,
        scoring_policy=ScoringPolicy(version=Texts.policy.version, weights={task.objective: 1.0}),
        islands=_islands(search),
        allow_weak_sandbox=search.weak,
        stop=StopConditions(seconds=search.seconds, target=_target(search.target, task), stagnation=STAGNATION),
        model_profile=LIVE if search.models else OFFLINE,
        model_route_overrides=dict(search.routes),
        domain_config=payload(task.model_copy(update={"asks_models": search.models})),
    )


def _caps(search: TextSearch) -> RunCaps:
    return RunCaps(
        max_population=search.population,
        max_generations=search.generations or 100_000,
        max_candidates=search.candidates or 1_000_000,
        energy_budget=search.budget or 1_000_000_000,
        max_spawn_depth=1_000,
        wall_clock_ms=int(((search.seconds or _LONG_S) + _HARD_S) * 1_000),
        max_evaluations=search.evaluations or 1_000_000_000_000,
    )


def _islands(search: TextSearch) -> IslandsConfig | None:
    if search.islands < 2:
        return None
    return IslandsConfig(count=search.islands, interval=max(2, search.population // search.islands))


def _target(text: str | None, task: TextTask) -> float | None:
    """The total fitness that a goal asks for."""
    if text is None:
        return None
    scored = task.objective == SCORE
    try:
        value = float(text if scored else text.removesuffix("x"))
    except ValueError:
        raise ConfigError(f"--target {text!r} holds no number") from None
    if not isfinite(value) or (value <= 0 and not scored):
        raise ConfigError(f"--target {text!r}: a gain is finite and positive, such as 20x; a score is finite")
    return task.sign * value if scored else log2(value)


def best_of_n(config: RunConfig, candidates: int, conducted_s: float) -> RunConfig:
    """The same operators and as many ``candidates``, all of them children of the original, none before the gate."""
    asked_s = config.stop.seconds if config.stop is not None else None
    seconds = max(1.0, conducted_s) if asked_s is None else min(max(1.0, conducted_s), asked_s)
    task = task_of(config).model_copy(update={"contends": False})
    caps = config.caps.model_copy(update={"max_spawn_depth": 1, "max_candidates": max(2, candidates)})
    return config.model_copy(
        update={
            "caps": caps,
            "stop": StopConditions(seconds=seconds),
            "problem": f"{config.problem} (best of N)",
            "islands": None,
            "domain_config": payload(task),
        }
    )
