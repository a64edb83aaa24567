"""The stages of a candidate's examination: where it fell, or what it must beat to be worth a challenge."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final, Generic, TypeVar

from mendel.bench.records import Examined, SourceTask, Stage
from mendel.bench.source_domain import LEAD, SCORE_LEAD

F = TypeVar("F", bound=Examined)
_LONGEST: Final = 2_000  # characters of a reason


class Fell(Exception):
    """A candidate fell at a stage of its examination."""

    def __init__(self, stage: Stage, detail: str, right: int = 0, failing: tuple[object, ...] = ()) -> None:
        super().__init__(detail)
        self.stage, self.detail, self.right, self.failing = stage, detail, right, failing


class Cascade(ABC, Generic[F]):
    """Takes one candidate through the stages of its examination, and reports where it fell."""

    files: dict[str, str]

    @property
    @abstractmethod
    def task(self) -> SourceTask:
        """The task of the run."""

    @abstractmethod
    async def stages(self) -> F:
        """Return the findings about a candidate that passes every stage.

        Raises:
            Fell: it does not.
        """

    @abstractmethod
    async def fallen(self, fell: Fell) -> F:
        """Return the findings about a fallen candidate, and where it fails if that is worth a repair."""

    @abstractmethod
    async def original_score(self) -> float | None:
        """Return the original's weighted score; None if gains over the original are measured instead."""

    @property
    def contends(self) -> bool:
        """Whether it may claim to be better: neither the original itself nor in a run for comparison."""
        return self.task.contends and self.files != self.task.originals()

    @property
    def weight(self) -> float:
        """The largest weight of any objective."""
        return 1.0

    async def run(self) -> F:
        """Run all stages and return the findings."""
        try:
            found = await self.stages()
        except Fell as fell:
            found = await self.fallen(fell)
            out = {"passed": False, "stage": fell.stage, "detail": fell.detail[:_LONGEST]}
            return found.model_copy(update=out)
        return found.model_copy(update=await self.claim()) if self.contends else found

    async def claim(self) -> dict[str, float]:
        """Return the total to beat, and the lead that justifies a challenge, which spends error budget."""
        score = await self.original_score()
        if score is None:
            return {"stands_at": 0.0, "lead": LEAD * self.weight}
        return {"stands_at": score, "lead": SCORE_LEAD}
