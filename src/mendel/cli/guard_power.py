"""`mendel guard power`: compute sample sizes before running any case."""

from __future__ import annotations

from math import isfinite
from typing import Annotated

import typer

from mendel.console.session import JsonFlag, session_of
from mendel.contracts.errors import ConfigError
from mendel.guard.config import configured
from mendel.guard.policy import Policy
from mendel.guard.statistics.power import (
    absolute_sample_size,
    cases_for_mismatch_bound,
    equivalence_power,
    equivalence_sample_size,
    minimum_detectable_effect,
    sample_size,
)
from mendel.guard.statistics.power import power as power_of


def power(
    context: typer.Context,
    policy: Annotated[str, typer.Option(help="Policy, as for evaluate.")] = "noninferiority:margin=0.02",
    baseline_rate: Annotated[float, typer.Option(help="Pass rate of the baseline.")] = 0.95,
    candidate_rate: Annotated[
        float | None, typer.Option(help="Pass rate of the candidate.", show_default="the baseline's")
    ] = None,
    correlation: Annotated[float, typer.Option(help="Correlation of both outcomes on the same input (phi).")] = 0.0,
    n: Annotated[int, typer.Option("--n", help="Number of cases.")] = 400,
    alpha: Annotated[float, typer.Option(help="Probability of a false adoption, one-sided.")] = 0.05,
    target: Annotated[float, typer.Option("--power", help="Target power.")] = 0.8,
    json: JsonFlag = False,
) -> None:
    """Show what n cases can detect: the power, the n for the target power, and the minimum detectable effect.

    In exact mode, where a single mismatch rejects, the number of cases depends only on the margin.

        mendel guard power --policy superiority:margin=0 --baseline-rate 0.9 --candidate-rate 0.95
    """
    session = session_of(context)
    config = configured(policy=policy, n=n, alpha=alpha, power=target)
    rates = baseline_rate, baseline_rate if candidate_rate is None else candidate_rate
    try:
        found = _found(config.resolved_policy(), rates, correlation, n, alpha, target)
    except ValueError as error:
        raise ConfigError(str(error)) from error
    if json:
        session.answer(found)
        return
    for name, value in found.items():
        told = "unreachable" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
        session.out.print(f"{name.replace('_', ' '):32}{told}")


def _found(
    policy: Policy, rates: tuple[float, float], correlation: float, n: int, alpha: float, target: float
) -> dict[str, float | int | str | None]:
    if policy.kind == "absolute":
        needed = absolute_sample_size(rates[1], policy.required_rate, alpha, target)
        return {"policy": str(policy), "n_for_power": needed}
    if policy.kind == "equivalence":
        return _for_equivalence(policy, rates, correlation, n, alpha, target)
    margin = policy.required_difference
    effect = minimum_detectable_effect(n, rates[0], correlation, margin, alpha, target)
    allowed = policy.mismatch_margin
    return {
        "policy": str(policy),
        "n": n,
        "power": power_of(n, *rates, correlation, margin, alpha),
        "n_for_power": _needed(policy, rates, correlation, alpha, target),
        "minimum_detectable_difference": effect if isfinite(effect) else None,  # JSON has no infinity
        "exact_mode_cases": cases_for_mismatch_bound(allowed, alpha) if allowed > 0 else None,
    }


def _needed(policy: Policy, rates: tuple[float, float], correlation: float, alpha: float, target: float) -> int | None:
    """The sample size by normal approximation; if nothing ever fails, the exact test needs as many as exact mode."""
    needed = sample_size(*rates, correlation, policy.required_difference, alpha, target)
    if policy.kind == "noninferiority" and rates == (1.0, 1.0) and needed is not None and policy.mismatch_margin > 0:
        return max(needed, cases_for_mismatch_bound(policy.mismatch_margin, alpha))
    return needed


def _for_equivalence(
    policy: Policy, rates: tuple[float, float], correlation: float, n: int, alpha: float, target: float
) -> dict[str, float | int | str | None]:
    margin = -policy.required_difference  # positive, as the functions below expect
    return {
        "policy": str(policy),
        "n": n,
        "power": equivalence_power(n, *rates, correlation, margin, alpha),
        "n_for_power": equivalence_sample_size(*rates, correlation, margin, alpha, target),
        "exact_mode_cases": cases_for_mismatch_bound(margin, alpha) if margin > 0 else None,
    }
