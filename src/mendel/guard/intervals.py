"""Choice of bounds: methods by name for differences and for rates, at one look or at several."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import ConfigError
from mendel.contracts.verdicts import Interval
from mendel.guard.config import CiMethod, GuardConfig
from mendel.guard.policy import Policy
from mendel.guard.statistics import bayes, bootstrap, evalues, permutation, spending
from mendel.guard.statistics.exact import exact_difference, exact_p_value
from mendel.guard.statistics.paired import newcombe, tango
from mendel.guard.statistics.proportions import clopper_pearson, wilson
from mendel.guard.statistics.samples import Bounds, Paired
from mendel.guard.statistics.special import normal_sf
from mendel.guard.tally import Tally

_OFTEN: Final = "at n = {} and alpha = 0.05 it adopts a candidate at the margin in {} of runs"
LIBERAL: Final[Mapping[tuple[str, str], str]] = MappingProxyType(
    {
        ("statistical", "bca"): _OFTEN.format(20, "0.17"),
        ("statistical", "studentised"): _OFTEN.format(20, "0.17"),
        ("statistical", "cluster"): _OFTEN.format(20, "0.17") + " (with clusters of one case)",
        ("statistical", "permutation"): _OFTEN.format(50, "0.20"),
        ("statistical", "bayesian"): _OFTEN.format(20, "0.09"),
        ("absolute", "wilson"): _OFTEN.format(20, "0.07"),
        ("absolute", "bayesian"): _OFTEN.format(200, "0.13"),
    }
)
"""Methods with a false adoption rate above alpha + 0.01 in the calibration: docs/guard_calibration.md."""

_LEAST_TAIL: Final = 20
"""Minimum number of resamples beyond a bound; with fewer, the bound depends more on the resamples than on the data."""

_MOST_RESAMPLES: Final = 2_000_000

MOST_EXACT: Final = 20_000
"""Maximum number of pairs for the exact test that confirms Tango's bounds: it takes seconds, and they err by 0.002."""


def difference_method(config: GuardConfig, *, clustered: bool) -> CiMethod:
    """Return the method for a difference of pass rates; the default is tango, or cluster where cases have clusters."""
    return config.ci_method or ("cluster" if clustered else "tango")


def difference_bounds(
    tally: Tally, method: CiMethod, alpha: float, config: GuardConfig, policy: Policy
) -> tuple[str, Bounds]:
    """Return the method's name and bounds on the candidate's pass rate minus the baseline's."""
    if method != "tango":
        return method, _DIFFERENCES[method](tally, alpha, config)
    drawn = tango(tally.paired, alpha)
    bounds = confirmed(tally.paired, drawn, alpha, policy)
    return "tango" if bounds == drawn else "tango_confirmed", bounds


_exact_p_value = lru_cache(maxsize=65_536)(exact_p_value)  # tables recur in Holm's steps and in challenges


def confirmed(paired: Paired, bounds: Bounds, alpha: float, policy: Policy) -> Bounds:
    """Limit Tango's bounds to the policy's margin where an exact test at the margin does not reject.

    Alone, they have a false adoption rate of up to 0.094 at alpha 0.05 where discordant pairs are few (a superiority of
    0.02, n = 156). An exact interval costs a hundred times as much and decides differently only at the margin.
    """
    needed = policy.required_difference
    if paired.n > MOST_EXACT:
        return bounds
    lower, upper = bounds.lower, bounds.upper
    if lower > needed and _exact_p_value(paired, needed) > alpha:
        lower = needed
    mirrored = paired._replace(only_candidate=paired.only_baseline, only_baseline=paired.only_candidate)
    if policy.kind == "equivalence" and upper < -needed and _exact_p_value(mirrored, needed) > alpha:
        upper = -needed
    return Bounds(bounds.estimate, lower, upper)


def rate_bounds(tally: Tally, config: GuardConfig, alpha: float) -> tuple[str, Bounds]:
    """Return the method's name and bounds on the candidate's pass rate.

    Raises:
        ConfigError: the configured method applies to differences only.
    """
    passes, n = tally.candidate.passes, tally.n
    match config.ci_method:
        case None | "exact" | "cluster":
            return floor_bounds(tally, config, alpha)
        case "wilson":
            return "wilson", wilson(passes, n, alpha)
        case "bayesian":
            return "bayesian", bayes.beta_bounds(passes, n, alpha)
        case other:
            raise ConfigError(
                f"ci_method {other!r} compares two sides; for a single rate use exact, wilson or bayesian"
            )


def floor_bounds(tally: Tally, config: GuardConfig, alpha: float) -> tuple[str, Bounds]:
    """Return bounds on the candidate's pass rate by the method with the weakest assumptions, after its name."""
    if config.sequential == "always_valid":
        return "betting", rate_sequence(tally.candidate.passes, tally.n, alpha)
    if not tally.clusters:
        return "clopper_pearson", clopper_pearson(tally.candidate.passes, tally.n, alpha)
    passed = tally.candidate_passed
    drawn = bootstrap.cluster(passed, tally.cluster_numbers, alpha, _entropy(config), _resamples(alpha, config))
    return "cluster", Bounds(drawn.estimate, max(drawn.lower, 0.0), min(drawn.upper, 1.0))  # a rate is in [0, 1]


