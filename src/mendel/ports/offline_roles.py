"""Procedures that play roles without a model. Plug-ins of the group ``mendel.offline_roles``, named ``OWNER.ROLE``.

A domain registers one for each role that it can really play (``programs.mutator``). A route calls it as the model of
that name of the provider ``offline``. It sees only the messages: no run, no sandbox, no file. Its answer is validated,
recorded and replayed like a model's.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import Final, cast

from mendel.contracts.errors import BrokenPlugin
from mendel.contracts.model_calls import Message
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import Capabilities, ModelRole, ModelRoute
from mendel.ports.model_gateway import OTHER_PORTS, ROLES
from mendel.ports.registry import plugins, resolve

GROUP: Final = "mendel.offline_roles"
PROVIDER: Final = "offline"
"""The kind of provider with these procedures as its models, and its usual name."""

OfflineProcedure = Callable[[tuple[Message, ...]], Awaitable[str | None]]
"""Answers messages by real work on their content, never with a canned text; None declines.

The same messages always get the same answer: every random draw is derived from them.
"""


def players() -> dict[ModelRole, tuple[str, ...]]:
    """Return every role that can be played offline, with the procedures that can; imports none of them."""
    names = [plugin.name for plugin in plugins(GROUP)]
    found = {role: tuple(name for name in names if name.rpartition(".")[2] == role) for role in ROLES}
    return {role: played for role, played in found.items() if played and role not in OTHER_PORTS}


def offline_plan(domain: str, roles: Collection[ModelRole]) -> ModelPlan:
    """Return the plan by which a domain's procedures play ``roles`` in the profile ``offline``; they are free."""
    return ModelPlan(roles={role: _played_by(f"{domain}.{role}") for role in roles})


def _played_by(procedure: str) -> RolePlan:
    source = Source(
        name=f"{PROVIDER}_{procedure.replace('.', '_')}",
        route=ModelRoute(provider=PROVIDER, model_id=procedure),
        capabilities=Capabilities(structured="prompt"),
    )
    return RolePlan(sources=(source,), retries=0)  # the same messages would get the same answer


def find_procedure(name: str) -> OfflineProcedure:
    """Return the procedure of that name.

    Raises:
        UnknownPlugin: it is not installed; the message lists the known ones.
        BrokenPlugin: it cannot be loaded or is not callable.
    """
    found = resolve(GROUP, name)
    if not callable(found):
        raise BrokenPlugin(f'{GROUP} "{name}" is {type(found).__name__}, not a function')
    return cast("OfflineProcedure", found)
