"""What the forms of programs and texts share: when to stop, and how many live at once."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from mendel.api.schemas import Wire

FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$", max_length=80)]
Source = Annotated[str, Field(min_length=1, max_length=400_000)]


class BoundsAsked(Wire):
    """The first that holds counts; without any, a run breeds for forty seconds."""

    seconds: Annotated[float, Field(ge=0.1, le=604_800, title="Seconds")] | None = Field(
        default=None, description="Breed so long; who stands before the gate is still heard."
    )
    candidates: Annotated[int, Field(ge=2, title="Candidates")] | None = Field(
        default=None, description="Breed so many candidates."
    )
    evaluations: Annotated[int, Field(ge=1, title="Evaluations")] | None = Field(
        default=None, description="Run programs against so many cases; a step counts at its worst until it has ended."
    )
    generations: Annotated[int, Field(ge=1, title="Generations")] | None = Field(
        default=None, description="Breed so many generations, each as large as the population."
    )
    target: Annotated[str, Field(max_length=40, title="Target", examples=["20x"])] | None = Field(
        default=None, description="Stop at a winner that is so much better."
    )
    population: Annotated[int, Field(ge=2, title="Population")] = Field(
        default=40, description="How many live at once."
    )

    def asked_caps(self) -> frozenset[str]:
        """The caps of a run that are chosen by these."""
        given = {
            "wall_clock_ms": self.seconds,
            "max_candidates": self.candidates,
            "max_evaluations": self.evaluations,
            "max_generations": self.generations,
            "max_population": True if "population" in self.model_fields_set else None,
        }
        return frozenset(name for name, value in given.items() if value is not None)
