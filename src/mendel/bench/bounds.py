"""The bounds of a search, defined once for the command line, the API's form and a run's configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mendel.contracts.caps import MOST, RunCaps
from mendel.contracts.errors import ConfigError
from mendel.contracts.run_config import StopConditions

if TYPE_CHECKING:
    from mendel.kernel.domain import Step  # only for types: every command imports the bounds when it starts

DEFAULT_SECONDS: Final = 40.0
STAGNATION: Final = 600
_LONG_S: Final = 24 * 3_600.0


class Bounds(BaseModel):
    """The bounds of a search: the first one reached ends it; without any, a run breeds for forty seconds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seconds: Annotated[float, Field(ge=0.1, le=604_800, title="Seconds")] | None = Field(
        default=None, description="Breed for this many seconds; pending challenges are still decided."
    )
    candidates: Annotated[int, Field(ge=2, le=MOST, title="Candidates")] | None = Field(
        default=None, description="Breed at most this many candidates."
    )
    evaluations: Annotated[int, Field(ge=1, le=MOST, title="Evaluations")] | None = Field(
        default=None,
        description="Run programs on at most this many cases; a step in flight counts with its maximum.",
    )
    generations: Annotated[int, Field(ge=1, le=MOST, title="Generations")] | None = Field(
        default=None, description="Breed at most this many generations, each as large as the population."
    )
    target: Annotated[str, Field(max_length=40, title="Target", examples=["20x"])] | None = Field(
        default=None, description="Stop when a winner is this much better."
    )
    budget: Annotated[int, Field(ge=1, le=MOST, title="Energy")] | None = Field(
        default=None, description="Spend at most this much energy, as counted by `mendel show`."
    )

    @classmethod
    def asked(cls, given: Mapping[str, object], where: str) -> Self:
        """Return the given bounds; ``where`` is the format of a bound's name in an error.

        Raises:
            ConfigError: a bound is invalid.
        """
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            wrong = error.errors()[0]
            raise ConfigError(f"{where.format(wrong['loc'][0])}: {wrong['msg']}") from error

    def or_else(self, other: Bounds) -> Self:
        """Return these bounds, and the other's where these have none."""
        return self.model_copy(update={name: value for name, value in other if getattr(self, name) is None})

    def breeding_s(self) -> float | None:
        """Return the seconds of breeding; None if only other bounds apply."""
        unbounded = all(getattr(self, name) is None for name in Bounds.model_fields)
        return DEFAULT_SECONDS if unbounded else self.seconds

    def conditions(self, target: float | None) -> StopConditions:
        """Return the kernel's stop conditions; ``target`` is the fitness to reach."""
        return StopConditions(seconds=self.breeding_s(), target=target, stagnation=STAGNATION)

    def caps(self, population: int, hard_s: float) -> RunCaps:
        """Return the hard caps; ``hard_s`` is how many seconds beyond the requested time a run may take."""
        return RunCaps(
            max_population=population,
            max_generations=self.generations or 100_000,  # defaults that are practically unlimited, here and below
            max_candidates=self.candidates or 1_000_000,
            energy_budget=self.budget or 1_000_000_000,
            max_spawn_depth=1_000,
            wall_clock_ms=int(((self.breeding_s() or _LONG_S) + hard_s) * 1_000),
            max_evaluations=self.evaluations or 1_000_000_000_000,
        )

    def chosen_caps(self) -> frozenset[str]:
        """Return the names of a run's caps that these bounds set."""
        chosen = {
            "wall_clock_ms": self.seconds,
            "max_candidates": self.candidates,
            "max_evaluations": self.evaluations,
            "max_generations": self.generations,
            "energy_budget": self.budget,
        }
        return frozenset(name for name, value in chosen.items() if value is not None)


def too_few_evaluations(cap: int, examination: Step, challenge: Step) -> str | None:
    """Return why a cap on evaluations permits no adoption, with the least that would; None if it is enough.

    The original and a challenger are examined before the challenge, and each step must fit with its maximum.
    Rejected: scaling the maximum of a challenge to the task, since the gate draws cases until it can decide.
    """
    least = 2 * examination.allowance.evaluations + challenge.allowance.evaluations
    if cap >= least:
        return None
    return (
        f"{cap:,} evaluations (max_evaluations) are too few for anything to be adopted: a challenge counts as"
        f" {challenge.allowance.evaluations:,} until it has ended; allow at least {least:,}, or bound the run by"
        " candidates"
    )


NO_BOUNDS: Final = Bounds()
