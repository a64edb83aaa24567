"""`mendel run` and `mendel resume`: conduct runs and show their progress."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Annotated, Final

import typer
from pydantic import JsonValue

from mendel.cli.live import RunPicture, shown_live
from mendel.cli.run_options import run_config
from mendel.console.model_choices import Spending, worst_of_run
from mendel.console.registered import runs_commands
from mendel.console.session import JsonFlag, Session, WeakFlag, find_run, session_of, shown
from mendel.contracts.errors import (
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_NOTHING,
    ConfigError,
    DomainFailed,
    MendelError,
    PluginError,
    RunBusy,
)
from mendel.contracts.events.run import RunConfigured
from mendel.contracts.run_config import OFFLINE, RunConfig
from mendel.contracts.statuses import RunStatus
from mendel.kernel.beginning import LOADING_S, configure, continued, next_chapter, with_models
from mendel.kernel.conduct import Fleet, folded
from mendel.kernel.conductor import Options
from mendel.kernel.loading import load_domain, loaded
from mendel.kernel.state import NicheState, RunState
from mendel.ports.event_log import EventLog
from mendel.ports.task_fabric import TaskFabric
from mendel.projections.health import Setbacks, WatchFold
from mendel.settings import Settings
from mendel.wiring import calm_collector, ceilings, live_plan, open_run_fabric, system_clock

_STEPS_TOLD: Final = 5  # a run can fail at many steps; --json lists all of them


@dataclass(frozen=True)
class RunEnd:
    """The state of a run when its command ends, and the failures it met."""

    state: RunState
    setbacks: Setbacks = field(default_factory=Setbacks)


Ends = dict[str, RunEnd | MendelError]


def run(
    context: typer.Context,
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]…", help="Run files (TOML), conducted concurrently."),
    ] = None,
    domain: Annotated[str | None, typer.Option(help="Domain of the run; `mendel plugin list` lists all.")] = None,
    problem: Annotated[str | None, typer.Option(help="Short description of the run.")] = None,
    seed: Annotated[int | None, typer.Option(help="Random seed; drawn at random if omitted.")] = None,
    population: Annotated[int | None, typer.Option(help="Cap: candidates alive at once.")] = None,
    generations: Annotated[int | None, typer.Option(help="Cap: generations.")] = None,
    candidates: Annotated[int | None, typer.Option(help="Cap: candidates in total.")] = None,
    evaluations: Annotated[
        int | None, typer.Option(help="Cap: evaluations; one evaluation runs one program on one case.")
    ] = None,
    energy: Annotated[int | None, typer.Option(help="Cap: energy, the unit of all cost.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Cap: wall-clock time, in seconds.")] = None,
    slots: Annotated[int | None, typer.Option(help="Maximum number of operations in flight.")] = None,
    pace: Annotated[str | None, typer.Option(help="Pace of breeding: generational or steady.")] = None,
    order: Annotated[str | None, typer.Option(help="Steady pace: birth (reproducible) or arrival (fastest).")] = None,
    window: Annotated[int | None, typer.Option(help="Steady pace: maximum number of pending births.")] = None,
    selector: Annotated[str | None, typer.Option(help="Method that chooses parents.")] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A value in the domain's configuration.")
    ] = None,
    origin: Annotated[
        str | None, typer.Option("--from", metavar="RUN", help="Start from the champions of a finished run.")
    ] = None,
    follow: Annotated[
        str | None,
        typer.Option("--follow", metavar="RUN", help="Start the next chapter of a finished run, with its parameters."),
    ] = None,
    hold: Annotated[bool, typer.Option("--hold", help="Only record the run; `mendel resume` starts it.")] = False,
    weak: WeakFlag = False,
    json: JsonFlag = False,
) -> None:
    """Configure a run and conduct it to its end.

    Ctrl-C interrupts the run; nothing is lost, and `mendel resume RUN` continues it. `mendel stop RUN` ends a run.

        mendel run run.toml --seed 7 --population 20 --generations 10

        mendel run --domain NAME --set target='[0.1, 0.2]'   # `mendel plugin list` lists domains
    """
    session = session_of(context)
    given: dict[str, JsonValue] = {
        "domain": domain,
        "problem": problem,
        "rng_seed": seed,
        "caps.max_population": population,
        "caps.max_generations": generations,
        "caps.max_candidates": candidates,
        "caps.max_evaluations": evaluations,
        "caps.energy_budget": energy,
        "caps.wall_clock_ms": _milliseconds(seconds),
        "slots": slots,
        "pace.kind": pace,
        "pace.order": order,
        "pace.window": window,
        "selector": selector,
        "allow_weak_sandbox": weak or None,
    }
    flags: dict[str, JsonValue] = {key: value for key, value in given.items() if value is not None}
    if follow is not None and (files or setting or origin is not None or set(flags) - {"allow_weak_sandbox"}):
        raise typer.BadParameter("--follow takes every parameter from the earlier run; give it alone, or use --from")
    wanted: Sequence[Path | None] = files or [None]  # None: a run from flags alone
    ends = session.run(_run(session, wanted, flags, setting or [], origin, follow, hold=hold))
    report_runs(session, ends, json=json)


def _milliseconds(seconds: float | None) -> int | None:
    if seconds is None:
        return None
    if not isfinite(seconds):
        raise ConfigError(f"--seconds must be a finite number of seconds, not {seconds}")
    return int(seconds * 1_000)


async def _run(
    session: Session,
    files: Sequence[Path | None],
    flags: dict[str, JsonValue],
    settings: list[str],
    origin: str | None,
    follow: str | None,
    *,
    hold: bool,
) -> Ends:
    weak = bool(flags.get("allow_weak_sandbox"))
    async with session.log(create=True) as log:
        if follow is not None:
            configs = [next_chapter(await _folded_run(session, log, follow))]
        else:
            configs = await _configs(session, log, files, flags, settings, origin)
        async with _fabrics(session.loaded.settings, configs, weak=weak) as fabrics:
            ids = [await configure_run(session, log, config, fabrics[config.model_profile]) for config in configs]
            if hold:
                return {run_id: RunEnd(await folded(log, run_id)) for run_id in ids}
            return await conduct_runs(session, log, ids, fabrics)


async def _configs(
    session: Session,
    log: EventLog,
    files: Sequence[Path | None],
    flags: dict[str, JsonValue],
    settings: list[str],
    origin: str | None,
) -> list[RunConfig]:
    source = await _folded_run(session, log, origin) if origin is not None else None
    base = _inherited(source) if source is not None else {}
    configs = [run_config(file, flags, settings, base) for file in files]
    for config in configs:
        _refuse_idle_flags(config, flags)
    return [continued(source, config) for config in configs] if source is not None else configs


def _refuse_idle_flags(config: RunConfig, flags: dict[str, JsonValue]) -> None:
    """Reject flags without effect, since they are most likely mistakes."""
    idle = [f"--{name}" for name in ("order", "window") if f"pace.{name}" in flags]
    if idle and config.pace.kind != "steady":
        raise ConfigError(f"{' and '.join(idle)} need a steady pace; add --pace steady")


async def configure_run(
    session: Session, log: EventLog, config: RunConfig, fabric: TaskFabric, spending: Spending | None = None
) -> str:
    """Record a run, announce its id and return it; ``spending`` holds the limits from the command line."""
    if config.allow_weak_sandbox:
        session.warn_if_weak(await fabric.isolation())
    settings = session.loaded.settings
    if spending is not None:
        config = spending.of(config, ceilings(settings))
    models = live_plan(settings) if config.model_profile != OFFLINE else None
    if models is not None:
        session.announce(worst_of_run(with_models(config, models)))
    run_id = await configure(log, config, ceilings(settings), fabric=fabric, models=models)
    session.announce(f"run {run_id}: {config.domain}, seed {config.rng_seed}")
    return run_id


async def _folded_run(session: Session, log: EventLog, text: str) -> RunState:
    found = await find_run(log, text)
    with session.progress("reading"):
        return await folded(log, found.run_id)


# Fields that describe one run; a run that continues another gets its own.
_OWN: Final = {"rng_seed", "continues", "follows", "ancestors", "challenges_before", "niches", "parameters"}


def _inherited(source: RunState) -> dict[str, JsonValue]:
    """The defaults for a run that continues ``source``: its configuration without seed and other fields of its own."""
    kept = source.config.model_dump(mode="json", exclude=_OWN)
    return {**kept, "rng_seed": source.config.rng_seed + 1}  # the same seed would repeat the same draws


def resume(
    context: typer.Context,
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="A run's id, any unambiguous part of it, or `latest`.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every unfinished run without a conductor.")] = False,
    weak: WeakFlag = False,
    json: JsonFlag = False,
) -> None:
    """Continue an interrupted run; work that the log already holds is not repeated."""
    if (run is None) is not everything:
        raise typer.BadParameter("give either a run or --all")
    session = session_of(context)
    ends = session.run(_resume(session, run, weak=weak))
    if not ends:
        session.announce("there is no run to resume")
        raise typer.Exit(EXIT_NOTHING)
    report_runs(session, ends, json=json)


async def _resume(session: Session, text: str | None, *, weak: bool) -> Ends:
    async with session.log() as log:
        ids = [(await find_run(log, text)).run_id] if text is not None else await _live_runs(log)
        async with _fabrics(session.loaded.settings, await recorded_configs(log, ids), weak=weak) as fabrics:
            for fabric in fabrics.values() if weak else ():
                session.warn_if_weak(await fabric.isolation())
            ends = await conduct_runs(session, log, ids, fabrics, strict=text is not None)
    # With --all a run that another process conducts is skipped, not an error.
    return {run_id: end for run_id, end in ends.items() if not isinstance(end, RunBusy)}


async def _live_runs(log: EventLog) -> list[str]:
    return [run.run_id for run in await log.runs() if run.status is not None and not run.status.terminal]


async def recorded_configs(log: EventLog, run_ids: Iterable[str]) -> list[RunConfig]:
    """Return the configurations that the runs started with."""
    configs: list[RunConfig] = []
    for run_id in run_ids:
        async for event in log.read(run_id):
            if isinstance(event.payload, RunConfigured):  # the first event of a run
                configs.append(event.payload.config)
                break
    return configs


# --- conducting ------------------------------------------------------------------------------------------


async def conduct_runs(
    session: Session, log: EventLog, ids: Sequence[str], fabrics: Mapping[str, TaskFabric], *, strict: bool = False
) -> Ends:
    """Conduct runs to their ends, with live output; ``strict`` raises the first error of a run."""
    settings = session.loaded.settings
    pictures = {run_id: RunPicture() for run_id in ids}
    for run_id, picture in pictures.items():
        async for event in log.read(run_id):
            picture.run.take(event)
        picture.begins()  # the events so far came from earlier processes
    if not ids:
        return {}
    async with shown_live(session.err, pictures), interruptible(session, pictures):
        fleet = Fleet(log=log, clock=system_clock(), most=settings.kernel.max_runs)
        with calm_collector():
            ends = await asyncio.gather(
                *(
                    fleet.conduct(run_id, fabrics[_profile(picture.run)], conduct_options(session, picture.run))
                    for run_id, picture in pictures.items()
                )
            )
    for end in ends:
        if strict and isinstance(end, MendelError):
            raise end
    return {run_id: _end(end, pictures[run_id]) for run_id, end in zip(ids, ends, strict=True)}


def _profile(run: WatchFold) -> str:
    return run.config.model_profile if run.config is not None else OFFLINE


def _end(end: RunState | MendelError, picture: RunPicture) -> RunEnd | MendelError:
    return end if isinstance(end, MendelError) else RunEnd(end, picture.run.setbacks)


@asynccontextmanager
async def _fabrics(
    settings: Settings, configs: Sequence[RunConfig], *, weak: bool
) -> AsyncIterator[Mapping[str, TaskFabric]]:
    """Open one fabric per model profile of the runs: live runs call models, offline runs call procedures."""
    async with AsyncExitStack() as stack:
        fabrics: dict[str, TaskFabric] = {}
        for profile in sorted({config.model_profile for config in configs}):  # sets have no fixed order
            alike = [config for config in configs if config.model_profile == profile]
            fabrics[profile] = await stack.enter_async_context(fabric_for(settings, alike, weak=weak))
        yield fabrics


@asynccontextmanager
async def fabric_for(
    settings: Settings, configs: Sequence[RunConfig], *, weak: bool = False
) -> AsyncIterator[TaskFabric]:
    """Open the task fabric for the handlers of these runs; if any run calls models, with every configured model."""
    asks = any(config.model_profile != OFFLINE for config in configs)
    # A user who starts a run that measures by commands has consented to running them.
    commands = any(runs_commands(config.domain) for config in configs)
    procedures = [await _has_procedures(domain) for domain in sorted({config.domain for config in configs})]
    async with open_run_fabric(
        settings,
        live_plan(settings) if asks else None,  # a profile of "offline" in the settings does not forbid live runs
        procedures=any(procedures),
        allow_weak=weak,
        allow_commands=commands,
    ) as fabric:
        yield fabric


async def _has_procedures(domain: str) -> bool:
    """Whether procedures of a domain play roles in its offline runs.

    A domain that fails to load, or to load in time, counts as having none. Its own run reports the failure later;
    other runs are not affected.
    """
    with suppress(PluginError, DomainFailed):
        return bool((await loaded(load_domain, domain, LOADING_S)).offline_roles)
    return False


def conduct_options(session: Session, watched: WatchFold) -> Options:
    """Return the options for conducting a run in this process; ``watched`` receives its events."""
    kernel = session.loaded.settings.kernel
    return Options(
        conductor=f"{socket.gethostname()}:{os.getpid()}",  # the server finds its conductors by this pid
        heartbeat_s=kernel.heartbeat_s,
        domain_patience_s=kernel.domain_patience_s,
        listen=watched.take,
    )


@asynccontextmanager
async def interruptible(session: Session, pictures: Mapping[str, RunPicture]) -> AsyncIterator[None]:
    """Interrupt the runs on Ctrl-C or SIGTERM, and announce how to continue them."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)
    for number in signals:
        if task is not None:
            loop.add_signal_handler(number, task.cancel)  # a cancelled conductor leaves the log consistent
    try:
        yield
    except asyncio.CancelledError:
        for run_id, picture in pictures.items():
            if not picture.over:
                session.announce(f"interrupted; `mendel resume {run_id}` continues it, `mendel stop {run_id}` ends it")
        raise typer.Exit(EXIT_INTERRUPTED) from None
    finally:
        for number in signals:
            loop.remove_signal_handler(number)


