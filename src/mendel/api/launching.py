"""Start runs from requests: every possible refusal happens before anything is appended to the log."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

from pydantic import ValidationError

from mendel.api.conductors import Conductors
from mendel.api.domains import generic
from mendel.api.idempotency import OneAtATime, asked_with, print_of, run_id_for, seed_for
from mendel.api.launch_schemas import Estimate, RunRequest
from mendel.api.problems import Refused
from mendel.api.registration import Plan, ServedDomain, Workshop
from mendel.contracts.canonical import canonical
from mendel.contracts.caps import RunCaps
from mendel.contracts.errors import ConfigError, DomainFailed, RunBusy, RunRefused
from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.payloads import explain, plain
from mendel.contracts.run_config import OFFLINE, RunConfig
from mendel.contracts.times import utc_now
from mendel.kernel.beginning import configure, refuse_above, with_models
from mendel.kernel.loading import asked_roles, load_selector
from mendel.ports.event_log import EventLog
from mendel.ports.registration import blaming, owner_of

_AGAIN_S: Final = 0.1  # between attempts to claim a key


class Begun(NamedTuple):
    """A run, and whether an earlier request with the same key began it."""

    run_id: str
    again: bool


@dataclass(frozen=True)
class Models:
    """The models available to runs; ``refuse_unready`` raises if a key is missing. Both reread the settings."""

    plan: Callable[[], ModelPlan | None] = lambda: None
    refuse_unready: Callable[[], None] = lambda: None


class Launcher:
    """Begins runs and has them conducted; a repeated request with the same key begins only one run."""

    def __init__(
        self,
        log: EventLog,
        conductors: Conductors,
        workshop: Workshop,
        *,
        domains: Sequence[ServedDomain],
        ceiling: RunCaps,
        models: Models | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self.workshop = workshop
        self.ceiling = ceiling
        self._log = log
        self._conductors = conductors
        self._domains: Mapping[str, ServedDomain] = {domain.name: domain for domain in domains}
        self._models = models or Models()
        self._now = now
        self._keys = OneAtATime()
        self._measuring = asyncio.Lock()  # one original at a time, because they are timed

    async def launch(self, request: RunRequest, key: str) -> Begun:
        """Begin a run, or find the run that was begun with this key.

        Raises:
            MendelError: the run is not possible; nothing was appended.
        """
        async with self._keys.of(key), self._alone(key):  # within this server, then among all
            known = await self._begun(request, key)
            run_id = known or await self._recorded(request, key)
        if known is None or await self._unbegun(run_id):
            self._conductors.conduct(run_id)
        return Begun(run_id, known is not None)

    async def estimate(self, request: RunRequest) -> Estimate:
        """Estimate the worst-case cost of a run; appends nothing and runs nothing.

        Raises:
            MendelError: the run is not possible.
        """
        plan = await self._planned(request, request.rng_seed or 0)  # the seed does not change the cost
        return _estimated(self._possible(plan, request, self._plan_of(request)))

    # --- recording -------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _alone(self, key: str) -> AsyncIterator[None]:
        """Exclude other servers of this log: ids contain the time, so two could make two runs for one key."""
        async with AsyncExitStack() as held:
            while True:
                with suppress(RunBusy):  # claims do not queue, hence the polling
                    await held.enter_async_context(self._log.claimed(run_id_for(key, 0)))
                    break
                await asyncio.sleep(_AGAIN_S)
            yield

    async def _begun(self, request: RunRequest, key: str) -> str | None:
        for run in await self._log.runs():
            if asked_with(key, run.run_id):
                if await _correlation(self._log, run.run_id) != print_of(request):
                    raise Refused(
                        422,
                        "idempotency_key_reused",
                        f"this key has started run {run.run_id} from another request; use a new key for a new run",
                    )
                return run.run_id
        return None

    async def _unbegun(self, run_id: str) -> bool:
        """Whether the run was recorded but never conducted, because its server died in between."""
        return (await self._log.tip(run_id)).next == 1

    async def _recorded(self, request: RunRequest, key: str) -> str:
        seed = request.rng_seed if request.rng_seed is not None else seed_for(key)
        plan = await self._planned(request, seed)
        models = self._plan_of(request)
        self._possible(plan, request, models)
        if models is not None:  # an estimate needs no keys
            self._models.refuse_unready()
        async with self._measuring, self.workshop.fabric(commands=plan.commands) as fabric:
            with blaming(request.domain, "the planner"):
                measured = await plan.measured(fabric)
            config = self._bounded(plan, _configured(measured, request.domain), request)
            return await configure(
                self._log,
                config,
                self.ceiling,
                fabric=fabric,
                models=models,
                run_id=run_id_for(key, int(self._now().timestamp() * 1_000)),
                correlation_id=print_of(request),
            )

    async def _planned(self, request: RunRequest, seed: int) -> Plan:
        domain = self._domains.get(request.domain)
        form = domain.form if domain is not None else None
        if form is not None and request.config is not None:
            raise RunRefused(
                f"the domain {request.domain} takes `inputs`, not `config`; GET /api/domains describes them"
            )
        planner = form.plan if form is not None else generic.plan
        try:
            if form is not None:
                form.inputs.model_validate(request.inputs or {})  # the planner may rely on valid inputs
            # Planners may block, hence the thread.
            with blaming(request.domain, "the planner", passing=ValidationError):
                plan = await asyncio.to_thread(partial(planner, request, seed, self.workshop))
        except ValidationError as error:
            wrong = {".".join(("inputs", *map(str, each["loc"]))): plain(each["msg"]) for each in error.errors()}
            raise Refused.at(ConfigError(f"inputs: {explain(error)}"), wrong) from None
        return _checked(plan, request.domain)

    def _plan_of(self, request: RunRequest) -> ModelPlan | None:
        return self._models.plan() if (request.model_profile or OFFLINE) != OFFLINE else None

    def _possible(self, plan: Plan, request: RunRequest, models: ModelPlan | None) -> RunConfig:
        """Return the configuration before any measurement, and make every check that is possible by then."""
        with blaming(request.domain, "the planner"):
            draft = plan.draft()
        config = with_models(self._bounded(plan, _configured(draft, request.domain), request), models)
        load_selector(config.selector)
        canonical(config.model_dump(mode="json"))  # raises if the log could not store it
        return config

    def _bounded(self, plan: Plan, config: RunConfig, request: RunRequest) -> RunConfig:
        """Apply the request's other fields; defaults are lowered to the ceilings, requested caps are not."""
        asked = request.caps.model_dump(exclude_none=True)
        kept = {name: getattr(config.caps, name) for name in plan.asked_caps}  # refused below, not lowered
        caps = config.caps.clamped(self.ceiling).model_copy(update={**kept, **asked})
        self._refuse_above(caps)
        given = {name: getattr(request, name) for name in ("problem", "pace", "selector", "slots")}
        said = {name: value for name, value in given.items() if value is not None}
        return config.model_copy(update={**said, "caps": caps})

    def _refuse_above(self, caps: RunCaps) -> None:
        try:
            refuse_above(caps, self.ceiling)
        except RunRefused as error:
            above = {f"caps.{name}": f"at most {getattr(self.ceiling, name):,}" for name in caps.above(self.ceiling)}
            raise Refused.at(error, above) from None


