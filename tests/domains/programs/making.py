"""Tasks, candidates and runs of programs, through the real sandbox."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

from tests.guard.making import Native

from mendel.bench.examining import Examination
from mendel.bench.objectives import parse_objectives
from mendel.bench.records import Checked
from mendel.bench.workbench import Workbench
from mendel.contracts.evaluations import Isolation, Program
from mendel.contracts.scrub import Scrubber
from mendel.domains.programs.models import ProgramTask
from mendel.domains.programs.preparing import prepare
from mendel.domains.programs.wishes import Wish
from mendel.ports.sandbox import EMPTY, Ask, Attempt, Sandbox

SORT = '''"""A module."""


def sort(items: list[int]) -> list[int]:
    """In order."""
    result = list(items)
    for _ in range(len(result)):
        for place in range(len(result) - 1):
            if result[place] > result[place + 1]:
                result[place], result[place + 1] = result[place + 1], result[place]
    return result
'''
SIZES = "sizes = (2, 4, 7, 12, 25)\ntiming_size = 32\nheld_sizes = (40, 64)\n"
"""What a task says where a test is not about finding sizes, which takes longer than most tests."""
SEED = 7
Cost = Callable[[Program, tuple[Any, ...]], float]


class StatedClock(Sandbox):
    """Another sandbox where timed programs take as long as a test says, so that no busy machine decides it.

    ``cost`` is what a program takes for the arguments of one call, in seconds. What they answer is their own.
    """

    def __init__(self, inner: Sandbox, cost: Cost) -> None:
        self._inner, self._cost = inner, cost
        self._jitter = cycle((0.99, 1.0, 1.02, 0.98, 1.01))  # samples that are all equal are nothing to estimate from

    async def attempt(self, ask: Ask) -> Attempt:
        attempt = await self._inner.attempt(ask)
        if not ask.timed:
            return attempt
        seconds = sum(self._cost(ask.program, case.args) for case in ask.cases) if ask.program != EMPTY else 0.001
        return replace(attempt, usage=replace(attempt.usage, cpu_s=seconds * next(self._jitter)))

    async def isolation(self) -> Isolation:
        return await self._inner.isolation()

    async def aclose(self) -> None:
        """Whoever opened the other one closes it."""


def wished(folder: Path, source: str, function: str, objective: str | None = None, **options: Any) -> Wish:
    """A wish for a function of a file that holds ``source``."""
    path = folder / "subject.py"
    path.write_text(source)
    objectives = parse_objectives(objective) if objective is not None else None
    return Wish(path=path, function=function, objectives=objectives, **options)


def sized(folder: Path, rules: str = "") -> Path:
    """A task file that says how large inputs are, before ``rules`` of its own."""
    path = folder / "task.py"
    path.write_text(SIZES + rules)
    return path


def prepared(native: Native, wish: Wish, seed: int = SEED) -> ProgramTask:
    """The task as ``mendel evolve`` makes it."""
    return native.on_fabric(
        lambda fabric: prepare(wish, fabric, seed=seed, announce=lambda _line: None, scrubber=Scrubber(()))
    )


def checked(native: Native, bench: Workbench, source: str) -> Checked:
    """What the cascade says about a candidate."""
    return native.awaited(Examination(bench, native.sandbox, {bench.task.main: source}).run())
