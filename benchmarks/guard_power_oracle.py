"""Whether two programs are equivalent, determined without the gate and more thoroughly.

Both run in the sandbox on many inputs: some are drawn for their edge cases, some by the task with another seed. Answers
are compared by the task's own equivalence; a program that raises, hangs or dies counts as different. Properties,
relations and all other parts of the gate are not used.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from benchmarks.guard_power_inputs import edge_inputs
from mendel.contracts.evaluations import MIB, Case, Limits, Outcome, Program
from mendel.contracts.plain_values import identical
from mendel.guard.inputs import draw
from mendel.guard.spec import Args, TaskSpec
from mendel.ports.sandbox import Sandbox

EDGE_SEED: Final = 70_001
DRAWN_SEED: Final = 70_002
"""The gate uses seed 42."""

_FIRST: Final = 100
_BATCH: Final = 500
_FEW, _MANY = 4, 32
_MEMORY: Final = 512 * MIB
_EDGE_LIMITS: Final = Limits(case_s=1.0, batch_s=600.0, memory_bytes=_MEMORY, result_bytes=16 * MIB)
"""A baseline takes microseconds for an edge input, so a second means that a program hangs."""
_DRAWN_LIMITS: Final = Limits(case_s=4.0, batch_s=600.0, memory_bytes=_MEMORY, result_bytes=32 * MIB)
_PATIENT: Final = Limits(case_s=20.0, batch_s=60.0, memory_bytes=2 * _MEMORY, result_bytes=32 * MIB)


@dataclass(frozen=True)
class Sample:
    """Inputs with the baseline's answers."""

    name: str
    inputs: list[Args]
    answers: list[Outcome]
    limits: Limits
    certain: bool
    """Whether a single timeout or an excessive size is enough to count as different."""


class Difference(NamedTuple):
    """An input on which two programs differ, and how."""

    sample: str
    args: Args
    expected: Outcome
    found: Outcome


class Oracle:
    """Compares programs with one task's baseline."""

    def __init__(self, sandbox: Sandbox, spec: TaskSpec, samples: Sequence[Sample]) -> None:
        self._sandbox = sandbox
        self._spec = spec
        self._samples = samples

    @classmethod
    async def of(cls, sandbox: Sandbox, spec: TaskSpec, baseline: str, *, edges: int, drawn: int) -> Oracle:
        """Open an oracle with the baseline's answers; inputs without an answer are left out."""
        made = cls(sandbox, spec, [])
        tiny = edge_inputs(spec, edges, EDGE_SEED)
        usual = await asyncio.to_thread(draw, spec, drawn, DRAWN_SEED)
        made._samples = [
            await made._answered("edges", tiny, baseline, _EDGE_LIMITS, certain=True),
            await made._answered("drawn", usual, baseline, _DRAWN_LIMITS, certain=False),
        ]
        return made

    @property
    def sizes(self) -> dict[str, int]:
        """Return the number of inputs in each sample."""
        return {sample.name: len(sample.inputs) for sample in self._samples}

    async def first_difference(self, source: str) -> Difference | None:
        """Return an input on which the program differs, or None."""
        for sample in self._samples:
            start = 0
            while start < len(sample.inputs):
                end = min(start + (_BATCH if start else _FIRST), len(sample.inputs))
                found = await self._differing(source, sample, start, end, 1 if sample.certain else _FEW)
                confirmed = found[0] if found and sample.certain else await self._confirmed(source, found)
                if confirmed is not None:
                    return confirmed
                start = end
        return None

    async def shares(self, source: str) -> dict[str, float]:
        """Return the share of each sample on which the program differs."""
        counts = {}
        for sample in self._samples:
            parts = range(0, len(sample.inputs), _BATCH)
            found = [await self._differing(source, sample, start, start + _BATCH, _MANY) for start in parts]
            counts[sample.name] = sum(map(len, found)) / len(sample.inputs)
        return counts

    async def _answered(self, name: str, inputs: list[Args], baseline: str, limits: Limits, *, certain: bool) -> Sample:
        answers: list[Outcome] = []
        for start in range(0, len(inputs), _BATCH):
            answers += await self._outcomes(baseline, inputs[start : start + _BATCH], limits, _MANY)
        known = [(args, answer) for args, answer in zip(inputs, answers, strict=True) if answer.succeeded]
        return Sample(name, [args for args, _ in known], [answer for _, answer in known], limits, certain)

    async def _differing(self, source: str, sample: Sample, start: int, end: int, most_deaths: int) -> list[Difference]:
        inputs, answers = sample.inputs[start:end], sample.answers[start:end]
        outcomes = await self._outcomes(source, inputs, sample.limits, most_deaths)
        triples = list(zip(inputs, answers, outcomes, strict=True))

        def compared() -> list[Difference]:
            differing = (triple for triple in triples if not self._alike(*triple[1:]))
            return [Difference(sample.name, *triple) for triple in differing]

        return await asyncio.to_thread(compared)

    async def _confirmed(self, source: str, found: Sequence[Difference]) -> Difference | None:
        """Return a certain difference: another answer, or none with ample time and memory."""
        for each in found:
            if each.found.kind in ("value", "exception"):
                return each
        for each in found:
            (outcome,) = await self._outcomes(source, [each.args], _PATIENT, 1)
            if not self._alike(each.expected, outcome):
                return each._replace(found=outcome)
        return None

    async def _outcomes(self, source: str, inputs: Sequence[Args], limits: Limits, most_deaths: int) -> list[Outcome]:
        program, cases = Program.of(source, "solve"), [Case(args) for args in inputs]
        return list((await self._sandbox.evaluate(program, cases, limits=limits, most_deaths=most_deaths)).outcomes)

    def _alike(self, expected: Outcome, found: Outcome) -> bool:
        if not found.succeeded:
            return False
        return identical(expected.value, found.value) or bool(self._spec.equivalence(expected.value, found.value))
