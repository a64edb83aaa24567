"""`mendel step`: conduct one generation of a run, and leave the run resumable."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

import typer

from mendel.bench.bounds import Bounds
from mendel.bench.planning import POPULATION, SELECTOR, Search, parse_order
from mendel.cli import evolve_options as options
from mendel.cli.evolving import NO_OPTIONS
from mendel.cli.live import RunPicture, shown_live
from mendel.cli.running import (
    RunEnd,
    conduct_options,
    configure_run,
    fabric_for,
    interruptible,
    recorded_configs,
    report_runs,
)
from mendel.console.evolvable import Asked, Invocation, chosen, evolvables
from mendel.console.model_choices import Spending, asks_models, parse_routes, refuse_unready
from mendel.console.options import Models, Route
from mendel.console.session import JsonFlag, Session, WeakFlag, find_run, session_of
from mendel.contracts.errors import ConfigError
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.generation import GenerationCompleted
from mendel.kernel.conduct import conduct, folded
from mendel.kernel.state import RunState
from mendel.ports.event_log import EventLog
from mendel.ports.task_fabric import TaskFabric
from mendel.projections.health import WatchFold
from mendel.settings import evolve_settings
from mendel.wiring import calm_collector, system_clock

ENERGY: Final = 1_000_000_000
"""The energy budget of a run without [evolve.stop], large enough that only its user ends it."""


@options.extended
def step(
    context: typer.Context,
    target: Annotated[
        str, typer.Argument(metavar="RUN|FILE:FUNC", help="An unfinished run, or a function to start a new run with.")
    ],
    objective: options.Objective = None,
    population: Annotated[
        int | None,
        typer.Option(min=1, help=f"FILE:FUNC: population size, and births per generation ({POPULATION})."),
    ] = None,
    own: Mapping[str, object] = NO_OPTIONS,
    order: Annotated[
        str | None, typer.Option(help="FILE:FUNC: birth (default, reproducible) or arrival (fastest).")
    ] = None,
    slots: Annotated[int | None, typer.Option(min=1, help="FILE:FUNC: maximum operations in flight.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="FILE:FUNC: random seed.")] = None,
    models: Models = None,
    route: Route = None,
    weak: WeakFlag = False,
    json: JsonFlag = False,
) -> None:
    """Conduct a run until one more generation is complete, or the run ends.

    A held or interrupted run of any domain continues for one generation and is then interrupted, as by Ctrl-C:
    operations in flight will be repeated, everything else is kept. FILE:FUNC or --run starts a new run. In a steady
    pace, a generation has as many births as the population has members. The bounds in evolve.stop of mendel.toml
    also end the run.

    With FILE:FUNC, --models lets models take part, as in `mendel evolve`; a resumed run keeps the models it began with.

        mendel step examples/bad_sort.py:sort --seed 7

        mendel step examples/bad_sort.py:sort --models --route mutator=offline/programs.mutator

        mendel step latest

        mendel resume latest
    """
    session = session_of(context)
    given = _Given(objective, population, order, slots, seed, models, route, own)
    if given.begins(target):
        run_id, end = session.run(_begin(session, given.plan(session, target, weak=weak)))
    else:
        given.refuse()
        run_id, end = session.run(_go_on(session, target, weak=weak))
    report_runs(session, {run_id: end}, json=json)
    if not end.state.terminal:
        session.announce(f"`mendel step {run_id}` adds a generation, `mendel resume {run_id}` runs to the end")


@dataclass(frozen=True)
class _Given:
    """The options for a new run; ``own`` are the options of domains."""

    objective: str | None
    population: int | None
    order: str | None
    slots: int | None
    seed: int | None
    models: bool | None
    route: list[str] | None
    own: Mapping[str, object]

    def begins(self, target: str) -> bool:
        """Whether to start a new run: the target is a function, or an option says how to run a file."""
        return ":" in target or any(each.chosen_by in each.given(self.own) for each in evolvables())

    def refuse(self) -> None:
        """Reject options without effect on a resumed run, since they are most likely mistakes."""
        of_domains = {name: value for each in evolvables() for name, value in each.given(self.own).items()}
        said = {name: value for name, value in vars(self).items() if name != "own"}
        named = {**said, "models": self.models or None, "offline": self.models is False or None, **of_domains}
        idle = [f"--{name.replace('_', '-')}" for name, value in named.items() if value is not None]
        if idle:
            raise ConfigError(f"{' and '.join(idle)}: only for FILE:FUNC; a resumed run keeps its configuration")

    def plan(self, session: Session, target: str, *, weak: bool) -> Invocation[Any]:
        """Plan the run as `mendel evolve` would, except for the bounds that end it.

        Raises:
            ConfigError: an option is invalid.
        """
        settings = evolve_settings(session.loaded.settings)
        search = Search(
            bounds=settings.evolve.bounds().or_else(Bounds(budget=ENERGY)),
            selector=settings.evolve.selector or SELECTOR,
            population=self.population or POPULATION,
            slots=self.slots,
            order=parse_order(self.order or "birth"),
            weak=weak,
            models=asks_models(settings, self.models),
            routes=parse_routes(self.route or ()),
        )
        asked = Asked(settings, search, (target,), self.objective, seed=self.seed, models=self.models)
        found = chosen(evolvables(), self.own).planned(session, asked, self.own)
        if found.plan.search.models:
            refuse_unready(settings, found.plan.search.routes)
        return found


async def _go_on(session: Session, text: str, *, weak: bool) -> tuple[str, RunEnd]:
    async with session.log() as log:
        run_id = (await find_run(log, text)).run_id
        configs = await recorded_configs(log, [run_id])
        async with fabric_for(session.loaded.settings, configs, weak=weak) as fabric:
            if weak:
                session.warn_if_weak(await fabric.isolation())
            return run_id, await _stepped(session, log, run_id, fabric)


async def _begin(session: Session, asked: Invocation[Any]) -> tuple[str, RunEnd]:
    async with (
        session.log(create=True) as log,
        fabric_for(asked.settings, [asked.plan.draft()], weak=asked.weak) as fabric,
    ):
        run_id = await configure_run(session, log, await asked.config(session, fabric), fabric, Spending())
        return run_id, await _stepped(session, log, run_id, fabric)


# --- conducting ------------------------------------------------------------------------------------------


async def _stepped(session: Session, log: EventLog, run_id: str, fabric: TaskFabric) -> RunEnd:
    """Conduct one more generation of the run.

    Raises:
        CommandNotPossible: the run is over.
        RunBusy: another live conductor holds the run.
    """
    picture = RunPicture()
    async for event in log.read(run_id):
        picture.run.take(event)
    picture.begins()
    walk = _OneGeneration(picture.run)
    options = replace(conduct_options(session, picture.run), listen=walk.hear)
    async with shown_live(session.err, {run_id: picture}), interruptible(session, {run_id: picture}):
        with calm_collector():
            await walk.through(conduct(run_id, log=log, fabric=fabric, clock=system_clock(), options=options))
    return RunEnd(await folded(log, run_id), picture.run.setbacks)


@dataclass
class _OneGeneration:
    """Listens to a run, and cancels its conducting as soon as a generation is complete."""

    run: WatchFold
    completed: bool = False
    _conducting: asyncio.Task[RunState] | None = None

    def hear(self, event: Event) -> None:
        """Take an event; later events of the same batch are still recorded after the cancellation."""
        self.run.take(event)
        if isinstance(event.payload, GenerationCompleted) and not self.completed and self._conducting is not None:
            self.completed = True
            self._conducting.cancel()

    async def through(self, conducting: Coroutine[Any, Any, RunState]) -> None:
        """Conduct until the generation is complete or the run ends; a cancellation from outside propagates."""
        self._conducting = asyncio.create_task(conducting)
        try:
            await self._conducting
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if not self.completed or (current is not None and current.cancelling()):  # Ctrl-C, not ours
                raise
