"""The workbench of a function's task: programs, inputs, the original's answers, and the user's own rules."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Final

from mendel.bench.inputs.plan import InputPlan
from mendel.bench.records import FunctionTask
from mendel.bench.sources import Inputs, inputs_of
from mendel.bench.spec_file import OwnRules, rules_of
from mendel.bench.timing import Track
from mendel.breeding.code import Code, parsed
from mendel.breeding.regions import size_within
from mendel.contracts.evaluations import MIB, Case, Evaluation, Grants, Limits, Program
from mendel.contracts.plain_values import spelled
from mendel.guard.checking import Checker
from mendel.guard.config import GuardConfig
from mendel.guard.observing import Answers, Observer
from mendel.guard.spec import Args, TaskSpec
from mendel.guard.trials import Trial, Trials
from mendel.ports.lint import lint
from mendel.ports.sandbox import EMPTY, Sandbox

SMALL: Final = 12
"""Number of the smallest inputs that are tried first: most faults show on them."""
COUNTING: Final = 40.0
"""Factor by which a program slows down while its opcodes are counted."""
PATIENCE: Final = 8.0
MUCH_LONGER: Final = 20.0
"""An input counts as endless after the larger of ``PATIENCE`` seconds and this multiple of the original's time for all
inputs: far enough from every other program's time for the machine's fluctuations not to matter."""


@dataclass
class Workbench:
    """A task with the seed of its run; what is computed from them is kept."""

    task: FunctionTask
    seed: int
    expected: dict[bytes, Answers] = field(default_factory=dict)
    stands_at: float | None = None
    empty_bytes: int = 0
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)  # steps share a bench: the original runs only once
    _reference: Evaluation | None = None
    _tolerated: dict[str, frozenset[tuple[str, str]]] = field(default_factory=dict)

    @cached_property
    def rules(self) -> OwnRules:
        """The rules of the user's own ``task.py``; empty without one."""
        return rules_of(self.task.spec)

    @cached_property
    def inputs(self) -> Inputs:
        """The source of the task's inputs."""
        return inputs_of(self.task, self.rules, self.seed)

    @cached_property
    def original(self) -> Program:
        """The program to improve, which is also the oracle."""
        return self.program(self.task.originals())

    @cached_property
    def code(self) -> Code:
        """The original code of the function's file."""
        return parsed(self.task.files[self.task.main], self.task.main)

    @cached_property
    def spec(self) -> TaskSpec:
        """The requirements on answers, for the gate and for the examinations before it."""
        return self.rules.spec(self.task, self.inputs.held)

    @cached_property
    def checker(self) -> Checker:
        """Applies the requirements."""
        return Checker(self.spec)

    @cached_property
    def seen(self) -> list[Trial]:
        """The inputs that breeding may see, the smallest first."""
        drawn = sorted(self.inputs.seen(self.task.cases, self.seed), key=lambda args: len(spelled(args)))
        return Trials(self.spec, self.seed).of(drawn)

    @cached_property
    def seen_only(self) -> list[Trial]:
        """The seen inputs that are not timed as well, since answers to timed inputs are compared anyway."""
        if self.spec.relations:  # timed inputs are compared without their relations, so none may be left out
            return self.seen
        timed = {spelled(args) for args in self.timed}
        return [trial for trial in self.seen if spelled(trial.args) not in timed]

    @cached_property
    def timed(self) -> list[Args]:
        """The inputs on which breeding times programs."""
        return self.inputs.timing(self.task.timing_size, self.task.timing_cases, self.seed, held=False)

    def program(self, files: dict[str, str]) -> Program:
        """Return the task's program with these files in place of its own."""
        shapes = InputPlan.model_validate(self.task.inputs).shapes if self.task.inputs is not None else ()
        return Program({**self.task.files, **files}, self.task.entry, shapes)

    @property
    def grants(self) -> Grants:
        """What a program may import."""
        return Grants(packages=self.task.packages)

    def limits(self, case_s: float | None = None) -> Limits:
        """Return the limits of one process."""
        seconds = case_s or self.task.case_s
        return Limits(
            case_s=seconds, batch_s=60 * seconds, memory_bytes=self.task.memory_mb * MIB, result_bytes=16 * MIB
        )

    def track(self, sandbox: Sandbox) -> Track:
        """Return the track for timing on the inputs of breeding."""
        return Track(sandbox, self.timed_cases(), self.limits(), self.grants)

    def observer(self, sandbox: Sandbox, case_s: float | None = None) -> Observer:
        """Return an observer that runs trials as the gate does."""
        config = GuardConfig(seed=self.seed % 2**31, timeout_s=case_s or self.task.case_s, mem_mb=self.task.memory_mb)
        return Observer(sandbox, self.spec, config)

    async def answers(self, trials: list[Trial], sandbox: Sandbox) -> list[Answers]:
        """Return the original's answers to the trials; it runs once per input."""
        async with self._lock:
            missing = [trial for trial in trials if spelled(trial.args) not in self.expected]
            if missing:
                observed = await self.observer(sandbox).observe(self.original, missing)
                for trial, answers in zip(missing, observed.answers, strict=True):
                    self.expected[spelled(trial.args)] = answers
        return [self.expected[spelled(trial.args)] for trial in trials]

    @property
    def observable(self) -> bool:
        """Whether observing several calls is useful: a function without arguments has a single input."""
        return bool(self.seen and self.seen[0].args)

    def size(self, files: Mapping[str, str]) -> int:
        """Return the size of the changeable code in these files, in nodes of the tree."""
        return size_of(self.task, files)

    @cached_property
    def original_size(self) -> int:
        """The size of the original's changeable code."""
        return self.size(self.task.originals())

    @property
    def counted(self) -> bool:
        """Whether opcodes are the measure: then no clock reading is recorded, so that runs repeat exactly."""
        return "opcodes" in self.task.objectives

    def tolerated(self, path: str) -> frozenset[tuple[str, str]]:
        """Return the static policy's findings in the original, which candidates may keep."""
        if path not in self._tolerated:
            found = lint(self.task.files[path], "program", path=path, allow_imports=self.task.packages)
            self._tolerated[path] = frozenset((each.code, each.message) for each in found)
        return self._tolerated[path]

    async def large(self, program: Program, sandbox: Sandbox) -> Evaluation:
        """Run the program once on the timed inputs, for rough figures; if opcodes count, endless runs are cut short."""
        if not self.counted:
            return await self.measured(program, self.timed_cases(), sandbox)
        reference = await self.reference(sandbox)
        patience = max(PATIENCE, MUCH_LONGER * reference.usage.cpu_s)
        return await self.measured(program, self.timed_cases(), sandbox, patience)

    async def measured(self, program: Program, cases: list[Case], sandbox: Sandbox, most_s: float = inf) -> Evaluation:
        """Run the program on some inputs, each for at most ``most_s``, and count opcodes if they are the measure."""
        seconds = max(self.task.case_s, self.task.held_case_s)
        return await sandbox.evaluate(
            program,
            cases,
            limits=self.limits(min(most_s, seconds * COUNTING) if self.counted else None),
            grants=self.grants,
            count_opcodes=self.counted,
            most_deaths=1,  # a program that died once is not worth another process
        )

    async def empty_peak(self, cases: list[Case], sandbox: Sandbox) -> int:
        """Return the peak memory of a program that does nothing with these inputs."""
        return (await self.measured(EMPTY, cases, sandbox)).usage.peak_memory_bytes

    async def reference(self, sandbox: Sandbox) -> Evaluation:
        """Return the original's evaluation on the timed inputs; it runs once."""
        async with self._lock:
            if self._reference is None:
                self._reference = await self.measured(self.original, self.timed_cases(), sandbox)
                self.empty_bytes = await self.empty_peak(self.timed_cases(), sandbox)
        return self._reference

    def timed_cases(self) -> list[Case]:
        """Return the timed inputs as cases."""
        return [Case(args) for args in self.timed]


def size_of(task: FunctionTask, files: Mapping[str, str]) -> int:
    """Return the size of the changeable code in these files, in nodes of the tree."""
    return sum(size_within(parsed(text, path), task.roots[path]) for path, text in files.items())
