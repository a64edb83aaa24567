"""Which bounds are drawn: methods by name for differences and for rates, at one look or at several."""

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

_OFTEN: Final = "at n = {} and alpha = 0.05 it lets a candidate at the margin through in {} of runs"
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
"""Methods that let more through than alpha + 0.01 where the gate was calibrated: docs/guard_calibration.md."""

_LEAST_TAIL: Final = 20
"""So many resamples lie beyond a bound at least, or the bound says more about the resamples than about the data."""

_MOST_RESAMPLES: Final = 2_000_000

MOST_EXACT: Final = 20_000
"""With more pairs than that Tango's bounds stand alone: the exact test takes seconds, and they are off by 0.002."""


def difference_method(config: GuardConfig, *, clustered: bool) -> CiMethod:
    """The method for a difference of pass rates; where cases come in clusters, they are resampled by cluster."""
    return config.ci_method or ("cluster" if clustered else "tango")


def difference_bounds(
    tally: Tally, method: CiMethod, alpha: float, config: GuardConfig, policy: Policy
) -> tuple[str, Bounds]:
    """Bounds on the candidate's pass rate less the baseline's, and what to call them."""
    if method != "tango":
        return method, _DIFFERENCES[method](tally, alpha, config)
    drawn = tango(tally.paired, alpha)
    bounds = confirmed(tally.paired, drawn, alpha, policy)
    return "tango" if bounds == drawn else "tango_confirmed", bounds


_exact_p_value = lru_cache(maxsize=65_536)(exact_p_value)  # Holm's steps and a niche's challenges meet tables again


def confirmed(paired: Paired, bounds: Bounds, alpha: float, policy: Policy) -> Bounds:
    """Tango's bounds, which do not clear the policy's margin where an exact test at the margin says that they may not.

    Alone they let up to 0.094 through at alpha 0.05 where discordant pairs are few (a superiority of 0.02, n = 156);
    an exact interval throughout costs a hundred times as much and says the same everywhere but at the margin.
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
    """Bounds on the candidate's pass rate, and the method.

    Raises:
        ConfigError: the chosen method is one for differences.
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
                f"ci_method {other!r} compares two sides; for a single rate take exact, wilson or bayesian"
            )


def floor_bounds(tally: Tally, config: GuardConfig, alpha: float) -> tuple[str, Bounds]:
    """Bounds on the candidate's pass rate by the method that assumes least, and its name."""
    if config.sequential == "always_valid":
        return "betting", rate_sequence(tally.candidate.passes, tally.n, alpha)
    if not tally.clusters:
        return "clopper_pearson", clopper_pearson(tally.candidate.passes, tally.n, alpha)
    passed = tally.candidate_passed
    drawn = bootstrap.cluster(passed, tally.cluster_numbers, alpha, _entropy(config), _resamples(alpha, config))
    return "cluster", Bounds(drawn.estimate, max(drawn.lower, 0.0), min(drawn.upper, 1.0))


def check_method(config: GuardConfig, alpha: float, *, clustered: bool) -> None:
    """Refuse, before anything runs, a method that could not answer in the end.

    Raises:
        ConfigError: it takes too many draws for this alpha, or knows nothing of clusters.
    """
    if clustered and config.sequential == "always_valid":
        raise ConfigError("always-valid bounds know nothing of clusters (cluster_key); take pocock or obrien_fleming")
    if difference_method(config, clustered=clustered) in _RESAMPLING:
        _resamples(alpha, config)
    if config.ci_method == "bayesian" and alpha * _BAYESIAN_DRAWS < 1:
        raise ConfigError(
            f"alpha = {alpha:.2g} is too small for {_BAYESIAN_DRAWS:,} draws; take tango or exact instead"
        )


_RESAMPLING: Final = frozenset({"bca", "studentised", "cluster", "permutation"})
_BAYESIAN_DRAWS: Final = 20_000


def interval(name: str, bounds: Bounds, alpha: float, method: str) -> Interval:
    """Bounds for a report; a side that nothing bounds is left out."""
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:60]
    return Interval(
        name=plain if plain[:1].isalpha() else f"metric_{plain}",
        estimate=bounds.estimate,
        lower=bounds.lower if math.isfinite(bounds.lower) else None,
        upper=bounds.upper if math.isfinite(bounds.upper) else None,
        alpha=alpha,
        method=method,
    )


def look_sizes(config: GuardConfig) -> tuple[int, ...]:
    """After how many cases the gate looks; the last time is after all of them."""
    if config.sequential == "none":
        return (config.n,)
    if not isinstance(config.looks, int):
        return (*(size for size in config.looks if size < config.n), config.n)
    return tuple(sorted({max(1, round(config.n * look / config.looks)) for look in range(1, config.looks + 1)}))


def alpha_at(config: GuardConfig, sizes: tuple[int, ...], look: int, alpha: float) -> float:
    """What a look of a group-sequential test may spend on its own, so that all together spend ``alpha``."""
    if config.sequential not in ("pocock", "obrien_fleming"):
        return alpha
    spend = spending.pocock if config.sequential == "pocock" else spending.obrien_fleming
    fractions = tuple(size / sizes[-1] for size in sizes)
    return normal_sf(spending.boundaries(fractions, alpha, spend)[look])


def _resamples(alpha: float, config: GuardConfig) -> int:
    needed = math.ceil(_LEAST_TAIL / alpha)
    if needed > _MOST_RESAMPLES:
        raise ConfigError(f"alpha = {alpha:.2g} takes {needed:,} resamples; take tango or exact instead")
    return max(config.bootstrap_samples, needed)


def _entropy(config: GuardConfig) -> Entropy:
    return Entropy(config.seed, "intervals")


def _unpaired(tally: Tally, alpha: float) -> Bounds:
    """Newcombe's square-and-add of two Wilson intervals, as if the sides had seen different inputs."""
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
    """Bounds on the difference that hold at every look, however many there are."""
    return evalues.paired_sequence(tally.paired, alpha)


def rate_sequence(passes: int, n: int, alpha: float) -> Bounds:
    """Bounds on a pass rate that hold at every look."""
    return evalues.proportion_sequence(passes, n, alpha)
