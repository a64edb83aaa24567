"""The gateway that works offline: roles are played by procedures that domains bring, and by nobody else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from pydantic import BaseModel

from mendel.adapters.models.spoken import cleaned, cleaned_messages, fitted, held_to, serialised
from mendel.contracts.errors import ModelCallFailed
from mendel.contracts.model_calls import AttemptRecord, CallLimits, FailureReason
from mendel.contracts.providers import ModelRole, ModelRoute, ProviderMeta
from mendel.contracts.scrub import Scrubber
from mendel.ports.model_gateway import OTHER_PORTS, ROLES, ModelGateway, ModelRequest, ModelResponse, RolePlayed

PROVIDER: Final = "offline"
CONFIGURE: Final = "set llm.routes.{role} or [[llm.backends]] in mendel.toml to have a model play it"
_DEFAULT_LIMITS: Final = CallLimits()

OfflineProcedure = Callable[[ModelRequest], Awaitable[BaseModel | str]]
"""Plays a role without a model: real work on what the request says, never a text that was written beforehand.

What it returns is validated like a model's answer, and recorded as its own. What it raises is its domain's bug, and is
not caught.
"""


class OfflineModels(ModelGateway):
    """Asks procedures in this process, each for one role. Nothing is sent anywhere, and nothing costs a token.

    An answer that does not fit is rejected at once: a procedure would say the same again.
    """

    def __init__(self, procedures: Mapping[ModelRole, OfflineProcedure], *, scrubber: Scrubber | None = None) -> None:
        self._procedures = dict(procedures)
        self._scrubber = scrubber or Scrubber()

    def roles(self) -> Mapping[ModelRole, RolePlayed]:
        """Every role that is asked here: the procedure that plays it, or why none does."""
        return {role: self._played(role) for role in ROLES if role not in OTHER_PORTS}

    def _played(self, role: ModelRole) -> RolePlayed:
        procedure = self._procedures.get(role)
        if procedure is None:
            return RolePlayed(why_not=f"no offline procedure plays it; {CONFIGURE.format(role=role)}")
        return RolePlayed(_route(procedure))

    async def _ask(self, request: ModelRequest) -> ModelResponse:
        procedure = self._procedures.get(request.role)
        if procedure is None:
            raise self._not_played(request.role)
        _same_route(request, _route(procedure))
        began = time.monotonic()
        clock = asyncio.timeout(_limits(request).timeout_ms / 1_000)
        try:
            async with clock:
                answer = await procedure(request)
        except TimeoutError as error:
            if not clock.expired():
                raise
            told = f"it did not end within {_limits(request).timeout_ms:,} ms"
            raise self._failed(request, procedure, "timeout", told, began) from error
        return self._judged(request, procedure, _spelled(answer), began)

    def _not_played(self, role: ModelRole) -> ModelCallFailed:
        known = ", ".join(sorted(self._procedures)) or "none"
        told = f"{role} cannot be played offline; roles that can: {known}; {CONFIGURE.format(role=role)}"
        return ModelCallFailed("not_configured", told)

    def _judged(self, request: ModelRequest, procedure: OfflineProcedure, said: str, began: float) -> ModelResponse:
        text = cleaned(said, self._scrubber)
        most = _limits(request).answer_bytes
        if len(text.encode()) > most:
            told = f"the answer is larger than {most:,} bytes"
            raise self._failed(request, procedure, "answer_too_large", told, began)
        output = fitted(text, request)
        record = self._record(request, procedure, began)
        if isinstance(output, tuple):
            record = record.model_copy(update={"response": text, "validation": "rejected", "complaints": output})
            return ModelResponse("rejected", record.provider, text=text, complaints=output, records=(record,))
        record = record.model_copy(update={"response": text, "validation": "accepted"})
        return ModelResponse("accepted", record.provider, output=output, text=text, records=(record,))

    def _failed(
        self, request: ModelRequest, procedure: OfflineProcedure, reason: FailureReason, told: str, began: float
    ) -> ModelCallFailed:
        record = self._record(request, procedure, began).model_copy(update={"failure": reason, "message": told})
        message = f"{request.role}: {_route(procedure)} did not answer ({reason}): {told}"
        return ModelCallFailed(reason, message, (record,))

    def _record(self, request: ModelRequest, procedure: OfflineProcedure, began: float) -> AttemptRecord:
        route = _route(procedure)
        latency = round((time.monotonic() - began) * 1_000)
        return AttemptRecord(
            role=request.role,
            attempt=1,
            provider=ProviderMeta(
                provider=route.provider, model_id=route.model_id, cost_microusd=0, latency_ms=latency
            ),
            schema_name=held_to(request),
            sampling=request.sampling,
            request=serialised(cleaned_messages(request.messages, self._scrubber)),
        )


def _route(procedure: OfflineProcedure) -> ModelRoute:
    """A procedure by its own name."""
    name = getattr(procedure, "__qualname__", type(procedure).__qualname__)
    module = getattr(procedure, "__module__", type(procedure).__module__)
    return ModelRoute(provider=PROVIDER, model_id=f"{module}.{name}"[-200:])


def _same_route(request: ModelRequest, own: ModelRoute) -> None:
    """Fail where somebody else was meant: a procedure answers in nobody's place."""
    planned = request.plan.roles.get(request.role) if request.plan is not None else None
    routes = [each.route for each in planned.sources] if planned is not None else [own]
    wanted = [request.route] if request.route is not None else routes
    if own not in wanted:
        told = f"{request.role}: {wanted[0]} was asked, and here is only {own}; no procedure answers for a model"
        raise ModelCallFailed("not_configured", told)


def _limits(request: ModelRequest) -> CallLimits:
    return request.limits or _DEFAULT_LIMITS


def _spelled(answer: BaseModel | str) -> str:
    return answer if isinstance(answer, str) else answer.model_dump_json()
