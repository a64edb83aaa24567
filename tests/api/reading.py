"""An observatory over a real log, asked as a client asks it; and the golden histories as runs of such a log."""

from __future__ import annotations

import gzip
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from tests.api.openapi import refuse_undeclared
from tests.golden.test_golden import FOLDER, HISTORIES
from tests.kernel.scripted import ScriptedDomain, Stage, ambitious, config_of
from tests.projections.histories import History

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.adapters.memory.read_models import MemoryReadModels
from mendel.adapters.prometheus.metrics import PrometheusMetrics
from mendel.api.app import create_app
from mendel.api.opened_files import OpenedFiles, Shelf
from mendel.api.policy import Limits, Policy
from mendel.api.services import Services
from mendel.api.source import RunSource
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.payloads import PayloadRegistry
from mendel.contracts.scrub import Scrubber
from mendel.domains.programs import models as programs
from mendel.ports.event_log import EventLog
from mendel.ports.registration import find_wording
from mendel.ports.transfer import import_run

__all__ = ["HISTORIES", "Observatory", "bred", "golden_file", "golden_log", "observatory", "shelf", "told_log"]

NO_LIMITS = Policy(limits=Limits(writes_per_s=0.0, reads_per_s=0.0))


def golden_file(name: str, folder: Path) -> Path:
    """A golden history as a run file."""
    path = folder / f"{name}.mendel"
    path.write_bytes(gzip.decompress((FOLDER / f"{name}.mendel.gz").read_bytes()))
    return path


async def golden_log(folder: Path, *names: str) -> tuple[MemoryEventLog, dict[str, str]]:
    """A log with golden histories, and their runs by name."""
    log, runs = MemoryEventLog(), {}
    for name in names or HISTORIES:
        runs[name] = (await import_run(log, golden_file(name, folder), Scrubber())).run_id
    return log, runs


async def bred(**options: Any) -> Stage:
    """A run that was conducted to its end, with challenges and adoptions."""
    stage = Stage(ScriptedDomain(route=options.pop("route", ambitious)))
    await stage.configure(config_of(**{"caps": {"max_generations": 4}, **options}))
    await stage.conduct()
    return stage


async def told_log(history: History) -> MemoryEventLog:
    """A log with a history that was written down by hand."""
    payloads = PayloadRegistry()
    for kind, model in programs.KINDS.items():
        payloads.register(programs.DOMAIN, kind, 1, model)
    log = MemoryEventLog(payloads=payloads)
    fields = [name for name in EventDraft.model_fields if name != "id"]
    drafts = [EventDraft(**{name: getattr(event, name) for name in fields}) for event in history.events]
    for name in {found for draft in drafts for found in re.findall("sha256:[0-9a-f]{64}", draft.model_dump_json())}:
        await log.blobs._store(name, b"whatever it was")
    await log.append(history.events[0].run_id, drafts, expected=0)
    return log


def shelf() -> Shelf:
    return Shelf(MemoryEventLog(), MemoryReadModels())


class Observatory:
    """A server, and a client of it."""

    def __init__(self, client: httpx.AsyncClient, services: Services) -> None:
        self.client = client
        self.services = services

    async def get(self, path: str, status: int = 200, **options: Any) -> Any:
        answer = await self.client.get(path, **options)
        assert answer.status_code == status, answer.text
        return answer.json()


async def _declared(answer: httpx.Response) -> None:
    await answer.aread() if answer.is_error else None
    refuse_undeclared(answer)


@asynccontextmanager
async def observatory(log: EventLog, **fields: Any) -> AsyncIterator[Observatory]:
    """The application over ``log``; everything else of the services can be handed in."""
    async with (
        RunSource(log, MemoryReadModels(), find_wording()) as source,
        OpenedFiles(shelf, Scrubber(), find_wording(), most=2) as files,
    ):
        services = Services(
            **{"source": source, "files": files, "metrics": PrometheusMetrics, "policy": NO_LIMITS, **fields}
        )
        transport = httpx.ASGITransport(create_app(services), raise_app_exceptions=False)
        hooks = {"response": [_declared]}
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", event_hooks=hooks) as client:
            yield Observatory(client, services)
