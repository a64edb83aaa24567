"""A small domain whose every method and handler can be swapped for a hostile one, and a scene to let it loose in."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import ClassVar, NamedTuple

from pydantic import BaseModel, ConfigDict, JsonValue

from mendel.adapters.memory.clock import SystemClock
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import CommandKind, NewCommand
from mendel.contracts.energy import Usage
from mendel.contracts.errors import UnknownPlugin
from mendel.contracts.events.envelope import Event
from mendel.contracts.payloads import PAYLOADS, DomainPayload
from mendel.contracts.run_config import Pace, RunConfig
from mendel.contracts.statuses import GenomeStatus
from mendel.contracts.work import Answer, Work
from mendel.kernel.beginning import configure
from mendel.kernel.conduct import conduct
from mendel.kernel.conductor import Options
from mendel.kernel.domain import Domain, Expression, Step
from mendel.kernel.fold import fold
from mendel.kernel.moves import Examine, Score
from mendel.kernel.state import RunState
from mendel.selection.operators import Operator

PATIENCE_S = 8
"""How long a test waits for what must happen at all."""

CEILING = RunCaps(**dict.fromkeys(RunCaps.model_fields, 2**53 - 1))
ALLOWANCE = Usage(cpu_ms=1_000, tool_calls=2, tokens_in=300, tokens_out=200, cost_microusd=50)
USED = Usage(cpu_ms=100, tool_calls=1, tokens_in=100, tokens_out=50, cost_microusd=10)

PACES = {
    "generational": Pace(),
    "birth": Pace(kind="steady", order="birth", window=3),
    "arrival": Pace(kind="steady", order="arrival", window=3),
}


class Thing(BaseModel):
    """Data of any shape."""

    model_config = ConfigDict(extra="allow")

    __pydantic_extra__: dict[str, JsonValue]


def thing(**data: JsonValue) -> DomainPayload:
    return DomainPayload(domain="attack", kind="thing", version=1, data=data)


class AttackDomain(Domain):
    """Behaves, unless a method is handed in that does not."""

    name: ClassVar[str] = "attack"
    payloads: ClassVar[Mapping[tuple[str, int], type[BaseModel]]] = {("thing", 1): Thing}
    steps: ClassVar[Mapping[str, Step]] = {
        "attack.vary": Step(allowance=ALLOWANCE),
        "attack.look": Step(allowance=ALLOWANCE),
        "attack.express": Step(allowance=ALLOWANCE),
        "attack.repair": Step(allowance=ALLOWANCE),
        "attack.gate": Step(allowance=ALLOWANCE),
    }
    operators: ClassVar[Sequence[Operator]] = (Operator(name="vary", step="attack.vary"),)

    def __init__(self, **methods: Callable[..., object]) -> None:
        self.methods = methods

    def _asked(self, method, otherwise, *given):
        return self.methods.get(method, otherwise)(*given)

    def founders(self, config, entropy):
        return self._asked("founders", founders, config, entropy)

    def admit(self, proposal, config):
        return self._asked("admit", lambda *_: thing(value=0.5), proposal, config)

    def express(self, genome, config):
        return self._asked("express", lambda *_: Expression(contents=(genome.traits,)), genome, config)

    def conditions(self, *given):
        return self._asked("conditions", lambda *_: None, *given)

    def route(self, dossier):
        return self._asked("route", route, dossier)


PAYLOADS.register("attack", "thing", 1, Thing)


def founders(config, entropy):
    return [thing(value=entropy.unit(number)) for number in range(3)]


def route(dossier):
    if dossier.phase in ("contending", "generation"):
        return ()
    if dossier.last("attack.look") is None:
        return (Examine(step="attack.look"),)
    return (Score(components={"value": float(dossier.content.data.get("value", 0.0))}),)


async def vary(work: Work) -> Answer:
    return Answer(traits=thing(value=work.entropy.unit("value")), usage=USED)


async def look(work: Work) -> Answer:
    return Answer(findings=thing(seen=True), usage=USED)


async def express(work: Work) -> Answer:
    return Answer(contents=(work.material.traits or thing(),), usage=USED)


async def hang(work: Work) -> Answer:
    await asyncio.Event().wait()
    raise AssertionError("nobody sets it")


HANDLERS: Mapping[str, Callable] = {
    "attack.vary": vary,
    "attack.look": look,
    "attack.express": express,
    "attack.repair": express,
}


def configuration(**fields) -> RunConfig:
    caps = RunCaps(**{"max_population": 6, "max_generations": 4, "max_candidates": 40, **fields.pop("caps", {})})
    base = {"domain": "attack", "problem": "to break a rule", "rng_seed": 7, "slots": 4}
    return RunConfig(**{**base, "caps": caps, **fields})


class Attack(NamedTuple):
    """What came of it."""

    run_id: str
    state: RunState
    events: list[Event]

    def count(self, event_type: str) -> int:
        return sum(event.type == event_type for event in self.events)

    def payloads(self, event_type: str) -> list:
        return [event.payload for event in self.events if event.type == event_type]


class Scene:
    """A log, a fabric and a domain; the run goes on until it is over."""

    def __init__(self, domain=None, handlers=None, *, log=None, clock=None) -> None:
        self.domain = domain or AttackDomain()
        self.handlers = {**HANDLERS, **(handlers or {})}
        self.clock = clock or SystemClock()
        self.log = log or MemoryEventLog(clock=self.clock.now)
        self.domains = lambda name: self.domain

    def find(self, step):
        if self.handlers.get(step) is None:
            raise UnknownPlugin(f"nobody has {step}; known are {', '.join(sorted(self.handlers))}")
        return self.handlers[step]

    @asynccontextmanager
    async def fabric(self):
        fabric = MemoryTaskFabric(workers=0, handlers=self.find)
        try:
            yield fabric
        finally:
            await fabric.close()

    async def begin(self, **fields) -> str:
        return await configure(self.log, configuration(**fields), CEILING, domains=self.domains)

    async def ask(self, run_id, kind, **payload) -> None:
        await self.log.submit(NewCommand(run_id=run_id, kind=CommandKind(kind), payload=payload))

    async def conduct(self, run_id, **options) -> RunState:
        async with self.fabric() as fabric:
            run = conduct(
                run_id,
                log=self.log,
                fabric=fabric,
                clock=self.clock,
                options=Options(**options),
                domains=self.domains,
            )
            return await asyncio.wait_for(run, PATIENCE_S)

    async def events(self, run_id) -> list[Event]:
        async with aclosing(self.log.read(run_id)) as events:
            return [event async for event in events]

    async def play(self, *, listen=None, patience_s=10.0, **fields) -> Attack:
        """Configure a run, conduct it to its end, and say what stands in the log."""
        run_id = await self.begin(**fields)
        return await self.resume(run_id, listen=listen, patience_s=patience_s)

    async def resume(self, run_id, *, listen=None, patience_s=10.0) -> Attack:
        options = {"domain_patience_s": patience_s, **({"listen": listen} if listen else {})}
        state = await self.conduct(run_id, **options)
        return Attack(run_id, state, await self.events(run_id))

    async def interrupt(self, run_id, when) -> None:
        """Conduct until ``when(event)`` is true of a recorded event, and die there."""
        reached = asyncio.Event()
        async with self.fabric() as fabric:
            options = Options(listen=lambda event: reached.set() if when(event) else None)
            run = conduct(run_id, log=self.log, fabric=fabric, clock=self.clock, options=options, domains=self.domains)
            conducting = asyncio.create_task(run)
            waiting = asyncio.create_task(reached.wait())
            await asyncio.wait_for(asyncio.wait((conducting, waiting), return_when=asyncio.FIRST_COMPLETED), PATIENCE_S)
            waiting.cancel()
            assert not conducting.done(), "it was over before it could be interrupted"
            conducting.cancel()
            await asyncio.gather(conducting, return_exceptions=True)


def prefixes(events: Sequence[Event]) -> Iterator[tuple[Event, RunState]]:
    """The state after each event; one state that changes."""
    state = RunState(events[0].run_id)
    for event in events:
        yield event, fold(state, event)


def population(state: RunState) -> int:
    """How many genomes live or are on their way, each counted once."""
    lives = (GenomeStatus.SEEDED, GenomeStatus.ACTIVE, GenomeStatus.ELIGIBLE_PARENT, GenomeStatus.REPRODUCED)
    return len(state.births.home_of) + sum(
        known.status in lives or known.unsettled > 0 for known in state.genomes.values()
    )


def assert_within_caps(events: Sequence[Event]) -> None:
    """No prefix of the log is above a cap; and nothing starts that could take the run above one."""
    for event, state in prefixes(events):
        caps, ledger = state.config.caps, state.ledger
        where = f"after {event.type} at {event.sequence}"
        assert population(state) <= caps.max_population, where
        assert len(state.generations) <= caps.max_generations, where
        assert len(state.candidates) <= caps.max_candidates, where
        assert state.deepest <= caps.max_spawn_depth, where
        assert 0 <= ledger.reserved <= caps.energy_budget - ledger.spent, where
        if event.type != "operation.started":
            continue
        allowance = event.payload.operation.allowance
        if allowance.tool_calls:
            assert ledger.used.max_tool_calls + ledger.held.max_tool_calls <= caps.max_tool_calls, where
        if allowance.tokens_in + allowance.tokens_out:
            assert ledger.used.max_tokens + ledger.held.max_tokens <= caps.max_tokens, where
        if allowance.cost_microusd:
            assert ledger.used.max_cost_microusd + ledger.held.max_cost_microusd <= caps.max_cost_microusd, where


class Stuck:
    """A domain's method that does not return, until the test lets it go."""

    def __init__(self, how: str) -> None:
        self.how = how
        self.inside = threading.Event()
        self.released = threading.Event()

    def __call__(self, *given: object) -> object:
        self.inside.set()
        if self.how == "spins":
            while not self.released.is_set():
                pass
        else:
            self.released.wait(3_600)
        raise RuntimeError("let go")

    async def entered(self) -> None:
        assert await asyncio.to_thread(self.inside.wait, PATIENCE_S)

    def __enter__(self) -> Stuck:
        return self

    def __exit__(self, *exc: object) -> None:
        self.released.set()
