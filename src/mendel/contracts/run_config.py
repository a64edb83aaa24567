"""The configuration of a run, recorded in its first event and executed as recorded."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from mendel.contracts.base import Contract, Count, Name, Share, Text
from mendel.contracts.caps import RunCaps
from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.energy import EnergyCosts
from mendel.contracts.ids import CandidateId, UuidText
from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.providers import HELD_OUT_ROLES, ModelRole, ModelRoute
from mendel.contracts.scoring import ScoringPolicy
from mendel.contracts.verdicts import LONGEST_NICHE, Niche

OFFLINE: Final = "offline"
"""The profile of a run that asks no model."""
LIVE: Final = "live"
"""That of one that asks those of its plan."""


class Pace(Contract):
    """When the next candidate is bred.

    ``generational`` waits for a whole generation; ``steady`` breeds as soon as a slot frees, from whatever has
    arrived (``arrival``, fastest) or from exactly the results up to k-W (``birth``, independent of timing).
    """

    kind: Literal["generational", "steady"] = "generational"
    order: Literal["arrival", "birth"] = "birth"
    window: Annotated[int, Field(ge=1, le=100_000)] = 8


class StopConditions(Contract):
    """When a run has done enough; the first that holds counts. Caps forbid, these let it end well.

    Nothing more is bred then, and what was scored may still stand before the gate. ``target`` is the fitness of a
    champion of this run; ``stagnation`` so many births in a row that brought nothing fitter.
    """

    seconds: Annotated[float, Field(gt=0.0, le=31_536_000.0)] | None = None
    target: float | None = None
    stagnation: Annotated[int, Field(ge=1)] | None = None


class Ancestor(Contract):
    """A genome of an earlier run, with its material: a run that begins from it replays without the other.

    ``champion`` is set for one that the gate had let in: the champion of ``niche``, where none is named of the run's
    first. A niche has at most one. A survivor without that was the fittest of its niche. ``looks``
    is its vector, where one was recorded.
    """

    run_id: UuidText
    candidate_id: CandidateId
    traits: DomainPayload
    content: DomainPayload
    champion: bool = False
    niche: Niche | None = None
    looks: EmbeddingRecord | None = Field(default=None, exclude_if=lambda looks: looks is None)


class NicheStart(Contract):
    """A further niche of a run, and how many challenges were made in it before the run began."""

    niche: Niche
    challenges: Count = 0


class Descriptor(Contract):
    """One axis of behaviour: what a score's descriptor or its components call ``name``, from ``low`` to ``high``.

    ``age`` is the depth of a lineage where no score says otherwise. ``bins`` divide the axis of a grid.
    """

    name: Name
    low: float
    high: float
    bins: Annotated[int, Field(ge=1, le=1_000)] = 10

    @model_validator(mode="after")
    def _has_a_length(self) -> Self:
        if not self.high / 2 - self.low / 2 > 0.0:
            raise ValueError(f"the descriptor {self.name} goes from a number to a larger one")
        return self


class ArchiveConfig(Contract):
    """Cells of behaviour whose fittest members size limits do not evict while others can go.

    ``grid`` has a cell for each combination of bins; ``cvt`` has ``cells`` of about equal size.
    """

    kind: Literal["grid", "cvt"] = "grid"
    descriptors: Annotated[tuple[Descriptor, ...], Field(min_length=1, max_length=8)]
    cells: Annotated[int, Field(ge=1, le=1_024)] = 128

    @model_validator(mode="after")
    def _axes_differ(self) -> Self:
        names = [descriptor.name for descriptor in self.descriptors]
        if len(set(names)) < len(names):
            raise ValueError(f"descriptors have different names, not {', '.join(names)}")
        return self


class IslandsConfig(Contract):
    """Populations that breed apart; every ``interval`` births the best ``migrants`` of each join its neighbour."""

    count: Annotated[int, Field(ge=2, le=64)] = 4
    interval: Annotated[int, Field(ge=1, le=1_000_000)] = 50
    migrants: Annotated[int, Field(ge=1, le=64)] = 1


class RunConfig(Contract):
    """Everything a run is started with. The rubric and the judge's route are not in it: no run chooses those.

    ``niche`` names the niche whose champion and error budget the run adds to; ``niches`` are those that it has beside
    that one. Champions among the ``ancestors`` and ``challenges_before`` are what it found there, taken from the log
    when the run was recorded (rule 10). A run that ``never_challenges`` claims no niche. ``continues`` names the run
    whose settings and best survivors this one began from, ``follows`` the chapter before it: an endless host is kept as
    bounded runs that follow each other, so that no log grows for ever; ``parameters`` are those of the domain that held
    at the end of that chapter. ``state_deadline_ms`` bounds how long a
    generation may stay in one state. ``allow_weak_sandbox`` lets a run go on behind too few walls; nothing that it then
    finds can be adopted (rule 3). ``models`` are those that it may ask, with their prices; a run without any asks
    nobody.
    """

    domain: Name
    problem: Text
    rng_seed: Annotated[int, Field(ge=0, le=2**63 - 1)]
    caps: RunCaps = RunCaps()
    pace: Pace = Pace()
    slots: Annotated[int, Field(ge=1, le=10_000)] = 2
    min_population_survival: Share = 0.0
    scoring_policy: ScoringPolicy = ScoringPolicy()
    energy_costs: EnergyCosts = EnergyCosts()
    alpha: Annotated[float, Field(gt=0.0, lt=1.0)] = 0.05
    niche: Niche | None = None
    niches: tuple[NicheStart, ...] = ()
    never_challenges: bool = False
    continues: UuidText | None = None
    follows: UuidText | None = None
    challenges_before: Count = 0
    ancestors: tuple[Ancestor, ...] = ()
    selector: Name = "tournament"
    archive: ArchiveConfig | None = None
    islands: IslandsConfig | None = None
    state_deadline_ms: Annotated[int, Field(gt=0)] | None = None
    allow_weak_sandbox: bool = False
    stop: StopConditions | None = None
    enabled_subtypes: tuple[Name, ...] = ()
    model_profile: Name = OFFLINE
    model_route_overrides: dict[ModelRole, ModelRoute] = Field(default_factory=dict)
    models: ModelPlan | None = None
    generation_operators: tuple[Name, ...] = ()
    generation_bias: Annotated[float, Field(ge=-1.0, le=1.0)] = 0.0
    domain_config: DomainPayload | None = None
    parameters: DomainPayload | None = None

    @property
    def first_niche(self) -> str:
        """The niche of whatever its domain does not put into another one."""
        return self.niche or f"{self.domain}:{self.problem}"[:LONGEST_NICHE]

    @property
    def all_niches(self) -> tuple[str, ...]:
        """Every niche of the run, the first one first."""
        return (self.first_niche, *(each.niche for each in self.niches))

    @model_validator(mode="after")
    def _niches_differ(self) -> Self:
        if len(set(self.all_niches)) <= len(self.niches):
            raise ValueError("the niches of a run have different names")
        return self

    @model_validator(mode="after")
    def _a_champion_is_its_niches_only_one(self) -> Self:
        niches = [each.niche or self.first_niche for each in self.ancestors if each.champion]
        odd = sorted(name for name in set(niches) if niches.count(name) > 1 or name not in self.all_niches)
        if odd:
            raise ValueError(f"a run has at most one champion in each of its own niches; not so in {', '.join(odd)}")
        return self

    @model_validator(mode="after")
    def _parameters_are_inherited(self) -> Self:
        if self.parameters is not None and self.follows is None:
            raise ValueError("a run begins with the parameters of the chapter before it; others are set while it runs")
        return self

    @model_validator(mode="after")
    def _judges_are_held_out(self) -> Self:
        touched = sorted(HELD_OUT_ROLES.intersection(self.model_route_overrides))
        if touched:
            named = " or ".join(touched)
            raise ValueError(f"a run may not choose the model of {named}: what breeds never chooses its judge")
        return self
