"""`mendel evolve`: breed a better function, or a better program in any language, prove it, and leave a patch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from mendel.bench.archives import parse_archive
from mendel.bench.bounds import NO_BOUNDS, Bounds
from mendel.bench.planning import POPULATION, SELECTOR, Search, best_of_n, parse_order
from mendel.cli import evolve_options as options
from mendel.cli.context import JsonFlag, RunArgument, Session, find_run, session_of
from mendel.cli.evolve_outputs import Outputs, outputs_of
from mendel.cli.evolving_texts import (
    Commands,
    refuse_options_of_functions,
    refuse_unclear,
    text_plan,
    wish_of_texts,
)
from mendel.cli.model_choices import Spending, asks_models, parse_routes, refuse_unready
from mendel.cli.running import conduct_runs, configure_run, fabric_for
from mendel.cli.sandbox import WeakFlag
from mendel.cli.wishing import Asked, Invocation, bounds_of, drawn, wish_of
from mendel.cli.work_tree import refuse_uncommittable
from mendel.contracts.errors import EXIT_NOTHING, ConfigError, MendelError
from mendel.contracts.run_config import OFFLINE, RunConfig
from mendel.domains.programs.models import ProgramTask
from mendel.domains.programs.preparing import drafted, plan
from mendel.domains.programs.wishes import Wish
from mendel.domains.texts.models import TextTask
from mendel.kernel.loading import load_selector
from mendel.kernel.state import RunState
from mendel.ports.event_log import EventLog
from mendel.ports.task_fabric import TaskFabric
from mendel.settings import Settings, evolve_settings, lookup_fields
from mendel.wiring import scrubber

OUT: Final = Path("mendel-out")
AnyInvocation = Invocation[ProgramTask] | Invocation[TextTask]


@options.bounded
def evolve(
    context: typer.Context,
    targets: options.Targets = None,
    bounds: Bounds = NO_BOUNDS,
    max_tokens: options.MaxTokens = None,
    max_cost: options.MaxCost = None,
    objective: options.Objective = None,
    task: options.Task = None,
    tests: options.Tests = None,
    files: options.Files = None,
    allow: options.Allow = None,
    run: options.Run = None,
    score: options.Score = None,
    minimize: options.Minimize = False,
    held_run: options.HeldRun = None,
    time_limit: options.TimeLimit = None,
    memory_limit: options.MemoryLimit = None,
    seed: options.Seed = None,
    population: options.Population = POPULATION,
    islands: options.IslandCount = 1,
    archive: options.Archive = None,
    selector: options.Selector = None,
    mutator: options.Mutator = "offline",
    models: options.Models = None,
    route: options.Route = None,
    order: options.Order = "arrival",
    slots: options.Slots = None,
    backend: options.Backend = None,
    compare: options.Compare = True,
    out: options.Out = OUT,
    apply: options.Apply = False,
    commit: options.Commit = False,
    weak: WeakFlag = False,
    json: JsonFlag = False,
) -> None:
    """Breed a better function, or a better program in any language, and prove it.

    The original says what is right; inputs come from its type hints, its docstring's examples or your tests.

    With --run a program is text in any language: what it prints has to stay the same, or --score rates it.

    Its lines between the marks `mendel: evolve` and `mendel: end` may change; without marks, all of them.

    A winner passes the gate on inputs that the search never saw. Your file stays as it is, but for --apply.

    The folder mendel-out/RUN gets winner.py, winner.patch, report.html and run.json.

    Exit code 3: no improvement found.

        mendel evolve examples/bad_sort.py:sort

        mendel evolve my_module.py:slow --seconds 60 --target 10x --apply

        mendel evolve my_module.py:Class.method --tests tests/test_it.py --objective speed,memory

        mendel evolve solve.c --run "gcc -O1 -o solve solve.c && ./solve" --models

        mendel evolve pack.js --run "node pack.js" --score "node score.js" --models
    """
    session = session_of(context)
    settings = evolve_settings(session.loaded.settings, backend)
    said = Commands(run, held_run, score, minimize, time_limit, memory_limit)
    said.refuse_idle()
    refuse_unclear(targets or (), run)
    search = Search(
        bounds=bounds.or_else(bounds_of(settings)),
        selector=selector or settings.evolve.selector or SELECTOR,
        population=population,
        slots=slots,
        order=parse_order(order),
        islands=islands,
        archive=parse_archive(archive) if archive is not None else None,
        weak=weak,
        models=asks_models(settings, models, mutator),
        routes=parse_routes(route or ()),
    )
    target = targets[0] if targets else None
    asked = Asked(target, objective, task, tests or (), files or (), allow or (), mutator)
    invocation = _plan(session, settings, search, seed, asked, said, targets or ())
    _refuse_unusable(invocation.path, out, commit=commit)
    if search.models:
        refuse_unready(settings, search.routes)
    outputs = session.run(_evolve(session, invocation, out, Spending(max_tokens, max_cost), compare=compare))
    finish(session, outputs, apply=apply, commit=commit, json=json)


def _plan(
    session: Session,
    settings: Settings,
    search: Search,
    seed: int | None,
    asked: Asked,
    said: Commands,
    targets: Sequence[str],
) -> AnyInvocation:
    """What is asked for: a function, or with a command to run them, files."""
    if said.run is None:
        return function_plan(session, wish_of(session, asked), settings, search, seed)
    mutator = asked.mutator if asked.mutator != OFFLINE else None
    refuse_options_of_functions(
        task=asked.task, tests=asked.tests, allow=asked.packages, archive=search.archive, mutator=mutator
    )
    wish = wish_of_texts(targets, asked.files, asked.objective, said)
    return text_plan(session, wish, settings, search, seed)


def report(
    context: typer.Context,
    run: RunArgument,
    beside: Annotated[str | None, typer.Option("--best-of-n", metavar="RUN", help="A run to compare it with.")] = None,
    out: options.Out = OUT,
    apply: options.Apply = False,
    commit: options.Commit = False,
    json: JsonFlag = False,
) -> None:
    """Write the outputs of a run of `mendel evolve` again, from its log alone: winner, patch, report, summary.

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
    """Write what there is, do with it what was asked, and say so; the result is told even where that fails.

    Raises:
        MendelError: what was asked cannot be done.
    """
    outputs.write()
    done: list[str] = []
    failed: MendelError | None = None
    try:
        done += _committed(outputs) if commit else []
        done += [f"wrote {path}" for path in outputs.apply()] if apply else []
    except MendelError as error:
        failed = error
    outputs.tell(session, json=json, done=done, failed=failed)
    if failed is not None:
        raise typer.Exit(failed.exit_code) if json else failed
    if not outputs.adopted:
        raise typer.Exit(EXIT_NOTHING)


