"""From a task to the configuration of its run: how it searches, when it ends, and the run that it is compared with."""

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
    """Discard an announcement."""


POPULATION: Final = 40
SELECTOR: Final = "epsilon"  # adaptive: see ``mendel.selection.selectors``
WINDOW: Final = 8
MOST_ISLANDS: Final = 64
SLOTS_PER_CORE: Final = 4
"""A slot is an operation in flight, not a processor: while one waits for its commit, others run. Not used when breeding
for speed: timings take turns, so more slots would only be held by waiting operations, and would delay the run's end."""


@dataclass(frozen=True)
class Search:
    """How a run searches; ``islands=1`` means none. With ``models``, the models of the settings join the operators.

    Raises:
        ConfigError: the number of islands is out of range, or the population is too small for it.
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
            raise ConfigError(f"--islands must be from 1 to {MOST_ISLANDS}, not {self.islands}")
        if self.islands > 1 and self.population < 2 * self.islands:
            raise ConfigError(
                f"--islands {self.islands}: a population of {self.population} leaves fewer than two to an island; use"
                f" --population {2 * self.islands} or more, or fewer islands"
            )


def parse_order(text: str) -> Order:
    """Parse the order of a steady pace.

    Raises:
        ConfigError: it is neither ``arrival`` nor ``birth``.
    """
    orders: dict[str, Order] = {"arrival": "arrival", "birth": "birth"}
    if text not in orders:
        raise ConfigError(f"--order is arrival or birth, not {text!r}")
    return orders[text]


# --- one run ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Terms:
    """The values that a domain sets for its run.

    ``task`` is the domain's configuration, ``policy`` the version of its scoring, ``weights`` the scoring's weights,
    ``target`` the fitness to reach. ``hard_s`` is how many seconds beyond the requested time the run's cap allows, so
    that pending challenges can be decided. With ``timed``, operations take turns because they are timed.
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
    """One measurement of the original: a step that receives the task and returns it with more known about it.

    ``told`` returns the announcement of the measurement, given the task so far; None skips the stage.
    """

    name: StepName
    step: Step
    told: Callable[[T], str | None]


@dataclass(frozen=True)
class Plan(Generic[T]):
    """A requested run: its task, as far as it is known without running anything, and how it searches.

    ``domain`` refuses a run that cannot succeed, as it does in the kernel, but here before anything is measured.
    ``stages`` measure the original, one after the other. ``commands`` is whether its programs use what is installed
    here. ``asked_caps`` are the caps that the user chose; all others are defaults.
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
        """Return the run's configuration before anything is measured.

        Raises:
            ConfigError: its target or its archive is invalid, or its domain refuses it.
        """
        return self._config(self.task)

    async def measured(self, fabric: TaskFabric, announce: Announce = silent) -> RunConfig:
        """Return the run's configuration after measuring the original on the fabric's workers.

        Raises:
            OracleUnfit: the original cannot serve as the reference for right answers.
            SandboxUnavailable: no worker has a sandbox with sufficient isolation.
        """
        return self._config(await self.measured_task(fabric, announce))

    async def measured_task(self, fabric: TaskFabric, announce: Announce = silent) -> T:
        """Return the task completed by running the original; raises as :meth:`measured` does."""
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
            raise FabricError(f"the step {stage.name} returned no task")
        return type(task).model_validate(answer.findings.data)

    def _config(self, task: T) -> RunConfig:
        config = configured(self.terms(task, self.search), self.seed, self.search)
        if (why := self.domain.refusal(config)) is not None:  # the kernel would refuse the run as well, but later
            raise ConfigError(why)
        return config


def configured(terms: Terms, seed: int, search: Search) -> RunConfig:
    """Return the run configuration of a task."""
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
    """Return islands that exchange migrants often enough for the only founder's children to reach all of them soon."""
    if search.islands < 2:
        return None
    return IslandsConfig(count=search.islands, interval=max(2, search.population // search.islands))


def best_of_n(config: RunConfig, candidates: int, conducted_s: float) -> RunConfig:
    """Return the comparison run: as many ``candidates`` by the same operators, all children of the original, no gate.

    It has a niche of its own, even if the other run names its niche; else that run's winner would be among its
    founders. It uses no models, and the report says so. It may take as long as the other run was conducted, but no
    longer than the seconds requested for that run, because the rest went to the gate.
    """
    asked_s = config.stop.seconds if config.stop is not None else None
    seconds = max(1.0, conducted_s) if asked_s is None else min(max(1.0, conducted_s), asked_s)
    task = _for_comparison(config)
    caps = config.caps.model_copy(update={"max_spawn_depth": 1, "max_candidates": max(2, candidates)})
    # Models are left out: the comparison is on by default, and with models it would cost as much money again, beyond
    # what was shown before the run. Rejected: half of the caps for each, since the user would get half of the search
    # that they pay for, and a model that sees the original again and again mostly repeats its answer.
    return config.model_copy(
        update={
            "caps": caps,
            "stop": StopConditions(seconds=seconds),
            "problem": f"{config.problem} (best of N)",
            "niche": niche_about(config.model_copy(update={"niche": None}), {"best_of_n": task.data}),
            "continues": None,  # from here on: nothing of the other run's history, and no structure of its population
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
    """Return the task marked to neither contend nor use models (see :class:`~mendel.bench.records.SourceTask`)."""
    if config.domain_config is None:
        raise ValueError("a run for comparison needs its task")
    told = {**config.domain_config.data, "contends": False, "asks_models": False}
    return config.domain_config.model_copy(update={"data": told})
