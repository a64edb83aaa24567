"""The offline wire: its models are procedures in this process, which domains register (``mendel.offline_roles``)."""

from __future__ import annotations

import asyncio
from typing import Final

from mendel.adapters.models.live import LiveGateway
from mendel.contracts.errors import PluginError
from mendel.contracts.model_plans import ModelPlan, RolePlan
from mendel.contracts.scrub import Scrubber
from mendel.ports.model_gateway import ModelRequest
from mendel.ports.model_wire import ModelWire, WireAnswer, WireContext, WireFailed, WireRequest, WireUsage
from mendel.ports.offline_roles import OfflineProcedure, find_procedure

_NOTHING: Final = WireUsage(0, 0)


class OfflineWire(ModelWire):
    """Calls procedures by name. Nothing is sent anywhere, and nothing costs tokens.

    A procedure receives only the messages of a request. It sees a schema only if the route puts it into words
    (``structured = "prompt"``).
    """

    async def complete(self, request: WireRequest) -> WireAnswer:
        """Return the procedure's answer; ``refused`` is set if it declines.

        Raises:
            WireFailed: no procedure has that name, it raised, or its answer is too late or too large.
        """
        text = await _answered(_procedure(request.model_id), request)
        if text is not None and len(text.encode("utf-8", "replace")) > request.limits.answer_bytes:
            told = f"the answer is larger than {request.limits.answer_bytes:,} bytes"
            raise WireFailed("answer_too_large", told, unsent=True)
        return WireAnswer(text or "", request.model_id, usage=_NOTHING, refused=text is None)


class OfflineGateway(LiveGateway):
    """For runs with the profile ``offline``: calls only the procedures that a run's plan names."""

    def __init__(self, scrubber: Scrubber | None = None) -> None:
        super().__init__(ModelPlan(), lambda _: OfflineWire(), scrubber=scrubber)

    def _role(self, request: ModelRequest) -> RolePlan | None:
        return request.plan.roles.get(request.role) if request.plan is not None else None


def open_wire(context: WireContext) -> OfflineWire:  # noqa: ARG001 - it reaches nothing that needs a context
    """The plug-in ``offline`` of ``mendel.llm_backends``."""
    return OfflineWire()


def _procedure(name: str) -> OfflineProcedure:
    try:
        return find_procedure(name)
    except PluginError as error:
        raise WireFailed("not_configured", str(error), unsent=True) from error


async def _answered(procedure: OfflineProcedure, request: WireRequest) -> str | None:
    clock = asyncio.timeout(request.limits.timeout_ms / 1_000)
    try:
        async with clock:
            return await procedure(request.messages)
    # Broad on purpose: a plug-in may raise anything, and a second call would raise the same.
    except Exception as error:
        if clock.expired():  # not a TimeoutError of its own
            raise WireFailed(
                "timeout", f"it did not end within {request.limits.timeout_ms:,} ms", unsent=True
            ) from error
        raise WireFailed("bad_request", f"the procedure raised {type(error).__name__}", unsent=True) from error
