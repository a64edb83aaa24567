"""Estimates of the number of cases that would settle an undecided comparison."""

from __future__ import annotations

from math import sqrt
from typing import Final

from mendel.contracts.verdicts import Decision
from mendel.guard.evaluation import Evaluation
from mendel.guard.intervals import confirmed
from mendel.guard.policy import Policy
from mendel.guard.statistics.evalues import paired_sequence, proportion_sequence
from mendel.guard.statistics.paired import tango
from mendel.guard.statistics.power import absolute_sample_size, equivalence_sample_size, sample_size
from mendel.guard.statistics.samples import Paired

FEW_DISCORDANT: Final = 3
MOST_STEPS: Final = 8
MOST_CASES: Final = 10_000_000
"""Maximum number of cases that is reported; a larger need is reported as None."""


def cases_needed(evaluation: Evaluation, alpha: float) -> int | None:
    """Return how many cases decide with the configured power at the observed rates; None if too many or unknown."""
    if evaluation.config.sequential == "always_valid":
        needed = _projected(evaluation, alpha)
    elif evaluation.mode == "absolute":
        needed = cases_for_rate(evaluation, evaluation.policy.required_rate, alpha)
    else:
        needed = _for_difference(evaluation.tally.paired, evaluation.policy, alpha, evaluation.config.power)
        needed = None if needed is None else _confirmed(evaluation, max(needed, evaluation.tally.n + 1), alpha)
    if needed is None or needed > MOST_CASES or evaluation.tally.clusters:
        return None  # clusters do not come in numbers of cases
    return max(needed, evaluation.tally.n + 1)


def _confirmed(evaluation: Evaluation, needed: int, alpha: float) -> int:
    """Raise ``needed`` until the exact test also decides, with counts that grow in proportion.

    The exact test differs from the normal approximation only where hardly any pair is discordant.
    """
    policy, tally = evaluation.policy, evaluation.tally
    if tally.cells[1] + tally.cells[2] > FEW_DISCORDANT:
        return needed
    for _ in range(MOST_STEPS):
        grown = _grown(evaluation, needed)
        if policy.on_difference(confirmed(grown, tango(grown, alpha), alpha, policy)) is not Decision.UNDECIDED:
            break
        needed += max(1, needed // 50)
    return needed


def _grown(evaluation: Evaluation, n: int) -> Paired:
    ours, theirs = (round(n * part / evaluation.tally.n) for part in evaluation.tally.cells[1:3])
    return Paired(n - ours - theirs, ours, theirs, 0)  # bounds do not depend on how concordant pairs divide


def _for_difference(paired: Paired, policy: Policy, alpha: float, power: float) -> int | None:
    ours, theirs = paired.candidate_passes / paired.n, paired.baseline_passes / paired.n
    correlation, needed = _phi(paired), policy.required_difference
    if policy.kind == "equivalence":
        if abs(ours - theirs) < -needed:
            return equivalence_sample_size(theirs, ours, correlation, -needed, alpha, power)
        ours, theirs = min(ours, theirs), max(ours, theirs)  # to show that it is outside, one side is enough
    if ours - theirs > needed:
        return sample_size(theirs, ours, correlation, needed, alpha, power)
    if ours - theirs < needed:
        return sample_size(ours, theirs, correlation, -needed, alpha, power)
    return None


def _phi(paired: Paired) -> float:
    """Return the phi coefficient of the two outcomes; 0 where one of them is constant."""
    ours, theirs, n = paired.candidate_passes, paired.baseline_passes, paired.n
    spread = sqrt(ours * (n - ours) * theirs * (n - theirs))
    return (paired.both * paired.neither - paired.only_candidate * paired.only_baseline) / spread if spread else 0.0


def cases_for_rate(evaluation: Evaluation, asked: float, alpha: float) -> int | None:
    """Return how many cases show on which side of ``asked`` the candidate's own rate lies."""
    rate = evaluation.tally.candidate.passes / evaluation.tally.n
    if rate >= asked:
        return absolute_sample_size(rate, asked, alpha, evaluation.config.power)
    return absolute_sample_size(1 - rate, 1 - asked, alpha, evaluation.config.power)


def _projected(evaluation: Evaluation, alpha: float) -> int | None:
    """Return about the fewest cases at which always-valid bounds decide, with counts that grow in proportion."""
    low, high = evaluation.tally.n, 2 * evaluation.tally.n
    while not _would_decide(evaluation, high, alpha):
        low, high = high, 2 * high
        if high > MOST_CASES:
            return None
    while high - low > max(1, low // 100):  # an estimate: within one per cent is enough
        middle = (low + high) // 2
        low, high = (low, middle) if _would_decide(evaluation, middle, alpha) else (middle, high)
    return high


def _would_decide(evaluation: Evaluation, n: int, alpha: float) -> bool:
    tally, policy = evaluation.tally, evaluation.policy
    if evaluation.mode == "absolute":
        bounds = proportion_sequence(round(n * tally.candidate.passes / tally.n), n, alpha)
        return policy.on_rate(bounds) is not Decision.UNDECIDED
    bounds = paired_sequence(_grown(evaluation, n), alpha)
    return policy.on_difference(bounds) is not Decision.UNDECIDED
