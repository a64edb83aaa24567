"""Time as a metric: both sides timed by the sandbox over the same inputs, in alternation."""

from __future__ import annotations

from typing import Final

from mendel.contracts.errors import SandboxRefused
from mendel.contracts.evaluations import Case, Outcome
from mendel.contracts.verdicts import Decision
from mendel.guard.codes import Code
from mendel.guard.evaluation import Conclusion, Evaluation, said
from mendel.guard.observing import Answers

MOST_TIMED: Final = 200
"""So many inputs make a sample; distinct ones, so that remembering answers does not pay."""


async def measure_times(evaluation: Evaluation) -> Conclusion | None:
    """Take the samples; what speaks against the candidate meanwhile, or None."""
    if evaluation.baseline is None:
        return None
    cases = [Case(args) for args in evaluation.inputs[:MOST_TIMED]]
    expected = await evaluation.observer.observe(
        evaluation.baseline, evaluation.trials.of(evaluation.inputs[:MOST_TIMED])
    )

    def right(place: int, outcome: Outcome) -> bool:
        return not any(evaluation.checker.mismatches(Answers(outcome), Answers(expected.answers[place].original)))

    samples = evaluation.sandbox.compare(evaluation.baseline, evaluation.candidate, cases, check=right)
    try:
        async for sample in samples:
            if sample.wrong:
                message = f"while it was timed, it answered differently on {len(sample.wrong)} of {sample.cases} inputs"
                return Conclusion(Decision.REJECT, (said(Code.FLAKY, message),), flaky=True)
            if sample.left_s > 0 and sample.right_s > 0:
                evaluation.ratios.append((sample.left_s, sample.right_s))
            if len(evaluation.ratios) >= evaluation.config.timing_samples:
                break
    except SandboxRefused as error:
        return Conclusion(Decision.UNDECIDED, (said(Code.TOO_FAST_TO_TIME, str(error)),))
    return None
