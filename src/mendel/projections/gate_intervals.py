"""The intervals of a verdict, each with where the policy wants it to lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mendel.contracts.verdicts import Interval, Verdict

if TYPE_CHECKING:
    from mendel.guard.drawing import Band
    from mendel.guard.page import Demand


class GateInterval(Interval):
    """An interval of a verdict, and where the policy wants it to lie; null where it asks nothing of that side."""

    must_exceed: float | None = None
    must_stay_below: float | None = None


def gate_intervals(verdict: Verdict) -> list[GateInterval]:
    """The intervals of a verdict, each with where its policy wants it."""
    from mendel.guard.page import Demand  # the gate is heavy to import, and many who fold events meet no verdict

    demand = Demand.of(verdict)
    return [_placed(each, _band(each.name, verdict, demand)) for each in verdict.intervals]


def _placed(interval: Interval, band: Band) -> GateInterval:
    return GateInterval(**dict(interval), must_exceed=band.low, must_stay_below=band.high)


def _band(name: str, verdict: Verdict, demand: Demand) -> Band:
    """Where an interval has to lie; that of a metric, where it shows the candidate to be better."""
    metric = verdict.metrics.get(name)
    if metric is None or demand.policy is None or demand.policy.kind != "superiority":
        return demand.band(name)
    from mendel.guard.drawing import Band

    even = 1.0 if metric.kind == "ratio" else 0.0
    return Band(low=even) if metric.higher_is_better else Band(high=even)
