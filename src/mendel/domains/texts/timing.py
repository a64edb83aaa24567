"""How fast a program is, for breeding: alone on the timing core, beside a unit that says how fast the machine is now.

What is timed is the whole command, building included, as the sandbox's parent measures it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log2
from statistics import median
from typing import Final

from mendel.contracts.errors import HandlerFailed
from mendel.contracts.evaluations import Case, Program
from mendel.domains.texts.bench import Bench
from mendel.domains.texts.models import Reference
from mendel.ports.command_program import GRANTS
from mendel.ports.sandbox import EMPTY, LEAST_SHARE, Ask, Sandbox

SAMPLES: Final = 3
UNIT: Final = Program.of(
    "def unit():\n    total = 0\n    for number in range(100_000):\n        total += number\n    return total\n", "unit"
)


class Stopwatch:
    """Times programs over the seeds that breeding may see."""

    def __init__(self, bench: Bench, sandbox: Sandbox) -> None:
        self._sandbox = bench.walled(sandbox)
        self._ask = Ask(EMPTY, bench.seen, bench.limits, GRANTS, bench.limits.batch_s, timed=True)
        self._unit = replace(self._ask, program=UNIT, cases=[Case()])

    async def sample(self, program: Program) -> tuple[float, float]:
        """Seconds of one pass over the seeds, and of the unit beside it.

        Raises:
            HandlerFailed: the program did not come to its end.
        """
        unit, nothing = await self._cpu(self._unit), await self._cpu(self._ask)
        spent = await self._cpu(replace(self._ask, program=program))
        return max(spent - nothing, LEAST_SHARE * nothing), unit

    async def _cpu(self, ask: Ask) -> float:
        attempt = await self._sandbox.attempt(ask)
        if len(attempt.outcomes) < len(ask.cases) or not all(each.succeeded for each in attempt.outcomes):
            raise HandlerFailed("unsteady", "while it was timed, the program did not come to its end")
        return attempt.usage.cpu_s

    async def samples(self, program: Program, number: int) -> list[tuple[float, float]]:
        """Several samples."""
        return [await self.sample(program) for _ in range(number)]

    async def measured(self, program: Program) -> Reference:
        """What a program takes, in the middle of several samples."""
        taken = await self.samples(program, SAMPLES)
        return Reference(seconds=median(each[0] for each in taken), unit_s=median(each[1] for each in taken))


def gain(reference: Reference, samples: Sequence[tuple[float, float]]) -> float:
    """The speed-up in powers of two, in the middle of the samples."""
    before = reference.seconds / reference.unit_s
    return median(log2(before / (seconds / unit)) for seconds, unit in samples)
