"""API models for the gate: reports of `mendel guard`, and verdicts in runs."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field, JsonValue

from mendel.api.schemas import Wire
from mendel.contracts.verdicts import Decision, Verdict
from mendel.projections.tables import GateInterval


class GuardRow(Wire):
    """A decision of the gate in a list, from `mendel guard` (``report``) or from a run (``run``)."""

    id: str
    source: Literal["report", "run"]
    what: str = Field(description="The task of a report, or the problem of a run.")
    decision: Decision
    mode: str
    n: int
    reason: str | None = None
    at: datetime | None = None
    run_id: str | None = None
    candidate_id: str | None = None
    sequence: int | None = None
    intervals: list[GateInterval] = Field(default_factory=list)


class GuardPage(Wire):
    """A page of decisions, reports before verdicts of runs, newest first."""

    reports: list[GuardRow]
    next: str | None = None
    total: int
    decisions: dict[str, int] = Field(description="Number of each decision, over all matches of the filter.")


class Side(Wire):
    """One of the compared programs, as sent to the sandbox."""

    origin: str
    entry: str
    files: dict[str, str]
    hash: str


class GuardReport(GuardRow):
    """A decision of the gate with all details."""

    verdict: Verdict
    policy: str
    alpha: float
    k: int
    demands: list[str] = Field(description="The policy as sentences.")
    config: dict[str, JsonValue] = Field(default_factory=dict)
    candidate: Side | None = None
    baseline: Side | None = None
