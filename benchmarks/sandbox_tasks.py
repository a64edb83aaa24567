"""The tasks of our sandbox: callers, evaluations and results; every answer is checked."""

from __future__ import annotations

import asyncio
import gc
import random
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from benchmarks import sandbox_processes
from benchmarks.rounds import Sample
from mendel.contracts.evaluations import Case, Limits, Outcome, Program
from mendel.ports.sandbox import Sandbox

LOOP_LIMIT_S: Final = 1.0
CASES: Final = 1_000
CASE_US: Final = 20.0
RECHECK: Final = 0.02
LONGEST_INPUT: Final = 400

ADD_ONE: Final = Program.of("def solve(x):\n    return x + 1\n", "solve")
"""The same candidate as for the peer."""

LOOPS: Final = Program.of("def solve(x):\n    while True:\n        x += 1\n", "solve")
RISING: Final = """
def solve(numbers):
    best = []
    for at, number in enumerate(numbers):
        longest = 0
        for earlier in range(at):
            if numbers[earlier] < number and best[earlier] > longest:
                longest = best[earlier]
        best.append(longest + 1)
    return max(best)
"""
"""The length of the longest rising subsequence: it takes some microseconds, and more for longer inputs."""


class WrongAnswer(RuntimeError):
    """The sandbox gave a wrong answer, so its speed means nothing."""


class Measured(NamedTuple):
    """A number of evaluations and their times; ``p50_s`` is the median of one, from the call to its answer."""

    evaluations: int
    wall_s: float
    cpu_s: float
    p50_s: float

    @property
    def per_s(self) -> float:
        """Return evaluations per second."""
        return self.evaluations / self.wall_s

    @property
    def per_cpu_s(self) -> float:
        """Return evaluations per second of processor time of all processes together."""
        return self.evaluations / self.cpu_s

    @property
    def cpu_ms(self) -> float:
        """Return milliseconds of processor time per evaluation."""
        return 1e3 * self.cpu_s / self.evaluations


Evaluation = Callable[[], Awaitable[None]]


async def measured(evaluations: Sequence[Evaluation], callers: int) -> Measured:
    """Make all evaluations with several concurrent callers; each takes the next one after its answer."""
    waiting, seconds = iter(evaluations), list[float]()  # shared by the callers, so that none is idle before the end
    gc.collect()  # now rather than inside the measurement
    cpu_before, began = sandbox_processes.cpu_s(), time.perf_counter()
    await asyncio.gather(*(_call(waiting, seconds) for _ in range(callers)))
    wall_s = time.perf_counter() - began
    cpu_s = sandbox_processes.cpu_s() - cpu_before
    return Measured(len(evaluations), wall_s, cpu_s, statistics.median(seconds))


async def _call(waiting: Iterator[Evaluation], seconds: list[float]) -> None:
    for evaluation in waiting:
        began = time.perf_counter()
        await evaluation()
        seconds.append(time.perf_counter() - began)


def _require(outcome: Outcome, *, value: object) -> None:
    if not outcome.succeeded or outcome.value != value:
        raise WrongAnswer(f"{value!r} was expected, the sandbox answers {outcome}")


# --- one case each -------------------------------------------------------------------------------------------------


@dataclass
class OneCaseEach:
    """A contender: evaluations of one case of a trivial candidate; all inputs are different."""

    sandbox: Sandbox
    evaluations: int
    callers: int
    found: list[Measured] = field(default_factory=list)
    _input: int = 0

    async def __call__(self) -> Sample:
        """Take one sample."""
        inputs = range(self._input, self._input + self.evaluations)
        self._input = inputs.stop
        self.found.append(await measured([self._evaluation(x) for x in inputs], self.callers))
        return Sample(self.evaluations, self.found[-1].wall_s)

    def _evaluation(self, x: int) -> Evaluation:
        async def evaluate() -> None:
            evaluation = await self.sandbox.evaluate(ADD_ONE, [Case((x,))])
            _require(evaluation.outcomes[0], value=x + 1)

        return evaluate


# --- batches -------------------------------------------------------------------------------------------------------


class Batch(NamedTuple):
    """Return the inputs of one batch, and the right answers."""

    inputs: list[list[int]]
    answers: list[int]


