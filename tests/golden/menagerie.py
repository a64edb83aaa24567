"""A domain that makes every move there is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from hashlib import sha256
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, JsonValue

from mendel.contracts.base import JsonObject
from mendel.contracts.energy import Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import HandlerFailed
from mendel.contracts.organisms import Genome
from mendel.contracts.payloads import PAYLOADS, DomainPayload
from mendel.contracts.run_config import RunConfig
from mendel.contracts.verdicts import Decision, Provenance, Reason, SandboxProvenance, Verdict
from mendel.contracts.work import Answer, Work
from mendel.kernel.domain import Domain, Expression, Refused, Step
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import (
    Adopt,
    Challenge,
    Confirm,
    Drop,
    Examine,
    Move,
    Repair,
    Revoke,
    Score,
    Vary,
    Wait,
)
from mendel.selection.operators import Operator


class Beast(BaseModel):
    """Whatever lives here."""

    model_config = ConfigDict(extra="allow")

    __pydantic_extra__: dict[str, JsonValue]


def beast(**data: JsonValue) -> DomainPayload:
    return DomainPayload(domain="menagerie", kind="beast", version=1, data=data)


def number(payload: DomainPayload | None, key: str = "size") -> int:
    value = payload.data.get(key, 0) if payload is not None else 0
    return int(str(value))


STEP = Step(allowance=Usage(cpu_ms=200, tokens_in=500, tokens_out=500, tool_calls=2, cost_microusd=50))


class Menagerie(Domain):
    """Beasts of a size from 0 to 99; what happens to one follows from its size."""

    name: ClassVar[str] = "menagerie"
    payloads: ClassVar[Mapping[tuple[str, int], type[BaseModel]]] = {("beast", 1): Beast}
    steps: ClassVar[Mapping[str, Step]] = {
        f"menagerie.{name}": STEP
        for name in ("grow", "cross", "hatch", "mend", "look", "compare", "audit", "gate", "house", "release")
    }
    most_candidates: ClassVar[int] = 2
    operators: ClassVar[Sequence[Operator]] = (
        Operator(name="grow", step="menagerie.grow", weight=2.0),
        Operator(name="cross", step="menagerie.cross", parents=2, mode="fusion"),
    )

    def founders(self, config: RunConfig, entropy: Entropy) -> Sequence[DomainPayload]:
        return [beast(size=entropy.below(100, index)) for index in range(5)]

    def admit(self, proposal: JsonObject, config: RunConfig) -> DomainPayload | Refused:
        return beast(size=number(beast(**proposal))) if "size" in proposal else Refused("a beast has a size")

    def express(self, genome: Genome, config: RunConfig) -> Expression:
        if number(genome.traits) % 3 == 0:
            return Expression(contents=(genome.traits,))
        return Expression(step="menagerie.hatch", inputs=beast(wish=1 + number(genome.traits) % 2))

    def conditions(
        self, generation: int, config: RunConfig, entropy: Entropy, before: Dossier | None
    ) -> DomainPayload | None:
        return beast(season=generation % 4, seen=len(before.observations) if before is not None else -1)

    def route(self, dossier: Dossier) -> Sequence[Move]:
        if dossier.phase == "generation":
            return (Examine(step="menagerie.audit"),) if not dossier.observations else ()
        if dossier.phase == "contending":
            return self._contend(dossier)
        size = number(dossier.content)
        if size % 7 == 6 and not dossier.repaired:
            return (Repair(step="menagerie.mend", reason="it limps"),)
        if size % 7 == 6:
            return (Repair(step="menagerie.mend", reason="it still limps"),)
        looks = [seen for seen in dossier.observations if seen.kind == "examine"]
        if not looks:
            return (Examine(step="menagerie.look"), Examine(step="menagerie.look", inputs=beast(eye="left")))
        if size % 11 == 5:
            out = Drop(reason=Reason(code="too_wild", message="it cannot be kept"))
            return (Vary(operator="grow", inputs=beast(tame=True)), out) if size % 2 else (out,)
        if size % 5 == 1 and not any(seen.kind == "wait" for seen in dossier.observations):
            return (Wait(for_ms=5),)
        if dossier.phase == "scoring" and size % 5 == 2 and dossier.last("menagerie.compare") is None:
            return (Examine(step="menagerie.compare", other=dossier.subject_id),)
        estimated = ("mood",) if any(seen.failed for seen in looks) else ()
        return (Score(components={"size": size / 100, "mood": 0.5}, estimated=estimated, descriptor={"size": size}),)

    def _contend(self, dossier: Dossier) -> Sequence[Move]:
        size = number(dossier.content)
        if dossier.adoption == "made":
            if not any(seen.kind == "wait" for seen in dossier.observations):
                return (Wait(for_ms=5),)
            return (Revoke(reason="it bites", step="menagerie.release"),) if size % 2 else (Confirm(),)
        if dossier.decision is Decision.ADOPT and dossier.adoption is None:
            return (Adopt(step="menagerie.house"),) if size % 3 else (Adopt(),)
        champion = dossier.champion.total if dossier.champion is not None else None
        better = champion is None or champion < (dossier.total or 0)
        return (Challenge(step="menagerie.gate"),) if better and dossier.decision is None else ()


# --- handlers --------------------------------------------------------------------------------------------

USED = Usage(cpu_ms=120, tokens_in=100, tokens_out=20, tool_calls=1, cost_microusd=7)


async def _grow(work: Work) -> Answer:
    if work.entropy.below(8, "fail") == 0:
        raise HandlerFailed("stunted", "it does not grow", usage=USED)
    size = (number(work.material.parents[0]) + work.entropy.below(30, "by")) % 100
    return Answer(traits=beast(size=size), choices={"size": size}, usage=USED)


async def _cross(work: Work) -> Answer:
    sizes = [number(parent) for parent in work.material.parents]
    return Answer(traits=beast(size=sum(sizes) // len(sizes)), choices={"of": list(sizes)}, usage=USED)


async def _hatch(work: Work) -> Answer:
    size, wish = number(work.material.traits), number(work.operation.inputs, "wish")
    if size % 13 == 0:
        raise HandlerFailed("infertile", "nothing hatches")
    return Answer(contents=tuple(beast(size=(size + twin) % 100) for twin in range(wish)), usage=USED)


async def _mend(work: Work) -> Answer:
    size = number(work.material.content)
    if size % 3 == 0:
        raise HandlerFailed("incurable", "it cannot be mended")
    return Answer(contents=(beast(size=size - 1 if size % 3 == 1 else size),), usage=USED)


async def _look(work: Work) -> Answer:
    if work.entropy.below(9, "blind") == 0:
        raise HandlerFailed("blind", "nothing was seen")
    return Answer(findings=beast(seen=number(work.material.content)), usage=USED, degraded=work.entropy.below(4) == 0)


async def _gate(work: Work) -> Answer:
    challenge = work.operation.challenge
    if challenge is None:
        raise HandlerFailed("no_challenge", "nobody challenges")
    better = number(work.material.content) > number(work.material.champion)
    digest = sha256(str(work.material.content).encode()).hexdigest()
    return Answer(
        verdict=Verdict(
            candidate_id=work.operation.subject_ids[0],
            decision=Decision.ADOPT if better else Decision.REJECT,
            mode="absolute",
            policy="larger",
            challenge=challenge,
            n=1,
            reasons=(Reason(code="size", message="by size"),),
            provenance=Provenance(sandbox=SandboxProvenance(tier="none"), spec_hash=digest, candidate_hash=digest),
        ),
        usage=USED,
    )


async def _nothing(work: Work) -> Answer:
    return Answer(findings=beast(step=work.operation.step), usage=USED)


_HANDLERS: Mapping[str, Callable[[Work], Awaitable[Answer]]] = {
    "menagerie.grow": _grow,
    "menagerie.cross": _cross,
    "menagerie.hatch": _hatch,
    "menagerie.mend": _mend,
    "menagerie.look": _look,
    "menagerie.gate": _gate,
}


def handler(step: str) -> Callable[[Work], Awaitable[Answer]]:
    return _HANDLERS.get(step, _nothing)


def menagerie(_name: str) -> Domain:
    PAYLOADS.register("menagerie", "beast", 1, Beast)
    return Menagerie()
