"""A small domain whose every method and handler can be swapped for a hostile one, and a scene to let it loose in."""

from __future__ import annotations

import asyncio
import os
import textwrap
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime
from itertools import count
from typing import ClassVar, NamedTuple

import orjson
from pydantic import BaseModel, ConfigDict, JsonValue

from mendel.adapters.memory.clock import SystemClock
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import CommandKind, NewCommand
from mendel.contracts.energy import Usage
from mendel.contracts.errors import HandlerFailed, UnknownPlugin
from mendel.contracts.events.envelope import GENESIS, Event
from mendel.contracts.ids import new_event_id
from mendel.contracts.payloads import PAYLOADS, DomainPayload
from mendel.contracts.run_config import Pace, RunConfig
from mendel.contracts.statuses import GenomeStatus
from mendel.contracts.work import Answer, Work
from mendel.kernel.beginning import configure
from mendel.kernel.conduct import Fleet, conduct, folded
from mendel.kernel.conductor import Options
from mendel.kernel.domain import Domain, Expression, Step
from mendel.kernel.fold import fold
from mendel.kernel.moves import Examine, Score
from mendel.kernel.state import RunState
from mendel.ports.records import Record, digest_of
from mendel.selection.operators import Operator

PATIENCE_S = 120
"""How long a test waits for what must happen at all."""

CEILING = RunCaps(**dict.fromkeys(RunCaps.model_fields, 2**53 - 1))
ALLOWANCE = Usage(cpu_ms=1_000, tool_calls=2, tokens_in=300, tokens_out=200, cost_microusd=50, evaluations=40)
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
    most_candidates: ClassVar[int] = 3

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


_BEGUN = count()


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
        """A run in a niche of its own, unless ``fields`` name one: several may go at once."""
        fields = {"niche": f"attack {next(_BEGUN)}", **fields}
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
        if allowance.evaluations:
            assert ledger.used.max_evaluations + ledger.held.max_evaluations <= caps.max_evaluations, where


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


# --- nonsense ---------------------------------------------------------------------------------------------------------

NEVER_HEARD_OF = DomainPayload(domain="attack", kind="nonsense", version=3, data={})
UNSTORABLE = {
    "unregistered": NEVER_HEARD_OF,
    "too large": thing(text="x" * 2_000_000),
    "NUL": thing(text="a\0b"),
    "surrogate": thing(text="\ud800"),
    "deep": thing(x=[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]),
    "huge number": thing(number=10**30),
    "not a number": DomainPayload.model_construct(domain="attack", kind="thing", version=1, data={"x": float("nan")}),
    "no name": DomainPayload.model_construct(domain="Attack!", kind="", version=-1, data=None),
}


async def _raises(work):
    raise RuntimeError("no")


async def _odd_code(work):
    raise HandlerFailed("Not A Code!", "x" * 500_000 + "\0")


async def _speechless(work):
    raise HandlerFailed("mute", "")


async def _exits(work):
    raise SystemExit(3)


async def _cancels(work):
    raise asyncio.CancelledError


async def _nan(work):
    return Answer(findings=thing(number=float("nan")))


def answering(**fields):
    async def handler(work):
        return Answer(**fields)

    return handler


def returning(value):
    async def handler(work):
        return value

    return handler


BAD_HANDLERS = {
    "nobody has it": None,
    "raises": _raises,
    "an odd code": _odd_code,
    "no message": _speechless,
    "exits": _exits,
    "cancels itself": _cancels,
    "none": returning(None),
    "text": returning("done"),
    "a dictionary": returning({"findings": {}}),
    "a class": returning(Answer),
    "a forged answer": returning(Answer.model_construct(findings="x", usage=None)),
    "5 MB": answering(findings=thing(text="x" * 5_000_000)),
    "NUL": answering(findings=thing(text="a\0b")),
    "a surrogate": answering(findings=thing(text="\ud800")),
    "NaN": _nan,
    "a huge number": answering(findings=thing(number=10**30)),
    "deep": answering(findings=UNSTORABLE["deep"]),
    "unregistered": answering(findings=NEVER_HEARD_OF),
    "another domain's": answering(findings=DomainPayload(domain="reference", kind="nonsense", data={})),
    "huge usage": answering(findings=thing(), usage=Usage.model_construct(tokens_in=10**30)),
    "huge attempts": answering(findings=thing(), attempts=10**30),
    "huge time": answering(findings=thing(), usage=Usage.model_construct(wall_ms=10**30)),
}