def _checked(plan: Plan, domain: str) -> Plan:
    """Make sure that a domain's planner returned a complete plan."""
    lacking = [name for name in ("commands", "asked_caps", "draft", "measured") if not hasattr(plan, name)]
    if lacking:
        raise DomainFailed(
            f"the planner of {owner_of(domain)} returns a {type(plan).__name__}, which has no {lacking[0]}; this is a"
            " bug of the domain"
        )
    return plan


def _configured(config: object, domain: str) -> RunConfig:
    """Make sure that a plan returned a configuration."""
    if not isinstance(config, RunConfig):
        raise DomainFailed(
            f"the planner of {owner_of(domain)} returns a {type(config).__name__}, not a RunConfig; this is a bug of"
            " the domain"
        )
    return config


async def _correlation(log: EventLog, run_id: str) -> str | None:
    async with aclosing(log.read(run_id)) as events:
        async for event in events:
            return event.correlation_id
    return None


# --- estimating ------------------------------------------------------------------------------------------------


def _estimated(config: RunConfig) -> Estimate:
    caps = config.caps
    calls, cost, notes = _worst(config)
    return Estimate(
        energy=caps.energy_budget,
        tokens=caps.max_tokens if calls else 0,
        cost_microusd=caps.max_cost_microusd if cost else 0,
        model_calls=calls,
        wall_clock_ms=caps.wall_clock_ms,
        notes=notes,
    )


def _worst(config: RunConfig) -> tuple[int, int, list[str]]:
    """Return the worst-case number of model calls, the cost of one question, and notes.

    Raises:
        RunRefused: not a single question fits into the caps.
    """
    if config.models is None:
        return 0, 0, ["no model is called"]
    roles = list(asked_roles(config).values())
    one = [role.worst() for role in roles]
    tokens = sum(each.tokens_in + each.tokens_out for each in one)
    cost = sum(each.cost_microusd for each in one)
    if tokens > config.caps.max_tokens or cost > config.caps.max_cost_microusd:
        raise RunRefused(
            f"one question takes at worst {tokens:,} tokens and ${cost / 1e6:,.2f}, which is more than the run's caps"
            " allow, so no model could be called; raise max_tokens or max_cost_microusd"
        )
    names = ", ".join(str(source.route) for role in roles for source in role.sources)
    calls = config.caps.max_candidates * sum(role.attempts for role in roles)  # one question per role and candidate
    said = f"asks {names}; one question takes at worst {tokens:,} tokens and ${cost / 1e6:,.2f}"
    return calls, cost, [said, "the caps end the run, whatever the models answer"]
