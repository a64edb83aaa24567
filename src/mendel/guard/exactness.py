"""Exact mode: the candidate has to answer as the baseline does. One confirmed counter-example rejects.

Inputs are taken in growing batches, so that a candidate that is wrong everywhere costs a few cases only. What is left
when nothing was found is a statement about what could have been missed: if the answers differed on a share m of the
inputs, n of them would all have agreed with a chance of (1 - m)**n.
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
    """Look for a counter-example; what it proves, or None where all cases agree."""
    planned = _planned(evaluation, alpha)
    for until in batches(planned):
        recheck = evaluation.config.recheck if until == planned else 0.0
        judged, changing = await evaluation.next_batch(until, recheck=recheck)
        conclusion = await _against(evaluation, judged, changing)
        if conclusion is not None:
            return conclusion
    _no_oracle_is_silent(evaluation)
    if evaluation.timed:
        return await measure_times(evaluation)
    return None


def _planned(evaluation: Evaluation, alpha: float) -> int:
    """How many cases are seen: all, or in a sequential test as many as show the margin.

    That costs nothing: who adopts after k cases without a mismatch is wrong as seldom as who decided on k before.
    """
    config, margin = evaluation.config, evaluation.policy.mismatch_margin
    if config.sequential == "none" or margin == 0 or evaluation.spec.cluster_key is not None:
        return config.n
    return min(config.n, cases_for_mismatch_bound(margin, alpha))


def batches(n: int) -> Iterator[int]:
    """Up to which case each batch goes: small at first, then as large as one process takes."""
    size, done = FIRST_BATCH, 0
    while done < n:
        done = min(n, done + size)
        yield done
        size = min(size * GROWTH, MOST_TRIALS)


async def _against(evaluation: Evaluation, judged: list[Judged], changing: Sequence[int]) -> Conclusion | None:
    """Count a batch, and conclude if something in it decides."""
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
            place = 0  # it was late, once; the batch was seen again
        else:
            place += 1
    evaluation.count(judged)
    if changing:
        shown = next(each for each in judged if each.trial.index == changing[0])
        return _flaky(
            evaluation,
            shown,
            "it answers differently in another process (in another order, or with other hashes of texts)",
        )
    return None


async def _confirmed(evaluation: Evaluation, judged: list[Judged], place: int) -> Conclusion | None:
    """Reject for the case at ``place`` if it fails in a fresh process too; None where it was only late.

    Then the whole batch is seen again, in the same order: who is late in every process, if not on every input, was not
    the victim of a busy machine.
    """
    first = judged[place]
    again = await evaluation.judged_alone(first.trial)
    if _no_oracle(again) or (first.baseline is not None and _oracle_changed(evaluation, first, again)):
        return _baseline_flaky(evaluation, first)
    if changed(first.candidate, again.candidate):
        evaluation.count([*judged[:place], again])
        return _flaky(evaluation, first, "it answers differently when it is asked again")
    if again.against_candidate:
        evaluation.count([*judged[:place], again])
        return await _rejected(evaluation, again)
    if evaluation.late:
        evaluation.count([*judged[:place], first])
        return _flaky(evaluation, first, "it takes too long, and so it did on another; but not when it is asked alone")
    evaluation.late += 1
    evaluation.warn(Code.LATE_ONCE, f"case {first.trial.index} took too long once, and not when it was asked again")
    judged[:] = await evaluation.seen_again(judged)
    return None


async def _rejected(evaluation: Evaluation, judged: Judged) -> Conclusion:
    breach = _worst(judged.against_candidate)
    found = await minimal_violation(evaluation, judged, breach)
    small = "minimal input" if found.shrunk else "input"
    seen = f"case {judged.trial.index}: {_what(breach)}" + (f"; {small} {found.input[:300]}" if found.input else "")
    return Conclusion(Decision.REJECT, (said(code_of(breach), seen),), violations=(found,))


def _worst(against: Sequence[Breach]) -> Breach:
    """A broken property says more than that the answer is another; that there is no answer says most."""
    order = ("failure", "property", "relation", "mismatch")
    return min(against, key=lambda breach: order.index(breach.kind))


def code_of(breach: Breach) -> Code:
    """The reason that a breach gives for a rejection."""
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
    """Whether the baseline breaks its own rules or could not answer. To raise is an answer."""
    return any(
        breach.kind in ("property", "relation") or breach.name != "SANDBOX_EXCEPTION"
        for breach in judged.against_baseline
    )


def _raises(judged: Judged) -> bool:
    return judged.baseline is not None and judged.baseline.original.kind == "exception"


def _silent_oracle(judged: Sequence[Judged]) -> Conclusion:
    first = judged[0].baseline
    told = "" if first is None else f": {first.original.error_type}: {first.original.message}"
    message = f"the baseline raises on each of the first {len(judged)} inputs{told}; mend it, or the task's inputs"
    return Conclusion(Decision.UNDECIDED, (said(Code.BASELINE_FAILS, message),))


def _oracle_changed(evaluation: Evaluation, first: Judged, again: Judged) -> bool:
    if first.baseline is None or again.baseline is None:
        return False
    return any(evaluation.checker.mismatches(again.baseline, first.baseline))


async def _baseline_fails(evaluation: Evaluation, batch: list[Judged], place: int) -> Conclusion | None:
    """What a baseline that is no oracle leads to; None where it was only late."""
    judged = batch[place]
    again = await evaluation.judged_alone(judged.trial)
    if not _no_oracle(again):
        if judged.baseline is None or judged.baseline.original.kind not in LATE:
            return _baseline_flaky(evaluation, judged)
        batch[place] = again
        return None
    own = [each for each in again.against_candidate if each.kind != "mismatch"]
    own = [each for each in own if not same_breach(each, again.against_baseline)]
    if own:
        evaluation.count([again])
        return await _rejected(evaluation, replace(again, against_candidate=tuple(own)))
    breach = again.against_baseline[0]
    message = (
        f"the baseline is no oracle: on case {judged.trial.index} {_what(breach)};"
        " mend the task or the baseline, or compare rates with mode = statistical"
    )
    shown = violation(evaluation, again, breach, side="baseline")
    return Conclusion(Decision.UNDECIDED, (said(Code.BASELINE_FAILS, message),), violations=(shown,))


def _baseline_flaky(evaluation: Evaluation, judged: Judged) -> Conclusion:
    message = (
        f"the baseline is flaky: on case {judged.trial.index} it answers differently when it is asked again;"
        " compare rates with mode = statistical"
    )
    shown = violation(evaluation, judged, Breach("mismatch", "flaky baseline"), side="baseline")
    return Conclusion(Decision.UNDECIDED, (said(Code.BASELINE_FLAKY, message),), violations=(shown,), flaky=True)


def _no_oracle_is_silent(evaluation: Evaluation) -> None:
    """A baseline that never answers agrees with everything that does not answer either."""
    side, n = evaluation.tally.baseline, evaluation.tally.n
    if side.failures["exception"]:
        evaluation.warn(
            Code.BASELINE_RAISES,
            f"the baseline raises on {side.failures['exception']} of {n} inputs, as the candidate does",
        )
    distinct = len({spelled(args) for args in evaluation.inputs[:n]})
    if 2 * distinct < n:
        evaluation.warn(Code.FEW_DISTINCT_INPUTS, f"only {distinct} of {n} inputs are different ones")
    if side.nones == n:
        evaluation.warn(Code.EVERY_ANSWER_NONE, "every answer is None; is a return statement missing?")


# --- when nothing was found --------------------------------------------------------------------------------


def conclude_exactly(evaluation: Evaluation, alpha: float) -> Conclusion:
    """What agreement on every case is worth at ``alpha``."""
    tally, policy = evaluation.tally, evaluation.policy
    if tally.baseline.failures["exception"] == tally.n:
        message = "the baseline raises on every input, so nothing was compared; mend the baseline or the task's inputs"
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
        how = f"{needed} clusters of inputs would do, and there are {evaluation.tally.independent}"
        needed = None
    else:
        how = f"{needed} cases would do" if needed else "no number of cases can; give a margin above 0"
    message = (
        f"all {evaluation.tally.n} answers agree, but that bounds the share of differing inputs only by"
        f" {drawn.upper:.2%}; to show at most {margin:.2%}, {how}"
    )
    return Conclusion(Decision.UNDECIDED, (said(Code.TOO_FEW_CASES, message),), (drawn,), n_to_decide=needed)