# --- several runs at once -------------------------------------------------------------------------------------------


async def fleet_of(bad, *, patience_s=10.0, handlers=None, **fields):
    """A run of a bad domain between two of a good one, conducted at once; the good ones are plain."""
    good = Scene(handlers=handlers)
    domains = {"attack": good.domain}
    ids = [await good.begin(), None, await good.begin(rng_seed=8)]
    domains["attack"] = bad
    ids[1] = await good.begin(problem="bad", **fields)
    async with good.fabric() as fabric:
        fleets = [
            Fleet(log=good.log, clock=SystemClock(), most=1, domains=lambda name, found=found: found)
            for found in (good.domain, bad, good.domain)
        ]
        options = Options(domain_patience_s=patience_s)
        conducting = [fleet.conduct(run_id, fabric, options) for fleet, run_id in zip(fleets, ids, strict=True)]
        ends = await asyncio.wait_for(asyncio.gather(*conducting, return_exceptions=True), 20)
    for run_id, end in zip(ids, ends, strict=True):
        if not isinstance(end, BaseException):
            assert (await folded(good.log, run_id)).status == end.status
    return ends


def statuses(ends):
    return [getattr(end, "status", end) for end in ends]


# --- what is installed or recorded already --------------------------------------------------------------------------

PREFACE = "from pydantic import BaseModel\nfrom mendel.kernel.domain import Domain, Step\n"
BARE = """
class Bare(Domain):
    name = "{name}"
    steps = {steps}
    payloads = {payloads}
    def founders(self, config, entropy): return []
    def express(self, genome, config): return None
    def route(self, dossier): return ()
"""


def bare(name, steps="{}", payloads="{}"):
    """The source of a domain that can be loaded and no more."""
    return BARE.format(name=name, steps=steps, payloads=payloads)


REGISTERED = """\
from mendel.ports.registration import DomainRegistration

REGISTRATION = DomainRegistration(name="{name}", title="Bad", summary="It behaves badly.", domain="{domain}")
"""


def install_plugin(place, source, groups):
    """Lay a distribution with that module and those entry points below ``place``; the folder to put on the path.

    What stands under ``domains`` are classes of that module: each gets its registration in a module of its own.
    """
    name = f"bad_plugin_{os.urandom(4).hex()}"
    folder = place / name
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / f"{name}.py").write_text(PREFACE + textwrap.dedent(source))
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = []
    for group, entries in groups.items():
        lines.append(f"[mendel.{group}]")
        for entry, target in entries.items():
            if group != "domains":
                lines.append(f"{entry} = {name}:{target}")
                continue
            (folder / f"{name}_{entry}.py").write_text(REGISTERED.format(name=entry, domain=f"{name}:{target}"))
            lines.append(f"{entry} = {name}_{entry}:REGISTRATION")
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return folder


def older(run_id, domain, **fields):
    """The first event of a run as a Mendel of schema version 1 wrote it, before the kernel's fields were there."""
    config = {
        "domain": domain,
        "problem": "an old problem",
        "rng_seed": 5,
        "caps": {"max_population": 4, "max_generations": 2},
        "domain_config": None,
        **fields,
    }
    payload = orjson.dumps({"config": config, "mendel_version": "0.0.1"}, option=orjson.OPT_SORT_KEYS)
    at = datetime(2024, 1, 1, tzinfo=UTC)
    columns = (run_id, 0, new_event_id(), "run.configured", 1, at, "operator", *[None] * 7, payload, GENESIS)
    return Record(*columns, hash=digest_of(*columns))
