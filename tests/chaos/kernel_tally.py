"""The figures of the kernel's chaos."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.chaos.tally import Ticker, say

MARKER = "marker to effect"
EFFECT = "effect to completion"
APPEND = "inside append"
OTHER = "elsewhere"
GAPS = (MARKER, EFFECT, APPEND)


@dataclass
class KernelTally:
    """What happened to conductors, and to the PostgreSQL under them."""

    title: str
    gaps: Counter[str] = field(default_factory=Counter)
    aimed: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    outages: Counter[str] = field(default_factory=Counter)
    killed: int = 0
    runs: int = 0
    operations: int = 0
    executions: int = 0
    events: int = 0
    take_overs: int = 0
    seconds: float = 0.0

    def count_full(self, way: str) -> None:
        self.outages[f"disk full: {way}"] += 1

    def as_json(self) -> dict[str, object]:
        return dict(vars(self))

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> KernelTally:
        known: dict[str, Any] = {
            name: Counter(value) if isinstance(value, dict) else value for name, value in found.items()
        }
        return cls(**known)

    def rows(self) -> list[tuple[str, str]]:
        kills = [("conductors killed", f"{self.killed}")] if self.killed else []
        gaps = [(f"kills {gap}", f"{self.gaps[gap]}") for gap in (*GAPS, OTHER) if self.killed]
        stopped = [(f"of these aimed at: {place}", f"{count}") for place, count in sorted(self.aimed.items())]
        outages = [(name, f"{count}") for name, count in sorted(self.outages.items())]
        runs = [(f"runs, {kind}", f"{count}") for kind, count in sorted(self.kinds.items())]
        again = f"{self.executions} ({self.executions - self.operations} again)"
        return [
            *kills,
            *gaps,
            *stopped,
            *outages,
            *runs,
            ("runs and twins with equal outcomes", f"{self.runs}"),
            ("take-overs", f"{self.take_overs}"),
            ("operations", f"{self.operations}"),
            ("executions", again),
            ("events in the logs", f"{self.events}"),
            ("seconds", f"{self.seconds:.0f}"),
        ]


class KernelProgress(Ticker[KernelTally]):
    """How far the kernel's chaos is."""

    def _say(self) -> None:
        tally = self._tally
        gaps = ", ".join(f"{tally.gaps[gap]} {gap}" for gap in GAPS)
        outages = sum(tally.outages.values())
        elapsed = time.monotonic() - self._began
        say(f"{tally.title}: {elapsed:4.0f} s, run {tally.runs + 1}, {tally.killed} kills ({gaps}), {outages} outages")
