"""What is shown of a run as it goes: its health, and the figures that the page of a run has, from the same rows."""

from __future__ import annotations

from collections import deque
from typing import Final

from mendel.contracts.read_models import Change
from mendel.contracts.step_words import NO_WORDS, Wording
from mendel.projections.health import HealthFold
from mendel.projections.run_row import whole

LAST_SCORES: Final = 20
"""The mean is that of so many, here and on the page: of all scores it would hardly move any more."""


class WatchFold(HealthFold):
    """Folds events into what a terminal shows; feed it every event of one run in order."""

    def __init__(self, wording: Wording = NO_WORDS) -> None:
        super().__init__(wording)
        self._latest: deque[float] = deque(maxlen=LAST_SCORES)

    def _note(self, change: Change, sequence: int) -> None:
        super()._note(change, sequence)
        total = change.values.get("total") if change.table == "fitness_scores" else None
        if isinstance(total, int | float):
            self._latest.append(float(total))

    @property
    def scored(self) -> int:
        """How many candidates were scored."""
        return whole(self.run.values["scored"]) if self.run is not None else 0

    @property
    def mean(self) -> float | None:
        """Mean fitness of the last scores."""
        return sum(self._latest) / len(self._latest) if self._latest else None

    @property
    def best(self) -> tuple[float, str] | None:
        """The best fitness, and whose it is."""
        values = self.run.values if self.run is not None else {}
        fitness, who = values.get("best_fitness"), values.get("best_candidate_id")
        return (float(fitness), str(who)) if isinstance(fitness, int | float) else None

    @property
    def champion(self) -> str | None:
        """The champion of the first niche that has one."""
        found = self.run.values.get("champion_id") if self.run is not None else None
        return found if isinstance(found, str) else None
