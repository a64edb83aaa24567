"""What tests of the gate share: small tasks, programs as text, and two places to run them in."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeVar

from tests.support import skip_or_fail

from mendel.adapters.memory.sandbox import MemorySandbox
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.contracts.errors import SandboxUnavailable
from mendel.contracts.evaluations import Isolation, Outcome
from mendel.guard import Comparison, GuardConfig, Implementation, Report, TaskSpec, generators, run, run_async
from mendel.guard.checking import Checker
from mendel.guard.evaluation import Evaluation
from mendel.guard.gate import compare_async
from mendel.guard.observing import Answers
from mendel.guard.spec import Args
from mendel.guard.trials import Trial
from mendel.ports.handlers import Ports
from mendel.ports.registry import resolve
from mendel.ports.sandbox import Ask, Attempt, Sandbox
from mendel.ports.sandbox_context import SandboxContext
from mendel.ports.task_fabric import TaskFabric

T = TypeVar("T")
WALLS = Isolation(
    "full", ("user", "mount", "pid", "net", "ipc", "seccomp", "landlock", "rlimits", "privileges"), "said"
)
NUMBERS = generators.arguments(generators.integers(-1_000, 1_000))
LISTS = generators.arguments(generators.lists(generators.integers(-50, 50), 12))

ABS = "def solve(x):\n    return abs(x)\n"
ECHO = "def solve(x):\n    return x\n"


class VouchedSandbox(MemorySandbox):
    """A sandbox without walls that says it had some: for tests of what the gate decides, never of walls."""

    def __init__(self) -> None:
        super().__init__(allow_weak=True)
        self.asks: list[Ask] = []

    async def attempt(self, ask: Ask) -> Attempt:
        self.asks.append(ask)
        return replace(await super().attempt(ask), isolation=WALLS)

    async def isolation(self) -> Isolation:
        return WALLS


class Native:
    """The native sandbox in an event loop of its own, so that tests of every kind can share one."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        opener = resolve("mendel.sandboxes", "native")
        self.sandbox: Sandbox = self.awaited(self._opened(opener))

    @staticmethod
    async def _opened(opener: Callable[[SandboxContext], Sandbox]) -> Sandbox:
        sandbox = await opener(SandboxContext(workers=2)).__aenter__()
        await sandbox.isolation()
        return sandbox

    def awaited(self, work: Awaitable[T]) -> T:
        async def waited() -> T:
            return await work

        return asyncio.run_coroutine_threadsafe(waited(), self._loop).result(240)

    def on_fabric(self, work: Callable[[TaskFabric], Awaitable[T]]) -> T:
        """What comes of ``work`` on a fabric whose workers have this sandbox."""

        async def worked() -> T:
            fabric = MemoryTaskFabric(workers=0, ports=Ports(self.sandbox))
            try:
                return await work(fabric)
            finally:
                await fabric.close()

        return self.awaited(worked())

    def close(self) -> None:
        self.awaited(self.sandbox.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()


@cache
def native() -> Native:
    """The one of this test process."""
    try:
        return Native()
    except SandboxUnavailable as error:
        skip_or_fail(str(error))


def source(text: str, entry: str = "solve") -> Implementation:
    return Implementation.from_source(text, entry)


def _implementation(given: object) -> object:
    return source(given) if isinstance(given, str) and "def " in given else given


def judged(spec: TaskSpec | str, baseline: object, candidate: object, *, sandbox: Sandbox | None = None, **options):
    """The gate's report on programs that are trusted, from a sandbox that is quick."""
    sides = _implementation(baseline), _implementation(candidate)
    return run(spec, *sides, sandbox=sandbox or VouchedSandbox(), **options)


def judged_behind_walls(spec: TaskSpec | str, baseline: object, candidate: object, **options) -> Report:
    """The gate's report from the native sandbox."""
    place = native()
    sides = _implementation(baseline), _implementation(candidate)
    return place.awaited(run_async(spec, *sides, sandbox=place.sandbox, **options))


def compared(spec: TaskSpec, baseline: object, candidates: Sequence[object], **options) -> Comparison:
    work = compare_async(
        spec,
        _implementation(baseline),
        [_implementation(each) for each in candidates],
        sandbox=VouchedSandbox(),
        **options,
    )
    return asyncio.run(work)


def codes(report: Report) -> list[str]:
    return [reason.code for reason in report.verdict.reasons]


def warned(report: Report) -> list[str]:
    return [warning.code for warning in report.verdict.warnings]


def said(report: Report) -> tuple[str, str]:
    return report.decision.value, report.code


def evaluation(spec: TaskSpec, baseline: str | None, candidate: str, **options) -> Evaluation:
    """An evaluation that has not begun."""
    return Evaluation(
        spec,
        None if baseline is None else source(baseline).program,
        source(candidate).program,
        GuardConfig(**options),
        VouchedSandbox(),
        lambda _done, _whole: None,
    )


def value(answer: object) -> Outcome:
    return Outcome("value", answer)


def raised(kind: str = "ValueError", message: str = "no") -> Outcome:
    return Outcome("exception", error_type=kind, error_code="SANDBOX_EXCEPTION", message=message)


def answers(original: object, *variants: object) -> Answers:
    """Answers that are values, or outcomes as they are."""
    outcomes = [each if isinstance(each, Outcome) or each is None else value(each) for each in (original, *variants)]
    return Answers(outcomes[0] or value(None), tuple(outcomes[1:]))


def trial(*args: object, variants: Sequence[Args | None] = (), index: int = 0) -> Trial:
    return Trial(index, tuple(args), tuple(variants))


def checker(**parts) -> Checker:
    return Checker(TaskSpec("task", NUMBERS, **parts))
