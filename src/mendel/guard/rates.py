"""Statistical and absolute mode: pass rates, and whether their bounds show the claim of the policy."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import Final

from mendel.contracts.verdicts import Decision, Look, Reason, Violation
from mendel.guard.codes import Code
from mendel.guard.evaluation import Conclusion, Evaluation, said
from mendel.guard.improvement import compared_metrics, compared_relations, regressions, relation_regressions
from mendel.guard.intervals import (
    alpha_at,
    difference_bounds,
    difference_method,
    floor_bounds,
    interval,
    look_sizes,
    rate_bounds,
    rate_sequence,
    sequence_bounds,
)
from mendel.guard.policy import Policy
from mendel.guard.sizing import cases_for_rate, cases_needed
from mendel.guard.statistics.samples import Bounds
from mendel.guard.tally import Judged
from mendel.guard.timing import measure_times
from mendel.guard.violations import minimal_violation, violation

MOST_SHOWN: Final = 5  # violations in a report


async def observe_rates(evaluation: Evaluation, alpha: float) -> Conclusion | None:
    """Observe all cases, or stop at a look that decides; return a conclusion only where it is certain at any alpha."""
    sizes = look_sizes(evaluation.config)
    for number, size in enumerate(sizes):
        judged, changing = await evaluation.next_batch(size, recheck=evaluation.config.recheck)
        evaluation.changing.extend(changing)
        if evaluation.tally.n == 0 and _cannot_load(judged[0]):  # then no case can be answered
            return _not_loaded(evaluation, judged[0])
        evaluation.count(judged)
        if evaluation.config.sequential != "none" and _look(evaluation, sizes, number, alpha) != Decision.UNDECIDED:
            break
    if evaluation.timed:
        return await measure_times(evaluation)
    return None


def _cannot_load(judged: Judged) -> bool:
    return judged.candidate.original.error_code == "SANDBOX_LOAD_FAILED"


def _not_loaded(evaluation: Evaluation, judged: Judged) -> Conclusion:
    breach = judged.against_candidate[0]
    shown = violation(evaluation, judged, breach)
    return Conclusion(Decision.REJECT, (said(Code.LOAD_FAILED, breach.detail),), violations=(shown,))


def _look(evaluation: Evaluation, sizes: tuple[int, ...], number: int, alpha: float) -> Decision:
    spent = alpha_at(evaluation.config, sizes, number, alpha)
    name, method, bounds = _bounds(evaluation, spent)
    decision = _decided(evaluation, bounds)
    evaluation.looks.append(
        Look(n=evaluation.tally.n, interval=interval(name, bounds, spent, method), decision=decision)
    )
    return decision


def _bounds(evaluation: Evaluation, alpha: float) -> tuple[str, str, Bounds]:
    """Return the name of the estimated quantity, the method, and the bounds."""
    tally, config = evaluation.tally, evaluation.config
    if evaluation.mode == "absolute":
        passes = tally.candidate.passes
        if config.sequential == "always_valid":
            return "pass_rate", "betting", rate_sequence(passes, tally.n, alpha)
        return "pass_rate", *rate_bounds(tally, config, alpha)
    if config.sequential == "always_valid":
        return "pass_rate_difference", "betting", sequence_bounds(tally, alpha)
    chosen = difference_method(config, clustered=bool(tally.clusters))
    return "pass_rate_difference", *difference_bounds(tally, chosen, alpha, config, evaluation.policy)


def _decided(evaluation: Evaluation, bounds: Bounds) -> Decision:
    policy = evaluation.policy
    return policy.on_rate(bounds) if evaluation.mode == "absolute" else policy.on_difference(bounds)


def conclude_rates(evaluation: Evaluation, alpha: float) -> Conclusion:
    """Conclude from the counts at ``alpha``: by the policy, then by cap, regressions and the floor of the pass rate."""
    sizes = look_sizes(evaluation.config)
    number = max(0, len(evaluation.looks) - 1)
    spent = alpha_at(evaluation.config, sizes, number, alpha)
    name, method, bounds = _bounds(evaluation, spent)
    decision = _decided(evaluation, bounds)
    conclusion = Conclusion(
        decision,
        (_reason(evaluation, decision, bounds, spent),),
        (interval(name, bounds, spent, method),),
        n_to_decide=cases_needed(evaluation, spent) if decision is Decision.UNDECIDED else None,
    )
    against = _also_against(evaluation)
    if against:
        return replace(conclusion, decision=Decision.REJECT, reasons=(*against, *conclusion.reasons), n_to_decide=None)
    return _with_floor(evaluation, conclusion, spent)


def _also_against(evaluation: Evaluation) -> list[Reason]:
    """Collect reasons for rejection besides the policy, at the configured alpha.

    A challenge's smaller alpha makes adoption stricter; it must not make a shown regression acceptable.
    """
    found: list[Reason] = []
    alpha = evaluation.config.alpha
    cap, violations = evaluation.config.violation_cap, evaluation.tally.n - evaluation.tally.candidate.passes
    if cap is not None and violations > cap:
        found.append(said(Code.VIOLATION_CAP, f"{violations} cases have a hard violation; at most {cap} may"))
    if evaluation.mode == "statistical":
        found += relation_regressions(compared_relations(evaluation), alpha)
        found += regressions(compared_metrics(evaluation, alpha), alpha)
    return found


def _with_floor(evaluation: Evaluation, conclusion: Conclusion, alpha: float) -> Conclusion:
    """Apply the floor of the candidate's own pass rate, if the policy of a comparison has one."""
    floor = evaluation.policy.min_pass_rate
    if evaluation.mode == "absolute" or floor is None:
        return conclusion
    method, bounds = floor_bounds(evaluation.tally, evaluation.config, alpha)
    drawn = interval("pass_rate", bounds, alpha, method)
    seen = replace(conclusion, intervals=(*conclusion.intervals, drawn))
    if conclusion.decision is not Decision.ADOPT or bounds.lower >= floor:
        return seen
    decision = Decision.REJECT if bounds.upper < floor else Decision.UNDECIDED
    code = Code.RATE_TOO_LOW if decision is Decision.REJECT else Code.NOT_SHOWN
    message = f"the pass rate is {_told(bounds, alpha)}; at least {floor:.2%} is required"
    needed = cases_for_rate(evaluation, floor, alpha) if decision is Decision.UNDECIDED else None
    return replace(seen, decision=decision, reasons=(said(code, message), *seen.reasons), n_to_decide=needed)


