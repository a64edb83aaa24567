"""User code as it should be written; ``mypy --strict`` must find nothing to say about it."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from pydantic import BaseModel, JsonValue

from mendel.adapters.file.event_log import FileEventLog
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.contracts.actors import Actor
from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import CommandKind, NewCommand
from mendel.contracts.energy import EnergyCosts, Usage
from mendel.contracts.errors import LogIntegrityError, MendelError, SequenceConflict
from mendel.contracts.events.envelope import Event, EventDraft
from mendel.contracts.events.operation import OperationCompleted
from mendel.contracts.events.run import RunConfigured, RunStarted
from mendel.contracts.evidence import Resolution, resolve
from mendel.contracts.evidence_refs import BlobRef, EvidenceRef
from mendel.contracts.ids import RunId, new_run_id, parse_run_id
from mendel.contracts.log_views import VerifyReport
from mendel.contracts.payloads import PAYLOADS, DomainPayload, PayloadRegistry
from mendel.contracts.run_config import RunConfig
from mendel.contracts.scrub import Scrubber
from mendel.guard import (
    Challenge,
    Decision,
    GuardConfig,
    Implementation,
    MetamorphicRelation,
    Metric,
    Property,
    Report,
    Sample,
    TaskSpec,
    Verdict,
    judge_samples,
    run,
    run_async,
)
from mendel.guard.generators import arguments, integers, lists
from mendel.ports.event_log import EventLog
from mendel.ports.sandbox import Sandbox
from mendel.ports.transfer import Transferred, export_run, import_run
from mendel.ports.verification import verify


class Timing(BaseModel):
    """A domain's own data."""

    milliseconds: float


def register(registry: PayloadRegistry = PAYLOADS) -> None:
    registry.register("programs", "timing", 1, Timing)
    parsed: BaseModel = registry.parse(DomainPayload(domain="programs", kind="timing", data={"milliseconds": 1.5}))
    assert isinstance(parsed, Timing)


def configured(problem: str) -> EventDraft:
    caps = RunCaps(max_population=3).clamped(RunCaps())
    config = RunConfig(domain="programs", problem=problem, rng_seed=7, caps=caps)
    return EventDraft.of(RunConfigured(config=config, mendel_version="0"), actor=Actor.OPERATOR)


async def write(log: EventLog) -> RunId:
    run_id = new_run_id()
    stored: tuple[Event, ...] = await log.append(run_id, [configured("sort"), EventDraft.of(RunStarted())], expected=0)
    async with log.conduct(run_id, conductor="me") as writer:
        findings = DomainPayload(domain="programs", kind="timing", data={"milliseconds": 1.5})
        payload = OperationCompleted(operation_id="op-1", step="programs.timing", findings=findings)
        await writer.append([EventDraft.of(payload, candidate_id="candidate-1")])
        epoch: int = writer.epoch
    assert stored[0].sequence < epoch
    return run_id


async def read(log: EventLog, run_id: RunId) -> list[str]:
    try:
        return [event.type async for event in log.read(run_id, start=1)]
    except LogIntegrityError as error:
        return [error.reason, str(error.sequence), error.code]
    except MendelError as error:
        raise SystemExit(error.exit_code) from error


async def ask(log: EventLog, run_id: RunId) -> int:
    command = await log.submit(NewCommand(run_id=run_id, kind=CommandKind.STOP))
    return command.position


async def keep(log: EventLog, data: bytes) -> bytes:
    ref: BlobRef = await log.blobs.put(data, "text/plain")
    return await log.blobs.get(ref)


async def move(log: EventLog, other: EventLog, path: Path, run_id: RunId) -> VerifyReport:
    buffer = BytesIO()
    moved: Transferred = await export_run(log, run_id, buffer)
    path.write_bytes(buffer.getvalue())
    await import_run(other, path, Scrubber.from_environment({"MY_TOKEN": "x" * 8}))
    return await verify(other, moved.run_id)


async def main(folder: Path) -> None:
    async with MemoryEventLog(clock=lambda: datetime.now(UTC)) as log, FileEventLog(folder) as other:
        run_id = parse_run_id(await write(log))
        try:
            await log.append(run_id, [EventDraft.of(RunStarted())], expected=99)
        except SequenceConflict:
            events = {event.id: event async for event in log.read(run_id)}
            found: Resolution = resolve(EvidenceRef(kind="trace", event_id=next(iter(events))), events.get)
            assert found.unresolved is None
        report = await move(log, other, folder / "run.mendel", run_id)
        assert report.ok


price: int = EnergyCosts().price(Usage(tokens_in=1))


def judged(new: Path) -> bool:
    spec = TaskSpec(
        name="halves",
        gen_inputs=arguments(lists(integers(0, 9), max_size=5)),
        properties=[Property(check=lambda output, numbers: len(output) <= len(numbers), description="not longer")],
        relations=[
            MetamorphicRelation(name="twice", transform=lambda numbers: (numbers * 2,), expect=lambda a, b: a <= b)
        ],
        metrics=[Metric(name="length", extract=lambda output, args: float(len(output)))],
    )
    report: Report = run(spec, Implementation(source="def solve(numbers):\n    return numbers\n"), new, n=200)
    decision: Decision = report.decision
    lowest: list[float | None] = [drawn.lower for drawn in report.verdict.intervals]
    inputs: list[JsonValue] | None = report.violations[0].arguments if report.violations else None
    return decision is Decision.ADOPT and bool(lowest) and inputs is None


async def judged_by_challenge(sandbox: Sandbox, task: str, old: str, new: str) -> Verdict:
    challenge = Challenge.nth("programs:halves", 3, 0.05)
    return (await run_async(task, old, new, GuardConfig(n=100), sandbox=sandbox, challenge=challenge)).verdict


def judged_by_samples(challenge: Challenge, scores: dict[str, tuple[float, float]]) -> Verdict:
    samples = [Sample(f"{challenge.k}/{case}", "operation:1", *sides) for case, sides in scores.items()]
    return judge_samples(
        samples,
        mode="paired_reals",
        candidate_id="candidate:1",
        challenge=challenge,
        policy="superiority:margin=0.3sd",
        sandboxed=False,
        used_cases=(),
        bounds=(0.0, 1.0),
    )
