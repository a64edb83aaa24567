"""The task of a function, ready to be worked on: programs, inputs, the original's answers, the user's own rules."""

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
"""So many of the smallest inputs are tried first: most of what is wrong is wrong on them."""
COUNTING: Final = 40.0
"""So many times as long a program takes while its opcodes are counted."""
PATIENCE: Final = 8.0
MUCH_LONGER: Final = 20.0
"""Whoever takes longer for one input than so many times what the original takes for all, and than ``PATIENCE`` seconds,
has no end in sight: far enough from everybody else for the machine's whims to change nothing."""


@dataclass
class Workbench:
    """One task with the seed of its run."""

    task: FunctionTask
    seed: int
    expected: dict[bytes, Answers] = field(default_factory=dict)
    stands_at: float | None = None
    empty_bytes: int = 0
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _reference: Evaluation | None = None
    _tolerated: dict[str, frozenset[tuple[str, str]]] = field(default_factory=dict)

    @cached_property
    def rules(self) -> OwnRules:
        """What the user's own ``task.py`` says; nothing, if there is none."""
        return rules_of(self.task.spec)

    @cached_property
    def inputs(self) -> Inputs:
        """Where inputs come from."""
        return inputs_of(self.task, self.rules, self.seed)

    @cached_property
    def original(self) -> Program:
        """What is to be improved, and the oracle."""
        return self.program(self.task.originals())

    @cached_property
    def code(self) -> Code:
        """The file of the function as it was."""
        return parsed(self.task.files[self.task.main], self.task.main)

    @cached_property
    def spec(self) -> TaskSpec:
        """What must hold of answers, for the gate and for the examinations before it."""
        return self.rules.spec(self.task, self.inputs.held)

    @cached_property
    def checker(self) -> Checker:
        """Applies it."""
        return Checker(self.spec)

    @cached_property
    def seen(self) -> list[Trial]:
        """The inputs that breeding may see, the smallest first."""
        drawn = sorted(self.inputs.seen(self.task.cases, self.seed), key=lambda args: len(spelled(args)))
        return Trials(self.spec, self.seed).of(drawn)

    @cached_property
    def seen_only(self) -> list[Trial]:
        """Those of them that are not timed as well: what is timed is compared too."""
        if self.spec.relations:
            return self.seen
        timed = {spelled(args) for args in self.timed}
        return [trial for trial in self.seen if spelled(trial.args) not in timed]

    @cached_property
    def timed(self) -> list[Args]:
        """The inputs that breeding is timed on."""
        return self.inputs.timing(self.task.timing_size, self.task.timing_cases, self.seed, held=False)

    def program(self, files: dict[str, str]) -> Program:
        """The task's files with these in place of its own."""
        shapes = InputPlan.model_validate(self.task.inputs).shapes if self.task.inputs is not None else ()
        return Program({**self.task.files, **files}, self.task.entry, shapes)

    @property
    def grants(self) -> Grants:
        """What a program may import."""
        return Grants(packages=self.task.packages)

    def limits(self, case_s: float | None = None) -> Limits:
        """What one process may use."""
        seconds = case_s or self.task.case_s
        return Limits(
            case_s=seconds, batch_s=60 * seconds, memory_bytes=self.task.memory_mb * MIB, result_bytes=16 * MIB
        )

    def track(self, sandbox: Sandbox) -> Track:
        """Where programs are timed, on the inputs that breeding is timed on."""
        return Track(sandbox, self.timed_cases(), self.limits(), self.grants)

    def observer(self, sandbox: Sandbox, case_s: float | None = None) -> Observer:
        """Runs trials as the gate does."""
        config = GuardConfig(seed=self.seed % 2**31, timeout_s=case_s or self.task.case_s, mem_mb=self.task.memory_mb)
        return Observer(sandbox, self.spec, config)

    async def answers(self, trials: list[Trial], sandbox: Sandbox) -> list[Answers]:
        """What the original answers; asked once."""
        async with self._lock:
            missing = [trial for trial in trials if spelled(trial.args) not in self.expected]
            if missing:
                observed = await self.observer(sandbox).observe(self.original, missing)
                for trial, answers in zip(missing, observed.answers, strict=True):
                    self.expected[spelled(trial.args)] = answers
        return [self.expected[spelled(trial.args)] for trial in trials]

    @property
    def observable(self) -> bool:
        """Whether watching a program at work is worth it: one that takes no arguments shows one thing only."""
        return bool(self.seen and self.seen[0].args)

    def size(self, files: Mapping[str, str]) -> int:
        """How large what may change of these files is, in nodes of the tree."""
        return size_of(self.task, files)

    @cached_property
    def original_size(self) -> int:
        """The same of the original."""
        return self.size(self.task.originals())

    @property
    def counted(self) -> bool:
        """Whether opcodes are what counts: then nothing that a clock says is recorded, and runs repeat exactly."""
        return "opcodes" in self.task.objectives

    def tolerated(self, path: str) -> frozenset[tuple[str, str]]:
        """What the static policy has against the original already."""
        if path not in self._tolerated:
            found = lint(self.task.files[path], "program", path=path, allow_imports=self.task.packages)
            self._tolerated[path] = frozenset((each.code, each.message) for each in found)
        return self._tolerated[path]

    async def large(self, program: Program, sandbox: Sandbox) -> Evaluation:
        """The program on the timed inputs, once and roughly; where opcodes count, nobody waits long for a looper."""
        if not self.counted:
            return await self.measured(program, self.timed_cases(), sandbox)
        reference = await self.reference(sandbox)
        patience = max(PATIENCE, MUCH_LONGER * reference.usage.cpu_s)
        return await self.measured(program, self.timed_cases(), sandbox, patience)

    async def measured(self, program: Program, cases: list[Case], sandbox: Sandbox, most_s: float = inf) -> Evaluation:
        """The program on some inputs, ``most_s`` for each at most, its opcodes counted where these count."""
        seconds = max(self.task.case_s, self.task.held_case_s)
        return await sandbox.evaluate(
            program,
            cases,
            limits=self.limits(min(most_s, seconds * COUNTING) if self.counted else None),
            grants=self.grants,
            count_opcodes=self.counted,
            most_deaths=1,
        )

    async def empty_peak(self, cases: list[Case], sandbox: Sandbox) -> int:
        """What memory a program takes that does nothing with these inputs."""
        return (await self.measured(EMPTY, cases, sandbox)).usage.peak_memory_bytes

    async def reference(self, sandbox: Sandbox) -> Evaluation:
        """The original on the timed inputs; asked once."""
        async with self._lock:
            if self._reference is None:
                self._reference = await self.measured(self.original, self.timed_cases(), sandbox)
                self.empty_bytes = await self.empty_peak(self.timed_cases(), sandbox)
        return self._reference

    def timed_cases(self) -> list[Case]:
        """The timed inputs as cases."""
        return [Case(args) for args in self.timed]


def size_of(task: FunctionTask, files: Mapping[str, str]) -> int:
    """How large what may change of these files is, in nodes of the tree."""
    return sum(size_within(parsed(text, path), task.roots[path]) for path, text in files.items())
