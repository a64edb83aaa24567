"""How fast a program is, for breeding: alone on the timing core, beside a unit that says how fast the machine is now.

Rejected: timing every candidate in alternation with the original. That is what the gate does; here the original,
which is slow, would take most of the time, and a candidate a thousand times as fast could not be told from another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log2
from statistics import median
from typing import Final

from mendel.contracts.errors import HandlerFailed
from mendel.contracts.evaluations import Case, Program
from mendel.contracts.work import Answer, Work
from mendel.domains.programs.examining import material, used
from mendel.domains.programs.models import Reference, Timed, payload
from mendel.domains.programs.workbench import Workbench
from mendel.ports.handlers import Ports
from mendel.ports.sandbox import EMPTY, LEAST_SHARE, Ask, Sandbox

SAMPLES: Final = 4
FEW: Final = 2
"""After so many samples a program that is clearly slower than the original is timed no longer."""
SLOWER: Final = -0.15
ENOUGH_S: Final = 0.01
"""A sample is long enough then; a shorter one is repeated, up to ``MOST_PASSES`` times."""
MOST_PASSES: Final = 4
UNIT: Final = Program.of(
    "def unit():\n    total = 0\n    for number in range(100_000):\n        total += number\n    return total\n", "unit"
)


class Stopwatch:
    """Times programs over one task's timed inputs."""

    def __init__(self, bench: Workbench, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._ask = Ask(EMPTY, bench.timed_cases(), bench.limits(), bench.grants, bench.limits().batch_s, timed=True)
        self._unit = replace(self._ask, program=UNIT, cases=[Case()])

    async def sample(self, program: Program) -> tuple[float, float]:
        """Seconds of one pass over the inputs, and of the unit beside it."""
        unit = await self._cpu(self._unit)
        spent: list[float] = []
        empty: list[float] = []
        while not spent or (sum(spent) - sum(empty) < ENOUGH_S and len(spent) < MOST_PASSES):
            spent.append(await self._cpu(replace(self._ask, program=program), whole=True))
            empty.append(await self._cpu(self._ask))
        nothing = sum(empty) / len(empty)
        return max(sum(spent) / len(spent) - nothing, LEAST_SHARE * nothing), unit

    async def _cpu(self, ask: Ask, *, whole: bool = False) -> float:
        attempt = await self._sandbox.attempt(ask)
        if whole and len(attempt.outcomes) < len(ask.cases):
            raise HandlerFailed("unsteady", "while it was timed, the program did not come to its end")
        return attempt.usage.cpu_s

    async def measured(self, program: Program) -> Reference:
        """What a program takes, in the middle of several samples."""
        samples = [await self.sample(program) for _ in range(SAMPLES)]
        return Reference(seconds=median(each[0] for each in samples), unit_s=median(each[1] for each in samples))


def gain(reference: Reference, samples: Sequence[tuple[float, float]]) -> float:
    """The speed-up in powers of two, in the middle of the samples."""
    before = reference.seconds / reference.unit_s
    return median(log2(before / (seconds / unit)) for seconds, unit in samples)


async def time(work: Work, ports: Ports) -> Answer:
    """The step ``programs.time``: a few samples, fewer where it is clearly worse."""
    bench, files, sandbox = material(work, ports)
    if bench.task.reference is None:
        raise HandlerFailed("no_reference", "the run does not say what the original takes")
    watch, program = Stopwatch(bench, sandbox), bench.program(files)
    samples: list[tuple[float, float]] = []
    worse = False
    while len(samples) < SAMPLES and not worse:
        samples.append(await watch.sample(program))
        worse = len(samples) >= FEW and gain(bench.task.reference, samples) < SLOWER
    timed = Timed(gain=gain(bench.task.reference, samples), samples=tuple(samples), stopped_early=worse)
    return Answer(findings=payload(timed), usage=used(bench, sandbox))
