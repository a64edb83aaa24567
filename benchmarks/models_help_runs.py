"""Runs of ``models_help``: each as `mendel evolve --objective opcodes --order birth` plans it, with or without a model.

Such a run does not depend on time: sizes are given, candidates are counted in births and judged in opcodes, and
results count in birth order. So the same seed gives the same outcome on every machine, also on a busy one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from tests.support.model_server import started_server

from benchmarks.generated_functions import FUNCTION, generate
from mendel.bench.bounds import Bounds
from mendel.bench.planning import Search
from mendel.breeding.asking import FORMS
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.operation import OperationFailed, OperationStarted
from mendel.contracts.statuses import RunStatus
from mendel.domains.programs.models import ProgramTask
from mendel.domains.programs.preparing import planned, prepare
from mendel.domains.programs.wishes import Wish
from mendel.kernel.beginning import configure
from mendel.kernel.conduct import conduct
from mendel.kernel.conductor import Options
from mendel.kernel.state import RunState
from mendel.ports.event_log import EventLog
from mendel.ports.sandbox import Sandbox
from mendel.settings import Settings
from mendel.wiring import (
    ceilings,
    live_plan,
    open_asking_fabric,
    open_log,
    open_sandbox,
    scrubber,
    system_clock,
)

OFFLINE: Final = "offline"
_TASK: Final = "sizes = (2, 4, 8, 16)\ntiming_size = 24\nheld_sizes = (32, 48)\n"
_PATIENCE_S: Final = 600.0
_TIMEOUT_MS: Final = 540_000
"""A brain that searches is slow, especially on a busy machine, and a timeout would cost a birth."""


class Bred(NamedTuple):
    """One run: the gain of its best candidate in powers of two, and its history.

    ``candidates`` include the original. ``asked`` births were a model's; ``refused`` of them produced no candidate,
    because no answer of the model could be applied.
    """

    function: int
    seed: int
    side: str
    gain: float
    candidates: int
    asked: int
    refused: int


@dataclass(frozen=True)
class Job:
    """A function, a seed and a number of candidates, the same for every side."""

    function: int
    seed: int
    candidates: int


class Breeder:
    """The open parts of a process that conducts runs, and one server for each side with a model."""

    def __init__(self, settings: Mapping[str, Settings], log: EventLog, sandbox: Sandbox, folder: Path) -> None:
        self._settings, self._log, self._sandbox, self._folder = settings, log, sandbox, folder

    async def task(self, job: Job) -> ProgramTask:
        """Return the task for every side. As in best-of-N there is no gate, because searches are compared."""
        file, rules = self._folder / f"generated_{job.function}.py", self._folder / "task.py"
        file.write_text(generate(job.function).source)
        rules.write_text(_TASK)
        wish = Wish(file, FUNCTION, task=rules, objectives={"opcodes": 1.0})
        settings = self._settings[OFFLINE]
        async with open_asking_fabric(settings, self._sandbox, None) as fabric:
            made = await prepare(wish, fabric, seed=job.seed, announce=_nobody, scrubber=scrubber(settings))
        return made.model_copy(update={"contends": False})

    async def bred(self, task: ProgramTask, job: Job, side: str) -> Bred:
        """Conduct one run of one side."""
        settings = self._settings[side]
        asks = side != OFFLINE
        config = planned(task, job.seed, Search(bounds=Bounds(candidates=job.candidates), order="birth", models=asks))
        plan = live_plan(settings) if asks else None
        counted = _Births()
        options = Options(listen=counted.take, domain_patience_s=_PATIENCE_S)
        async with open_asking_fabric(settings, self._sandbox, plan) as fabric:
            run_id = await configure(self._log, config, ceilings(settings), fabric=fabric, models=plan)
            state = await conduct(run_id, log=self._log, fabric=fabric, clock=system_clock(), options=options)
        return _told(job, side, state, counted)


class _Births:
    """Counts the births by models."""

    def __init__(self) -> None:
        self.asked: set[str] = set()
        self.refused = 0

    def take(self, event: Event) -> None:
        """Count one event of the run."""
        said = event.payload
        if isinstance(said, OperationStarted) and said.operation.operator in FORMS:
            self.asked.add(said.operation.id)
        elif isinstance(said, OperationFailed) and said.operation_id in self.asked:
            self.refused += 1


def _told(job: Job, side: str, state: RunState, counted: _Births) -> Bred:
    """Return the result of a run; a run without all its candidates is refused."""
    made = len(state.candidates)
    if state.status is not RunStatus.COMPLETED or made != job.candidates or state.best is None:
        raise AssertionError(f"the run of {side} is {state.status} ({state.ending}) with {made} candidates")
    return Bred(job.function, job.seed, side, state.best[0], made, len(counted.asked), counted.refused)


@asynccontextmanager
async def breeder(folder: Path, brains: Mapping[str, str]) -> AsyncIterator[Breeder]:
    """Open everything in ``folder``, with a server for the brain of each side that has one."""
    async with AsyncExitStack() as stack:
        urls = {side: stack.enter_context(started_server(brain)) for side, brain in brains.items()}
        settings = {side: _settings(folder, url) for side, url in urls.items()}
        settings[OFFLINE] = _settings(folder, None)
        log = await stack.enter_async_context(open_log(settings[OFFLINE], create=True, announce=_nobody))
        sandbox = await stack.enter_async_context(open_sandbox(settings[OFFLINE]))
        yield Breeder(settings, log, sandbox, folder)


def _settings(folder: Path, url: str | None) -> Settings:
    """Return settings with a separate home, and a provider if there is one."""
    given: dict[str, object] = {"home": folder / "home", "log": {"backend": "memory"}}
    if url is not None:
        given["llm"] = {
            "providers": {"local": {"kind": "openai_compatible", "base_url": f"{url}/v1", "model": "pea"}},
            "routes": {"mutator": {"retries": 0, "timeout_ms": _TIMEOUT_MS}},
        }
    return Settings.model_validate(given)


def _nobody(_said: str) -> None:
    """Discard messages."""
