"""The live gateway: routes by role, bounded retries, one fallback, one repair, and a record of every HTTP call."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from mendel.adapters.models.asking import Asking, Tools
from mendel.contracts.errors import ModelCallFailed
from mendel.contracts.model_plans import ModelPlan, RolePlan
from mendel.contracts.providers import HELD_OUT_ROLES, ModelRole
from mendel.contracts.scrub import Scrubber
from mendel.ports.model_gateway import OTHER_PORTS, ROLES, ModelGateway, ModelRequest, ModelResponse, RolePlayed
from mendel.ports.model_wire import ModelWire, WireFailed
from mendel.ports.observing import NOBODY, CallObserver

NOBODY_PLAYS: Final = "no model is configured for it; set llm.routes.{role} or [[llm.backends]] in mendel.toml"


class LiveGateway(ModelGateway):
    """Calls real providers. ``plan`` has the model for each role, for requests that bring no plan of their run.

    ``wire`` opens a provider by name, and raises :class:`~mendel.ports.model_wire.WireFailed` if none has that name.
    Each provider is opened once.
    """

    def __init__(
        self,
        plan: ModelPlan,
        wire: Callable[[str], ModelWire],
        *,
        scrubber: Scrubber | None = None,
        observer: CallObserver = NOBODY,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._plan = plan
        self._open = wire
        self._wires: dict[str, ModelWire] = {}
        self._tools = Tools(self._wire, scrubber or Scrubber(), observer, sleep)

    def roles(self) -> Mapping[ModelRole, RolePlayed]:
        """Return every role of this gateway with its model in the plan."""
        return {role: _played(role, self._plan.roles.get(role)) for role in ROLES if role not in OTHER_PORTS}

    async def _ask(self, request: ModelRequest) -> ModelResponse:
        role = self._role(request)
        if role is None:
            raise ModelCallFailed("not_configured", f"{request.role}: {NOBODY_PLAYS.format(role=request.role)}")
        source = role.source(request.route)
        if source is None:
            known = ", ".join(str(each.route) for each in role.sources)
            raise ModelCallFailed("not_configured", f"{request.role} has no route {request.route}; it has {known}")
        return await Asking(self._tools, request, role, source).answer()

    def _role(self, request: ModelRequest) -> RolePlan | None:
        """Return the plan for the role: judges always as configured here (rule 6), other routes only if known here."""
        own = self._plan.roles.get(request.role)
        if request.plan is None:
            return own
        role = request.plan.roles.get(request.role)
        if request.role in HELD_OUT_ROLES:
            return _same_judge(request.role, own, role)
        sources = (*role.sources, *((role.fallback,) if role.fallback else ())) if role is not None else ()
        stranger = next((each for each in sources if not self._plan.knows(request.role, each)), None)
        if stranger is not None:
            told = f"{request.role}: the run asks {stranger.route}, which the settings here do not allow"
            raise ModelCallFailed("not_configured", told)
        return role

    def _wire(self, provider: str) -> ModelWire:
        found = self._wires.get(provider)
        if found is None:
            found = self._wires[provider] = self._open(provider)
        return found

    async def aclose(self) -> None:
        """Close every wire that was opened."""
        wires, self._wires = list(self._wires.values()), {}
        for wire in wires:
            await wire.aclose()


def nobody(provider: str) -> ModelWire:
    """Refuse to open a provider: for a gateway without providers.

    Raises:
        WireFailed: always.
    """
    raise WireFailed("not_configured", f"there is no provider {provider}", unsent=True)


def _same_judge(role: ModelRole, own: RolePlan | None, recorded: RolePlan | None) -> RolePlan | None:
    """Return our judge if the run began with the same one: two judges must never judge one run."""
    if own is not None and recorded is not None and own.sources[0].route != recorded.sources[0].route:
        began, now = recorded.sources[0].route, own.sources[0].route
        raise ModelCallFailed("not_configured", f"{role}: the run began with {began}, but the settings name {now}")
    return own


def _played(role: ModelRole, plan: RolePlan | None) -> RolePlayed:
    if plan is None:
        return RolePlayed(why_not=NOBODY_PLAYS.format(role=role))
    return RolePlayed(plan.sources[0].route, plan.fallback.route if plan.fallback is not None else None)
