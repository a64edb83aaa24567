"""From a task to the configuration of its run: how long, how many, in which order, and what it is compared with."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeVar

from mendel.contracts.caps import RunCaps
from mendel.contracts.energy import EnergyCosts
from mendel.contracts.errors import ConfigError
from mendel.contracts.providers import ModelRole, ModelRoute
from mendel.contracts.run_config import LIVE, OFFLINE, IslandsConfig, Pace, RunConfig, StopConditions
from mendel.contracts.scoring import ScoringPolicy
from mendel.domains.programs.archives import ArchiveWish, archive_for
from mendel.domains.programs.domain import task_of
from mendel.domains.programs.models import DOMAIN, ProgramTask, payload
from mendel.domains.programs.objectives import target_of

T = TypeVar("T")
Order = Literal["arrival", "birth"]

DEFAULT_SECONDS: Final = 40.0
STAGNATION: Final = 600
POPULATION: Final = 40
SELECTOR: Final = "epsilon"
WINDOW: Final = 8
MOST_ISLANDS: Final = 64
SLOTS_PER_CORE: Final = 4
"""A slot is an operation in flight, not a processor: while one waits for its commit, others run. Not where speed is
bred for: timings take turns, so that more slots would only be held by those that wait, and keep a run from ending."""
_LONG_S: Final = 24 * 3_600.0
_HARD_S: Final = 600.0
"""How much longer than asked a run may take before its cap ends it: what stands before the gate is heard to its end."""


@dataclass(frozen=True)
class Bounds:
    """When to stop; the first that holds counts. ``target`` is a gain such as ``20x``, or a score."""

    generations: int | None = None
    candidates: int | None = None
    seconds: float | None = None
    target: str | None = None
    budget: int | None = None
    evaluations: int | None = None

    def or_else(self, other: Bounds) -> Bounds:
        """These, and where one is not given, the other's."""
        return Bounds(
            generations=_first(self.generations, other.generations),
            candidates=_first(self.candidates, other.candidates),
            seconds=_first(self.seconds, other.seconds),
            target=_first(self.target, other.target),
            budget=_first(self.budget, other.budget),
            evaluations=_first(self.evaluations, other.evaluations),
        )

    def breeding_s(self) -> float | None:
        """How long is bred; without any bound a run ends within two minutes."""
        return DEFAULT_SECONDS if self == Bounds() else self.seconds


def _first(mine: T | None, theirs: T | None) -> T | None:
    return mine if mine is not None else theirs


@dataclass(frozen=True)
class Search:
    """How a run searches; one island is none. With ``models`` those of the settings join the operators.

    Raises:
        ConfigError: the population is too small for so many islands.
    """

    bounds: Bounds = Bounds()
    selector: str = SELECTOR
    population: int = POPULATION
    slots: int | None = None
    order: Order = "arrival"
    islands: int = 1
    archive: ArchiveWish | None = None
    weak: bool = False
    models: bool = False
    routes: Mapping[ModelRole, ModelRoute] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 1 <= self.islands <= MOST_ISLANDS:
            raise ConfigError(f"--islands is a number from 1 to {MOST_ISLANDS}, not {self.islands}")
        if self.islands > 1 and self.population < 2 * self.islands:
            raise ConfigError(
                f"--islands {self.islands}: a population of {self.population} leaves fewer than two to an island; take"
                f" --population {2 * self.islands} or more, or fewer islands"
            )


def parse_order(text: str) -> Order:
    """The order of a steady pace.

    Raises:
        ConfigError: it is neither.
    """
    orders: dict[str, Order] = {"arrival": "arrival", "birth": "birth"}
    if text not in orders:
        raise ConfigError(f"--order is arrival or birth, not {text!r}")
    return orders[text]


def planned(task: ProgramTask, seed: int, search: Search) -> RunConfig:
    """The run of a task.

    Raises:
        ConfigError: its target or its archive cannot be.
    """
    seconds = search.bounds.breeding_s()
    target = target_of(search.bounds.target, task)
    return RunConfig(
        domain=DOMAIN,
        problem=f"{task.path}:{task.function}",
        rng_seed=seed,
        caps=_caps(search, seconds),
        pace=Pace(kind="steady", order=search.order, window=WINDOW),
        slots=search.slots or _slots(task),
        selector=search.selector,
        scoring_policy=ScoringPolicy(
            version="programs-1", weights={str(name): weight for name, weight in task.objectives.items()}
        ),
        energy_costs=EnergyCosts(cpu_basis="opcodes" if "opcodes" in task.objectives else "cpu_ms"),
        archive=archive_for(task, search.archive) if search.archive is not None else None,
        islands=_islands(search),
        allow_weak_sandbox=search.weak,
        stop=StopConditions(seconds=seconds, target=target, stagnation=STAGNATION),
        model_profile=LIVE if search.models else OFFLINE,
        model_route_overrides=dict(search.routes),
        domain_config=payload(task.model_copy(update={"asks_models": search.models})),
    )


def _slots(task: ProgramTask) -> int:
    cores = os.cpu_count() or 1
    return cores + 1 if "speed" in task.objectives else SLOTS_PER_CORE * cores


def _caps(search: Search, seconds: float | None) -> RunCaps:
    bounds = search.bounds
    return RunCaps(
        max_population=search.population,
        max_generations=bounds.generations or 100_000,
        max_candidates=bounds.candidates or 1_000_000,
        energy_budget=bounds.budget or 1_000_000_000,
        max_spawn_depth=1_000,
        wall_clock_ms=int(((seconds or _LONG_S) + _HARD_S) * 1_000),
        max_evaluations=bounds.evaluations or 1_000_000_000_000,
    )


def _islands(search: Search) -> IslandsConfig | None:
    """Islands with migrants often enough that the children of the only founder come to all of them soon."""
    if search.islands < 2:
        return None
    return IslandsConfig(count=search.islands, interval=max(2, search.population // search.islands))


def best_of_n(config: RunConfig, candidates: int, conducted_s: float) -> RunConfig:
    """The same operators and as many ``candidates``, all of them children of the original, none before the gate.

    No model is asked, and the report says so. Where the other run was given seconds, its own are not more than those:
    the rest went to the gate.
    """
    asked_s = config.stop.seconds if config.stop is not None else None
    seconds = max(1.0, conducted_s) if asked_s is None else min(max(1.0, conducted_s), asked_s)
    # Models are left out: the comparison is on unless somebody says otherwise, and would cost as much money again,
    # beyond what was shown before the run. Rejected: half of the caps for each, since whoever pays for a search would
    # get half of it, and a model that is shown the original again and again mostly says the same again.
    task = task_of(config).model_copy(update={"contends": False, "asks_models": False})
    caps = config.caps.model_copy(update={"max_spawn_depth": 1, "max_candidates": max(2, candidates)})
    return config.model_copy(
        update={
            "caps": caps,
            "stop": StopConditions(seconds=seconds),
            "problem": f"{config.problem} (best of N)",
            "islands": None,
            "archive": None,
            "model_profile": OFFLINE,
            "model_route_overrides": {},
            "models": None,
            "domain_config": payload(task),
        }
    )
