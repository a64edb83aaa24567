"""Summaries that do not affect the decision: both sides' counts, effect sizes, a Bayesian forecast."""

from __future__ import annotations

from math import isfinite

from pydantic import JsonValue

from mendel.contracts.base import JsonObject
from mendel.contracts.entropy import Entropy
from mendel.guard.evaluation import Evaluation
from mendel.guard.intervals import interval
from mendel.guard.statistics.bayes import predictive_adoption, probability_above
from mendel.guard.statistics.effects import cohens_h, odds_ratio, risk_ratio
from mendel.guard.tally import SideTally


def summaries(evaluation: Evaluation, alpha: float) -> JsonObject:
    """Summarise both sides and, in statistical mode, the effect sizes."""
    tally = evaluation.tally
    told: JsonObject = {"candidate": _side(tally.candidate, tally.n)}
    if evaluation.baseline is not None:
        told["baseline"] = _side(tally.baseline, tally.n)
    if evaluation.mode == "statistical" and tally.n:
        told["effects"] = _effects(evaluation, alpha)
    return told


def _side(side: SideTally, n: int) -> JsonObject:
    return {
        "n": n,
        "passes": side.passes,
        "pass_rate": side.passes / n if n else None,
        "failures": dict(side.failures),
        "soft_violations": dict(side.soft),
        "cpu_s": side.usage.cpu_s,
        "wall_s": side.usage.wall_s,
        "peak_memory_bytes": side.usage.peak_memory_bytes,
    }


def _effects(evaluation: Evaluation, alpha: float) -> JsonObject:
    paired, n = evaluation.tally.paired, evaluation.tally.n
    ratios = {
        "risk_ratio": ("nam_blackwelder", risk_ratio(paired, alpha)),
        "odds_ratio": ("conditional_exact", odds_ratio(paired, alpha)),
    }
    told: dict[str, JsonValue] = {
        name: interval(name, bounds, alpha, method).model_dump(mode="json")
        for name, (method, bounds) in ratios.items()
        if isfinite(bounds.estimate)  # a ratio is infinite or undefined where a side never passed
    }
    told["cohens_h"] = cohens_h(paired.candidate_passes / n, paired.baseline_passes / n)
    if evaluation.config.ci_method == "bayesian":
        entropy, needed = Entropy(evaluation.config.seed, "forecast"), evaluation.policy.required_difference
        told["probability_above_margin"] = probability_above(paired, needed, entropy)
        told["predicted_adoption"] = predictive_adoption(paired, n, needed, alpha, entropy)
    return told
