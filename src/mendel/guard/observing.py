"""Observing an implementation: its trials run in the sandbox, a batch at a time."""

from __future__ import annotations

import ast
import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import SandboxRefused, SpecFailed
from mendel.contracts.evaluations import (
    MIB,
    NOTHING_USED,
    Case,
    Evaluation,
    Grants,
    Isolation,
    Limits,
    Outcome,
    Program,
    ResourceUse,
)
from mendel.guard.config import GuardConfig
from mendel.guard.spec import Args, TaskSpec
from mendel.guard.trials import Trial
from mendel.ports.sandbox import MOST_DEATHS, Sandbox
from mendel.ports.syntax import module_tree

MOST_TRIALS: Final = 500
"""Maximum number of trials per process; their answers share its limit for the size of results."""

MOST_CALLS: Final = 16_384
"""Assumed maximum number of calls per process; it sets the time limit of a batch."""

_HOPELESS: Final = 4
"""After this many answers in a row that are too large even alone, the other large ones are not run alone."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The outcomes of one trial: of its input and of each variant; None where a relation does not apply."""

    original: Outcome
    variants: tuple[Outcome | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Observed:
    """The answers to some trials, in order; ``changing`` lists the trials that a fresh process contradicts."""

    answers: list[Answers]
    usage: ResourceUse
    isolation: Isolation
    changing: tuple[int, ...] = ()


class Observer:
    """Runs trials in the sandbox under the limits of a configuration."""

    def __init__(self, sandbox: Sandbox, spec: TaskSpec, config: GuardConfig) -> None:
        self._sandbox = sandbox
        self._spec = spec
        self._config = config
        self.grants = Grants(packages=spec.packages)
        self._entropy = Entropy(config.seed, "recheck")
        self._slices = config.parallel or max(1, (os.cpu_count() or 1) // 2)  # the other half is for the other side

    async def observe(
        self, program: Program, trials: Sequence[Trial], *, recheck: float = 0.0, until_death: bool = False
    ) -> Observed:
        """Call the program with every input and variant; with ``until_death``, stop a batch when its process dies.

        Raises:
            SandboxError: the sandbox failed; nothing is known about the program.
            SpecFailed: an input is not plain data, so it cannot be sent to the sandbox.
        """
        if recheck and may_depend_on_hashes(program):
            recheck = 1.0  # few inputs may show a difference, and one more process can run all of them
        size = min(MOST_TRIALS, -(-len(trials) // self._slices))  # rounded up
        most_deaths = 1 if until_death else MOST_DEATHS
        slices = [trials[start : start + size] for start in range(0, len(trials), size)]
        parts = await asyncio.gather(*(self._slice(program, part, recheck, most_deaths) for part in slices))
        usage = NOTHING_USED
        for part in parts:
            usage += part.usage
        answers = [answer for part in parts for answer in part.answers]
        return Observed(answers, usage, parts[0].isolation, tuple(index for part in parts for index in part.changing))

    async def alone(self, program: Program, trial: Trial) -> Answers:
        """Run each call of a trial in a fresh process; skip the variants if the input itself has no answer."""
        original = await self._one(program, trial.args)
        if not original.succeeded:
            return Answers(original, (None,) * len(trial.variants))
        variants = [None if args is None else await self._one(program, args) for args in trial.variants]
        return Answers(original, tuple(variants))

    async def _one(self, program: Program, args: Args) -> Outcome:
        return (await self._evaluated(program, [Case(args)])).outcomes[0]

    async def _slice(self, program: Program, trials: Sequence[Trial], recheck: float, most_deaths: int) -> Observed:
        owners = [trial.index for trial in trials for args in (trial.args, *trial.variants) if args is not None]
        cases = [Case(args) for trial in trials for args in (trial.args, *trial.variants) if args is not None]
        evaluation = await self._evaluated(program, cases, recheck, most_deaths)
        outcomes = await self._roomier(program, cases, list(evaluation.outcomes))
        changing = tuple(sorted({owners[place] for place in evaluation.differing}))
        return Observed(_answers(trials, outcomes), evaluation.usage, evaluation.isolation, changing)

    async def _evaluated(
        self, program: Program, cases: Sequence[Case], recheck: float = 0.0, most_deaths: int = MOST_DEATHS
    ) -> Evaluation:
        try:
            return await self._sandbox.evaluate(
                program,
                cases,
                limits=self.limits(),
                grants=self.grants,
                recheck=recheck,
                entropy=self._entropy,
                most_deaths=most_deaths,
                other_hashes=recheck > 0 and may_depend_on_hashes(program),
            )
        except SandboxRefused as error:
            if "not plain data" in str(error):  # the sandbox has no error code for it
                raise SpecFailed(f"task {self._spec.name!r}: {error}") from error
            raise

    def limits(self) -> Limits:
        """Return the limits of a process; they are the same for all, so that all fork from one warm interpreter."""
        seconds = self._config.timeout_s
        whole = min(seconds * MOST_CALLS, 86_400)
        return Limits(
            case_s=seconds,
            batch_s=whole,
            memory_bytes=self._config.mem_mb * MIB,
            result_bytes=self._config.result_mb * MIB,
        )

    async def _roomier(self, program: Program, cases: Sequence[Case], outcomes: list[Outcome]) -> list[Outcome]:
        """Run cases again, alone, if their answers did not fit the results' limit that all of them shared."""
        hopeless = 0
        for place, outcome in enumerate(outcomes):
            if outcome.error_code == "SANDBOX_RESULT_TOO_LARGE" and len(cases) > 1 and hopeless < _HOPELESS:
                again = (await self._evaluated(program, [cases[place]])).outcomes[0]
                outcomes[place] = again
                hopeless = 0 if again.succeeded else hopeless + 1
        return outcomes


@lru_cache(maxsize=256)
def _mentions_sets(text: str) -> bool:
    try:
        nodes = list(ast.walk(module_tree(text)))
    except (SyntaxError, ValueError, RecursionError):
        return False
    names = {getattr(node, "id", None) or getattr(node, "attr", None) for node in nodes}
    return bool(names & _SETS) or any(isinstance(node, ast.Set | ast.SetComp) for node in nodes)


_SETS: Final = {"set", "frozenset", "hash", "__hash__", "keys", "items"}


def may_depend_on_hashes(program: Program) -> bool:
    """Return whether a program mentions sets, hashes or dictionary views; only then another hash seed may matter."""
    return any(_mentions_sets(text) for text in program.files.values())


def _answers(trials: Sequence[Trial], outcomes: Sequence[Outcome]) -> list[Answers]:
    """Group the flat outcomes by trial."""
    if not trials[0].variants:  # without relations, one outcome per trial
        return [Answers(outcome) for outcome in outcomes]
    coming = iter(outcomes)
    return [
        Answers(next(coming), tuple(next(coming) if args is not None else None for args in trial.variants))
        for trial in trials
    ]