# --- results ---------------------------------------------------------------------------------------------


def report_runs(session: Session, ends: Ends, *, json: bool) -> None:
    """Report how runs ended; exit with the code of the first failure, if there is one."""
    if json:
        session.answer({"runs": [_as_json(run_id, end) for run_id, end in ends.items()]})
    else:
        for run_id, end in ends.items():
            session.out.print(_line(run_id, end), soft_wrap=True)
    bad = [end for end in ends.values() if isinstance(end, MendelError) or end.state.status is RunStatus.FAILED]
    if bad:
        first = bad[0]  # one exit code must do for several runs
        raise typer.Exit(first.exit_code if isinstance(first, MendelError) else EXIT_FAILED)


def _as_json(run_id: str, ended: RunEnd | MendelError) -> dict[str, object]:
    if isinstance(ended, MendelError):
        return {"run_id": run_id, "error": {"code": ended.code, "message": str(ended)}}
    end = ended.state
    return {
        "run_id": run_id,
        "status": end.status,
        "reason": end.ending,
        "generations": len(end.generations),
        "candidates": len(end.candidates),
        "scored": end.scored,
        "best": {"candidate_id": end.best[1], "fitness": end.best[0]} if end.best else None,
        "champion": end.niche.champion_id,
        "challenges": end.niche.challenges,
        "niches": {name: _standing(niche) for name, niche in end.niches.items()},
        "energy_spent": end.ledger.spent,
        "seed": end.config.rng_seed,
        "models": _asked(end) if end.config.models is not None else None,
        **ended.setbacks.model_dump(mode="json"),
    }


