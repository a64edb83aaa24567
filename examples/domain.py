"""A domain on a page: points that come closer to a target.

Run it as it is, without a server and without being installed::

    python examples/domain.py

As a plug-in of your own package it needs these lines, and then `mendel run --domain points` knows it::

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
    """What is inherited, and what it expresses."""

    x: float
    y: float


class Distance(BaseModel):
    """What a measurement finds."""

    squared: float


def payload(kind: str, data: BaseModel) -> DomainPayload:
    """Data under the name of its model."""
    return DomainPayload(domain="points", kind=kind, data=data.model_dump())


class Points(Domain):
    """What the kernel needs to know: material and moves, and nothing about loops."""

    name: ClassVar[str] = "points"
    payloads: ClassVar[Mapping[tuple[str, int], type[BaseModel]]] = {("point", 1): Point, ("distance", 1): Distance}
    steps: ClassVar[Mapping[str, Step]] = {"points.nudge": Step(), "points.measure": Step()}
    operators: ClassVar[Sequence[Operator]] = (Operator(name="nudge", step="points.nudge"),)

    def founders(self, config: RunConfig, entropy: Entropy) -> Sequence[DomainPayload]:
        """Four points, drawn from the run's seed."""
        return [payload("point", Point(x=entropy.unit(n, "x"), y=entropy.unit(n, "y"))) for n in range(4)]

    def express(self, genome: Genome, config: RunConfig) -> Expression:
        """A point is what it is."""
        return Expression(contents=(genome.traits,))

    def route(self, dossier: Dossier) -> Sequence[Move]:
        """Measure it, then score it; nothing here challenges anybody."""
        if dossier.phase in ("contending", "generation"):
            return ()
        measured = dossier.last("points.measure")
        if measured is None:
            return (Examine(step="points.measure"),)
        if measured.findings is None:
            return (Drop(reason=Reason(code="not_measured", message=f"failed: {measured.failed}")),)
        return (Score(components={"closeness": -Distance.model_validate(measured.findings.data).squared}),)


async def nudge(work: Work) -> Answer:
    """Vary: move a little, as the operation's own entropy says."""
    parent = Point.model_validate(work.material.parents[0].data)
    shift = {axis: (work.entropy.unit(axis) - 0.5) / 2 for axis in ("x", "y")}
    child = Point(x=parent.x + shift["x"], y=parent.y + shift["y"])
    return Answer(traits=payload("point", child), choices=dict(shift))


async def measure(work: Work) -> Answer:
    """Examine: how far is it?"""
    if work.material.content is None:
        raise ValueError("nothing to measure")
    point = Point.model_validate(work.material.content.data)
    squared = (point.x - TARGET[0]) ** 2 + (point.y - TARGET[1]) ** 2
    return Answer(findings=payload("distance", Distance(squared=squared)))


HANDLERS = {"points.nudge": nudge, "points.measure": measure}


def points(_name: str) -> Domain:
    """The domain, its payloads registered; installed packages leave this to Mendel."""
    domain = Points()
    for (kind, version), model in domain.payloads.items():
        PAYLOADS.register(domain.name, kind, version, model)
    return domain


async def main() -> None:
    """Breed for twelve generations and say what came of it."""
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
