"""A domain that does what a test hands it, and a stage on which runs of it can be interrupted and taken up again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from mendel.adapters.memory.clock import ManualClock, SystemClock
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.contracts.base import JsonObject
from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import Command, CommandKind, NewCommand
from mendel.contracts.energy import EnergyCosts, Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import HandlerFailed
from mendel.contracts.events.envelope import Event
from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.organisms import Genome
from mendel.contracts.payloads import PAYLOADS, DomainPayload
from mendel.contracts.run_config import NicheStart, Pace, RunConfig
from mendel.contracts.verdicts import Decision, Provenance, SandboxProvenance, Verdict
from mendel.contracts.verdicts import Reason as Reason
from mendel.contracts.work import Answer, Work
from mendel.kernel.beginning import configure
from mendel.kernel.conduct import conduct, folded
from mendel.kernel.conductor import Options
from mendel.kernel.domain import Domain, Expression, Refused, Step
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Adopt, Challenge, Confirm, Drop, Examine, Move, Score
from mendel.kernel.state import RunState
from mendel.ports.clock import Clock
from mendel.ports.handlers import Ports
from mendel.ports.model_gateway import ModelGateway
from mendel.selection.operators import Operator

NAME: Final = "scripted"
CEILING: Final = RunCaps(**dict.fromkeys(RunCaps.model_fields, 2**53 - 1))
FREE: Final = EnergyCosts(per_tool_call=0, per_spawn=0)
"""A price list on which only tokens and computing cost anything."""

Handled = Callable[[Work], Awaitable[Answer]] | Callable[[Work, Ports], Awaitable[Answer]]


class Thing(BaseModel):
    """Everything that a scripted run is about."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: float
    notes: tuple[str, ...] = ()


PAYLOADS.register(NAME, "thing", 1, Thing)


def thing(value: float, *notes: str) -> DomainPayload:
    return DomainPayload(domain=NAME, kind="thing", version=1, data={"value": value, "notes": list(notes)})


def value_of(payload: DomainPayload | None) -> float:
    return Thing.model_validate(payload.data).value if payload is not None else 0.0


def notes_of(payload: DomainPayload | None) -> tuple[str, ...]:
    return Thing.model_validate(payload.data).notes if payload is not None else ()


def scattered(content: DomainPayload, config: RunConfig) -> str:
    """A niche that only the value knows."""
    return Entropy(1).pick(config.all_niches, repr(value_of(content)))


def out(code: str = "unfit") -> Drop:
    return Drop(reason=Reason(code=code, message=code))


# --- what a domain does if nobody says otherwise -------------------------------------------------------------


def founders(config: RunConfig, entropy: Entropy) -> Sequence[DomainPayload]:
    return [thing(entropy.unit(number)) for number in range(4)]


def several(count: int) -> Callable[[RunConfig, Entropy], Sequence[DomainPayload]]:
    return lambda config, entropy: [thing(entropy.unit(number)) for number in range(count)]


def as_it_is(genome: Genome, config: RunConfig) -> Expression:
    return Expression(contents=(genome.traits,))


def scored_at_once(dossier: Dossier) -> Sequence[Move]:
    return () if dossier.phase in ("contending", "generation") else (Score(components={"value": _shown(dossier)}),)


def looked_at(dossier: Dossier) -> Sequence[Move]:
    """Look once; whoever cannot be seen is out."""
    if dossier.phase in ("contending", "generation"):
        return ()
    seen = dossier.last("scripted.look")
    if seen is None:
        return (Examine(step="scripted.look"),)
    return (out(),) if seen.failed else (Score(components={"value": value_of(seen.findings)}),)


def ambitious(dossier: Dossier) -> Sequence[Move]:
    """As ``looked_at``; and whoever is better than the champion challenges it, once."""
    if dossier.phase != "contending":
        return looked_at(dossier)
    if dossier.adoption == "made":
        return (Confirm(),)
    if dossier.decision is Decision.ADOPT and dossier.adoption is None:
        return (Adopt(),)
    best = dossier.champion.total if dossier.champion is not None else None
    better = best is None or (dossier.total or 0.0) > best
    return (Challenge(step="scripted.gate"),) if better and dossier.last("scripted.gate") is None else ()


def _shown(dossier: Dossier) -> float:
    return value_of(dossier.content)


async def vary(work: Work) -> Answer:
    before = sum(map(value_of, work.material.parents)) / len(work.material.parents)
    shift = work.entropy.unit("shift") - 0.5
    return Answer(traits=thing(before + shift), choices={"shift": shift})


