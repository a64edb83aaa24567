"""Exact mode: the candidate must answer as the baseline does. One confirmed counter-example rejects it.

Inputs come in growing batches, so that a candidate that is wrong everywhere costs only a few cases. Without a
counter-example, the result is a bound on what was missed: if the answers differed on a share m of the inputs, n inputs
would all agree with a probability of (1 - m)**n.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from mendel.contracts.plain_values import spelled
from mendel.contracts.verdicts import Decision, Interval
from mendel.guard.checking import LATE, Breach
from mendel.guard.codes import Code
from mendel.guard.evaluation import Conclusion, Evaluation, changed, said, same_breach
from mendel.guard.improvement import compared_metrics, regressions, superiority
from mendel.guard.intervals import interval
from mendel.guard.observing import MOST_TRIALS
from mendel.guard.statistics.power import cases_for_mismatch_bound
from mendel.guard.statistics.proportions import clopper_pearson
from mendel.guard.tally import Judged
from mendel.guard.timing import measure_times
from mendel.guard.violations import FAILURES, minimal_violation, violation

FIRST_BATCH: Final = 4
GROWTH: Final = 8


async def observe_exactly(evaluation: Evaluation, alpha: float) -> Conclusion | None:
    """Look for a counter-example; return the conclusion from it, or None where all cases agree."""
    planned = _planned(evaluation, alpha)
    for until in batches(planned):
        recheck = evaluation.config.recheck if until == planned else 0.0  # the last batch only
        judged, changing = await evaluation.next_batch(until, recheck=recheck)
        conclusion = await _against(evaluation, judged, changing)
        if conclusion is not None:
            return conclusion
    _no_oracle_is_silent(evaluation)
    if evaluation.timed:
        return await measure_times(evaluation)
    return None


def _planned(evaluation: Evaluation, alpha: float) -> int:
    """Return the number of cases to observe: all, or in a sequential test as many as prove the margin.

    Stopping early costs no alpha: adopting after k cases without a mismatch is wrong no more often than planning k.
    """
    config, margin = evaluation.config, evaluation.policy.mismatch_margin
    if config.sequential == "none" or margin == 0 or evaluation.spec.cluster_key is not None:
        return config.n
    return min(config.n, cases_for_mismatch_bound(margin, alpha))


def batches(n: int) -> Iterator[int]:
    """Yield the end of each batch: small batches first, then as large as one process takes."""
    size, done = FIRST_BATCH, 0
    while done < n:
        done = min(n, done + size)
        yield done
        size = min(size * GROWTH, MOST_TRIALS)


async def _against(evaluation: Evaluation, judged: list[Judged], changing: Sequence[int]) -> Conclusion | None:
    """Count a batch, and conclude if a case in it decides."""
    if evaluation.tally.n == 0 and all(_raises(each) for each in judged):
        return _silent_oracle(judged)
    for place, each in enumerate(judged):
        if _no_oracle(each):
            conclusion = await _baseline_fails(evaluation, judged, place)
            if conclusion is not None:
                return conclusion
    place = 0
    while place < len(judged):
        if judged[place].against_candidate:
            conclusion = await _confirmed(evaluation, judged, place)
            if conclusion is not None:
                return conclusion
            place = 0  # one timeout was forgiven, and `judged` now holds a new run of the batch
        else:
            place += 1
    evaluation.count(judged)
    if changing:
        shown = next(each for each in judged if each.trial.index == changing[0])
        return _flaky(
            evaluation,
            shown,
            "it answers differently in another process (with the cases in another order, or another hash seed)",
        )
    return None


async def _confirmed(evaluation: Evaluation, judged: list[Judged], place: int) -> Conclusion | None:
    """Reject for the case at ``place`` if it also fails in a fresh process; return None where it only timed out once.

    In that case the whole batch runs again in the same order: a second timeout that does not repeat in a process of its
    own counts as flaky, since a busy machine is no longer a likely cause.
    """
    first = judged[place]
    again = await evaluation.judged_alone(first.trial)
    if _no_oracle(again) or (first.baseline is not None and _oracle_changed(evaluation, first, again)):
        return _baseline_flaky(evaluation, first)
    if changed(first.candidate, again.candidate):
        evaluation.count([*judged[:place], again])
        return _flaky(evaluation, first, "it answers differently when run again")
    if again.against_candidate:
        evaluation.count([*judged[:place], again])
        return await _rejected(evaluation, again)
    if evaluation.late:
        evaluation.count([*judged[:place], first])
        return _flaky(evaluation, first, "it timed out, as on another case before, but not in a process of its own")
    evaluation.late += 1
    evaluation.warn(Code.LATE_ONCE, f"case {first.trial.index} timed out once, and not when run again")
    judged[:] = await evaluation.seen_again(judged)
    return None


async def _rejected(evaluation: Evaluation, judged: Judged) -> Conclusion:
    breach = _worst(judged.against_candidate)
    found = await minimal_violation(evaluation, judged, breach)
    small = "minimal input" if found.shrunk else "input"
    seen = f"case {judged.trial.index}: {_what(breach)}" + (f"; {small} {found.input[:300]}" if found.input else "")
    return Conclusion(Decision.REJECT, (said(code_of(breach), seen),), violations=(found,))


def _worst(against: Sequence[Breach]) -> Breach:
    """Return the most informative breach: a missing answer, then a broken property or relation, then a mismatch."""
    order = ("failure", "property", "relation", "mismatch")
    return min(against, key=lambda breach: order.index(breach.kind))


def code_of(breach: Breach) -> Code:
    """Return the reason code for a rejection because of a breach."""
    match breach.kind:
        case "mismatch":
            return Code.MISMATCH
        case "property":
            return Code.PROPERTY_VIOLATED
        case "relation":
            return Code.RELATION_VIOLATED
        case "failure":
            return FAILURES.get(breach.name, Code.CRASHED)


def _what(breach: Breach) -> str:
    match breach.kind:
        case "property":
            return f"it violates the property {breach.name!r}" + (f": {breach.detail}" if breach.detail else "")
        case "relation":
            return f"it violates the relation {breach.name!r}" + (f": {breach.detail}" if breach.detail else "")
        case _:
            return breach.detail


def _flaky(evaluation: Evaluation, judged: Judged, why: str) -> Conclusion:
    breach = judged.against_candidate[0] if judged.against_candidate else Breach("mismatch", "flaky", why)
    shown = violation(evaluation, judged, breach)
    message = f"the candidate is flaky: on case {judged.trial.index} {why}"
    return Conclusion(Decision.REJECT, (said(Code.FLAKY, message),), violations=(shown,), flaky=True)


# --- the baseline ------------------------------------------------------------------------------------------


def _no_oracle(judged: Judged) -> bool:
    """Return whether the baseline violates a property or relation, or has no answer; raising counts as an answer."""
    return any(
        breach.kind in ("property", "relation") or breach.name != "SANDBOX_EXCEPTION"
        for breach in judged.against_baseline
    )


def _raises(judged: Judged) -> bool:
    return judged.baseline is not None and judged.baseline.original.kind == "exception"


def _silent_oracle(judged: Sequence[Judged]) -> Conclusion:
    first = judged[0].baseline
    told = "" if first is None else f": {first.original.error_type}: {first.original.message}"
    message = f"the baseline raises on each of the first {len(judged)} inputs{told}; fix it, or the task's inputs"
    return Conclusion(Decision.UNDECIDED, (said(Code.BASELINE_FAILS, message),))


def _oracle_changed(evaluation: Evaluation, first: Judged, again: Judged) -> bool:
    if first.baseline is None or again.baseline is None:
        return False
    return any(evaluation.checker.mismatches(again.baseline, first.baseline))


async def _baseline_fails(evaluation: Evaluation, batch: list[Judged], place: int) -> Conclusion | None:
    """Conclude for a case on which the baseline cannot serve as oracle; None where it only timed out once."""
    judged = batch[place]
    again = await evaluation.judged_alone(judged.trial)
    if not _no_oracle(again):
        if judged.baseline is None or judged.baseline.original.kind not in LATE:
            return _baseline_flaky(evaluation, judged)
        batch[place] = again
        return None
    # The candidate is still rejected for breaches that it does not share with the baseline.
    own = [each for each in again.against_candidate if each.kind != "mismatch"]
    own = [each for each in own if not same_breach(each, again.against_baseline)]
    if own:
        evaluation.count([again])
        return await _rejected(evaluation, replace(again, against_candidate=tuple(own)))
    breach = again.against_baseline[0]
    message = (
        f"the baseline cannot serve as oracle: on case {judged.trial.index} {_what(breach)};"
        " fix the task or the baseline, or compare rates with mode = statistical"
    )
    shown = violation(evaluation, again, breach, side="baseline")
    return Conclusion(Decision.UNDECIDED, (said(Code.BASELINE_FAILS, message),), violations=(shown,))


def _baseline_flaky(evaluation: Evaluation, judged: Judged) -> Conclusion:
    message = (
        f"the baseline is flaky: on case {judged.trial.index} it answers differently when run again;"
        " compare rates with mode = statistical"
    )
    shown = violation(evaluation, judged, Breach("mismatch", "flaky baseline"), side="baseline")
    return Conclusion(Decision.UNDECIDED, (said(Code.BASELINE_FLAKY, message),), violations=(shown,), flaky=True)


def _no_oracle_is_silent(evaluation: Evaluation) -> None:
    """Warn about agreement that shows little: both sides raise, few inputs differ, or every answer is None."""
    side, n = evaluation.tally.baseline, evaluation.tally.n
    if side.failures["exception"]:
        evaluation.warn(
            Code.BASELINE_RAISES,
            f"the baseline raises on {side.failures['exception']} of {n} inputs, and so does the candidate",
        )
    distinct = len({spelled(args) for args in evaluation.inputs[:n]})
    if 2 * distinct < n:
        evaluation.warn(Code.FEW_DISTINCT_INPUTS, f"only {distinct} of {n} inputs are distinct")
    if side.nones == n:
        evaluation.warn(Code.EVERY_ANSWER_NONE, "every answer is None; is a return statement missing?")


# --- without a counter-example -----------------------------------------------------------------------------


def conclude_exactly(evaluation: Evaluation, alpha: float) -> Conclusion:
    """Conclude from agreement on every case at ``alpha``."""
    tally, policy = evaluation.tally, evaluation.policy
    if tally.baseline.failures["exception"] == tally.n:
        message = "the baseline raises on every input, so nothing was compared; fix the baseline or the task's inputs"
        return Conclusion(Decision.UNDECIDED, (said(Code.BASELINE_FAILS, message),))
    bound = clopper_pearson(0, tally.independent, alpha)
    drawn = interval("mismatch_rate", bound, alpha, "clopper_pearson")
    margin = policy.mismatch_margin
    if bound.upper > margin:
        return _too_few(evaluation, margin, alpha, drawn)
    agreement = said(
        Code.NO_MISMATCH,
        f"all {tally.n} answers agree: the answers differ on at most {bound.upper:.2%} of the task's inputs"
        f" (alpha {alpha:.3g}; {margin:.2%} allowed)",
    )
    if policy.kind == "superiority":
        return superiority(evaluation, alpha, agreement, drawn)
    worse = regressions(compared_metrics(evaluation, alpha), evaluation.config.alpha)
    if worse:
        return Conclusion(Decision.REJECT, (*worse, agreement), (drawn,))
    return Conclusion(Decision.ADOPT, (agreement,), (drawn,))


def _too_few(evaluation: Evaluation, margin: float, alpha: float, drawn: Interval) -> Conclusion:
    needed = cases_for_mismatch_bound(margin, alpha) if margin > 0 else None
    if evaluation.tally.clusters:
        how = f"{needed} clusters of inputs would be enough, and there are {evaluation.tally.independent}"
        needed = None
    else:
        how = f"{needed} cases would be enough" if needed else "no number of cases is enough; give a margin above 0"
    message = (
        f"all {evaluation.tally.n} answers agree, but this shows only that the answers differ on at most"
        f" {drawn.upper:.2%} of the inputs; to show at most {margin:.2%}, {how}"
    )
    return Conclusion(Decision.UNDECIDED, (said(Code.TOO_FEW_CASES, message),), (drawn,), n_to_decide=needed)
