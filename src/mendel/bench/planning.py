"""From a task to the configuration of its run: how it is searched, how it ends, and what it is compared with."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, Literal, TypeVar

from mendel.bench.archives import ArchiveWish
from mendel.bench.bounds import Bounds
from mendel.bench.records import SourceTask
from mendel.contracts.base import StepName
from mendel.contracts.energy import EnergyCosts
from mendel.contracts.errors import ConfigError, FabricError
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.providers import ModelRole, ModelRoute
from mendel.contracts.run_config import (
    LIVE,
    OFFLINE,
    ArchiveConfig,
    IslandsConfig,
    Pace,
    RunConfig,
    StopConditions,
)
from mendel.contracts.scoring import ScoringPolicy
from mendel.kernel.domain import Domain, Step, niche_about
from mendel.kernel.performing import perform_on_draft
from mendel.ports.task_fabric import TaskFabric

Order = Literal["arrival", "birth"]
Announce = Callable[[str], None]
T = TypeVar("T", bound=SourceTask)


def silent(line: str) -> None:
    """Say nothing."""


POPULATION: Final = 40
SELECTOR: Final = "epsilon"
WINDOW: Final = 8
MOST_ISLANDS: Final = 64
SLOTS_PER_CORE: Final = 4
"""A slot is an operation in flight, not a processor: while one waits for its commit, others run. Not where speed is
bred for: timings take turns, so that more slots would only be held by those that wait, and keep a run from ending."""


@dataclass(frozen=True)
class Search:
    """How a run searches; one island is none. With ``models`` those of the settings join the operators.

    Raises:
        ConfigError: the population is too small for so many islands.
    """

    bounds: Bounds = field(default_factory=Bounds)
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


# --- one run ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Terms:
    """What a domain says of a run of its own.

    ``task`` is its configuration, ``policy`` the version of its scoring, ``weights`` what that weighs, ``target`` the
    fitness to reach. ``hard_s`` is how much longer than asked a run may take before its cap ends it: what stands before
    the gate is heard to its end. With ``timed`` operations wait for each other, to be timed.
    """

    task: DomainPayload
    problem: str
    policy: str
    weights: Mapping[str, float]
    timed: bool
    target: float | None = None
    hard_s: float = 600.0
    energy_costs: EnergyCosts = field(default_factory=EnergyCosts)
    archive: ArchiveConfig | None = None


@dataclass(frozen=True)
class Stage(Generic[T]):
    """A look at the original at work: a step whose handler is given the task and answers with it, knowing more.

    ``told`` says what is looked for, going by the task as it is known by then; None if there is nothing to look for.
    """

    name: StepName
    step: Step
    told: Callable[[T], str | None]


@dataclass(frozen=True)
class Plan(Generic[T]):
    """A run that is asked for: its task as far as reading tells it, and how it is searched.

    ``domain`` says whether the run could come to nothing, as it says to the kernel: here before anything is measured.
    ``stages`` are the looks at the original, one after the other. ``commands`` is whether its programs run what is
    installed here; ``asked_caps`` are those that somebody chose, the others are defaults.
    """

    domain: Domain
    task: T
    seed: int
    search: Search
    terms: Callable[[T, Search], Terms]
    stages: Sequence[Stage[T]]
    commands: bool = False
    asked_caps: frozenset[str] = frozenset()

    def draft(self) -> RunConfig:
        """The run, before anything was run.

        Raises:
            ConfigError: its target or its archive cannot be, or its domain refuses it.
        """
        return self._config(self.task)

    async def measured(self, fabric: TaskFabric, announce: Announce = silent) -> RunConfig:
        """The run, after a look at the original at work, where the fabric's workers are.

        Raises:
            OracleUnfit: the original cannot say what is right.
            SandboxUnavailable: no worker has walls that can hold it.
        """
        return self._config(await self.measured_task(fabric, announce))

    async def measured_task(self, fabric: TaskFabric, announce: Announce = silent) -> T:
        """The task with all that running the original tells; raises as :meth:`measured` does."""
        task = self.task
        for stage in self.stages:
            told = stage.told(task)
            if told is not None:
                announce(told)
                task = await self._looked(stage, task, fabric)
        return task

    async def _looked(self, stage: Stage[T], task: T, fabric: TaskFabric) -> T:
        answer = await perform_on_draft(fabric, self._config(task), stage.name, stage.step)
        if answer.findings is None:
            raise FabricError(f"the step {stage.name} has answered without a task")
        return type(task).model_validate(answer.findings.data)

    def _config(self, task: T) -> RunConfig:
        config = configured(self.terms(task, self.search), self.seed, self.search)
        if (why := self.domain.refusal(config)) is not None:
            raise ConfigError(why)
        return config


def configured(terms: Terms, seed: int, search: Search) -> RunConfig:
    """The run of a task."""
    return RunConfig(
        domain=terms.task.domain,
        problem=terms.problem,
        rng_seed=seed,
        caps=search.bounds.caps(search.population, terms.hard_s),
        pace=Pace(kind="steady", order=search.order, window=WINDOW),
        slots=search.slots or _slots(timed=terms.timed),
        selector=search.selector,
        scoring_policy=ScoringPolicy(version=terms.policy, weights=dict(terms.weights)),
        energy_costs=terms.energy_costs,
        archive=terms.archive,
        islands=_islands(search),
        allow_weak_sandbox=search.weak,
        stop=search.bounds.conditions(terms.target),
        model_profile=LIVE if search.models else OFFLINE,
        model_route_overrides=dict(search.routes),
        domain_config=terms.task,
    )


def _slots(*, timed: bool) -> int:
    cores = os.cpu_count() or 1
    return cores + 1 if timed else SLOTS_PER_CORE * cores


def _islands(search: Search) -> IslandsConfig | None:
    """Islands with migrants often enough that the children of the only founder come to all of them soon."""
    if search.islands < 2:
        return None
    return IslandsConfig(count=search.islands, interval=max(2, search.population // search.islands))


def best_of_n(config: RunConfig, candidates: int, conducted_s: float) -> RunConfig:
    """The same operators and as many ``candidates``, all of them children of the original, none before the gate.

    In a niche of its own, however that of the other run is named: the winner found there would be among its founders.
    No model is asked, and the report says so. Where the other run was given seconds, its own are not more than those:
    the rest went to the gate.
    """
    asked_s = config.stop.seconds if config.stop is not None else None
    seconds = max(1.0, conducted_s) if asked_s is None else min(max(1.0, conducted_s), asked_s)
    task = _for_comparison(config)
    caps = config.caps.model_copy(update={"max_spawn_depth": 1, "max_candidates": max(2, candidates)})
    # Models are left out: the comparison is on unless somebody says otherwise, and would cost as much money again,
    # beyond what was shown before the run. Rejected: half of the caps for each, since whoever pays for a search would
    # get half of it, and a model that is shown the original again and again mostly says the same again.
    return config.model_copy(
        update={
            "caps": caps,
            "stop": StopConditions(seconds=seconds),
            "problem": f"{config.problem} (best of N)",
            "niche": niche_about(config.model_copy(update={"niche": None}), {"best_of_n": task.data}),
            "continues": None,
            "ancestors": (),
            "islands": None,
            "archive": None,
            "model_profile": OFFLINE,
            "model_route_overrides": {},
            "models": None,
            "domain_config": task,
        }
    )


def _for_comparison(config: RunConfig) -> DomainPayload:
    """The task as :class:`~mendel.bench.records.SourceTask` says that it neither contends nor asks models."""
    if config.domain_config is None:
        raise ValueError("a run that is compared needs its task")
    told = {**config.domain_config.data, "contends": False, "asks_models": False}
    return config.domain_config.model_copy(update={"data": told})
