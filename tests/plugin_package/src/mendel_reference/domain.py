"""The reference domain as the kernel sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from pydantic import BaseModel, ValidationError

from mendel.contracts.base import JsonObject
from mendel.contracts.energy import Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.organisms import Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.providers import ModelRole
from mendel.contracts.run_config import RunConfig
from mendel.contracts.scoring import ScoringPolicy
from mendel.contracts.verdicts import Decision, Reason
from mendel.kernel.domain import Domain, Expression, Refused, Step
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Adopt, Challenge, Confirm, Drop, Examine, Move, Score
from mendel.selection.operators import Operator
from mendel_reference.models import DOMAIN, PAYLOADS, Distance, Point, Room, Stride, Tolerance, setting_of, wrapped

STEP = Step(allowance=Usage(cpu_ms=1_000), deadline_ms=20_000)


class ReferenceDomain(Domain):
    """Points that come closer to a target."""

    name: ClassVar[str] = DOMAIN
    payloads: ClassVar[Mapping[tuple[str, int], type[BaseModel]]] = PAYLOADS
    config_kind: ClassVar[tuple[str, int] | None] = ("setting", 1)
    steps: ClassVar[Mapping[str, Step]] = {
        "reference.nudge": replace(STEP, hints=True),
        "reference.blend": STEP,
        "reference.measure": STEP,
        "reference.gate": STEP,
        "reference.ponder": Step(Usage(cpu_ms=2_000, tool_calls=8), deadline_ms=20_000, children=("reference.advise",)),
        "reference.advise": Step(Usage(cpu_ms=100, tool_calls=1), deadline_ms=5_000),
        "reference.probe": Step(Usage(cpu_ms=1_000, evaluations=3), deadline_ms=20_000, ports=("sandbox",)),
        "reference.wonder": Step(
            asks=("mutator",), ports=("models", "embedder", "retriever"), may_use=("bell",), deadline_ms=20_000
        ),
        "reference.consult": Step(
            asks=("mutator",), ports=("models",), children=("reference.counsel",), deadline_ms=20_000
        ),
        "reference.counsel": Step(asks=("mutator",), ports=("models",), deadline_ms=10_000),
        "reference.room": replace(STEP, cohort=True, neighbours=2, earlier=True),
        "reference.survey": replace(STEP, cohort=True),
        "reference.prove": STEP,
    }
    operators: ClassVar[Sequence[Operator]] = (
        Operator(name="nudge", step="reference.nudge", weight=3.0),
        Operator(name="blend", step="reference.blend", parents=2, mode="crossover"),
        Operator(name="probe", step="reference.probe"),
        Operator(name="ponder", step="reference.ponder"),
        Operator(name="wonder", step="reference.wonder"),
        Operator(name="consult", step="reference.consult"),
    )
    offline_roles: ClassVar[tuple[ModelRole, ...]] = ("mutator",)
    policy: ClassVar[ScoringPolicy] = ScoringPolicy(version="reference-1", weights={"closeness": 1.0})

    def niches(self, config: RunConfig) -> Sequence[str]:
        """As many as the setting says."""
        first = config.first_niche
        return (first, *(f"{first} #{number}" for number in range(1, setting_of(config.domain_config).niches)))

    def niche(self, content: DomainPayload, config: RunConfig) -> str:
        """By how many of its coordinates are above zero."""
        above = sum(value > 0 for value in Point.model_validate(content.data).values)
        return config.all_niches[above % len(config.all_niches)]

    def challenges(self, config: RunConfig) -> bool:
        """Unless the setting says otherwise."""
        return setting_of(config.domain_config).challenge

    def survivors_enter(self, config: RunConfig) -> bool:
        """Where the setting says so."""
        return setting_of(config.domain_config).renews

    def operators_for(self, config: RunConfig) -> Sequence[Operator]:
        """Nudging and blending, and of the others those that the run's setting asks for."""
        setting = setting_of(config.domain_config)
        extras = {
            "probe": setting.probes,
            "ponder": setting.ponders,
            "wonder": setting.wonders,
            "consult": setting.wonders,
        }
        left_out = {name for name, wanted in extras.items() if not wanted}
        return [each for each in self.operators if each.name not in left_out]

    def founders(self, config: RunConfig, entropy: Entropy) -> Sequence[DomainPayload]:
        """Points drawn from the cube."""
        setting = setting_of(config.domain_config)
        return [
            wrapped(Point(values=tuple(2 * entropy.unit(number, axis) - 1 for axis in range(len(setting.target)))))
            for number in range(setting.founders)
        ]

    def admit(self, proposal: JsonObject, config: RunConfig) -> DomainPayload | Refused:
        """A point with as many coordinates as the target."""
        values = proposal.get("values")
        if not isinstance(values, list) or len(values) != len(setting_of(config.domain_config).target):
            return Refused("a proposal has as many values as the target")
        return wrapped(Point.model_validate({"values": values}))

    def admit_parameters(
        self, wanted: JsonObject, before: DomainPayload | None, config: RunConfig
    ) -> DomainPayload | Refused:
        """How far a nudge goes."""
        try:
            return wrapped(Stride.model_validate(wanted))
        except ValidationError:
            return Refused("the only parameter is length, a number above nought")

    def express(self, genome: Genome, config: RunConfig) -> Expression:
        """A point is what it is."""
        return Expression(contents=(genome.traits,))

    def conditions(
        self, generation: int, config: RunConfig, entropy: Entropy, before: Dossier | None
    ) -> DomainPayload | None:
        """The tolerance shrinks with every generation."""
        setting = setting_of(config.domain_config)
        return wrapped(
            Tolerance(
                squared=1.0 / (1 + generation),
                crowded=setting.crowded,
                strict=setting.renews,
                proves=setting.proves,
            )
        )

    def route(self, dossier: Dossier) -> Sequence[Move]:
        """Measure, score, and challenge the champion with whatever is better."""
        if dossier.phase == "generation":
            crowded = dossier.conditions is not None and Tolerance.model_validate(dossier.conditions.data).crowded
            return (Examine(step="reference.survey"),) if crowded and not dossier.observations else ()
        if dossier.phase == "contending":
            return self._contend(dossier)
        measured = dossier.last("reference.measure")
        if measured is None:
            return (Examine(step="reference.measure"),)
        if measured.findings is None:
            return (Drop(reason=Reason(code="not_measured", message=f"the measurement failed: {measured.failed}")),)
        squared = Distance.model_validate(measured.findings.data).squared
        tolerance = Tolerance.model_validate(dossier.conditions.data) if dossier.conditions is not None else None
        strict = tolerance is not None and tolerance.strict
        closeness = {"closeness": 1.0 / (1.0 + (squared / tolerance.squared if tolerance and strict else squared))}
        if not (tolerance and tolerance.crowded) or dossier.phase == "verifying":
            return (Score(components=closeness, descriptor={"distance": squared}),)
        seen = dossier.last("reference.room")
        if seen is None:
            return (Examine(step="reference.room"),)
        nearest = Room.model_validate(seen.findings.data).nearest if seen.findings is not None else None
        return (Score(components={**closeness, "room": nearest or 0.0}, descriptor={"distance": squared}),)

    def _contend(self, dossier: Dossier) -> Sequence[Move]:
        if dossier.adoption == "made":
            proves = dossier.conditions is not None and Tolerance.model_validate(dossier.conditions.data).proves
            unproved = proves and dossier.last("reference.prove") is None
            return (Examine(step="reference.prove"),) if unproved else (Confirm(),)
        if dossier.decision is Decision.ADOPT and dossier.adoption is None:
            return (Adopt(),)
        asked = dossier.last("reference.gate") is not None
        champion = dossier.champion.total if dossier.champion is not None else None
        better = champion is None or (dossier.total or 0.0) > champion
        return (Challenge(step="reference.gate"),) if better and not asked else ()
