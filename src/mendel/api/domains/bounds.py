"""Fields that the forms of programs and texts share: bounds, and the population size."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from mendel.api.schemas import Wire
from mendel.bench.bounds import Bounds
from mendel.bench.planning import POPULATION, Search

FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$", max_length=80)]
Source = Annotated[str, Field(min_length=1, max_length=400_000)]


class BoundsAsked(Wire, Bounds):
    """The search stops at the first bound reached; without any, a run breeds for forty seconds."""

    population: Annotated[int, Field(ge=2, title="Population")] = Field(
        default=POPULATION, description="Population size."
    )

    def search(self, *, models: bool) -> Search:
        """Return the search with these bounds."""
        bounds = Bounds(**{name: getattr(self, name) for name in Bounds.model_fields})
        return Search(bounds=bounds, population=self.population, models=models)

    def asked_caps(self) -> frozenset[str]:
        """Return the caps of the run that these fields set."""
        return self.chosen_caps() | ({"max_population"} if "population" in self.model_fields_set else set())