def _asked(end: RunState) -> dict[str, object]:
    """The models that a run may call and their total usage; unknown usage counts as the worst case."""
    plan = end.config.models.roles if end.config.models is not None else {}
    routes = {role: [str(source.route) for source in each.sources] for role, each in plan.items()}
    used = end.ledger.used
    return {"routes": routes, "tokens": used.max_tokens, "cost_microusd": used.max_cost_microusd}


def _line(run_id: str, ended: RunEnd | MendelError) -> str:
    if isinstance(ended, MendelError):
        return f"[bold red]interrupted[/] {run_id}: {shown(ended)}"
    end = ended.state
    style = {"completed": "bold green", "failed": "bold red"}.get(str(end.status), "yellow")
    best = f"best {end.best[0]:.6g} ({end.best[1]})" if end.best else "nothing was scored"
    champion = "".join(_champion(name, niche, several=len(end.niches) > 1) for name, niche in end.niches.items())
    if end.status is RunStatus.CONFIGURED:
        return f"configured\n  mendel resume {run_id}\n  mendel cancel {run_id}"
    why = f" ({shown(end.ending)})" if end.ending else ""
    lost = end.births.decided - len(end.genomes)
    births = f", [yellow]{lost:,} of {end.births.decided:,} births failed[/]" if lost else ""
    return (
        f"[{style}]{end.status}[/]{why}: {len(end.candidates):,} candidates in {len(end.generations):,} generations, "
        f"{best}{champion}{births}, energy {end.ledger.spent:,}\n{_setbacks(ended.setbacks)}"
        f"  mendel show {run_id}\n  mendel replay {run_id}{_more(run_id, end)}"
    )


def _setbacks(told: Setbacks) -> str:
    """One line for each step with failed operations, for the worst steps only, and one for each consequence."""
    said = [each.words() for each in told.failed_steps[:_STEPS_TOLD]]
    said += [each.words() for each in told.closed_niches[:_STEPS_TOLD]]
    said += [told.endless_routes.words()] if told.endless_routes is not None else []
    return "".join(f"  [yellow]{shown(each)}[/]\n" for each in said)


def _champion(name: str, niche: NicheState, *, several: bool) -> str:
    if niche.champion_id is None:
        return ""
    whose = "" if niche.champion_is_ours else " of an earlier run"
    return f", champion {niche.champion_id}{whose}" + (f" of {shown(name)}" if several else "")


def _standing(niche: NicheState) -> dict[str, object]:
    return {"champion": niche.champion_id, "ours": niche.champion_is_ours, "challenges": niche.challenges}


def _more(run_id: str, end: RunState) -> str:
    """A hint at the command that writes the outputs of a run, as `mendel evolve` does."""
    won = sum(niche.champion_id is not None and niche.champion_is_ours for niche in end.niches.values())
    what = "report" if not won else "report and winner" if won == 1 else "report and winners"
    return f"\n  mendel report {run_id}   # {what}"