def _reason(evaluation: Evaluation, decision: Decision, bounds: Bounds, alpha: float) -> Reason:
    policy = evaluation.policy
    if evaluation.mode == "absolute":
        codes = (Code.RATE_REACHED, Code.RATE_TOO_LOW)
        message = f"the pass rate is {_told(bounds, alpha)}; at least {policy.required_rate:.2%} is required"
    else:
        codes = _CODES[policy.kind]
        message = f"the pass rate differs by {_told(bounds, alpha)}; {_asked(policy)}"
    if decision is Decision.UNDECIDED:
        return said(Code.NOT_SHOWN, f"{message}; {evaluation.tally.n} cases do not settle it")
    return said(codes[0] if decision is Decision.ADOPT else codes[1], message)


_CODES: Final = {
    "superiority": (Code.SUPERIOR, Code.NOT_SUPERIOR),
    "noninferiority": (Code.NONINFERIOR, Code.INFERIOR),
    "equivalence": (Code.EQUIVALENT, Code.NOT_EQUIVALENT),
    "absolute": (Code.RATE_REACHED, Code.RATE_TOO_LOW),
}


def _asked(policy: Policy) -> str:
    if policy.kind == "equivalence":
        return f"within ±{-policy.required_difference:.2%} is required"
    return f"more than {policy.required_difference:+.2%} is required"


def _told(bounds: Bounds, alpha: float) -> str:
    sides = " to ".join(f"{side:.2%}" if isfinite(side) else "unbounded" for side in (bounds.lower, bounds.upper))
    return f"{bounds.estimate:.2%} ({sides}, alpha {alpha:.3g} a side)"


async def shown_violations(evaluation: Evaluation) -> tuple[Violation, ...]:
    """Return some violations of the candidate; the first is shrunk if fresh processes confirm it."""
    suspects = [judged for judged in evaluation.tally.kept if judged.against_candidate][:MOST_SHOWN]
    if not suspects:
        return ()
    first, breach = suspects[0], suspects[0].against_candidate[0]
    again = await evaluation.judged_alone(first.trial)
    holds = breach in again.against_candidate and not again.against_baseline  # shrinking needs a passing baseline
    small = await minimal_violation(evaluation, again, breach) if holds else violation(evaluation, first, breach)
    return (small, *(violation(evaluation, judged, judged.against_candidate[0]) for judged in suspects[1:]))
