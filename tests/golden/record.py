"""How the golden histories were recorded: `python -m tests.golden.record NAME`."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.golden.menagerie import handler, menagerie
from tests.plugins import installed_plugins

from mendel.adapters.memory.clock import SystemClock
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import CommandKind, NewCommand
from mendel.contracts.events.envelope import Event
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import Pace, RunConfig
from mendel.kernel.beginning import configure
from mendel.kernel.conduct import conduct
from mendel.kernel.conductor import Options
from mendel.kernel.loading import Domains, load_domain
from mendel.kernel.replay_lines import replay_lines
from mendel.ports.transfer import export_run

FOLDER = Path(__file__).parent
CEILING = RunCaps(energy_budget=10_000_000, max_generations=1_000)

At = Callable[[MemoryEventLog, str, Event], Awaitable[None]]


def reference(pace: Pace, seed: int, **caps: int) -> RunConfig:
    setting = {"fail_one_in": 5, "founders": 4}
    return RunConfig(
        domain="reference",
        problem="a golden history",
        rng_seed=seed,
        slots=3,
        pace=pace,
        caps=RunCaps(**{"max_population": 8, "max_generations": 4, **caps}),
        domain_config=DomainPayload(domain="reference", kind="setting", version=1, data=dict(setting)),
    )


def of_menagerie(pace: Pace, seed: int, **caps: int) -> RunConfig:
    return RunConfig(
        domain="menagerie",
        problem="a golden history",
        rng_seed=seed,
        slots=3,
        pace=pace,
        caps=RunCaps(**{"max_population": 10, "max_generations": 4, **caps}),
    )


class Recorder:
    """Conducts one run on a log in memory, doing something at chosen events."""

    def __init__(self, config: RunConfig, domains: Domains = load_domain) -> None:
        self.config = config
        self.domains = domains
        self.interruptions: list[int] = []
        self.commands: dict[int, NewCommand] = {}

    def command(self, sequence: int, kind: CommandKind, **payload: object) -> Recorder:
        draft = NewCommand.model_construct(kind=kind, payload=payload)
        self.commands[sequence] = draft
        return self

    def interrupt(self, *sequences: int) -> Recorder:
        self.interruptions = list(sequences)
        return self

    async def record(self) -> bytes:
        async with MemoryEventLog() as log:
            run_id = await configure(log, self.config, CEILING, domains=self.domains)
            while not await self._conduct(log, run_id):
                pass
            target = io.BytesIO()
            await export_run(log, run_id, target)
            return target.getvalue()

    async def _conduct(self, log: MemoryEventLog, run_id: str) -> bool:
        """Whether the run came to its end."""
        fabric = MemoryTaskFabric(handlers=handler) if self.domains is menagerie else MemoryTaskFabric(workers=2)
        asked: list[asyncio.Task[object]] = []
        options = Options(conductor="golden", listen=lambda event: self._listen(log, event, asked))
        work = conduct(run_id, log=log, fabric=fabric, clock=SystemClock(), options=options, domains=self.domains)
        self._task = asyncio.create_task(work)
        try:
            return (await self._task).terminal
        except asyncio.CancelledError:
            return False
        finally:
            await asyncio.gather(*asked)
            await fabric.close()

    def _listen(self, log: MemoryEventLog, event: Event, asked: list[asyncio.Task[object]]) -> None:
        if self.interruptions and event.sequence >= self.interruptions[0]:
            self.interruptions.pop(0)
            self._task.cancel()
        draft = self.commands.pop(event.sequence, None)
        if draft is not None:
            command = NewCommand(run_id=event.run_id, kind=draft.kind, payload=draft.payload)
            asked.append(asyncio.create_task(log.submit(command)))


HISTORIES: dict[str, Callable[[], Recorder]] = {
    "generational": lambda: Recorder(reference(Pace(kind="generational"), 11)),
    "steady_birth": lambda: Recorder(reference(Pace(kind="steady"), 12)).interrupt(90, 260),
    "steady_arrival": lambda: Recorder(reference(Pace(kind="steady", order="arrival"), 13)).command(
        200, CommandKind.STOP, reason="enough for a golden history"
    ),
    "menagerie": lambda: (
        Recorder(of_menagerie(Pace(kind="generational"), 35), menagerie)
        .command(60, CommandKind.PROPOSE, size=64)
        .command(70, CommandKind.PROPOSE, weight=1)
    ),
    "exhausted": lambda: Recorder(of_menagerie(Pace(kind="steady"), 36, energy_budget=2_500), menagerie).command(
        80, CommandKind.SET_PARAMETERS, slots=2, caps={"energy_budget": 2_000}
    ),
    "killed": lambda: Recorder(of_menagerie(Pace(kind="steady"), 37), menagerie).command(
        150, CommandKind.KILL, reason="for a golden history"
    ),
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, installed_plugins(Path(folder)):
        for name in sys.argv[1:] or HISTORIES:
            path = FOLDER / f"{name}.mendel.gz"
            if path.exists():
                raise SystemExit(f"{path.name} is golden: it stays as it is")
            data = asyncio.run(HISTORIES[name]().record())
            path.write_bytes(gzip.compress(data, mtime=0))
            report = replay_lines(data.splitlines(keepends=True))
            known = json.loads((FOLDER / "digests.json").read_text()) if (FOLDER / "digests.json").exists() else {}
            known[name] = {"state": report.state_digest, "outcome": report.outcome_digest}
            (FOLDER / "digests.json").write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")
            sys.stdout.write(f"{name}: {report.events} events, {report.status}, agrees: {report.agrees}\n")


if __name__ == "__main__":
    main()