async def look(work: Work) -> Answer:
    return Answer(findings=work.material.content)


async def survey(work: Work) -> Answer:
    return Answer(findings=work.operation.inputs)


async def expressed(work: Work) -> Answer:
    return Answer(contents=(work.material.traits or thing(0.0),))


async def mended(work: Work) -> Answer:
    return Answer(contents=(thing(value_of(work.material.content), "mended"),))


async def gate(work: Work) -> Answer:
    better = value_of(work.material.content) > value_of(work.material.champion)
    return Answer(verdict=verdict(work, Decision.ADOPT if better else Decision.REJECT))


async def nothing(work: Work) -> Answer:
    return Answer()


async def never(work: Work) -> Answer:
    await asyncio.Event().wait()
    raise AssertionError


async def failing(work: Work) -> Answer:
    raise HandlerFailed("unlucky", "it does not work")


def verdict(work: Work, decision: Decision, **changes: Any) -> Verdict:
    """What a gate says about the challenger of ``work``."""
    fields: dict[str, Any] = {
        "candidate_id": work.operation.subject_ids[0],
        "decision": decision,
        "mode": "exact",
        "policy": "larger",
        "challenge": work.operation.challenge,
        "n": 1,
        "reasons": (Reason(code="compared", message="by its value"),),
        "provenance": Provenance(sandbox=SandboxProvenance(tier="none"), spec_hash="0" * 64, candidate_hash="0" * 64),
    }
    return Verdict(**fields | changes)


HANDLERS: Final[Mapping[str, Handled]] = {
    "scripted.vary": vary,
    "scripted.cross": vary,
    "scripted.express": expressed,
    "scripted.look": look,
    "scripted.mend": mended,
    "scripted.survey": survey,
    "scripted.gate": gate,
    "scripted.host": nothing,
    "scripted.evict": nothing,
}

NUDGE: Final = Operator(name="nudge", step="scripted.vary")
CROSS: Final = Operator(name="cross", step="scripted.cross", parents=2, mode="crossover")


class ScriptedDomain(Domain):
    """Every method and handler is handed in; what is not does something plain."""

    name = NAME
    payloads = {("thing", 1): Thing}
    most_candidates = 1

    def __init__(
        self,
        *,
        founders: Callable[[RunConfig, Entropy], Sequence[DomainPayload]] = founders,
        admit: Callable[[JsonObject, RunConfig], DomainPayload | Refused] | None = None,
        express: Callable[[Genome, RunConfig], Expression] = as_it_is,
        conditions: Callable[[int, RunConfig, Entropy, Dossier | None], DomainPayload | None] | None = None,
        route: Callable[[Dossier], Sequence[Move]] = looked_at,
        handlers: Mapping[str, Handled] | None = None,
        steps: Mapping[str, Step] | None = None,
        operators: Sequence[Operator] = (NUDGE,),
        most_candidates: int = 1,
        niche: Callable[[DomainPayload, RunConfig], str] = lambda content, config: config.first_niche,
    ) -> None:
        self.most_candidates = most_candidates
        self.handlers = {**HANDLERS, **(handlers or {})}
        self.steps = {**dict.fromkeys(self.handlers, Step()), **(steps or {})}  # type: ignore[misc]
        self.operators = tuple(operators)  # type: ignore[misc]
        self._founders, self._admit, self._express = founders, admit, express
        self._conditions, self._route, self._niche = conditions, route, niche

    def founders(self, config: RunConfig, entropy: Entropy) -> Sequence[DomainPayload]:
        return self._founders(config, entropy)

    def admit(self, proposal: JsonObject, config: RunConfig) -> DomainPayload | Refused:
        return self._admit(proposal, config) if self._admit is not None else super().admit(proposal, config)

    def niches(self, config: RunConfig) -> Sequence[str]:
        return config.all_niches

    def niche(self, content: DomainPayload, config: RunConfig) -> str:
        return self._niche(content, config)

    def express(self, genome: Genome, config: RunConfig) -> Expression:
        return self._express(genome, config)

    def conditions(
        self, generation: int, config: RunConfig, entropy: Entropy, before: Dossier | None
    ) -> DomainPayload | None:
        return self._conditions(generation, config, entropy, before) if self._conditions is not None else None

    def route(self, dossier: Dossier) -> Sequence[Move]:
        return self._route(dossier)


# --- runs ----------------------------------------------------------------------------------------------------


