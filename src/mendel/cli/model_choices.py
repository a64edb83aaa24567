"""What a command line says of models: whether they are asked, which, and what that can cost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, get_args

from mendel.contracts.errors import ConfigError
from mendel.contracts.providers import HELD_OUT_ROLES, ModelRole, ModelRoute
from mendel.contracts.run_config import OFFLINE, RunConfig
from mendel.settings import Settings
from mendel.settings.model_plans import worst_case as worst_of_role

_ASKED: Final[tuple[ModelRole, ...]] = ("mutator", "embedding")
"""The roles that a run asks for each candidate."""


def asks_models(settings: Settings, wanted: bool | None, mutator: str) -> bool:
    """Whether models join the search: as the command line says, or else the profile.

    Raises:
        ConfigError: somebody else varies the programs, and models were asked for all the same.
    """
    if mutator != OFFLINE:
        if wanted:
            raise ConfigError(f"--models and --mutator {mutator}: one of the two varies programs, not both")
        return False
    return settings.llm.profile != OFFLINE if wanted is None else wanted


def parse_routes(texts: Iterable[str]) -> dict[ModelRole, ModelRoute]:
    """Routes by role, from ``ROLE=PROVIDER/MODEL``.

    Raises:
        ConfigError: one of them does not read so.
    """
    return dict(map(_parse_route, texts))


def _parse_route(text: str) -> tuple[ModelRole, ModelRoute]:
    role, _, route = text.partition("=")
    provider, _, model = route.partition("/")
    known = {name: name for name in get_args(ModelRole)}
    if role not in known or not provider or not model:
        raise ConfigError(f"--route is ROLE=PROVIDER/MODEL with a role of {', '.join(known)}, not {text!r}")
    if role in HELD_OUT_ROLES:
        raise ConfigError(f"--route {text}: a run may not choose the model of {role} (rule 6)")
    return known[role], ModelRoute(provider=provider, model_id=model)


def worst_case(config: RunConfig) -> str:
    """Who is asked, and what all of it can take at worst: never more than the caps."""
    plan, caps = config.models, config.caps
    if plan is None:
        return "no model is asked"
    asked = [worst_of_role(plan, role, caps.max_candidates) for role in _ASKED]
    names = ", ".join(str(source.route) for role in _ASKED if role in plan.roles for source in plan.roles[role].sources)
    calls = sum(each.calls for each in asked)
    tokens = min(caps.max_tokens, sum(each.tokens_in + each.tokens_out for each in asked))
    cost = min(caps.max_cost_microusd, sum(each.cost_microusd for each in asked))
    return f"asks {names}: at worst {calls:,} calls, {tokens:,} tokens and ${cost / 1e6:,.2f}, where its caps end it"
