"""The bench of a text's task: programs, seeds, the original's output, and the rules of the gate."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from mendel.bench.timing import COMMANDS, Track
from mendel.bench.work import Benches, champion_files
from mendel.contracts.entropy import Entropy
from mendel.contracts.evaluations import MIB, Case, Evaluation, Limits, Outcome, Program
from mendel.contracts.work import Work
from mendel.domains.texts.models import TextTask, task_of
from mendel.domains.texts.running import CommandSandbox, Scorer, seed_of, seeded_case
from mendel.guard.spec import Args, Metric, TaskSpec
from mendel.ports.command_program import GRANTS, LIMITS, command_program
from mendel.ports.sandbox import Sandbox

SCORE: Final = "score"
_BATCH: Final = 60.0  # time limit of a batch, in multiples of a case's


@dataclass(frozen=True)
class HeldInputs:
    """Calls with seeds that breeding never sees; each seed of the draw gives different calls.

    It holds only the data that it draws from, because a verdict records the source of its inputs.
    """

    command: str
    seconds: float
    seen: tuple[int, ...]

    def __call__(self, n: int, seed: int) -> list[Args]:
        """Return ``n`` calls."""
        return [seeded_case(self.command, each, self.seconds).args for each in self.seeds(n, seed)]

    def seeds(self, n: int, seed: int) -> tuple[int, ...]:
        """Return the seeds of these calls."""
        return _seeds(Entropy("texts", seed, "held"), n, frozenset(self.seen))


@dataclass
class Bench:
    """A task with the seed of its run."""

    task: TextTask
    seed: int
    _right: tuple[Outcome, ...] | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @cached_property
    def seen(self) -> list[Case]:
        """The calls that breeding may see."""
        return [self.case(seed) for seed in self.seen_seeds]

    @cached_property
    def seen_seeds(self) -> tuple[int, ...]:
        """The seeds of these calls."""
        return _seeds(Entropy("texts", self.seed, "seen"), self.task.cases)

    def held_seeds(self, n: int, seed: int) -> tuple[int, ...]:
        """Return seeds that breeding never sees; they differ for each ``seed``."""
        return self.held.seeds(n, seed)

    def case(self, seed: int, *, held: bool = False) -> Case:
        """Return the call with a seed."""
        command = self.task.held_run or self.task.run if held else self.task.run
        return seeded_case(command, seed, self.task.case_s)

    def program(self, files: dict[str, str], *, held: bool = False) -> Program:
        """Return the task's program with these files in place of its own."""
        more = self.task.held_files if held else {}
        return command_program({**self.task.files, **more, **files})

    def original(self, *, held: bool = False) -> Program:
        """Return the program to improve, which is also the oracle."""
        return self.program(self.task.originals(), held=held)

    def champion(self, work: Work) -> Program:
        """Return the program that a challenger is compared with."""
        return self.program(champion_files(work) or self.task.originals(), held=True)

    @cached_property
    def limits(self) -> Limits:
        """The limits of one process, which may take slightly longer than the command that it runs."""
        seconds = self.task.case_s + 2.0  # for starting and ending the command
        memory = self.task.memory_mb * MIB
        return replace(LIMITS, case_s=seconds, batch_s=_BATCH * seconds, memory_bytes=memory)

    def walled(self, sandbox: Sandbox) -> Sandbox:
        """Return the sandbox in which commands run, and are scored if the task has a score."""
        task = self.task
        scorer = Scorer.of(task.score, task.score_files, task.case_s) if task.score is not None else None
        return CommandSandbox(sandbox, self.limits, scorer)

    def track(self, sandbox: Sandbox, cases: list[Case]) -> Track:
        """Return the track for timing commands, each of which must succeed."""
        return Track(self.walled(sandbox), cases, self.limits, GRANTS, COMMANDS, ending=True)

    async def evaluated(
        self, program: Program, cases: list[Case], sandbox: Sandbox, recheck: float = 0.0, most_deaths: int = 2
    ) -> Evaluation:
        """Run a program on cases, some of them again to check that its answers repeat."""
        return await self.walled(sandbox).evaluate(
            program, cases, limits=self.limits, grants=GRANTS, recheck=recheck, most_deaths=most_deaths
        )

    async def right(self, sandbox: Sandbox) -> tuple[Outcome, ...]:
        """Return the original's answers to the seen seeds; it runs once."""
        async with self._lock:
            if self._right is None:
                self._right = (await self.evaluated(self.original(), self.seen, sandbox)).outcomes
            return self._right

    @cached_property
    def spec(self) -> TaskSpec:
        """The task for the gate, on held-out seeds."""
        scored = self.task.objective == SCORE
        return TaskSpec(
            name=self.task.path,
            gen_inputs=self.held,
            equivalence=_whatever if scored else _same,
            metrics=[self.metric] if scored else [],
            fmt_in=_shown_arguments,
        )

    @property
    def metric(self) -> Metric:
        """The score as a number to compare."""
        return Metric(SCORE, _score, higher_is_better=self.task.maximize)

    @property
    def held(self) -> HeldInputs:
        """The source of the gate's inputs."""
        return HeldInputs(self.task.held_run or self.task.run, self.task.case_s, self.seen_seeds)


def _seeds(entropy: Entropy, n: int, others: frozenset[int] = frozenset()) -> tuple[int, ...]:
    """Return ``n`` different seeds of at most 31 bits, none of them among the others."""
    found: dict[int, None] = {}
    index = 0
    while len(found) < n:
        drawn = entropy.word(index) >> 33  # fits a signed 32-bit integer, as many languages have it
        index += 1
        if drawn not in others:
            found[drawn] = None
    return tuple(found)


def shown(case: Case) -> str:
    """Return a call in a readable form."""
    return f"MENDEL_SEED={seed_of(case)}"


def _shown_arguments(args: Args) -> str:
    return shown(Case(args))


def _same(left: object, right: object) -> bool:
    return left == right


def _whatever(_left: object, _right: object) -> bool:
    """Accept every answer that has a score; only the scores are compared."""
    return True


def _score(output: object, _args: Args) -> float:
    return float(output) if isinstance(output, float) else float("nan")


BENCHES = Benches(task_of, Bench)
material = BENCHES.material