def config_of(
    *,
    caps: Mapping[str, int] | None = None,
    pace: str = "generational",
    window: int = 3,
    niches: int = 1,
    **fields: Any,
) -> RunConfig:
    """A small run; ``pace`` is generational, birth or arrival, ``niches`` how many it has."""
    kind = "generational" if pace == "generational" else "steady"
    how = Pace(kind=kind, order="arrival" if pace == "arrival" else "birth", window=window)
    limits = RunCaps(**{"max_population": 6, "max_generations": 3, **(caps or {})})
    others = tuple(NicheStart(niche=f"niche {number}") for number in range(1, niches))
    plain = {"domain": NAME, "problem": "p", "rng_seed": 1, "caps": limits, "pace": how, "niches": others}
    return RunConfig(**{**plain, **fields})


class Stage:
    """One run of one domain on a log in memory, conducted as often as a test likes."""

    def __init__(self, domain: Domain, *, clock: Clock | None = None, models: ModelGateway | None = None) -> None:
        self.domain = domain
        self.models = models
        self.clock = clock or SystemClock()
        self.log = MemoryEventLog(clock=self.clock.now)
        self.run_id = ""
        self._heard = 0

    async def configure(self, config: RunConfig, models: ModelPlan | None = None) -> None:
        self.run_id = await configure(
            self.log, config, CEILING, domains=self._found, fabric=self.fabric(), models=models
        )

    def _found(self, name: str) -> Domain:
        return self.domain

    def fabric(self) -> MemoryTaskFabric:
        handlers = getattr(self.domain, "handlers", {})
        return MemoryTaskFabric(workers=0, handlers=handlers.__getitem__, ports=Ports(models=self.models))

    async def conduct(self, options: Options | None = None) -> RunState:
        """Bring the run to its end; each conductor is a process of its own, with nothing left on the fabric."""
        fabric = self.fabric()
        try:
            return await conduct(
                self.run_id, log=self.log, fabric=fabric, clock=self.clock, options=options, domains=self._found
            )
        finally:
            await fabric.close()

    async def interrupt(self, when: Callable[[Event], bool], options: Options | None = None) -> RunState | None:
        """Conduct until ``when`` says so of an event; the state if the run was over before that."""
        told: list[asyncio.Task[RunState]] = []

        def listen(event: Event) -> None:
            if when(event):
                told[0].cancel()

        told.append(asyncio.create_task(self.conduct(replace(options or Options(), listen=listen))))
        with suppress(asyncio.CancelledError):
            return await told[0]
        state = await self.folded()
        return state if state.terminal else None

    async def interrupt_after(self, count: int) -> RunState | None:
        """Conduct for ``count`` events."""
        left = [count]

        def enough(event: Event) -> bool:
            left[0] -= 1
            return left[0] == 0

        return await self.interrupt(enough)

    async def submit(self, kind: CommandKind, **payload: Any) -> Command:
        return await self.log.submit(NewCommand(run_id=self.run_id, kind=kind, payload=payload))

    async def events(self) -> list[Event]:
        return [event async for event in self.log.read(self.run_id)]

    async def folded(self) -> RunState:
        return await folded(self.log, self.run_id)


async def breed(
    config: RunConfig, domain: Domain | None = None, *, clock: Clock | None = None
) -> tuple[RunState, list[Event]]:
    """A run from its beginning to its end."""
    stage = Stage(domain or ScriptedDomain(), clock=clock)
    await stage.configure(config)
    state = await stage.conduct()
    return state, await stage.events()


def of_type(events: Sequence[Event], *types: str) -> list[Event]:
    return [event for event in events if event.type in types]


def payloads(events: Sequence[Event], *types: str) -> list[Any]:
    return [event.payload for event in of_type(events, *types)]


def tokens(count: int) -> Usage:
    return Usage(tokens_in=count)


ONE = {"max_generations": 1}


async def until(condition) -> None:
    """Return once ``condition`` holds.

    Raises:
        TimeoutError: it does not hold within a minute.
    """
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.001)


class WatchedClock(ManualClock):
    """A clock that knows which moments are waited for."""

    def __init__(self) -> None:
        super().__init__()
        self._awaited: list[datetime] = []

    async def until(self, moment: datetime) -> None:
        self._awaited.append(moment)
        try:
            await super().until(moment)
        finally:
            self._awaited.remove(moment)

    def is_awaited(self) -> bool:
        """Whether the conductor sleeps: it has done what is due, and waits for a moment to come."""
        return any(moment > self.now() for moment in self._awaited)

    async def let_pass(self, seconds: float) -> None:
        """Move the clock while the conductor sleeps; return once it sleeps again."""
        await until(self.is_awaited)
        self.advance(seconds)
        await until(self.is_awaited)
