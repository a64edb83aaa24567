"""Challenges: the gate compares a challenger with the champion, on inputs that breeding never saw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, log
from typing import Any, Final

from mendel.bench.scoring import scored
from mendel.bench.timing import FUNCTIONS
from mendel.bench.workbench import Workbench
from mendel.contracts.errors import HandlerFailed
from mendel.contracts.evaluations import Program
from mendel.contracts.verdicts import Challenge
from mendel.contracts.work import Work
from mendel.guard.gate import run_async
from mendel.guard.implementation import Implementation
from mendel.guard.report import Report
from mendel.guard.spec import Args, Property, TaskSpec
from mendel.ports.sandbox import Sandbox

_ALONE: Final = 0.5
"""With a single input, more than this share of its calls must provably be right; the calls are all alike."""


@dataclass(frozen=True)
class Rating:
    """How answers are rated; ``words`` states that an answer beats the champion's rating, which replaces ``{}``."""

    of: Callable[[Any, Args], float]
    words: str
    sign: float = 1.0

    def above(self, mark: float, output: object, args: Args) -> bool:
        """Whether an answer is rated better than the mark."""
        return self.sign * self.of(output, args) > self.sign * mark


@dataclass(frozen=True)
class Claim:
    """A challenger and its champion, the sandbox, and the budget of the challenge."""

    rival: Program
    program: Program
    sandbox: Sandbox
    challenge: Challenge
    candidate_id: str

    @classmethod
    def of(cls, work: Work, rival: Program, program: Program, sandbox: Sandbox) -> Claim:
        """Return the claim of an operation.

        Raises:
            HandlerFailed: the operation carries no challenge, so its budget is unknown.
        """
        given = work.operation.challenge
        if given is None:
            raise HandlerFailed("no_challenge", "the gate only runs for a challenge, and the operation has none")
        return cls(rival, program, sandbox, given, work.operation.subject_ids[0])

    async def in_pairs(self, spec: TaskSpec, policy: str, margin: float, **options: Any) -> Report:  # noqa: ANN401
        """Return the gate's report on both programs on the same inputs; ``options`` are the gate's."""
        return await self._judged(spec, Implementation.of_program(self.rival, "champion"), policy, margin, **options)

    async def alone_above(self, mark: float, rating: Rating, rules: TaskSpec, **options: Any) -> Report:  # noqa: ANN401
        """Return the gate's report for a single input: every answer must be valid and rated above the mark.

        There are no differences to estimate. What must be shown is that the answer is always the same.
        """
        above = Property(lambda output, *args: rating.above(mark, output, args), rating.words.format(mark))
        spec = replace(rules, properties=[*rules.properties, above])
        return await self._judged(spec, None, f"absolute:min_pass_rate={_ALONE:g}", _ALONE, **options)

    async def _judged(
        self,
        spec: TaskSpec,
        champion: Implementation | None,
        policy: str,
        margin: float,
        **options: Any,  # noqa: ANN401
    ) -> Report:
        return await run_async(
            spec,
            champion,
            Implementation.of_program(self.program, "challenger"),
            sandbox=self.sandbox,
            challenge=self.challenge,
            candidate_id=self.candidate_id,
            policy=policy,
            n=cases_for(margin, self.challenge.alpha),
            lint=False,  # the examination did it, and tolerates the original's own findings
            **options,
        )


def cases_for(margin: float, alpha: float) -> int:
    """Return how many cases bound the share of differing inputs by the margin, if all of them agree."""
    return ceil(log(alpha) / log(1.0 - margin)) + 1  # (1 - margin) ** n <= alpha


# --- functions -------------------------------------------------------------------------------------------


async def challenged(bench: Workbench, claim: Claim) -> Report:
    """Require exact agreement with the champion, and more speed or a higher score."""
    judge = _judged_alone if bench.rules.score is not None and not bench.observable else _judged
    return await judge(bench, claim)


async def _judged(bench: Workbench, claim: Claim) -> Report:
    task = bench.task
    fast, rated = "speed" in task.objectives, bench.rules.score is not None
    return await claim.in_pairs(
        bench.spec,
        f"{'superiority' if fast or rated else 'noninferiority'}:margin={task.margin:g}",
        task.margin,
        metrics=[
            *(["time"] if fast else []),
            *(["score"] if rated else []),
            *(each.name for each in bench.rules.metrics),
        ],
        min_speedup=2.0**task.min_gain if fast else 1.0,
        timing_samples=FUNCTIONS.gate,
        timeout_s=task.held_case_s,
        mem_mb=task.memory_mb,
    )


async def _judged_alone(bench: Workbench, claim: Claim) -> Report:
    mark = await scored(bench, claim.rival, claim.sandbox)
    rating = Rating(bench.rules.rated, "scores more than the champion's {:.9g}")
    rules = TaskSpec(
        name=bench.spec.name,
        gen_inputs=bench.inputs.held,
        properties=bench.rules.properties,
        packages=bench.task.packages,
    )
    return await claim.alone_above(mark, rating, rules, timeout_s=bench.task.held_case_s, mem_mb=bench.task.memory_mb)
