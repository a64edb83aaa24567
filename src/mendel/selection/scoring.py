"""How a policy makes a total of components, and says so in one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import fsum, isfinite
from typing import Final

from mendel.contracts.scoring import FitnessScore, ScoringPolicy

WEIGHT_SUM: Final = "weight_sum"
NORMALIZATIONS: Final = frozenset({WEIGHT_SUM})
"""What ``ScoringPolicy.normalization`` may name. ``weight_sum`` divides by the sum of the absolute weights present."""


def score(
    policy: ScoringPolicy,
    candidate_id: str,
    components: Mapping[str, float],
    *,
    absent: Iterable[str] = (),
    estimated: Iterable[str] = (),
    descriptor: Mapping[str, float] | None = None,
) -> FitnessScore:
    """The sum of weighted components, in the order of their names.

    A policy without weights weighs every component 1. One with weights weighs the others 0, and the explanation names
    them. A component that has a weight and could not be had stands in ``absent``: nothing is silently zero.

    Raises:
        ValueError: the normalization is unknown; a number is not finite, or the total would not be; a component with
            a weight is neither there nor absent, one is both, or an estimated one is not there; the policy weighs
            nothing that is there.
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
    """The components that the policy gives a direction, turned so that the larger is the better."""
    weights = policy.weights or dict.fromkeys(components, 1.0)
    known = sorted(name for name in components if weights.get(name))
    return {name: components[name] if weights[name] > 0 else -components[name] for name in known}


def _check(policy: ScoringPolicy, components: Mapping[str, float], absent: list[str], estimated: list[str]) -> None:
    if policy.normalization is not None and policy.normalization not in NORMALIZATIONS:
        raise ValueError(f'no normalization "{policy.normalization}"; known are {", ".join(sorted(NORMALIZATIONS))}')
    _none("not finite", (name for name, value in components.items() if not isfinite(value)))
    _none("neither there nor absent", policy.weights.keys() - components.keys() - set(absent))
    _none("there and absent", components.keys() & set(absent))
    _none("estimated and not there", set(estimated) - components.keys())


def _none(fault: str, names: Iterable[str]) -> None:
    if found := sorted(names):
        raise ValueError(f"components that are {fault}: {', '.join(found)}")


def _weights(policy: ScoringPolicy, components: Mapping[str, float]) -> dict[str, float]:
    """The weights of the components that are there and have one, by name."""
    weights = {name: policy.weights.get(name, 1.0) for name in sorted(components)}
    if policy.weights:
        weights = {name: weight for name, weight in weights.items() if name in policy.weights}
    if not weights:
        raise ValueError(f"policy {policy.version} weighs nothing that is there")
    return weights


def _divisor(policy: ScoringPolicy, weights: Mapping[str, float]) -> float | None:
    if policy.normalization is None:
        return None
    if divisor := _finite_sum(map(abs, weights.values())):
        return divisor
    raise ValueError(f"policy {policy.version} weighs everything that is there 0, and cannot divide by that")


def _total(weights: Mapping[str, float], components: Mapping[str, float], divisor: float | None) -> float:
    total = _finite_sum(weight * components[name] for name, weight in weights.items())
    return total if divisor is None else total / divisor


def _finite_sum(terms: Iterable[float]) -> float:
    try:
        total = fsum(terms)
    except (OverflowError, ValueError) as error:
        raise ValueError("a sum is too large for a number") from error
    if not isfinite(total):
        raise ValueError("a sum is too large for a number")
    return total


def _line(weights: Mapping[str, float], components: Mapping[str, float], divisor: float | None) -> str:
    terms = " + ".join(f"{name} {components[name]:.6g} x {weight:.6g}" for name, weight in weights.items())
    return terms if divisor is None else f"({terms}) / {divisor:.6g}"
