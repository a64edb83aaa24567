"""Sandboxes and task fabrics: where programs and task handlers run."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, cast

from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.adapters.models.offline import OfflineGateway
from mendel.adapters.sandbox.native import REMEDIES
from mendel.contracts.model_plans import ModelPlan
from mendel.ports.handlers import Later, Ports
from mendel.ports.model_gateway import ModelGateway
from mendel.ports.registry import resolve
from mendel.ports.research import ResearchTools
from mendel.ports.retriever import Retriever
from mendel.ports.sandbox import Sandbox
from mendel.ports.sandbox_context import OpenSandbox, SandboxContext
from mendel.ports.task_fabric import TaskFabric
from mendel.settings import Settings
from mendel.wiring.lookups import (
    curated_retriever,
    offline_embedder,
    open_embedder,
    open_research,
    open_retriever,
)
from mendel.wiring.models import open_models, open_observer
from mendel.wiring.secrets import scrubber

if TYPE_CHECKING:
    from mendel.ports.embedder_degradation import DegradingEmbedder

SANDBOX_REMEDIES = REMEDIES
"""Remedies for missing layers of the native sandbox."""


@asynccontextmanager
async def open_sandbox(
    settings: Settings, *, allow_weak: bool = False, workers: int = 0, allow_commands: bool = False
) -> AsyncIterator[Sandbox]:
    """Open the sandbox for untrusted code (rule 3), which starts on first use.

    ``workers`` overrides the settings unless it is 0. With ``allow_commands`` programs may be granted commands,
    regardless of the settings.

    Raises:
        UnknownPlugin: no sandbox with the configured name is installed.
    """
    opener = cast("OpenSandbox", resolve("mendel.sandboxes", settings.sandbox.backend))
    own = settings.sandbox
    context = SandboxContext(
        workers or own.workers,
        allow_weak,
        own.allow_network,
        own.allow_gpu,
        own.bubblewrap,
        allow_commands or own.allow_commands,
    )
    async with opener(context) as sandbox:
        yield sandbox


@asynccontextmanager
async def open_fabric(
    settings: Settings,
    sandbox: Sandbox | None = None,
    models: ModelGateway | None = None,
    *,
    embedder: DegradingEmbedder | Later | None = None,
    retriever: Retriever | Later | None = None,
    tools: ResearchTools | None = None,
    **others: object,  # ports that Mendel itself does not know, by name
) -> AsyncIterator[TaskFabric]:
    """Open a fabric for task handlers with the configured number of workers; a step gets only the ports it declares."""
    ports = Ports(sandbox, models, embedder, retriever, tools, **others)
    fabric = MemoryTaskFabric(workers=settings.fabric.workers, ports=ports)
    try:
        yield fabric
    finally:
        await fabric.close()


@asynccontextmanager
async def open_asking_fabric(
    settings: Settings, sandbox: Sandbox, plan: ModelPlan | None, *, procedures: bool = False
) -> AsyncIterator[TaskFabric]:
    """Open a fabric whose handlers may call the models of ``plan`` and the configured lookup services.

    Without a plan there are no calls outside this machine; with ``procedures`` handlers can still call the offline
    procedures of their domains. Embeddings and passages are always available, without a plan from local sources.
    """
    if plan is None:
        async with _open_offline_fabric(settings, sandbox, procedures=procedures) as fabric:
            yield fabric
        return
    async with (
        open_observer(settings, plan) as watching,  # one for models and embeddings, so that metrics are complete
        open_models(settings, plan=plan, observer=watching) as models,
        open_embedder(settings, plan=plan, observer=watching) as embedder,
        open_retriever(settings) as retriever,
        aclosing(Later(partial(curated_retriever, settings))) as curated,  # the corpus is read on first use
        open_research(settings) as tools,
        open_fabric(
            settings, sandbox, models, embedder=embedder, retriever=retriever or curated, tools=tools
        ) as fabric,
    ):
        yield fabric


@asynccontextmanager
async def _open_offline_fabric(settings: Settings, sandbox: Sandbox, *, procedures: bool) -> AsyncIterator[TaskFabric]:
    # Later: an embedder or a corpus takes time to load, and a run may use neither.
    models = OfflineGateway(scrubber(settings)) if procedures else None
    async with (
        aclosing(Later(partial(offline_embedder, settings))) as embedder,
        aclosing(Later(partial(curated_retriever, settings))) as retriever,
        open_fabric(settings, sandbox, models, embedder=embedder, retriever=retriever) as fabric,
    ):
        yield fabric


@asynccontextmanager
async def open_run_fabric(
    settings: Settings,
    plan: ModelPlan | None = None,
    *,
    procedures: bool = False,
    allow_weak: bool = False,
    allow_commands: bool = False,
) -> AsyncIterator[TaskFabric]:
    """Open a fabric for the handlers of runs, while runs are prepared and conducted; its workers have a sandbox.

    ``plan`` and ``procedures`` are as for :func:`open_asking_fabric`, ``allow_weak`` and ``allow_commands`` as for
    :func:`open_sandbox`.
    """
    async with (
        open_sandbox(settings, allow_weak=allow_weak, allow_commands=allow_commands) as sandbox,
        open_asking_fabric(settings, sandbox, plan, procedures=procedures) as fabric,
    ):
        yield fabric