def plain_function() -> Callable[[list[int]], int]:
    """Return the function of the batches for this process."""
    names: dict[str, Any] = {}
    exec(RISING, names)
    function: Callable[[list[int]], int] = names["solve"]
    return function


def long_enough(draws: random.Random) -> int:
    """Return the length of inputs for which a call takes ``CASE_US`` in plain Python on this machine."""
    lengths = range(8, LONGEST_INPUT, 2)
    return next((length for length in lengths if _call_us(draws, length) >= CASE_US), lengths[-1])


def _call_us(draws: random.Random, length: int) -> float:
    inputs, function = _inputs(draws, length, 200), plain_function()
    samples = []
    for _ in range(5):
        began = time.perf_counter()
        for numbers in inputs:
            function(numbers)
        samples.append(time.perf_counter() - began)
    return min(samples) / len(inputs) * 1e6  # the minimum is least affected by other load


def _inputs(draws: random.Random, length: int, count: int) -> list[list[int]]:
    return [[draws.randrange(10_000) for _ in range(length)] for _ in range(count)]


def new_batch(draws: random.Random, length: int) -> Batch:
    """Return a batch of fresh inputs."""
    inputs = _inputs(draws, length, CASES)
    return Batch(inputs, list(map(plain_function(), inputs)))


@dataclass
class Batched:
    """A contender: batches in the sandbox, with some cases run again, and every value compared in this process."""

    sandbox: Sandbox
    batches: Sequence[Batch]
    callers: int
    found: list[Measured] = field(default_factory=list)

    async def __call__(self) -> Sample:
        """Take one sample; it counts cases."""
        self.found.append(await measured([self._evaluation(batch) for batch in self.batches], self.callers))
        return Sample(CASES * len(self.batches), self.found[-1].wall_s)

    def _evaluation(self, batch: Batch) -> Evaluation:
        async def evaluate() -> None:
            program = Program.of(RISING, "solve")
            evaluation = await self.sandbox.evaluate(
                program, [Case((numbers,)) for numbers in batch.inputs], recheck=RECHECK
            )
            for outcome, answer in zip(evaluation.outcomes, batch.answers, strict=True):
                _require(outcome, value=answer)
            if evaluation.stateful is not False:
                raise WrongAnswer(f"the function has no state, the sandbox says {evaluation.stateful}")

        return evaluate


@dataclass
class Plain:
    """A contender: the same function on the same inputs in this process, compared in the same way."""

    batches: Sequence[Batch]

    async def __call__(self) -> Sample:
        """Take one sample; it counts cases."""
        function = plain_function()
        gc.collect()
        began = time.perf_counter()
        for batch in self.batches:
            for numbers, answer in zip(batch.inputs, batch.answers, strict=True):
                if function(numbers) != answer:
                    raise WrongAnswer(f"{answer} was expected of {numbers}")
        return Sample(CASES * len(self.batches), time.perf_counter() - began)


# --- candidates that loop ------------------------------------------------------------------------------------------


@dataclass
class Loopers:
    """A contender: candidates of which every tenth loops for ever; if ``loopers`` is 0, only the others."""

    sandbox: Sandbox
    others: int
    loopers: int
    callers: int
    found: list[Measured] = field(default_factory=list)

    async def __call__(self) -> Sample:
        """Take one sample."""
        every = self.others // self.loopers if self.loopers else self.others + 1
        evaluations: list[Evaluation] = []
        for number in range(self.others):
            evaluations.append(self._right(number))
            if (number + 1) % every == 0:
                evaluations.append(self._looping)
        self.found.append(await measured(evaluations, self.callers))
        return Sample(len(evaluations), self.found[-1].wall_s)

    def _right(self, x: int) -> Evaluation:
        async def evaluate() -> None:
            evaluation = await self.sandbox.evaluate(ADD_ONE, [Case((x,))], limits=Limits(case_s=LOOP_LIMIT_S))
            _require(evaluation.outcomes[0], value=x + 1)

        return evaluate

    async def _looping(self) -> None:
        evaluation = await self.sandbox.evaluate(LOOPS, [Case((0,))], limits=Limits(case_s=LOOP_LIMIT_S))
        if evaluation.outcomes[0].kind != "timeout":
            raise WrongAnswer(f"a candidate loops for ever, the sandbox answers {evaluation.outcomes[0]}")
