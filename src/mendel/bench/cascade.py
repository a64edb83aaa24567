"""The examination of a candidate stage by stage: where it fell, or what it has to beat to be worth a challenge."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final, Generic, TypeVar

from mendel.bench.records import Examined, SourceTask, Stage
from mendel.bench.source_domain import LEAD, SCORE_LEAD

F = TypeVar("F", bound=Examined)
_LONGEST: Final = 2_000


class Fell(Exception):
    """A candidate is out."""

    def __init__(self, stage: Stage, detail: str, right: int = 0, failing: tuple[object, ...] = ()) -> None:
        super().__init__(detail)
        self.stage, self.detail, self.right, self.failing = stage, detail, right, failing


class Cascade(ABC, Generic[F]):
    """One candidate on its way through the stages; whoever falls is told where."""

    files: dict[str, str]

    @property
    @abstractmethod
    def task(self) -> SourceTask:
        """The task of its run."""

    @abstractmethod
    async def stages(self) -> F:
        """What is found of one that comes through.

        Raises:
            Fell: it does not.
        """

    @abstractmethod
    async def fallen(self, fell: Fell) -> F:
        """What is known of one that fell, and where it fails if that is worth a repair."""

    @abstractmethod
    async def original_score(self) -> float | None:
        """What the original scores, as a total counts it; None where gains over it are measured instead of scores."""

    @property
    def contends(self) -> bool:
        """Whether it may claim to be better: not the original itself, and not in a run that is for comparison."""
        return self.task.contends and self.files != self.task.originals()

    @property
    def weight(self) -> float:
        """What the objective that weighs most counts."""
        return 1.0

    async def run(self) -> F:
        """All stages."""
        try:
            found = await self.stages()
        except Fell as fell:
            found = await self.fallen(fell)
            out = {"passed": False, "stage": fell.stage, "detail": fell.detail[:_LONGEST]}
            return found.model_copy(update=out)
        return found.model_copy(update=await self.claim()) if self.contends else found

    async def claim(self) -> dict[str, float]:
        """From where, and by how much, a total must be ahead to be worth a challenge, which spends error budget."""
        score = await self.original_score()
        if score is None:
            return {"stands_at": 0.0, "lead": LEAD * self.weight}
        return {"stands_at": score, "lead": SCORE_LEAD}
