"""What recorded samples can show, and by which test: one for rates, one for paired outcomes, three for paired reals.

Every test is valid at any alpha by proof, not by approximation, and knows how few cases could never pass it.

* A pass rate: Clopper and Pearson's bounds.
* A difference of paired pass rates: Chan and Zhang's exact unconditional test, inverted, for up to a thousand pairs.
  Beyond, where that takes minutes, and at an alpha that its sums of floats do not reach, a betting martingale.
  Rejected: Tango's score bounds, which exceed alpha where few pairs differ; McNemar's, which knows no margin but 0.
* Paired reals without declared bounds: the *median* difference, by the sign test. No test of an unbounded mean is valid
  (Bahadur and Savage): whatever was seen, a rare enough disaster was not. Rejected: Student's t and the bootstrap,
  which are off by orders of magnitude at an alpha of 1e-8; Wilcoxon's signed ranks and sign flips, which need symmetry.
* Paired reals of declared bounds: the *mean* difference, by a betting martingale over the declared range.
* Paired reals with a margin of m standard deviations: how often the difference is above zero, less how often it is
  below, against ``2 * Phi(m) - 1``, which is where a normal difference has it whose mean is m standard deviations. So
  nothing is estimated that the margin depends on, and the error is kept for every distribution; what is claimed of one
  that is not normal is this share, not the ratio of its moments. Rejected: the noncentral t, which needs normality, and
  a margin times the sample's deviation, whose own error nobody bounds without bounds on the values.

Cases whose repeats differ show a range: the lower bound is that of what they show at least, the upper one that of what
they show ``at_most``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import erf, log, sqrt
from typing import Final, TypeVar

from mendel.contracts.verdicts import Decision
from mendel.guard.policy import Policy
from mendel.guard.statistics.evalues import bounded_sequence, paired_evalue, paired_sequence, proportion_evalue
from mendel.guard.statistics.exact import exact_difference, exact_p_value
from mendel.guard.statistics.power import cases_for_mismatch_bound, fewest
from mendel.guard.statistics.proportions import clopper_pearson
from mendel.guard.statistics.samples import Bounds, Paired
from mendel.guard.statistics.signs import fewest_heads, median_bounds
from mendel.guard.statistics.special import normal_quantile

MOST_EXACT: Final = 1_000
"""With more pairs than that an exact interval takes minutes."""
LEAST_EXACT_ALPHA: Final = 1e-9
_UNSURE: Final = 2e-11
_CAUTION: Final = 0.999
"""What an exact test forgoes of alpha, and a share of it: more than its sums and its search for the worst rates err."""
MOST_CASES: Final = 10_000_000
"""What would take more cases than that is said to be out of reach."""


@dataclass(frozen=True)
class Claim:
    """One quantity: its bounds, what the policy makes of them, and how many cases could be enough.

    ``possible`` says whether so many cases could be adopted at all, if each spoke for the candidate as much as one can.
    """

    name: str
    method: str
    unit: str
    bounds: Bounds
    decision: Decision
    possible: Callable[[int], bool]

    def fewest_cases(self) -> int | None:
        """How many cases could be adopted at least; None where no number of them could."""
        return fewest(self.possible, MOST_CASES)


_Shown = TypeVar("_Shown")


def _spanning(bounds_of: Callable[[_Shown], Bounds], least: _Shown, most: _Shown | None) -> Bounds:
    low = bounds_of(least)
    return low if most is None or most == least else Bounds(low.estimate, low.lower, bounds_of(most).upper)


def rate_claim(passed: Sequence[bool], policy: Policy, alpha: float, *, at_most: Sequence[bool] | None = None) -> Claim:
    """That the pass rate reaches the required one."""
    bounds = _spanning(lambda shown: clopper_pearson(sum(shown), len(shown), alpha), passed, at_most)
    required = policy.required_rate

    def possible(n: int) -> bool:
        return required < 1.0 and n >= cases_for_mismatch_bound(1.0 - required, alpha)

    return Claim("pass_rate", "clopper_pearson", "%", bounds, policy.on_rate(bounds), possible)


def difference_claim(paired: Paired, policy: Policy, alpha: float, *, at_most: Paired | None = None) -> Claim:
    """That the pass rates differ as the policy asks."""
    exact = _exactly(paired.n, alpha)

    def bounds_of(shown: Paired) -> Bounds:
        return exact_difference(shown, _cautious(alpha)) if exact else paired_sequence(shown, alpha)

    bounds = _spanning(bounds_of, paired, at_most)

    def possible(n: int) -> bool:
        return n > 0 and _best_pairs_pass(n, policy, alpha)

    method = "exact" if exact else "betting"
    return Claim("pass_rate_difference", method, "%", bounds, policy.on_difference(bounds), possible)


def _best_pairs_pass(n: int, policy: Policy, alpha: float) -> bool:
    needed = policy.required_difference
    best = Paired(n, 0, 0, 0) if policy.kind == "equivalence" else Paired(0, n, 0, 0)
    if _exactly(n, alpha):
        return exact_p_value(best, needed) <= _cautious(alpha)
    return paired_evalue(best, needed) >= -log(alpha)


def _exactly(n: int, alpha: float) -> bool:
    return n <= MOST_EXACT and alpha >= LEAST_EXACT_ALPHA


def _cautious(alpha: float) -> float:
    return _CAUTION * alpha - _UNSURE


def median_claim(
    differences: Sequence[float], policy: Policy, alpha: float, *, at_most: Sequence[float] | None = None
) -> Claim:
    """That the median difference is as the policy asks."""
    bounds = _spanning(lambda shown: median_bounds(shown, alpha), differences, at_most)

    def possible(n: int) -> bool:
        return not _nothing_allowed(policy) and fewest_heads(n, alpha) <= n

    return Claim("median_difference", "sign_test", "", bounds, policy.on_difference(bounds), possible)


def mean_claim(
    differences: Sequence[float],
    policy: Policy,
    alpha: float,
    reach: float,
    *,
    at_most: Sequence[float] | None = None,
) -> Claim:
    """That the mean difference is as the policy asks, where no difference is further from zero than ``reach``."""

    def bounds_of(shown: Sequence[float]) -> Bounds:
        shares = [0.5 + 0.5 * each / reach for each in shown]
        return Bounds(*(reach * (2.0 * each - 1.0) for each in bounded_sequence(shares, alpha)))

    bounds = _spanning(bounds_of, differences, at_most)
    needed = policy.required_difference / reach

    def possible(n: int) -> bool:
        if _nothing_allowed(policy) or needed >= 1.0:
            return False
        if needed <= -1.0:
            return True
        equal = policy.kind == "equivalence"
        return (paired_evalue(Paired(n, 0, 0, 0), needed) if equal else _all_won(n, needed)) > -log(alpha)

    return Claim("mean_difference", "betting", "", bounds, policy.on_difference(bounds), possible)


def _all_won(n: int, needed: float) -> float:
    return proportion_evalue(n, n, 0.5 * (1.0 + needed))


def standardised_claim(
    differences: Sequence[float], policy: Policy, alpha: float, *, at_most: Sequence[float] | None = None
) -> Claim:
    """That the difference is as many standard deviations from zero as the policy asks, if it is normal.

    Whatever it is, that it is above zero more often than below by as much as that would be.
    """
    paired = _signs(differences)
    often = replace(policy, margin=erf(abs(policy.required_difference) / sqrt(2.0)), standardised=False)
    claim = difference_claim(paired, often, alpha, at_most=None if at_most is None else _signs(at_most))
    seen = claim.bounds.estimate * paired.n / (paired.n + 1)  # all above zero are finitely many deviations, too
    bounds = Bounds(_deviations(seen), _deviations(claim.bounds.lower), _deviations(claim.bounds.upper))
    return replace(claim, name="standardised_difference", method=f"sign_{claim.method}", unit=" sd", bounds=bounds)


def _signs(differences: Sequence[float]) -> Paired:
    above, below = sum(each > 0 for each in differences), sum(each < 0 for each in differences)
    return Paired(len(differences) - above - below, above, below, 0)


def _deviations(surplus: float) -> float:
    """By how many deviations a normal difference is from zero that is above it so much more often than below."""
    return normal_quantile(0.5 * (1.0 + surplus))


def _nothing_allowed(policy: Policy) -> bool:
    return policy.kind == "equivalence" and not policy.required_difference
