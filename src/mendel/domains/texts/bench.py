"""A task, ready to be worked on in this process: programs, seeds, what the original prints, the rules of the gate."""

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
_BATCH: Final = 60.0


@dataclass(frozen=True)
class HeldInputs:
    """Calls with seeds that breeding never sees, others for every seed that they are drawn by.

    It holds nothing but what they are made of, since a verdict tells what its inputs came from.
    """

    command: str
    seconds: float
    seen: tuple[int, ...]

    def __call__(self, n: int, seed: int) -> list[Args]:
        """So many calls."""
        return [seeded_case(self.command, each, self.seconds).args for each in self.seeds(n, seed)]

    def seeds(self, n: int, seed: int) -> tuple[int, ...]:
        """Their seeds."""
        return _seeds(Entropy("texts", seed, "held"), n, frozenset(self.seen))


@dataclass
class Bench:
    """One task with the seed of its run."""

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
        """Their seeds."""
        return _seeds(Entropy("texts", self.seed, "seen"), self.task.cases)

    def held_seeds(self, n: int, seed: int) -> tuple[int, ...]:
        """Seeds that breeding never sees: others for every ``seed``."""
        return self.held.seeds(n, seed)

    def case(self, seed: int, *, held: bool = False) -> Case:
        """The call with a seed."""
        command = self.task.held_run or self.task.run if held else self.task.run
        return seeded_case(command, seed, self.task.case_s)

    def program(self, files: dict[str, str], *, held: bool = False) -> Program:
        """The task's files with these in place of its own."""
        more = self.task.held_files if held else {}
        return command_program({**self.task.files, **more, **files})

    def original(self, *, held: bool = False) -> Program:
        """What is to be improved, and the oracle."""
        return self.program(self.task.originals(), held=held)

    def champion(self, work: Work) -> Program:
        """Whom a challenger is compared with."""
        return self.program(champion_files(work) or self.task.originals(), held=True)

    @cached_property
    def limits(self) -> Limits:
        """What one process may use: what it runs may take its time, and the process a little more."""
        seconds = self.task.case_s + 2.0
        memory = self.task.memory_mb * MIB
        return replace(LIMITS, case_s=seconds, batch_s=_BATCH * seconds, memory_bytes=memory)

    def walled(self, sandbox: Sandbox) -> Sandbox:
        """The sandbox in which commands run, and are scored where the task scores."""
        task = self.task
        scorer = Scorer.of(task.score, task.score_files, task.case_s) if task.score is not None else None
        return CommandSandbox(sandbox, self.limits, scorer)

    def track(self, sandbox: Sandbox, cases: list[Case]) -> Track:
        """Where commands are timed, each of which has to end well."""
        return Track(self.walled(sandbox), cases, self.limits, GRANTS, COMMANDS, ending=True)

    async def evaluated(
        self, program: Program, cases: list[Case], sandbox: Sandbox, recheck: float = 0.0, most_deaths: int = 2
    ) -> Evaluation:
        """What a program answers, and whether it does so again."""
        return await self.walled(sandbox).evaluate(
            program, cases, limits=self.limits, grants=GRANTS, recheck=recheck, most_deaths=most_deaths
        )

    async def right(self, sandbox: Sandbox) -> tuple[Outcome, ...]:
        """What the original answers to what breeding may see; asked once."""
        async with self._lock:
            if self._right is None:
                self._right = (await self.evaluated(self.original(), self.seen, sandbox)).outcomes
            return self._right

    @cached_property
    def spec(self) -> TaskSpec:
        """The task as the gate sees it, on held-out seeds."""
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
        """Where the gate's inputs come from."""
        return HeldInputs(self.task.held_run or self.task.run, self.task.case_s, self.seen_seeds)


def _seeds(entropy: Entropy, n: int, others: frozenset[int] = frozenset()) -> tuple[int, ...]:
    """So many different seeds that fit into 31 bits, and are none of the others."""
    found: dict[int, None] = {}
    index = 0
    while len(found) < n:
        drawn = entropy.word(index) >> 33
        index += 1
        if drawn not in others:
            found[drawn] = None
    return tuple(found)


def shown(case: Case) -> str:
    """A call as people read it."""
    return f"MENDEL_SEED={seed_of(case)}"


def _shown_arguments(args: Args) -> str:
    return shown(Case(args))


def _same(left: object, right: object) -> bool:
    return left == right


def _whatever(_left: object, _right: object) -> bool:
    """Every answer that has a score is as good as any other; the scores are compared."""
    return True


def _score(output: object, _args: Args) -> float:
    return float(output) if isinstance(output, float) else float("nan")


BENCHES = Benches(task_of, Bench)
material = BENCHES.material
