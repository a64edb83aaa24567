"""Runs of the reference domain, the processes that conduct them, and whoever checks them."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Coroutine
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self, TypeVar

from tests.chaos import marks
from tests.chaos.homes import Home
from tests.chaos.kernel_conductor import Turn
from tests.chaos.kernel_gaps import Place, open_log
from tests.chaos.kernel_promises import Witness
from tests.chaos.kernel_tally import KernelTally
from tests.chaos.ledger import PromiseBroken, require
from tests.chaos.scene import HANG_S, WriterProcess
from tests.plugins import installed_plugins

from mendel.contracts.base import JsonObject
from mendel.contracts.caps import RunCaps
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import Pace, RunConfig
from mendel.kernel.beginning import configure
from mendel.ports.event_log import EventLog

T = TypeVar("T")

Kind = Literal["generational", "steady"]

_WORKER: Final = b"mendel.adapters.memory.worker_process"
_POPULATION: Final = 12


@dataclass(frozen=True)
class Plan:
    """How one run goes; ``births`` is about how many genomes it breeds."""

    kind: Kind
    slots: int
    twin_slots: int
    window: int
    births: int
    rng_seed: int

    @classmethod
    def drawn(cls, draws: random.Random, kind: Kind, slots: int, births: int) -> Plan:
        twin = slots if draws.random() < 0.5 else draws.randint(1, 8)
        return cls(kind, slots, twin, draws.randint(3, 10), births, draws.randrange(2**32))

    def config(self, executions: Path, slots: int) -> RunConfig:
        """The run's configuration; handlers take up to 50 ms, and one in ten fails."""
        setting: JsonObject = {
            "pause_ms": 50,
            "fail_one_in": 10,
            "founders": _POPULATION,
            "niches": 1 + self.rng_seed % 2,
            "ledger": str(executions),
        }
        per_generation = _POPULATION if self.kind == "steady" else _POPULATION // 2
        return RunConfig(
            domain="reference",
            problem="come closer while conductors die",
            niche=executions.name,  # of its own, as in an empty home: a twin begins with the same k and no champion
            rng_seed=self.rng_seed,
            caps=RunCaps(
                max_population=_POPULATION,
                max_generations=max(2, self.births // per_generation),
                max_candidates=self.births,
                max_spawn_depth=1_000,
            ),
            pace=Pace(kind=self.kind, order="birth", window=self.window),
            slots=slots,
            domain_config=DomainPayload(domain="reference", kind="setting", version=1, data=setting),
        )


class ConductorProcess(WriterProcess):
    """A conductor that was started and waits for its turn."""

    def __init__(self, number: int, command: list[str], stderr: Path) -> None:
        super().__init__(number, command, stderr, own_session=True)

    def take(self, turn: Turn) -> None:
        """Its turn has come."""
        self.await_marks("getting ready", marks.seen(marks.READY))
        assert self._process.stdin is not None
        self._process.stdin.write(turn.spelled().encode())
        self._process.stdin.flush()

    @property
    def lives(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        """SIGKILL to its process group; return when nothing of it is left, workers included."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._bury()
        self.await_no_workers()

    def killed_alive(self) -> bool:
        """Kill it; whether that is what it died of."""
        if self.lives:
            self.kill()
        return self._process.returncode == -signal.SIGKILL

    def ended_well(self) -> None:
        """Wait until it has ended by itself: its run is over."""
        try:
            code = self._process.wait(HANG_S)
        except subprocess.TimeoutExpired as error:
            raise PromiseBroken(f"conductor {self.number} hangs, instead of ending; see {self.stderr}") from error
        self._bury()
        require(code == 0, f"conductor {self.number} ended with {code}; see {self.stderr}")
        self.await_no_workers()

    def workers(self) -> list[int]:
        """Its worker processes that live, told by the parent that they were given."""
        named = f'"parent": {self.pid},'.encode()
        return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal() and _is(entry, named)]

    def await_no_workers(self) -> None:
        """No worker outlives its conductor; the kernel takes a moment to end one."""
        deadline = time.monotonic() + HANG_S / 4
        while orphans := self.workers():
            require(time.monotonic() < deadline, f"workers outlive conductor {self.number}: {orphans}")
            time.sleep(0.002)

    def clear(self) -> None:
        if self.lives:
            self.kill()
        else:
            super().clear()


def _is(process: Path, named: bytes) -> bool:
    try:
        line = (process / "cmdline").read_bytes()
    except OSError:
        return False
    return _WORKER in line and named in line


@dataclass
class Staged:
    """A run with whoever watches it, and its twin that nobody kills."""

    plan: Plan
    run_id: str
    witness: Witness
    twin_id: str
    twin_witness: Witness


class KernelScene:
    """One log, its runs and their conductors; ends them all, whatever happens.

    The next conductor is started ahead and waits: it takes longer to import everything than to be killed.
    """

    def __init__(self, home: Home, folder: Path, tally: KernelTally) -> None:
        self.home = home
        self.folder = folder
        self.tally = tally
        self._stack = ExitStack()
        self._loop = asyncio.Runner()
        self._conductors: list[ConductorProcess] = []
        self._waiting: ConductorProcess | None = None
        self._log: EventLog | None = None

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            self._stack.enter_context(installed_plugins(self.folder / "site"))
            self.home.prepare()
            self._log = open_log(self.home)
            self._waiting = self._started()
        except BaseException:
            self.clear()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    @property
    def log(self) -> EventLog:
        assert self._log is not None
        return self._log

    def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run(work)

    def stage(self, plan: Plan) -> Staged:
        """Record a run and its twin."""
        number = self.tally.runs + 1
        run_id, witness = self._configured(plan, plan.slots, self.folder / f"run-{number}.executions")
        twin_id, twin_witness = self._configured(plan, plan.twin_slots, self.folder / f"twin-{number}.executions")
        return Staged(plan, run_id, witness, twin_id, twin_witness)

    def _configured(self, plan: Plan, slots: int, executions: Path) -> tuple[str, Witness]:
        run_id = self.wait_for(self._configure(plan.config(executions, slots)))
        return run_id, Witness(run_id, executions)

    async def _configure(self, config: RunConfig) -> str:
        async with open_log(self.home) as log:
            return await configure(log, config, config.caps)

    def conduct(self, run_id: str, workers: int, place: Place = "nowhere", nth: int = 1) -> ConductorProcess:
        """A conductor that takes the run over from now on."""
        conductor = self._waiting or self._started()
        self._waiting = self._started()
        conductor.take(Turn(run_id, workers, place, nth))
        return conductor

    def finish(self, staged: Staged, twin: ConductorProcess) -> None:
        """The run is over: wait for its twin, check every promise of both, and compare."""
        found = self.wait_for(staged.witness.judge_end(self.log))
        twin.ended_well()
        expected = self.wait_for(staged.twin_witness.judge_end(self.log))
        pair = f"run {staged.run_id} and its twin {staged.twin_id}"
        require(found.digest == expected.digest, f"{pair} have different outcomes")
        require(found.energy == expected.energy, f"{pair} spent {found.energy} and {expected.energy} energy")
        self._count(staged)

    def look(self) -> None:
        """For ``FullDisk``: what the log must show is checked at the end of the run."""

    def _count(self, staged: Staged) -> None:
        tally, witness, plan = self.tally, staged.witness, staged.plan
        tally.runs += 1
        tally.kinds[f"{self.home.backend}, {plan.kind}, slots {plan.slots} (twin {plan.twin_slots})"] += 1
        tally.operations += len(witness.ended)
        tally.executions += sum(witness.executed.values())
        tally.events += len(witness.hashes)
        tally.take_overs += witness.take_overs

    def _started(self) -> ConductorProcess:
        number = len(self._conductors) + 1
        command = [
            *(sys.executable, "-m", "tests.chaos.kernel_conductor"),
            *(f"--backend={self.home.backend}", f"--home={self.home.folder}"),
        ]
        conductor = ConductorProcess(number, command, self.folder / f"conductor-{number}.err")
        self._conductors.append(conductor)
        return conductor

    def clear(self) -> None:
        """Leave no process behind."""
        for conductor in self._conductors:
            conductor.clear()
        self.home.clear()
        if self._log is not None:
            self._loop.run(self._log.close())
        self._loop.close()
        self._stack.close()
