"""Our side of ``evolve_rate``: runs of the domain ``programs``, opened by the wiring as `mendel evolve` opens them.

It uses the embedded PostgreSQL log, the native sandbox with two workers, the steady pace in order of arrival, and the
number of slots that `mendel evolve` has on a machine with two cores. Every candidate is the model server's answer to a
question through the gateway, as with `mendel evolve --models`, except that no offline operator takes turns with it.

For comparison there is the same search with a mutator in the process, as a plug-in; this is the cost without the
gateway.
"""

from __future__ import annotations

import gc
import itertools
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final, Literal, NamedTuple

from benchmarks import sandbox_processes
from benchmarks.evolve_rate_server import LOOPING, MODEL, MODEL_WITH_LOOPERS
from benchmarks.evolve_rate_task import FUNCTION, TaskFiles, edited
from benchmarks.noop_runs import Collections, Course
from mendel.bench.bounds import Bounds
from mendel.bench.planning import SLOTS_PER_CORE, Search
from mendel.breeding.mutators import OFFLINE, Mutation, MutationRequest
from mendel.contracts.run_config import RunConfig
from mendel.contracts.statuses import RunStatus
from mendel.domains.programs.domain import Programs
from mendel.domains.programs.models import ProgramTask
from mendel.domains.programs.preparing import planned, prepare
from mendel.domains.programs.wishes import Wish
from mendel.kernel.beginning import configure
from mendel.kernel.conduct import conduct
from mendel.kernel.conductor import Options
from mendel.kernel.domain import Domain
from mendel.kernel.loading import load_domain
from mendel.kernel.state import RunState
from mendel.ports.event_log import EventLog
from mendel.ports.sandbox import Sandbox
from mendel.ports.task_fabric import TaskFabric
from mendel.selection.operators import Operator
from mendel.settings import Settings
from mendel.wiring import (
    calm_collector,
    embedded_server,
    live_plan,
    open_asking_fabric,
    open_log,
    open_sandbox,
    scrubber,
    system_clock,
)

Source = Literal["server", "server_with_loopers", "process"]
"""The source of candidates."""

WORKERS: Final = 2
SLOTS: Final = SLOTS_PER_CORE * WORKERS
"""Operations in flight, performed by two workers; the default of `mendel evolve` on a machine with two cores."""
ASKING: Final = "model_replace"
"""The operator with the form of answer that the server gives."""
MUTATOR: Final = "instant"
_MODELS: Final = {"server": MODEL, "server_with_loopers": MODEL_WITH_LOOPERS}
_PLENTY: Final = 2**50
_PATIENCE_S: Final = 600.0  # a full garbage collection on a busy machine must not fail the run
_ENTRY_POINTS: Final = f"[mendel.mutators]\n{MUTATOR} = {__name__}:instant\n"

_numbers = itertools.count(1)


# --- the sources of candidates -------------------------------------------------------------------------------------


class Asking(Programs):
    """The domain with births by models only; otherwise their share among the operators would be learned."""

    def operators_for(self, config: RunConfig) -> Sequence[Operator]:
        """Return the operator that the server answers, or all of them if no model may be called."""
        possible = super().operators_for(config)
        return [each for each in possible if each.name == ASKING] or possible


def asking_domain(name: str) -> Domain:
    """Return that domain, after the shipped one has been loaded: payloads and handlers are the same."""
    load_domain(name)
    return Asking()


async def instant(request: MutationRequest) -> Mutation:
    """Return the parent with another constant."""
    return Mutation(edited(request.parents[0], next(_numbers)), "another constant")


