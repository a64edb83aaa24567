"""The configuration of a run. It is recorded in the first event, and the run executes the recorded one."""

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
"""The profile of a run that calls no model."""
LIVE: Final = "live"
"""The profile of a run that calls the models of its plan."""


class Pace(Contract):
    """When the next candidate is bred.

    ``generational`` waits for a whole generation. ``steady`` breeds as soon as a slot is free. With the order
    ``arrival`` the birth k uses all results so far, which is fastest; with ``birth`` it uses exactly the results of the
    births up to k - ``window``, so that the run does not depend on timing.
    """

    kind: Literal["generational", "steady"] = "generational"
    order: Literal["arrival", "birth"] = "birth"
    window: Annotated[int, Field(ge=1, le=100_000)] = 8


class StopConditions(Contract):
    """When a run is complete; the first condition that holds ends it. Unlike a cap, a stop condition is a success.

    The run then breeds nothing more, but candidates with a score may still challenge. ``target`` is a fitness that a
    champion of this run must reach; ``stagnation`` is a number of births in a row without a better fitness.
    """

    seconds: Annotated[float, Field(gt=0.0, le=31_536_000.0)] | None = None  # at most a year
    target: float | None = None
    stagnation: Annotated[int, Field(ge=1)] | None = None


class Ancestor(Contract):
    """A genome of an earlier run with its material, so that the new run replays without the earlier one.

    ``champion``: the gate adopted it, and it is the champion of ``niche`` (None is the first niche of the run); a niche
    has at most one. Any other ancestor was the fittest survivor of its niche. ``looks`` is its embedding, if recorded.
    """

    run_id: UuidText
    candidate_id: CandidateId
    traits: DomainPayload
    content: DomainPayload
    champion: bool = False
    niche: Niche | None = None
    looks: EmbeddingRecord | None = Field(default=None, exclude_if=lambda looks: looks is None)  # as in older logs


class NicheStart(Contract):
    """A further niche of a run, and the number of challenges in it before the run started."""

    niche: Niche
    challenges: Count = 0


class Descriptor(Contract):
    """One behaviour axis: the value ``name`` of a score's descriptor or components, from ``low`` to ``high``.

    ``age`` is the depth of the lineage, unless a score has a value of this name. ``bins`` is the resolution in a grid.
    """

    name: Name
    low: float
    high: float
    bins: Annotated[int, Field(ge=1, le=1_000)] = 10

    @model_validator(mode="after")
    def _has_a_length(self) -> Self:
        if not self.high / 2 - self.low / 2 > 0.0:  # halved, because the difference itself may overflow
            raise ValueError(f"the descriptor {self.name} must have a low below its high")
        return self


class ArchiveConfig(Contract):
    """Behaviour archive: size limits evict the fittest candidate of a cell only if no other candidate is left.

    ``grid`` has one cell per combination of bins. ``cvt`` (a centroidal Voronoi tessellation) has ``cells`` cells of
    about equal size.
    """

    kind: Literal["grid", "cvt"] = "grid"
    descriptors: Annotated[tuple[Descriptor, ...], Field(min_length=1, max_length=8)]
    cells: Annotated[int, Field(ge=1, le=1_024)] = 128

    @model_validator(mode="after")
    def _axes_differ(self) -> Self:
        names = [descriptor.name for descriptor in self.descriptors]
        if len(set(names)) < len(names):
            raise ValueError(f"descriptors must have different names, not {', '.join(names)}")
        return self


class IslandsConfig(Contract):
    """Separate populations; after every ``interval`` births the best ``migrants`` of each join its neighbour."""

    count: Annotated[int, Field(ge=2, le=64)] = 4
    interval: Annotated[int, Field(ge=1, le=1_000_000)] = 50
    migrants: Annotated[int, Field(ge=1, le=64)] = 1


class RunConfig(Contract):
    """Complete configuration of a run. Rubric and judge are not part of it: a run cannot choose them.

    ``niche`` is the first niche of the run, whose champion and error budget it continues; ``niches`` are further ones.
    ``challenges_before`` and the champions among ``ancestors`` are the state of the niches when the run was recorded,
    taken from the log (rule 10). A run with ``never_challenges`` claims no niche. ``continues`` is the run whose
    settings and best survivors this run started from. ``follows`` is the previous chapter: an endless host consists of
    bounded runs in sequence, so that no log grows without limit; ``parameters`` are the domain's parameters at the end
    of that chapter. ``state_deadline_ms`` limits the time of a generation in one state. ``allow_weak_sandbox`` lets the
    run continue with missing isolation layers; its results can then never be adopted (rule 3). ``models`` are the
    models that the run may call, with their prices; None means no model calls.
    """

    domain: Name
    problem: Text
    rng_seed: Annotated[int, Field(ge=0, le=2**63 - 1)]  # fits a signed 64-bit integer
    caps: RunCaps = RunCaps()
    pace: Pace = Pace()
    slots: Annotated[int, Field(ge=1, le=10_000)] = 2  # operations in flight at most
    min_population_survival: Share = 0.0  # share of a generation that must express a candidate, or it fails
    scoring_policy: ScoringPolicy = ScoringPolicy()
    energy_costs: EnergyCosts = EnergyCosts()
    alpha: Annotated[float, Field(gt=0.0, lt=1.0)] = 0.05  # error budget of a niche, over all its challenges
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
        """The niche of every candidate that its domain does not assign to another one."""
        return self.niche or f"{self.domain}:{self.problem}"[:LONGEST_NICHE]  # a problem can be much longer

    @property
    def all_niches(self) -> tuple[str, ...]:
        """Every niche of the run, beginning with the first one."""
        return (self.first_niche, *(each.niche for each in self.niches))

    @model_validator(mode="after")
    def _niches_differ(self) -> Self:
        if len(set(self.all_niches)) <= len(self.niches):
            raise ValueError("the niches of a run must have different names")
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
            raise ValueError("a run starts with the parameters of the chapter before it; set others while it runs")
        return self

    @model_validator(mode="after")
    def _judges_are_held_out(self) -> Self:
        touched = sorted(HELD_OUT_ROLES.intersection(self.model_route_overrides))
        if touched:
            named = " or ".join(touched)
            raise ValueError(f"a run may not choose the model of {named}: what breeds never chooses its judge")
        return self
