"""The outer half of both domains: routes at a root path, a socket, a service that issues tokens, and a launch form."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from pydantic import BaseModel

from mendel.api.domain_services import Health, Service, ServiceContext, TokenScope, service_of, tables_of
from mendel.api.launch_schemas import RunRequest
from mendel.api.registration import LaunchForm, Plan, Workshop
from mendel.api.schemas_candidates import SourceText
from mendel.contracts.energy import Usage
from mendel.contracts.ids import UuidText
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.run_config import RunConfig
from mendel.kernel.domain import Step
from mendel.kernel.performing import perform_on_draft
from mendel.ports.task_fabric import TaskFabric
from mendel.settings import Settings
from mendel_reference.models import Point
from mendel_reference.settings import MarkerSettings

AGENT = "agent-token-of-the-reference-domain"

router = APIRouter()
inner = APIRouter()


def readable(genome: Genome, candidate: Candidate | None) -> SourceText:
    """A point as people write it."""
    values = Point.model_validate(genome.traits.data).values
    return SourceText(language="text", source=f"({', '.join(f'{value:.3f}' for value in values)})")


class Position(BaseModel):
    """Where the marker stands."""

    at: int


class Closeness(BaseModel):
    """How close a candidate is to the target."""

    candidate: str
    total: float


class Marker(Service):
    """A marker that anybody may look at and moves by messages; every call leaves a line in ``home/marker``."""

    name: ClassVar[str] = "marker"

    def __init__(self, context: ServiceContext) -> None:
        self.at = context.section(MarkerSettings).begins
        self.tables = context.tables
        self._notes = Path(context.home, "marker")

    async def start(self) -> None:
        """Refuse where the environment says so."""
        if reason := os.environ.get("REFERENCE_REFUSES"):
            raise ValueError(reason)
        self._note("started")

    async def stop(self) -> None:
        """Say so."""
        self._note("stopped")

    async def health(self) -> Health:
        """Well, until the marker is lost."""
        return Health(ready=self.at >= 0, detail=f"at {self.at}")

    def scope_of(self, token: str) -> TokenScope | None:
        """An agent may look, and move by one."""
        if token != AGENT:
            return None
        return TokenScope(
            paths=("/reference/marker", "/reference/live", "/api/runs"), messages=frozenset({"look", "step"})
        )

    def _note(self, line: str) -> None:
        self._notes.parent.mkdir(parents=True, exist_ok=True)
        with self._notes.open("a") as notes:
            notes.write(f"{line}\n")


class Second(Marker):
    """A service that is started after the other one."""

    name: ClassVar[str] = "second"

    async def start(self) -> None:
        """Refuse where the environment says so."""
        if reason := os.environ.get("SECOND_REFUSES"):
            raise ValueError(reason)
        self._note("second started")

    async def stop(self) -> None:
        """Say so."""
        self._note("second stopped")

    def scope_of(self, token: str) -> TokenScope | None:
        """None of its own; it fails for one token, which is nobody's."""
        if token == "breaks-the-second":
            raise RuntimeError("no token for you")
        return None


@inner.get("/runs/{run_id}/closest", name="get_closest", response_model=list[str])
async def closest(request: Request, run_id: UuidText) -> list[str]:
    """The candidates of a run that are closest to the target; whoever looks leaves a line of telemetry."""
    found = service_of(request, Marker)
    await found.tables.fresh(run_id)
    rows = await found.tables.rows("closeness", {"run_id": run_id}, by="total", descending=True, limit=3)
    await found.tables.put("looks", [{"at": datetime.now(UTC), "marker": found.at}])
    return [str(row["candidate"]) for row in rows]


@inner.get("/runs/{run_id}/closeness", name="get_closeness", response_model=list[Closeness])
async def closeness(request: Request, run_id: UuidText) -> list[Closeness]:
    """How close the closest candidates of a run are; a panel of the run's page shows it."""
    tables = tables_of(request, "reference")
    await tables.fresh(run_id)
    rows = await tables.rows("closeness", {"run_id": run_id}, by="total", descending=True, limit=3)
    return [Closeness(candidate=str(row["candidate"]), total=float(str(row["total"]))) for row in rows]


@inner.get("/looks", name="get_looks", response_model=int)
async def looks(request: Request) -> int:
    """How many looks there were."""
    return len(await service_of(request, Marker).tables.rows("looks"))


@router.get("/marker", name="get_marker", response_model=Position)
async def marker(request: Request) -> Position:
    """Where the marker stands."""
    return Position(at=service_of(request, Marker).at)


@router.post("/marker", name="move_marker", response_model=Position)
async def move(request: Request, to: Position) -> Position:
    """Put the marker somewhere."""
    service_of(request, Marker).at = to.at
    return to


@router.websocket("/live")
async def live(socket: WebSocket) -> None:
    """Say where the marker is, at once and after every message; ``step`` and ``jump`` move it."""
    found = service_of(socket, Marker)
    await socket.accept()
    await socket.send_json({"at": found.at})
    try:
        while True:
            message = await socket.receive_json()
            if message["type"] == "step":
                found.at += 1
            elif message["type"] == "jump":
                found.at += 10
            await socket.send_json({"at": found.at, "heard": message})
    except WebSocketDisconnect:
        return


class NoopInputs(BaseModel):
    """What numbers are bred for."""

    purpose: str = "nothing"


@dataclass(frozen=True)
class NoopPlan(Plan):
    """A run whose problem says what was weighed before it."""

    purpose: str
    seed: int

    def draft(self) -> RunConfig:
        """The run, before anything was weighed."""
        return RunConfig(domain="noop", problem=self.purpose, rng_seed=self.seed)

    async def measured(self, fabric: TaskFabric) -> RunConfig:
        """The run, once a worker has weighed."""
        draft = self.draft()
        weighed = await perform_on_draft(fabric, draft, "noop.weigh", Step(Usage(evaluations=1), ports=("sandbox",)))
        weight = weighed.findings.data["value"] if weighed.findings is not None else None
        return draft.model_copy(
            update={"problem": f"{self.purpose}, weighing {weight} after {weighed.isolation} walls"}
        )


def _noop_plan(request: RunRequest, seed: int, workshop: Workshop) -> NoopPlan:
    return NoopPlan(NoopInputs.model_validate(request.inputs or {}).purpose, seed)


def noop_form(settings: Settings) -> LaunchForm:
    """What is filled in to breed numbers."""
    return LaunchForm(inputs=NoopInputs, plan=_noop_plan)


@inner.get("/founders", name="get_reference_founders", response_model=Position)
async def founders() -> Position:
    """How many founders a run has that does not say."""
    return Position(at=4)
