"""Time as a metric: the sandbox times both sides over the same inputs, in alternation."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from mendel.contracts.errors import SandboxRefused
from mendel.contracts.evaluations import Case, Outcome, TimedSample
from mendel.contracts.verdicts import Decision
from mendel.guard.codes import Code
from mendel.guard.evaluation import Conclusion, Evaluation, changed, said
from mendel.guard.observing import Answers

MOST_TIMED: Final = 200
"""Maximum number of inputs per timing sample; many different inputs make it useless to cache answers."""

MOST_SPOILED: Final = 3
"""The number of samples with a wrong answer that ends timing; fewer may be an accident."""


async def measure_times(evaluation: Evaluation) -> Conclusion | None:
    """Take the timing samples; return a conclusion if timing failed, else None."""
    if evaluation.baseline is None:
        return None
    trials = evaluation.trials.of(evaluation.inputs[:MOST_TIMED])
    expected = (await evaluation.observer.observe(evaluation.baseline, trials)).answers

    def right(place: int, outcome: Outcome) -> bool:
        return not any(evaluation.checker.mismatches(Answers(outcome), Answers(expected[place].original)))

    samples = evaluation.sandbox.compare(
        evaluation.baseline,
        evaluation.candidate,
        [Case(trial.args) for trial in trials],
        check=right,
        limits=evaluation.observer.limits(),
        grants=evaluation.observer.grants,
    )
    try:
        spoiled = await _taken(evaluation, samples)
    except SandboxRefused as error:
        return Conclusion(Decision.UNDECIDED, (said(Code.TOO_FAST_TO_TIME, str(error)),))
    if spoiled is None:
        return None
    place = spoiled.wrong[0]
    # Only a baseline that is stable, in the sample and in a fresh process, shows that the candidate is flaky.
    alone = await evaluation.observer.alone(evaluation.baseline, trials[place])
    return _wrong(place, baselines=bool(spoiled.left_wrong) or changed(expected[place], alone))


async def _taken(evaluation: Evaluation, samples: AsyncIterator[TimedSample]) -> TimedSample | None:
    """Collect the configured number of samples; return one with a wrong answer if there are too many such samples."""
    spoiled = 0
    async for sample in samples:
        if sample.wrong:
            spoiled += 1
        elif sample.left_s > 0 and sample.right_s > 0:  # ratios need positive times; a coarse clock may show zero
            evaluation.ratios.append((sample.left_s, sample.right_s))
        if spoiled >= MOST_SPOILED:
            return sample
        if len(evaluation.ratios) >= evaluation.config.timing_samples:
            break
    return None


def _wrong(place: int, *, baselines: bool) -> Conclusion:
    if baselines:
        message = f"while it was timed, the baseline answered differently on case {place}"
        return Conclusion(Decision.UNDECIDED, (said(Code.BASELINE_FLAKY, message),), flaky=True)
    message = f"while it was timed, it answered differently on case {place}"
    return Conclusion(Decision.REJECT, (said(Code.FLAKY, message),), flaky=True)
