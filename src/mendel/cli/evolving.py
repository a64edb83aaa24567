"""`mendel evolve`: breed a better function, prove it, and leave a patch."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from mendel.cli.context import JsonFlag, RunArgument, Session, find_run, session_of
from mendel.cli.evolve_outputs import Outputs, outputs_of
from mendel.cli.running import conduct_runs, configure_run
from mendel.cli.sandbox import WeakFlag
from mendel.contracts.caps import RunCaps
from mendel.contracts.energy import EnergyCosts
from mendel.contracts.errors import EXIT_NOTHING, ConfigError, MendelError
from mendel.contracts.run_config import Pace, RunConfig, StopConditions
from mendel.contracts.scoring import ScoringPolicy
from mendel.domains.programs.domain import task_of
from mendel.domains.programs.models import ProgramTask, payload
from mendel.domains.programs.objectives import parse_objectives, target_of
from mendel.domains.programs.preparing import prepare
from mendel.domains.programs.wishes import Wish
from mendel.kernel.state import RunState
from mendel.ports.event_log import EventLog
from mendel.ports.sandbox import Sandbox
from mendel.settings import Settings, evolve_settings, evolve_target
from mendel.wiring import open_sandbox, scrubber

DEFAULT_SECONDS: Final = 40.0
STAGNATION: Final = 600
POPULATION: Final = 40
SELECTOR: Final = "epsilon"
_LONG_S: Final = 24 * 3_600.0
_HARD_S: Final = 600.0
"""How much longer than asked a run may take before its cap ends it: what stands before the gate is heard to its end."""


def _no_target() -> str:
    raise ConfigError(
        "say which function: mendel evolve FILE:FUNC, or [mutate] target_file and entry_fn in mendel.toml"
    )


@dataclass(frozen=True)
class Bounds:
    """When to stop."""

    generations: int | None
    evaluations: int | None
    seconds: float | None
    target: str | None
    budget: int | None

    def or_else(self, settings: Settings) -> Bounds:
        """These, and where one is not given, what the settings say."""
        stop = settings.evolve.stop
        given = (stop.max_generations, stop.max_evaluations, stop.seconds, stop.target, stop.budget)
        own = (self.generations, self.evaluations, self.seconds, self.target, self.budget)
        return Bounds(*(mine if mine is not None else theirs for mine, theirs in zip(own, given, strict=True)))  # type: ignore[arg-type]


def evolve(
    context: typer.Context,
    target: Annotated[
        str | None, typer.Argument(metavar="FILE:FUNC", help="The function to improve; FILE:Class.method too.")
    ] = None,
    generations: Annotated[int | None, typer.Option(min=1, help="Stop after so many generations.")] = None,
    evaluations: Annotated[int | None, typer.Option(min=2, help="Stop after so many candidates.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0.1, help="Stop breeding after so long.")] = None,
    goal: Annotated[str | None, typer.Option("--target", help="Stop when a winner reaches it, such as 20x.")] = None,
    budget: Annotated[int | None, typer.Option(min=1, help="Stop when so much energy is spent.")] = None,
    objective: Annotated[
        str | None,
        typer.Option(
            help="speed (default), memory, size, opcodes or score; several as speed,memory or speed:2,size:1."
        ),
    ] = None,
    selector: Annotated[
        str | None, typer.Option(help="Who chooses parents (epsilon); `mendel plugin list` shows them.")
    ] = None,
    backend: Annotated[str | None, typer.Option(help="Where programs run: a sandbox (native).")] = None,
    mutator: Annotated[str, typer.Option(help="Who varies programs; `mendel plugin list` shows them.")] = "offline",
    task: Annotated[Path | None, typer.Option(help="A task.py: generator, properties, relations, score.")] = None,
    tests: Annotated[list[Path] | None, typer.Option(help="pytest files: a screen, and examples of calls.")] = None,
    files: Annotated[list[Path] | None, typer.Option(help="Further files that may be changed.")] = None,
    allow: Annotated[list[str] | None, typer.Option("--allow", help="Packages that programs may import.")] = None,
    population: Annotated[int, typer.Option(min=2, help="How many live at once.")] = POPULATION,
    slots: Annotated[int | None, typer.Option(min=1, help="Operations in flight at once.")] = None,
    order: Annotated[str, typer.Option(help="arrival (fastest) or birth (reproducible).")] = "arrival",
    seed: Annotated[int | None, typer.Option(min=0, help="The number behind every draw; drawn if not given.")] = None,
    out: Annotated[Path, typer.Option(help="Where the outputs go.")] = Path("mendel-out"),
    best_of_n: Annotated[bool, typer.Option(help="Compare with plain best-of-N at the same budget.")] = True,
    apply: Annotated[bool, typer.Option("--apply", help="Write the winner into the file.")] = False,
    commit: Annotated[bool, typer.Option("--commit", help="Make a branch and a commit with the winner.")] = False,
    weak: WeakFlag = False,
    json: JsonFlag = False,
) -> None:
    """Breed a better function and prove it.

    The original is the oracle; inputs come from type hints, docstring examples or tests. The winner is adopted by the
    gate only, on inputs that breeding never saw. Exit code 3: no improvement found.

        mendel evolve examples/bad_sort.py:sort

        mendel evolve my_module.py:slow --seconds 60 --target 10x --apply
    """
    session = session_of(context)
    settings = evolve_settings(session.loaded.settings, backend)
    path, function = Wish.parse(target or evolve_target(settings) or _no_target())
    wish = Wish(
        path=path,
        function=function,
        files=tuple(files or ()),
        tests=tuple(tests or ()),
        task=task,
        objectives=parse_objectives(objective) if objective is not None else None,
        packages=tuple(allow or ()),
        mutator=mutator,
    )
    bounds = Bounds(generations, evaluations, seconds, goal, budget).or_else(settings)
    chosen = selector or settings.evolve.selector or SELECTOR
    plan = Plan(wish, settings, bounds, seed, chosen, population, slots, order, best_of_n=best_of_n, weak=weak)
    outputs = session.run(_evolve(session, plan, out))
    finish(session, outputs, apply=apply, commit=commit, json=json)


def report(
    context: typer.Context,
    run: RunArgument,
    beside: Annotated[str | None, typer.Option("--best-of-n", metavar="RUN", help="A run to compare it with.")] = None,
    out: Annotated[Path, typer.Option(help="Where the outputs go.")] = Path("mendel-out"),
    apply: Annotated[bool, typer.Option("--apply", help="Write the winner into the file.")] = False,
    commit: Annotated[bool, typer.Option("--commit", help="Make a branch and a commit with the winner.")] = False,
    json: JsonFlag = False,
) -> None:
    """Write the outputs of a run of programs again, from its log alone: winner, patch, report, summary.

    A run that was killed and resumed has them from here.

        mendel report latest --apply
    """
    session = session_of(context)
    finish(session, session.run(_reported(session, run, beside, out)), apply=apply, commit=commit, json=json)


async def _reported(session: Session, run: str, beside: str | None, out: Path) -> Outputs:
    async with session.log() as log:
        other = (await find_run(log, beside)).run_id if beside is not None else None
        return await outputs_of(log, (await find_run(log, run)).run_id, other, out)


def finish(
    session: Session, outputs: Outputs, *, apply: bool = False, commit: bool = False, json: bool = False
) -> None:
    """Write what there is, do with it what was asked, and say so."""
    outputs.write()
    done: list[str] = []
    if commit and (branch := outputs.commit()) is not None:
        done.append(f"committed on branch {branch}")
    elif apply:
        done += [f"wrote {path}" for path in outputs.apply()]
    outputs.tell(session, json=json, done=done)
    if not outputs.adopted:
        raise typer.Exit(EXIT_NOTHING)


@dataclass(frozen=True)
class Plan:
    """One invocation."""

    wish: Wish
    settings: Settings
    bounds: Bounds
    seed: int | None
    selector: str
    population: int
    slots: int | None
    order: str
    best_of_n: bool
    weak: bool

    def config(self, task: ProgramTask, seed: int) -> RunConfig:
        """The run."""
        bounds = self.bounds
        if self.order not in ("arrival", "birth"):
            raise ConfigError(f"--order is arrival or birth, not {self.order!r}")
        seconds = bounds.seconds if bounds.seconds is not None else self._default_seconds()
        caps = RunCaps(
            max_population=self.population,
            max_generations=bounds.generations or 100_000,
            max_candidates=bounds.evaluations or 1_000_000,
            energy_budget=bounds.budget or 1_000_000_000,
            max_spawn_depth=1_000,
            wall_clock_ms=int(((seconds or _LONG_S) + _HARD_S) * 1_000),
        )
        return RunConfig(
            domain="programs",
            problem=f"{task.path}:{task.function}",
            rng_seed=seed,
            caps=caps,
            pace=Pace(kind="steady", order=self.order, window=8),  # type: ignore[arg-type]
            slots=self.slots or max(2, os.cpu_count() or 2),
            selector=self.selector,
            scoring_policy=ScoringPolicy(
                version="programs-1", weights={str(name): weight for name, weight in task.objectives.items()}
            ),
            energy_costs=EnergyCosts(cpu_basis="opcodes" if "opcodes" in task.objectives else "cpu_ms"),
            allow_weak_sandbox=self.weak,
            stop=StopConditions(seconds=seconds, target=target_of(bounds.target, task), stagnation=STAGNATION),
            domain_config=payload(task),
        )

    def _default_seconds(self) -> float | None:
        """Without any stop option a run ends within two minutes."""
        given = (self.bounds.generations, self.bounds.evaluations, self.bounds.target, self.bounds.budget)
        return DEFAULT_SECONDS if all(each is None for each in given) else None


async def _evolve(session: Session, plan: Plan, out: Path) -> Outputs:
    settings = plan.settings
    for lacking in session.loaded.lacking:
        session.announce(str(lacking))
    seed = plan.seed if plan.seed is not None else secrets.randbelow(2**31)
    async with session.log(create=True) as log, open_sandbox(settings, allow_weak=plan.weak) as sandbox:
        task = await prepare(plan.wish, sandbox, seed=seed, announce=session.announce, scrubber=scrubber(settings))
        config = plan.config(task, seed)
        run_id, state = await _bred(session, log, config, sandbox)
        other = await _best_of_n(session, log, config, state, sandbox) if plan.best_of_n else None
        return await outputs_of(log, run_id, other, out)


async def _bred(session: Session, log: EventLog, config: RunConfig, sandbox: Sandbox) -> tuple[str, RunState]:
    run_id = await configure_run(session, log, config, sandbox)
    end = (await conduct_runs(session, log, [run_id], sandbox, strict=True))[run_id]
    if isinstance(end, MendelError):
        raise end
    return run_id, end


async def _best_of_n(
    session: Session, log: EventLog, config: RunConfig, state: RunState, sandbox: Sandbox
) -> str | None:
    """The same operators and as many candidates, all of them children of the original."""
    spent_s = max(1.0, state.times.conducted_ms() / 1_000)
    if config.stop is not None and config.stop.seconds is not None:
        spent_s = min(spent_s, config.stop.seconds)  # without the gate's time: nothing stands before it here
    task = task_of(config).model_copy(update={"contends": False})
    caps = config.caps.model_copy(update={"max_spawn_depth": 1, "max_candidates": max(2, len(state.candidates))})
    stop = StopConditions(seconds=spent_s)
    alone = config.model_copy(
        update={"caps": caps, "stop": stop, "problem": f"{config.problem} (best of N)", "domain_config": payload(task)}
    )
    session.announce(f"best of {len(state.candidates)}, for comparison")
    run_id, _ = await _bred(session, log, alone, sandbox)
    return run_id