def check_method(config: GuardConfig, alpha: float, *, clustered: bool) -> None:
    """Refuse, before anything runs, a method that could not give bounds at the end.

    Raises:
        ConfigError: it needs too many draws for this alpha, or cannot handle clusters.
    """
    if clustered and config.sequential == "always_valid":
        raise ConfigError("always_valid cannot handle clusters (cluster_key); use pocock or obrien_fleming instead")
    if difference_method(config, clustered=clustered) in _RESAMPLING:
        _resamples(alpha, config)
    if config.ci_method == "bayesian" and alpha * _BAYESIAN_DRAWS < 1:
        raise ConfigError(f"alpha = {alpha:.2g} is too small for {_BAYESIAN_DRAWS:,} draws; use tango or exact instead")


_RESAMPLING: Final = frozenset({"bca", "studentised", "cluster", "permutation"})
_BAYESIAN_DRAWS: Final = 20_000


def interval(name: str, bounds: Bounds, alpha: float, method: str) -> Interval:
    """Make an interval for a report; an infinite bound becomes None."""
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:60]  # names in contracts have a fixed form
    return Interval(
        name=plain if plain[:1].isalpha() else f"metric_{plain}",
        estimate=bounds.estimate,
        lower=bounds.lower if math.isfinite(bounds.lower) else None,
        upper=bounds.upper if math.isfinite(bounds.upper) else None,
        alpha=alpha,
        method=method,
    )


def look_sizes(config: GuardConfig) -> tuple[int, ...]:
    """Return the numbers of cases at which the gate looks; the last look is after all cases."""
    if config.sequential == "none":
        return (config.n,)
    if not isinstance(config.looks, int):
        return (*(size for size in config.looks if size < config.n), config.n)
    # A set, since few cases and many looks give equal sizes.
    return tuple(sorted({max(1, round(config.n * look / config.looks)) for look in range(1, config.looks + 1)}))


def alpha_at(config: GuardConfig, sizes: tuple[int, ...], look: int, alpha: float) -> float:
    """Return the alpha of a single look of a group-sequential test, such that all looks together spend ``alpha``."""
    if config.sequential not in ("pocock", "obrien_fleming"):
        return alpha
    spend = spending.pocock if config.sequential == "pocock" else spending.obrien_fleming
    fractions = tuple(size / sizes[-1] for size in sizes)
    return normal_sf(spending.boundaries(fractions, alpha, spend)[look])


def _resamples(alpha: float, config: GuardConfig) -> int:
    needed = math.ceil(_LEAST_TAIL / alpha)
    if needed > _MOST_RESAMPLES:
        raise ConfigError(f"alpha = {alpha:.2g} needs {needed:,} resamples; use tango or exact instead")
    return max(config.bootstrap_samples, needed)


def _entropy(config: GuardConfig) -> Entropy:
    return Entropy(config.seed, "intervals")


def _unpaired(tally: Tally, alpha: float) -> Bounds:
    """Combine two Wilson intervals by Newcombe's square-and-add, as if the sides had different inputs."""
    n = tally.n
    ours, theirs = wilson(tally.paired.candidate_passes, n, alpha), wilson(tally.paired.baseline_passes, n, alpha)
    estimate = tally.paired.difference
    rates = tally.paired.candidate_passes / n, tally.paired.baseline_passes / n
    lower = estimate - math.hypot(rates[0] - ours.lower, theirs.upper - rates[1])
    upper = estimate + math.hypot(ours.upper - rates[0], rates[1] - theirs.lower)
    return Bounds(estimate, lower, upper)


_DIFFERENCES: Final[Mapping[str, Callable[[Tally, float, GuardConfig], Bounds]]] = MappingProxyType(
    {
        "exact": lambda tally, alpha, _: exact_difference(tally.paired, alpha),
        "newcombe": lambda tally, alpha, _: newcombe(tally.paired, alpha),
        "wilson": lambda tally, alpha, _: _unpaired(tally, alpha),
        "bca": lambda tally, alpha, config: bootstrap.bca(
            tally.differences, alpha, _entropy(config), _resamples(alpha, config)
        ),
        "studentised": lambda tally, alpha, config: bootstrap.studentised(
            tally.differences, alpha, _entropy(config), _resamples(alpha, config)
        ),
        "cluster": lambda tally, alpha, config: bootstrap.cluster(
            tally.differences, tally.cluster_numbers, alpha, _entropy(config), _resamples(alpha, config)
        ),
        "bayesian": lambda tally, alpha, config: bayes.dirichlet_difference(
            tally.paired, alpha, _entropy(config), _BAYESIAN_DRAWS
        ),
        "permutation": lambda tally, alpha, config: permutation.sign_flip_bounds(
            tally.differences, alpha, _entropy(config), _resamples(alpha, config)
        ),
    }
)


def sequence_bounds(tally: Tally, alpha: float) -> Bounds:
    """Return bounds on the difference that hold at all looks together, however many there are."""
    return evalues.paired_sequence(tally.paired, alpha)


def rate_sequence(passes: int, n: int, alpha: float) -> Bounds:
    """Return bounds on a pass rate that hold at all looks together."""
    return evalues.proportion_sequence(passes, n, alpha)
