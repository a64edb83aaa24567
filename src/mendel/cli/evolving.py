"""`mendel evolve`: breed a better function, or a program in any language, prove the gain, and write a patch."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final

import typer

from mendel.bench.bounds import NO_BOUNDS, Bounds
from mendel.bench.planning import POPULATION, SELECTOR, Search, best_of_n, parse_order
from mendel.cli import evolve_options as options
from mendel.cli.evolve_outputs import Outputs, outputs_of
from mendel.cli.running import conduct_runs, configure_run, fabric_for
from mendel.console.evolvable import Asked, Invocation, chosen, evolvables
from mendel.console.model_choices import Spending, asks_models, parse_routes, refuse_unready
from mendel.console.options import Models, Route
from mendel.console.session import JsonFlag, RunArgument, Session, WeakFlag, find_run, session_of
from mendel.console.work_tree import refuse_uncommittable
from mendel.contracts.errors import EXIT_NOTHING, ConfigError, MendelError
from mendel.contracts.run_config import OFFLINE, RunConfig
from mendel.kernel.state import RunState
from mendel.ports.event_log import EventLog
from mendel.ports.task_fabric import TaskFabric
from mendel.settings import evolve_settings

OUT: Final = Path("mendel-out")
NO_OPTIONS: Final[Mapping[str, object]] = MappingProxyType({})


@options.extended
@options.bounded
def evolve(
    context: typer.Context,
    targets: options.Targets = None,
    bounds: Bounds = NO_BOUNDS,
    max_tokens: options.MaxTokens = None,
    max_cost: options.MaxCost = None,
    objective: options.Objective = None,
    files: options.Files = None,
    own: Mapping[str, object] = NO_OPTIONS,
    seed: options.Seed = None,
    population: options.Population = POPULATION,
    islands: options.IslandCount = 1,
    selector: options.Selector = None,
    models: Models = None,
    route: Route = None,
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
    """Breed a better function, or a better program in any language, and prove that it is better.

    {domains}

    Only lines between the marks `mendel: evolve` and `mendel: end` may change; without marks, all lines may.

    A winner must pass the gate on inputs that the search never saw. Your file stays unchanged unless you give --apply.

    Output goes to the folder mendel-out/RUN: winner.py, winner.patch, report.html and run.json.

    Exit code 3: no improvement found.

    {examples}
    """
    session = session_of(context)
    settings = evolve_settings(session.loaded.settings, backend)
    domain = chosen(evolvables(), own)
    search = Search(
        bounds=bounds.or_else(settings.evolve.bounds()),
        selector=selector or settings.evolve.selector or SELECTOR,
        population=population,
        slots=slots,
        order=parse_order(order),
        islands=islands,
        weak=weak,
        models=asks_models(settings, models),
        routes=parse_routes(route or ()),
    )
    asked = Asked(settings, search, tuple(targets or ()), objective, tuple(files or ()), seed, models)
    invocation = domain.planned(session, asked, own)
    _refuse_unusable(invocation.path, out, commit=commit)
    if invocation.plan.search.models:
        refuse_unready(settings, invocation.plan.search.routes)
    outputs = session.run(_evolve(session, invocation, out, Spending(max_tokens, max_cost), compare=compare))
    finish(session, outputs, apply=apply, commit=commit, json=json)


def report(
    context: typer.Context,
    run: RunArgument,
    beside: Annotated[str | None, typer.Option("--best-of-n", metavar="RUN", help="Best-of-N run to compare.")] = None,
    out: options.Out = OUT,
    apply: options.Apply = False,
    commit: options.Commit = False,
    json: JsonFlag = False,
) -> None:
    """Write the outputs of a run of any domain from its log: report.html, run.json, and the winners.

    A winner is a file, plus a patch if it changes your files; if the run has several niches, each has its own folder.
    Use it for runs that were killed and resumed, since `mendel evolve` did not write their outputs.

        mendel report latest --apply
    """
    session = session_of(context)
    finish(session, session.run(_reported(session, run, beside, out)), apply=apply, commit=commit, json=json)


async def _reported(session: Session, run: str, beside: str | None, out: Path) -> Outputs:
    async with session.log() as log:
        other = (await find_run(log, beside)).run_id if beside is not None else None
        return await outputs_of(session, log, (await find_run(log, run)).run_id, other, out)


def finish(
    session: Session, outputs: Outputs, *, apply: bool = False, commit: bool = False, json: bool = False
) -> None:
    """Write the outputs, apply or commit them if requested, and report the result, even if that fails.

    Raises:
        MendelError: the winner cannot be applied or committed.
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
        raise typer.Exit(failed.exit_code) if json else failed  # JSON output holds the error already
    if not outputs.adopted:
        raise typer.Exit(EXIT_NOTHING)


def _committed(outputs: Outputs) -> list[str]:
    branch = outputs.commit()
    return [f"committed on branch {branch}; `git merge {branch}` merges it"] if branch is not None else []


def _refuse_unusable(path: Path, out: Path, *, commit: bool) -> None:
    """Make sure, before anything starts, that the outputs can be written and committed."""
    if out.exists() and not out.is_dir():
        raise ConfigError(f"--out: {out} is a file; give a folder")
    if commit:
        refuse_uncommittable(path)


async def _evolve(session: Session, asked: Invocation[Any], out: Path, spending: Spending, *, compare: bool) -> Outputs:
    async with (
        session.log(create=True) as log,
        fabric_for(asked.settings, [asked.plan.draft()], weak=asked.weak) as fabric,
    ):
        config = await asked.config(session, fabric)
        run_id, state = await _bred(session, log, config, fabric, spending)
        other = await _compared(session, log, config, state, fabric, spending) if compare else None
        return await outputs_of(session, log, run_id, other, out)


async def _bred(
    session: Session, log: EventLog, config: RunConfig, fabric: TaskFabric, spending: Spending
) -> tuple[str, RunState]:
    run_id = await configure_run(session, log, config, fabric, spending)
    end = (await conduct_runs(session, log, [run_id], {config.model_profile: fabric}, strict=True))[run_id]
    if isinstance(end, MendelError):
        raise end
    return run_id, end.state


async def _compared(
    session: Session,
    log: EventLog,
    config: RunConfig,
    state: RunState,
    fabric: TaskFabric,
    spending: Spending,
) -> str:
    """Conduct a plain best-of-N run with the same number of births, as a baseline for the search."""
    births = len(state.candidates)
    alone = ", which uses no models" if config.model_profile != OFFLINE else ""
    session.announce(f"best of {births}, for comparison{alone}")
    beside = best_of_n(config, births, state.times.conducted_ms() / 1_000)
    run_id, _ = await _bred(session, log, beside, fabric, spending)
    return run_id
