"""``conduct``: take a run, fold its log, and bring it to its end; several runs at once, isolated from each other."""

from __future__ import annotations

import asyncio
from functools import partial

import structlog

from mendel.contracts.commands import Command, CommandKind
from mendel.contracts.errors import (
    CommandNotPossible,
    DomainFailed,
    KernelError,
    MendelError,
    PluginError,
    RunNotFound,
)
from mendel.kernel.conductor import Conductor, Options
from mendel.kernel.domain import AbsentDomain, Domain
from mendel.kernel.fold import fold
from mendel.kernel.inheriting import refuse_overtaken
from mendel.kernel.loading import Domains, load_domain, load_selector, loaded
from mendel.kernel.mind import SelectorFactory
from mendel.kernel.state import RunState
from mendel.kernel.walls import check_ports, check_walls
from mendel.ports.clock import Clock
from mendel.ports.event_log import EventLog
from mendel.ports.task_fabric import TaskFabric
from mendel.selection.selectors import Tournament


async def folded(log: EventLog, run_id: str, state: RunState | None = None) -> RunState:
    """Return the state of a run after its last event; a given ``state`` is updated in place.

    Raises:
        RunNotFound: the run has no events.
        LogIntegrityError: the log is damaged.
        IllegalTransition: the log is not a valid history of a run.
    """
    await log.tip(run_id)
    state = state or RunState(run_id)
    async for event in log.read(run_id, state.sequence + 1):
        fold(state, event)
    if state.sequence < 0:
        raise RunNotFound(f"there is no run {run_id} in this log; `mendel runs` lists its runs")
    return state


async def conduct(
    run_id: str,
    *,
    log: EventLog,
    fabric: TaskFabric,
    clock: Clock,
    options: Options | None = None,
    domains: Domains = load_domain,
) -> RunState:
    """Bring the run to its end from its current state; ``domains`` finds its domain by name.

    Raises:
        RunBusy: another live conductor holds the run.
        NicheClaimed: an older run claims one of its niches.
        RunRefused: another run has made challenges in its niches since it began.
        CommandNotPossible: the run is over.
        PluginError: its domain is needed and cannot be loaded.
        SandboxUnavailable: it runs untrusted code, and the sandbox is too weak for it.
        RunRefused: one of its steps requires a port that the fabric does not open.
        MendelError: it was interrupted: the log cannot be written, or another conductor took it over.
    """
    options = options or Options()
    state = await folded(log, run_id)
    _refuse_over(state)
    domain, selector = await _plugins(state, options, domains)
    if not options.only_answer:
        await refuse_overtaken(log, state)
        await check_walls(domain, state.config, fabric)
        await check_ports(domain, state.config, fabric.ports, options.domain_patience_s)
    check = partial(_refuse_needless, log, state, domain)
    async with log.conduct(run_id, conductor=options.conductor, check=check) as writer, fabric.lane(run_id) as lane:
        await folded(log, run_id, state)  # the conductor before may have appended events until it lost the run
        return await Conductor(log, writer, lane, clock, state, domain, selector, options).run()


def _refuse_over(state: RunState) -> None:
    if state.terminal:
        run_id = state.run_id
        raise CommandNotPossible(
            f"run {run_id} is {state.status}; a run that is over cannot go on:"
            f" `mendel run --from {run_id}` starts a new one"
        )


async def _refuse_needless(log: EventLog, state: RunState, domain: Domain) -> None:
    """Check that a run held by this process has something to do, before the log records the takeover.

    It may have ended while this process waited for its last conductor. Without the domain, commands that only the
    domain can answer are left to a process that has it, unless another waiting command can be answered here.
    """
    await folded(log, state.run_id, state)
    waiting = await log.commands(state.run_id, state.commands_through)
    if not waiting:
        _refuse_over(state)
    if isinstance(domain, AbsentDomain) and waiting and all(map(_needs_domain, waiting)):
        raise domain.error


def _needs_domain(command: Command) -> bool:
    sets_own = command.kind is CommandKind.SET_PARAMETERS and "domain" in command.payload
    return sets_own or command.kind is CommandKind.PROPOSE


async def _plugins(state: RunState, options: Options, domains: Domains) -> tuple[Domain, SelectorFactory]:
    """Load the run's plug-ins; answering commands works without them: the kill switch needs no plug-in (rule 1)."""
    config = state.config
    try:
        domain = await loaded(domains, config.domain, options.domain_patience_s)
        return domain, load_selector(config.selector)
    except (PluginError, DomainFailed) as error:
        if not options.only_answer:
            raise
        return AbsentDomain(error), Tournament


class Fleet:
    """Conducts up to ``most`` runs at once; the failure of one does not affect the others."""

    def __init__(self, *, log: EventLog, clock: Clock, most: int, domains: Domains = load_domain) -> None:
        self._conduct = partial(conduct, log=log, clock=clock, domains=domains)
        self._places = asyncio.Semaphore(most)

    async def conduct(self, run_id: str, fabric: TaskFabric, options: Options | None = None) -> RunState | MendelError:
        """Conduct a run once there is a free place; return its final state or the error that interrupted it."""
        async with self._places:
            try:
                return await self._conduct(run_id, fabric=fabric, options=options)
            except MendelError as error:
                return error
            # Broad on purpose: no failure of one run, not even a bug, may reach the others.
            except Exception as error:  # noqa: BLE001
                structlog.get_logger(__name__).exception("run_interrupted", run_id=run_id)
                return KernelError(f"run {run_id} was interrupted by {type(error).__name__}; this is a bug in Mendel")
