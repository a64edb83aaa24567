"""Our side of ``evolve_rate``: runs of the domain ``programs``, opened by the wiring as `mendel evolve` opens them.

The embedded PostgreSQL log, the native sandbox with two workers, the steady pace in order of arrival, two slots. The
source of candidates is a mutator as any plug-in may bring one; it answers at once.
"""

from __future__ import annotations

import gc
import itertools
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks import sandbox_processes
from benchmarks.evolve_rate_task import FUNCTION, TaskFiles, edited, looping
from benchmarks.noop_runs import Collections, Course
from mendel.breeding.mutators import Mutation, MutationRequest
from mendel.contracts.run_config import RunConfig
from mendel.contracts.statuses import RunStatus
from mendel.domains.programs.models import ProgramTask
from mendel.domains.programs.planning import SLOTS_PER_CORE, Bounds, Search, planned
from mendel.domains.programs.preparing import prepare
from mendel.domains.programs.wishes import Wish
from mendel.kernel.beginning import configure
from mendel.kernel.conduct import conduct
from mendel.kernel.conductor import Options
from mendel.kernel.state import RunState
from mendel.ports.event_log import EventLog
from mendel.ports.sandbox import Sandbox
from mendel.settings import Settings
from mendel.wiring import (
    calm_collector,
    embedded_server,
    open_fabric,
    open_log,
    open_sandbox,
    scrubber,
    system_clock,
)

WORKERS: Final = 2
SLOTS: Final = SLOTS_PER_CORE * WORKERS
"""As `mendel evolve` has them on a machine of as many cores: operations in flight, which two workers perform."""
LOOPING: Final = 10
"""With loopers, every so-many-th candidate is one."""
MUTATOR: Final = "instant"
MUTATOR_WITH_LOOPERS: Final = "instant_with_loopers"
_PLENTY: Final = 2**50
_PATIENCE_S: Final = 600.0
_ENTRY_POINTS: Final = f"""\
[mendel.mutators]
{MUTATOR} = {__name__}:instant
{MUTATOR_WITH_LOOPERS} = {__name__}:instant_with_loopers
"""

_numbers = itertools.count(1)


# --- the source of candidates --------------------------------------------------------------------------------------


async def instant(request: MutationRequest) -> Mutation:
    """The parent with another constant."""
    return Mutation(edited(request.parents[0], next(_numbers)), "another constant")


async def instant_with_loopers(request: MutationRequest) -> Mutation:
    """The same; every tenth loops for ever."""
    number = next(_numbers)
    text = edited(request.parents[0], number)
    return Mutation(looping(text) if number % LOOPING == 0 else text, "another constant")


@contextmanager
def installed_mutators() -> Iterator[None]:
    """The mutators among the entry points of this process: what an installer would leave, on the path for a while."""
    with tempfile.TemporaryDirectory(prefix="mendel-bench-mutators-") as folder:
        about = Path(folder) / "mendel_bench_mutators-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mendel-bench-mutators\nVersion: 1\n")
        (about / "entry_points.txt").write_text(_ENTRY_POINTS)
        sys.path.insert(0, folder)
        try:
            yield
        finally:
            sys.path.remove(folder)


# --- runs ----------------------------------------------------------------------------------------------------------


class Bred(NamedTuple):
    """A run that is over. ``wall_s`` is from ``conduct`` to its answer: the founder is in it, configuring is not.

    ``founder_s`` is until the founder was scored: plug-ins, the beginning, what the peer does before its clock.
    ``cpu_s`` is the processor time of this process, ``all_cpu_s`` that of the database and the sandbox too.
    """

    iterations: int
    course: Course
    wall_s: float
    founder_s: float
    cpu_s: float
    all_cpu_s: float
    gc_s: float
    scored: int

    def rate(self, first: int, last: int) -> float:
        """Candidates per second from iteration ``first`` up to ``last``; the founder is none."""
        return self.course.rate(first + 1, last + 1)


class OurSide:
    """The parts of a process that conducts runs, open; runs in it are after each other."""

    def __init__(self, settings: Settings, log: EventLog, sandbox: Sandbox, files: TaskFiles) -> None:
        self._settings, self._log, self.sandbox, self._files = settings, log, sandbox, files
        self._seed = 0
        self.case_s = 0.0

    async def run(self, iterations: int, *, loopers: bool = False) -> Bred:
        """A run of so many iterations; with ``loopers`` one in ten of them never ends by itself."""
        self._seed += 1
        task = await self._task(MUTATOR_WITH_LOOPERS if loopers else MUTATOR)
        self.case_s = task.case_s
        config = _config(task, iterations + 1, self._seed)
        run_id = await configure(self._log, config, config.caps, sandbox=self.sandbox)
        bred, state = await self._conducted(run_id, iterations)
        _require(state, iterations, iterations // LOOPING if loopers else 0)
        return bred

    async def _task(self, mutator: str) -> ProgramTask:
        wish = Wish(self._files.program, FUNCTION, task=self._files.task, objectives={"score": 1.0}, mutator=mutator)
        return await prepare(
            wish, self.sandbox, seed=self._seed, announce=lambda _: None, scrubber=scrubber(self._settings)
        )

    async def _conducted(self, run_id: str, iterations: int) -> tuple[Bred, RunState]:
        course, collections = Course(), Collections()
        options = Options(listen=course.listen, domain_patience_s=_PATIENCE_S, sandbox=self.sandbox)
        async with open_fabric(self._settings, self.sandbox) as fabric:
            gc.collect()
            with calm_collector(), collections.counted():
                all_cpu_began = sandbox_processes.cpu_s()
                began, cpu_began = time.perf_counter(), time.process_time()
                state = await conduct(run_id, log=self._log, fabric=fabric, clock=system_clock(), options=options)
                wall_s, cpu_s = time.perf_counter() - began, time.process_time() - cpu_began
            all_cpu_s = sandbox_processes.cpu_s() - all_cpu_began
        founder_s = course.points[0].at - began
        return Bred(iterations, course, wall_s, founder_s, cpu_s, all_cpu_s, collections.seconds, state.scored), state


def _require(state: RunState, iterations: int, loopers: int) -> None:
    """A run in which candidates fell that should not has no speed."""
    if state.status is not RunStatus.COMPLETED or state.scored != iterations + 1 - loopers:
        raise AssertionError(f"the run is {state.status} ({state.ending}) with {state.scored} scored candidates")


def _config(task: ProgramTask, candidates: int, seed: int) -> RunConfig:
    """As `mendel evolve` makes one, but that of caps and stop conditions only ``max_candidates`` is ever reached."""
    config = planned(task, seed, Search(bounds=Bounds(evaluations=candidates), slots=SLOTS))
    far = {"max_generations": _PLENTY, "energy_budget": _PLENTY, "max_spawn_depth": _PLENTY}
    return config.model_copy(update={"caps": config.caps.model_copy(update=far), "stop": None})


@asynccontextmanager
async def our_side(folder: Path, files: TaskFiles) -> AsyncIterator[tuple[OurSide, str]]:
    """Everything open in a home below ``folder``, and how to connect to its database; the server is stopped after."""
    settings = Settings(home=folder / "home")
    server = embedded_server(settings, lambda _: None)
    try:
        async with (
            open_log(settings, create=True, announce=lambda _: None) as log,
            open_sandbox(settings, workers=WORKERS) as sandbox,
        ):
            with installed_mutators():
                yield OurSide(settings, log, sandbox, files), server.conninfo()
    finally:
        server.stop()
