"""A complete domain in one file: points that come closer to a target.

Run it directly, without a server and without installing it::

    python examples/domain.py

As a plug-in of your own package it needs these lines; then `mendel run --domain points` finds it::

    [project.entry-points."mendel.domains"]
    points = "my_package:REGISTRATION"

    [project.entry-points."mendel.task_handlers"]
    "points.nudge" = "my_package:nudge"
    "points.measure" = "my_package:measure"
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from typing import ClassVar

from pydantic import BaseModel

from mendel.adapters.memory.clock import SystemClock
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.contracts.caps import RunCaps
from mendel.contracts.entropy import Entropy
from mendel.contracts.organisms import Genome
from mendel.contracts.payloads import PAYLOADS, DomainPayload
from mendel.contracts.run_config import Pace, RunConfig
from mendel.contracts.verdicts import Reason
from mendel.contracts.work import Answer, Work
from mendel.kernel.beginning import configure
from mendel.kernel.conduct import conduct
from mendel.kernel.domain import Domain, Expression, Step
from mendel.kernel.dossier import Dossier
from mendel.kernel.moves import Drop, Examine, Move, Score
from mendel.ports.registration import DomainRegistration
from mendel.selection.operators import Operator

REGISTRATION = DomainRegistration(
    name="points", title="Points", summary="Points that come closer to a target.", domain="my_package:Points"
)
TARGET = (0.25, -0.5)


class Point(BaseModel):
    """The traits of a genome; a candidate is the same point."""

    x: float
    y: float


class Distance(BaseModel):
    """The findings of a measurement."""

    squared: float


def payload(kind: str, data: BaseModel) -> DomainPayload:
    """Wrap data as a payload of this domain."""
    return DomainPayload(domain="points", kind=kind, data=data.model_dump())


class Points(Domain):
    """The domain as the kernel uses it: it supplies material and moves; the kernel owns the loop."""

    name: ClassVar[str] = "points"
    payloads: ClassVar[Mapping[tuple[str, int], type[BaseModel]]] = {("point", 1): Point, ("distance", 1): Distance}
    steps: ClassVar[Mapping[str, Step]] = {"points.nudge": Step(), "points.measure": Step()}
    operators: ClassVar[Sequence[Operator]] = (Operator(name="nudge", step="points.nudge"),)

    def founders(self, config: RunConfig, entropy: Entropy) -> Sequence[DomainPayload]:
        """Return four points, drawn from the run's seed."""
        return [payload("point", Point(x=entropy.unit(n, "x"), y=entropy.unit(n, "y"))) for n in range(4)]

    def express(self, genome: Genome, config: RunConfig) -> Expression:
        """Return the point itself: a candidate has the same content as its genome."""
        return Expression(contents=(genome.traits,))

    def route(self, dossier: Dossier) -> Sequence[Move]:
        """Measure a candidate, then score it; this domain makes no challenges."""
        if dossier.phase in ("contending", "generation"):
            return ()
        measured = dossier.last("points.measure")
        if measured is None:
            return (Examine(step="points.measure"),)
        if measured.findings is None:
            return (Drop(reason=Reason(code="not_measured", message=f"failed: {measured.failed}")),)
        return (Score(components={"closeness": -Distance.model_validate(measured.findings.data).squared}),)


async def nudge(work: Work) -> Answer:
    """Vary a point: move it a little, by a draw from the operation's entropy."""
    parent = Point.model_validate(work.material.parents[0].data)
    shift = {axis: (work.entropy.unit(axis) - 0.5) / 2 for axis in ("x", "y")}
    child = Point(x=parent.x + shift["x"], y=parent.y + shift["y"])
    return Answer(traits=payload("point", child), choices=dict(shift))


async def measure(work: Work) -> Answer:
    """Examine a point: measure its squared distance to the target."""
    if work.material.content is None:
        raise ValueError("nothing to measure")
    point = Point.model_validate(work.material.content.data)
    squared = (point.x - TARGET[0]) ** 2 + (point.y - TARGET[1]) ** 2
    return Answer(findings=payload("distance", Distance(squared=squared)))


HANDLERS = {"points.nudge": nudge, "points.measure": measure}


def points(_name: str) -> Domain:
    """Return the domain with its payloads registered; for installed packages Mendel does this."""
    domain = Points()
    for (kind, version), model in domain.payloads.items():
        PAYLOADS.register(domain.name, kind, version, model)
    return domain


async def main() -> None:
    """Breed for twelve generations and print the result."""
    caps = RunCaps(max_population=16, max_generations=12)
    config = RunConfig(domain="points", problem="come close", rng_seed=7, slots=8, caps=caps, pace=Pace(kind="steady"))
    fabric = MemoryTaskFabric(handlers=HANDLERS.__getitem__)
    async with MemoryEventLog() as log:
        run_id = await configure(log, config, ceiling=caps, domains=points)
        state = await conduct(run_id, log=log, fabric=fabric, clock=SystemClock(), domains=points)
    await fabric.close()
    if state.best is None:
        raise SystemExit("nothing was scored")
    distance = (-state.best[0]) ** 0.5
    sys.stdout.write(f"{state.status}: the best of {len(state.candidates)} is {distance:.4f} away from the target\n")


if __name__ == "__main__":
    asyncio.run(main())