@contextmanager
def installed_mutator() -> Iterator[None]:
    """Add the mutator to this process's entry points: temporarily put an installer's metadata on the path."""
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
    """A finished run. ``wall_s`` is the duration of ``conduct``: it includes the founder, but not configuring.

    ``founder_s`` is the time until the founder was scored: plug-ins and setup, which the peer does before its clock.
    ``cpu_s`` is the processor time of this process; ``all_cpu_s`` includes the database and the sandbox.
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
        """Return candidates per second from iteration ``first`` up to ``last``, without the founder."""
        return self.course.rate(first + 1, last + 1)


class OurSide:
    """The open parts of a process that conducts runs, one after another."""

    def __init__(self, settings: Settings, log: EventLog, sandbox: Sandbox, files: TaskFiles, url: str) -> None:
        self._settings, self._log, self.sandbox, self._files, self._url = settings, log, sandbox, files, url
        self._seed = 0
        self.case_s = 0.0

    async def run(self, iterations: int, source: Source = "server") -> Bred:
        """Conduct a run of this many iterations; with loopers one in ten never ends by itself."""
        self._seed += 1
        settings = self._asking(source)
        plan = live_plan(settings) if source in _MODELS else None
        async with open_asking_fabric(settings, self.sandbox, plan) as fabric:
            task = await self._task(OFFLINE if plan is not None else MUTATOR, fabric)
            self.case_s = task.case_s
            config = _config(task, iterations + 1, self._seed, asks=plan is not None)
            run_id = await configure(self._log, config, config.caps, domains=asking_domain, fabric=fabric, models=plan)
            bred, state = await self._conducted(run_id, iterations, fabric)
        _require(state, iterations, iterations // LOOPING if source == "server_with_loopers" else 0)
        return bred

    def _asking(self, source: Source) -> Settings:
        """Return settings for a local model server: its address, and the model of each role."""
        provider = {"kind": "openai_compatible", "base_url": self._url, "model": _MODELS.get(source, MODEL)}
        llm = self._settings.llm.model_validate({"providers": {"local": provider}})
        return self._settings.model_copy(update={"llm": llm})

    async def _task(self, mutator: str, fabric: TaskFabric) -> ProgramTask:
        wish = Wish(self._files.program, FUNCTION, task=self._files.task, objectives={"score": 1.0}, mutator=mutator)
        return await prepare(wish, fabric, seed=self._seed, announce=lambda _: None, scrubber=scrubber(self._settings))

    async def _conducted(self, run_id: str, iterations: int, fabric: TaskFabric) -> tuple[Bred, RunState]:
        course, collections = Course(), Collections()
        options = Options(listen=course.listen, domain_patience_s=_PATIENCE_S)
        gc.collect()
        with calm_collector(), collections.counted():
            all_cpu_began = sandbox_processes.cpu_s()  # it reads all of /proc, so outside the other clocks
            began, cpu_began = time.perf_counter(), time.process_time()
            state = await conduct(
                run_id,
                log=self._log,
                fabric=fabric,
                clock=system_clock(),
                options=options,
                domains=asking_domain,
            )
            wall_s, cpu_s = time.perf_counter() - began, time.process_time() - cpu_began
        all_cpu_s = sandbox_processes.cpu_s() - all_cpu_began
        founder_s = course.points[0].at - began
        return Bred(iterations, course, wall_s, founder_s, cpu_s, all_cpu_s, collections.seconds, state.scored), state


def _require(state: RunState, iterations: int, loopers: int) -> None:
    """Refuse a run in which candidates were rejected that should not be: its speed means nothing."""
    if state.status is not RunStatus.COMPLETED or state.scored != iterations + 1 - loopers:
        raise AssertionError(f"the run is {state.status} ({state.ending}) with {state.scored} scored candidates")


def _config(task: ProgramTask, candidates: int, seed: int, *, asks: bool) -> RunConfig:
    """Return a run like that of `mendel evolve`, where only the cap ``max_candidates`` is ever reached."""
    config = planned(task, seed, Search(bounds=Bounds(candidates=candidates), slots=SLOTS, models=asks))
    far = dict.fromkeys(("max_generations", "energy_budget", "max_spawn_depth", "max_tokens"), _PLENTY)
    alone = {"niche": f"evolve rate, seed {seed}"}  # as in an empty home: no champion yet, and k starts at 1
    return config.model_copy(update={"caps": config.caps.model_copy(update=far), "stop": None, **alone})


@asynccontextmanager
async def our_side(folder: Path, files: TaskFiles, url: str) -> AsyncIterator[tuple[OurSide, str]]:
    """Open everything in a home below ``folder``; yields it with the conninfo of its database, which is stopped later.

    Candidates come from the model server at ``url``.
    """
    settings = Settings(home=folder / "home")
    server = embedded_server(settings, lambda _: None)
    try:
        async with (
            open_log(settings, create=True, announce=lambda _: None) as log,
            open_sandbox(settings, workers=WORKERS) as sandbox,
        ):
            with installed_mutator():
                yield OurSide(settings, log, sandbox, files, url), server.conninfo()
    finally:
        server.stop()
