"""What the forms of programs and texts share: when to stop, and how many live at once."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from mendel.api.schemas import Wire
from mendel.bench.bounds import Bounds
from mendel.bench.planning import POPULATION, Search

FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$", max_length=80)]
Source = Annotated[str, Field(min_length=1, max_length=400_000)]


class BoundsAsked(Wire, Bounds):
    """The first that holds counts; without any, a run breeds for forty seconds."""

    population: Annotated[int, Field(ge=2, title="Population")] = Field(
        default=POPULATION, description="How many live at once."
    )

    def search(self, *, models: bool) -> Search:
        """How a run searches that is asked for so."""
        bounds = Bounds(**{name: getattr(self, name) for name in Bounds.model_fields})
        return Search(bounds=bounds, population=self.population, models=models)

    def asked_caps(self) -> frozenset[str]:
        """The caps of a run that are chosen by these."""
        return self.chosen_caps() | ({"max_population"} if "population" in self.model_fields_set else set())
