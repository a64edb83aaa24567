"""User code as it should not be written: every line marked ``wrong`` must be reported."""

from __future__ import annotations

from pathlib import Path

from mendel.adapters.file.event_log import FileEventLog
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.contracts.actors import Actor
from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import NewCommand
from mendel.contracts.energy import EnergyCosts, Usage
from mendel.contracts.errors import LogIntegrityError
from mendel.contracts.events.envelope import Event, EventDraft
from mendel.contracts.events.registry import EVENT_PAYLOADS
from mendel.contracts.events.run import RunStarted, RunStopped
from mendel.contracts.ids import RunId
from mendel.contracts.payloads import PAYLOADS
from mendel.contracts.run_config import RunConfig
from mendel.contracts.scoring import JudgeRubric
from mendel.contracts.verdicts import Challenge
from mendel.guard import Sample, judge_samples
from mendel.ports.blobs import Blobs
from mendel.ports.event_log import EventLog


async def careless(log: EventLog, event: Event, run_id: RunId) -> None:
    event.sequence = 7  # wrong: frozen
    event.payload = RunStarted()  # wrong: frozen
    await log.append(run_id, [RunStarted()], expected=0)  # wrong: a payload is no draft
    await log.append(run_id, [EventDraft.of(RunStarted())])  # wrong: where does it belong?
    await log.append(run_id, [EventDraft.of(RunStarted())], 0)  # wrong: by name only
    await log.delete(run_id)  # wrong: there is no such method
    await log.blobs.put("text")  # wrong: bytes
    async for _ in log.read(7):  # wrong: not an id
        pass
    for _ in log.read(run_id):  # wrong: asynchronous
        pass


def hasty(log: EventLog, run_id: RunId) -> int:
    return log.append(run_id, [], expected=0)[0].sequence  # wrong: not awaited


EventLog()  # wrong: abstract
Blobs()  # wrong: abstract
MemoryEventLog(Path("x"))  # wrong: memory needs no folder
FileEventLog("runs")  # wrong: a path
EventDraft.of("run.started")  # wrong: not a payload
EventDraft.of(RunStarted(), actor="runtime")  # wrong: one of the eight
RunStarted(stray=1)  # wrong: unknown field
RunStopped()  # wrong: a reason is required
RunCaps(max_population="many")  # wrong: a number
RunCaps().max_population = 10**9  # wrong: nothing raises a cap
RunConfig(domain="d", problem="p")  # wrong: a seed is required
RunConfig(domain="d", problem="p", rng_seed=1, model_route_overrides={"barrister": {}})  # wrong: no such role
JudgeRubric(weights={}, policy_version="1", immutable_to_agents=False)  # wrong: it is immutable
NewCommand(run_id="x", kind="explode")  # wrong: no such command
EVENT_PAYLOADS["mine"] = RunStarted  # wrong: closed
PAYLOADS.register("d", "k", 1, dict)  # wrong: a pydantic model
LogIntegrityError("weird", 1, "d")  # wrong: no such reason
energy: str = EnergyCosts().price(Usage())  # wrong: a whole number
actor: Actor = "judge"  # wrong: a text is no actor


def trusting(samples: list[Sample], challenge: Challenge) -> None:
    judge_samples(  # wrong: nobody said whether it is sandboxed
        samples, mode="absolute", candidate_id="c:1", challenge=challenge, policy="absolute", used_cases=()
    )
    judge_samples(
        samples,
        mode="best",  # wrong: no mode
        candidate_id="c:1",
        challenge=challenge,
        policy="absolute",
        sandboxed=True,
        used_cases=(),
    )
    Sample("1/a", "operation:1", candidate="yes")  # wrong: neither an outcome nor a number