def _committed(outputs: Outputs) -> list[str]:
    branch = outputs.commit()
    return [f"committed on branch {branch}; `git merge {branch}` takes it"] if branch is not None else []


def _refuse_unusable(path: Path, out: Path, *, commit: bool) -> None:
    """Make sure, before anything starts, that what comes of it can be kept."""
    if out.exists() and not out.is_dir():
        raise ConfigError(f"--out: {out} is a file; the outputs need a folder")
    if commit:
        refuse_uncommittable(path)


def function_plan(
    session: Session, wish: Wish, settings: Settings, search: Search, seed: int | None
) -> Invocation[ProgramTask]:
    """The plan, with everything refused that can be before a database or a sandbox starts.

    Raises:
        MendelError: something of it cannot be.
    """
    load_selector(search.selector)
    draft = drafted(wish, scrubber(settings)).model_copy(update=lookup_fields(settings) if search.models else {})
    found = Invocation(plan(draft, drawn(seed), search), settings)
    found.plan.draft()
    for lacking in session.loaded.lacking:
        if not (search.models and lacking.key.startswith("llm.")):
            session.announce(str(lacking))
    return found


async def _evolve(session: Session, asked: AnyInvocation, out: Path, spending: Spending, *, compare: bool) -> Outputs:
    async with (
        session.log(create=True) as log,
        fabric_for(asked.settings, [asked.plan.draft()], weak=asked.weak) as fabric,
    ):
        config = await asked.config(session, fabric)
        run_id, state = await _bred(session, log, config, fabric, spending)
        other = await _compared(session, log, config, state, fabric, spending) if compare else None
        return await outputs_of(log, run_id, other, out)


async def _bred(
    session: Session, log: EventLog, config: RunConfig, fabric: TaskFabric, spending: Spending
) -> tuple[str, RunState]:
    run_id = await configure_run(session, log, config, fabric, spending)
    end = (await conduct_runs(session, log, [run_id], fabric, strict=True))[run_id]
    if isinstance(end, MendelError):
        raise end
    return run_id, end


async def _compared(
    session: Session,
    log: EventLog,
    config: RunConfig,
    state: RunState,
    fabric: TaskFabric,
    spending: Spending,
) -> str:
    """The run of plain best-of-N beside this one."""
    births = len(state.candidates)
    alone = ", which asks no models" if config.model_profile != OFFLINE else ""
    session.announce(f"best of {births}, for comparison{alone}")
    beside = best_of_n(config, births, state.times.conducted_ms() / 1_000)
    run_id, _ = await _bred(session, log, beside, fabric, spending)
    return run_id
