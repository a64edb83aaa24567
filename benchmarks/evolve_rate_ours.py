"""Our side of ``evolve_rate``: runs of the domain ``programs``, opened by the wiring as `mendel evolve` opens them.

The embedded PostgreSQL log, the native sandbox with two workers, the steady pace in order of arrival, as many slots as
`mendel evolve` has on a machine of two cores. Every candidate is the answer of the model server to a question that goes
through the gateway, as `mendel evolve --models` asks it; but that here no offline operator takes turns with it.

Beside that the same with a mutator in the process, as any plug-in may bring one: what is left without the gateway.
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
"""Where candidates come from."""

WORKERS: Final = 2
SLOTS: Final = SLOTS_PER_CORE * WORKERS
"""As `mendel evolve` has them on a machine of as many cores: operations in flight, which two workers perform."""
ASKING: Final = "model_replace"
"""The operator that asks in the form that the server answers in."""
MUTATOR: Final = "instant"
_MODELS: Final = {"server": MODEL, "server_with_loopers": MODEL_WITH_LOOPERS}
_PLENTY: Final = 2**50
_PATIENCE_S: Final = 600.0
_ENTRY_POINTS: Final = f"[mendel.mutators]\n{MUTATOR} = {__name__}:instant\n"

_numbers = itertools.count(1)


# --- the sources of candidates -------------------------------------------------------------------------------------


class Asking(Programs):
    """The domain, but that every birth is a model's: else its share among the operators would be learned."""

    def operators_for(self, config: RunConfig) -> Sequence[Operator]:
        """The one that the server answers; all of them where nobody may be asked."""
        possible = super().operators_for(config)
        return [each for each in possible if each.name == ASKING] or possible


def asking_domain(name: str) -> Domain:
    """That domain, after the shipped one has been loaded: its payloads and handlers are the same."""
    load_domain(name)
    return Asking()


async def instant(request: MutationRequest) -> Mutation:
    """The parent with another constant."""
    return Mutation(edited(request.parents[0], next(_numbers)), "another constant")


@contextmanager
def installed_mutator() -> Iterator[None]:
    """The mutator among the entry points of this process: what an installer would leave, on the path for a while."""
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

    def __init__(self, settings: Settings, log: EventLog, sandbox: Sandbox, files: TaskFiles, url: str) -> None:
        self._settings, self._log, self.sandbox, self._files, self._url = settings, log, sandbox, files, url
        self._seed = 0
        self.case_s = 0.0

    async def run(self, iterations: int, source: Source = "server") -> Bred:
        """A run of so many iterations; with loopers one in ten of them never ends by itself."""
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
        """The settings of whoever has a model server of his own, in that order: its address, and who plays what."""
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
            all_cpu_began = sandbox_processes.cpu_s()
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
    """A run in which candidates fell that should not has no speed."""
    if state.status is not RunStatus.COMPLETED or state.scored != iterations + 1 - loopers:
        raise AssertionError(f"the run is {state.status} ({state.ending}) with {state.scored} scored candidates")


def _config(task: ProgramTask, candidates: int, seed: int, *, asks: bool) -> RunConfig:
    """As `mendel evolve` makes one, but that of caps and stop conditions only ``max_candidates`` is ever reached."""
    config = planned(task, seed, Search(bounds=Bounds(candidates=candidates), slots=SLOTS, models=asks))
    far = dict.fromkeys(("max_generations", "energy_budget", "max_spawn_depth", "max_tokens"), _PLENTY)
    alone = {"niche": f"evolve rate, seed {seed}"}  # as in an empty home: nobody's champion, and k from its beginning
    return config.model_copy(update={"caps": config.caps.model_copy(update=far), "stop": None, **alone})


@asynccontextmanager
async def our_side(folder: Path, files: TaskFiles, url: str) -> AsyncIterator[tuple[OurSide, str]]:
    """Everything open in a home below ``folder``, and how to connect to its database, which is stopped afterwards.

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
