"""Claims about recorded samples and their tests: one for rates, one for paired outcomes, three for paired reals.

Every test is valid at any alpha by proof, not by approximation, and can name the fewest cases that could pass it.

* A pass rate: Clopper-Pearson bounds.
* A difference of paired pass rates: Chan and Zhang's exact unconditional test, inverted, for up to a thousand pairs.
  For more pairs, where it takes minutes, and for an alpha below its floating-point precision: a betting martingale.
  Rejected: Tango's score bounds, which exceed alpha where few pairs differ; McNemar's test, which has no margin but 0.
* Paired reals without declared bounds: the *median* difference, by the sign test. No test of an unbounded mean is valid
  (Bahadur and Savage), since a rare but extreme value may be missing from any sample. Rejected: Student's t and the
  bootstrap, wrong by orders of magnitude at an alpha of 1e-8; Wilcoxon's signed ranks and sign flips, which need
  symmetry.
* Paired reals with declared bounds: the *mean* difference, by a betting martingale over the declared range.
* Paired reals with a margin of m standard deviations: P(difference > 0) - P(difference < 0), against
  ``2 * Phi(m) - 1``, its value for a normal difference with a mean of m standard deviations. No standard deviation is
  estimated, so the error holds for every distribution. For a distribution that is not normal, the claim is about this
  share and not about the ratio of its moments. Rejected: the noncentral t, which needs normality, and a margin times
  the sample's deviation, whose own error cannot be bounded without bounds on the values.

Where the repeats of a case differ, the lower bound comes from its least favourable results, and the upper bound from
the most favourable ones (``at_most``).
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
"""Maximum number of pairs for an exact interval; with more it takes minutes."""
LEAST_EXACT_ALPHA: Final = 1e-9
_UNSURE: Final = 2e-11
_CAUTION: Final = 0.999
"""An exact test uses ``_CAUTION * alpha - _UNSURE``: this covers the errors of its sums and of its search for the
worst rates."""
MOST_CASES: Final = 10_000_000
"""Claims that need more cases than this count as impossible."""


@dataclass(frozen=True)
class Claim:
    """One quantity: its bounds, the policy's decision on them, and how many cases could be enough.

    ``possible`` returns whether a number of cases could lead to adoption if each had the best possible result.
    """

    name: str
    method: str
    unit: str
    bounds: Bounds
    decision: Decision
    possible: Callable[[int], bool]

    def fewest_cases(self) -> int | None:
        """Return the smallest number of cases that could lead to adoption; None where no number can."""
        return fewest(self.possible, MOST_CASES)


_Shown = TypeVar("_Shown")


def _spanning(bounds_of: Callable[[_Shown], Bounds], least: _Shown, most: _Shown | None) -> Bounds:
    low = bounds_of(least)
    return low if most is None or most == least else Bounds(low.estimate, low.lower, bounds_of(most).upper)


def rate_claim(passed: Sequence[bool], policy: Policy, alpha: float, *, at_most: Sequence[bool] | None = None) -> Claim:
    """Claim that the pass rate reaches the required one."""
    bounds = _spanning(lambda shown: clopper_pearson(sum(shown), len(shown), alpha), passed, at_most)
    required = policy.required_rate

    def possible(n: int) -> bool:
        return required < 1.0 and n >= cases_for_mismatch_bound(1.0 - required, alpha)

    return Claim("pass_rate", "clopper_pearson", "%", bounds, policy.on_rate(bounds), possible)


def difference_claim(paired: Paired, policy: Policy, alpha: float, *, at_most: Paired | None = None) -> Claim:
    """Claim that the pass rates differ as the policy requires."""
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
    """Claim that the median difference is as the policy requires."""
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
    """Claim that the mean difference is as the policy requires; no difference is larger than ``reach`` in size."""

    def bounds_of(shown: Sequence[float]) -> Bounds:
        shares = [0.5 + 0.5 * each / reach for each in shown]  # scaled to [0, 1], as the martingale needs
        return Bounds(*(reach * (2.0 * each - 1.0) for each in bounded_sequence(shares, alpha)))

    bounds = _spanning(bounds_of, differences, at_most)
    needed = policy.required_difference / reach

    def possible(n: int) -> bool:
        if _nothing_allowed(policy) or needed >= 1.0:
            return False
        if needed <= -1.0:  # a margin beyond the range holds without any evidence
            return True
        equal = policy.kind == "equivalence"
        return (paired_evalue(Paired(n, 0, 0, 0), needed) if equal else _all_won(n, needed)) > -log(alpha)

    return Claim("mean_difference", "betting", "", bounds, policy.on_difference(bounds), possible)


def _all_won(n: int, needed: float) -> float:
    return proportion_evalue(n, n, 0.5 * (1.0 + needed))


def standardised_claim(
    differences: Sequence[float], policy: Policy, alpha: float, *, at_most: Sequence[float] | None = None
) -> Claim:
    """Claim that the difference is as many standard deviations from zero as the policy requires, if it is normal.

    For other distributions the claim is about how much more often it is above zero than below; see the module.
    """
    paired = _signs(differences)
    often = replace(policy, margin=erf(abs(policy.required_difference) / sqrt(2.0)), standardised=False)
    claim = difference_claim(paired, often, alpha, at_most=None if at_most is None else _signs(at_most))
    seen = claim.bounds.estimate * paired.n / (paired.n + 1)  # keeps the estimate finite if all are above zero
    bounds = Bounds(_deviations(seen), _deviations(claim.bounds.lower), _deviations(claim.bounds.upper))
    return replace(claim, name="standardised_difference", method=f"sign_{claim.method}", unit=" sd", bounds=bounds)


def _signs(differences: Sequence[float]) -> Paired:
    above, below = sum(each > 0 for each in differences), sum(each < 0 for each in differences)
    return Paired(len(differences) - above - below, above, below, 0)


def _deviations(surplus: float) -> float:
    """Return the mean, in deviations, of a normal difference with P(above zero) - P(below zero) = ``surplus``."""
    return normal_quantile(0.5 * (1.0 + surplus))


def _nothing_allowed(policy: Policy) -> bool:
    return policy.kind == "equivalence" and not policy.required_difference
