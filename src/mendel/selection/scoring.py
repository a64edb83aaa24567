"""Combine components into a total by a scoring policy, with a one-line explanation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import fsum, isfinite
from typing import Final

from mendel.contracts.scoring import FitnessScore, ScoringPolicy

WEIGHT_SUM: Final = "weight_sum"
NORMALIZATIONS: Final = frozenset({WEIGHT_SUM})
"""Values of ``ScoringPolicy.normalization``. ``weight_sum`` divides by the sum of absolute weights of components."""


def score(
    policy: ScoringPolicy,
    candidate_id: str,
    components: Mapping[str, float],
    *,
    absent: Iterable[str] = (),
    estimated: Iterable[str] = (),
    descriptor: Mapping[str, float] | None = None,
) -> FitnessScore:
    """Return the weighted sum of components, in the order of their names.

    A policy without weights gives every component the weight 1. A policy with weights gives the others 0, and the
    explanation names them. A component with a weight but no value must be in ``absent``: nothing is silently zero.

    Raises:
        ValueError: the normalization is unknown; a number or the total is not finite; a component with a weight is
            neither present nor absent, or one is both; an estimated component is missing; no present component has
            a weight.
    """
    absent, estimated = sorted(set(absent)), sorted(set(estimated))
    _check(policy, components, absent, estimated)
    weights = _weights(policy, components)
    divisor = _divisor(policy, weights)
    total = _total(weights, components, divisor)
    line = _line(weights, components, divisor)
    notes = [
        *(f"{name} {components[name]:.6g} has no weight" for name in sorted(components.keys() - weights)),
        *(f"{name} is absent" for name in absent),
        *(f"{name} is estimated" for name in estimated),
    ]
    return FitnessScore(
        candidate_id=candidate_id,
        total=total,
        components={name: components[name] for name in sorted(components)},
        policy_version=policy.version,
        estimated=tuple(estimated),
        absent=tuple(absent),
        descriptor=dict(descriptor or {}),
        explanation="; ".join([f"{line} = {total:.6g} (policy {policy.version})", *notes]),
    )


def directed(policy: ScoringPolicy, components: Mapping[str, float]) -> dict[str, float]:
    """Return the components with a non-zero weight, with signs such that larger is better."""
    weights = policy.weights or dict.fromkeys(components, 1.0)
    known = sorted(name for name in components if weights.get(name))
    return {name: components[name] if weights[name] > 0 else -components[name] for name in known}


def _check(policy: ScoringPolicy, components: Mapping[str, float], absent: list[str], estimated: list[str]) -> None:
    if policy.normalization is not None and policy.normalization not in NORMALIZATIONS:
        raise ValueError(f'unknown normalization "{policy.normalization}"; use {", ".join(sorted(NORMALIZATIONS))}')
    _none("not finite", (name for name, value in components.items() if not isfinite(value)))
    _none("neither present nor absent", policy.weights.keys() - components.keys() - set(absent))
    _none("both present and absent", components.keys() & set(absent))
    _none("estimated but not present", set(estimated) - components.keys())


def _none(fault: str, names: Iterable[str]) -> None:
    if found := sorted(names):
        raise ValueError(f"components that are {fault}: {', '.join(found)}")


def _weights(policy: ScoringPolicy, components: Mapping[str, float]) -> dict[str, float]:
    """Return the weights of the present components that have one, by name."""
    weights = {name: policy.weights.get(name, 1.0) for name in sorted(components)}
    if policy.weights:
        weights = {name: weight for name, weight in weights.items() if name in policy.weights}
    if not weights:
        raise ValueError(f"policy {policy.version} has no weight for any component that is present")
    return weights


def _divisor(policy: ScoringPolicy, weights: Mapping[str, float]) -> float | None:
    if policy.normalization is None:
        return None
    if divisor := _finite_sum(map(abs, weights.values())):
        return divisor
    raise ValueError(f"policy {policy.version} has weight 0 for all present components, and cannot divide by their sum")


def _total(weights: Mapping[str, float], components: Mapping[str, float], divisor: float | None) -> float:
    total = _finite_sum(weight * components[name] for name, weight in weights.items())
    return total if divisor is None else total / divisor


def _finite_sum(terms: Iterable[float]) -> float:
    try:
        total = fsum(terms)  # exactly rounded, and so independent of the order
    except (OverflowError, ValueError) as error:
        raise ValueError("a sum of components is too large for a float") from error
    if not isfinite(total):
        raise ValueError("a sum of components is too large for a float")
    return total


def _line(weights: Mapping[str, float], components: Mapping[str, float], divisor: float | None) -> str:
    terms = " + ".join(f"{name} {components[name]:.6g} x {weight:.6g}" for name, weight in weights.items())
    return terms if divisor is None else f"({terms}) / {divisor:.6g}"
