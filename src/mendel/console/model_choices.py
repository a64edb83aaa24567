"""Model options of the command line: whether models are called, which ones, and at what cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, get_args

from mendel.contracts.caps import RunCaps
from mendel.contracts.errors import ConfigError
from mendel.contracts.providers import HELD_OUT_ROLES, ModelRole, ModelRoute
from mendel.contracts.run_config import OFFLINE, RunConfig
from mendel.kernel.loading import asked_roles
from mendel.settings import Settings
from mendel.settings.model_plans import worst_case as worst_of_role
from mendel.wiring import live_plan, provider_facts

_SPENDING: Final = ("max_tokens", "max_cost_microusd")


def asks_models(settings: Settings, wanted: bool | None) -> bool:
    """Return whether the search uses models: by the command line, or else by the profile."""
    return settings.llm.profile != OFFLINE if wanted is None else wanted


def parse_routes(texts: Iterable[str]) -> dict[ModelRole, ModelRoute]:
    """Parse ``ROLE=PROVIDER/MODEL`` texts into routes by role.

    Raises:
        ConfigError: a text has another form.
    """
    return dict(map(_parse_route, texts))


def _parse_route(text: str) -> tuple[ModelRole, ModelRoute]:
    role, _, route = text.partition("=")
    provider, _, model = route.partition("/")
    known = {name: name for name in get_args(ModelRole)}  # maps a text to its literal type
    if role not in known or not provider or not model:
        raise ConfigError(f"--route is ROLE=PROVIDER/MODEL with a role of {', '.join(known)}, not {text!r}")
    if role in HELD_OUT_ROLES:
        raise ConfigError(
            f"--route {text}: a run may not choose the model of {role}: what breeds never chooses its judge"
        )
    return known[role], ModelRoute(provider=provider, model_id=model)


def refuse_unready(settings: Settings, routes: Mapping[ModelRole, ModelRoute]) -> None:
    """Refuse a run whose models cannot be called: there is no model for the mutator, or a key is missing.

    Raises:
        ConfigError: a model or a key is missing; the message names the key's variable.
    """
    role = live_plan(settings).roles.get("mutator")  # the one role that every search with models needs
    chosen = routes.get("mutator")
    asked = [chosen] if chosen is not None else [each.route for each in role.sources] if role is not None else []
    if role is not None and role.fallback is not None:
        asked.append(role.fallback.route)
    if not asked:
        raise ConfigError(
            "models are enabled, but none is configured; add [llm.providers.NAME] to mendel.toml (docs/models.md"
            " has examples), or use --route mutator=offline/programs.mutator, which needs no provider"
        )
    for provider in dict.fromkeys(route.provider for route in asked):
        facts = provider_facts(settings, provider)
        if facts.key_variable is not None and not facts.key_present:
            raise ConfigError(
                f"{provider} needs a key: set the environment variable {facts.key_variable}, or disable models with"
                " --offline"
            )


@dataclass(frozen=True)
class Spending:
    """Limits of the command line on a run's model usage; money in dollars."""

    tokens: int | None = None
    dollars: float | None = None

    def of(self, config: RunConfig, ceilings: RunCaps) -> RunConfig:
        """Return the configuration with these caps; caps without an option are limited to the ceilings."""
        given = {"max_tokens": self.tokens, "max_cost_microusd": _microdollars(self.dollars)}
        # Only defaults are lowered: a given cap above its ceiling must be refused, not changed.
        lowered = {name: min(getattr(config.caps, name), getattr(ceilings, name)) for name in _SPENDING}
        said = {name: value for name, value in given.items() if value is not None}
        return config.model_copy(update={"caps": config.caps.model_copy(update={**lowered, **said})})


def _microdollars(dollars: float | None) -> int | None:
    return round(dollars * 1e6) if dollars is not None else None


def worst_of_run(config: RunConfig) -> str:
    """Describe the models of a run and its worst case: its caps, because failed births do not count as candidates.

    Raises:
        ConfigError: the caps do not even allow one question.
    """
    plan, caps = config.models, config.caps
    if plan is None:
        return "no model is called"
    asked = [worst_of_role(plan, role, 1) for role in asked_roles(config)]
    calls, tokens = sum(each.calls for each in asked), sum(each.tokens_in + each.tokens_out for each in asked)
    cost = sum(each.cost_microusd for each in asked)
    most = caps.max_cost_microusd if cost else 0  # free models cost nothing, whatever the cap
    whole = f"at worst {caps.max_tokens:,} tokens and ${most / 1e6:,.2f} in all, limited by its caps"
    one = f"one question takes at worst {counted(calls, 'call')}, {counted(tokens, 'token')} and ${cost / 1e6:,.2f}"
    if tokens > caps.max_tokens or cost > caps.max_cost_microusd:
        raise ConfigError(
            f"{one}, and the run's caps are {caps.max_tokens:,} tokens and ${caps.max_cost_microusd / 1e6:,.2f}: no"
            " model could be called; raise --max-tokens or --max-cost, or lower max_tokens, prompt_bytes or retries of"
            " [llm.routes.mutator]"
        )
    return f"uses {_names(config)}: {whole}; {one}"


def worst_case(config: RunConfig, questions: int | None = None) -> str:
    """Describe the models, and the worst case of ``questions`` (by default one per candidate) within the caps."""
    plan, caps = config.models, config.caps
    if plan is None:
        return "no model is called"
    asked = [worst_of_role(plan, role, questions or caps.max_candidates) for role in asked_roles(config)]
    calls = sum(each.calls for each in asked)
    tokens = min(caps.max_tokens, sum(each.tokens_in + each.tokens_out for each in asked))
    cost = min(caps.max_cost_microusd, sum(each.cost_microusd for each in asked))
    told = f"at worst {counted(calls, 'call')}, {counted(tokens, 'token')} and ${cost / 1e6:,.2f}"
    return f"uses {_names(config)}: {told}, limited by its caps"


def _names(config: RunConfig) -> str:
    return ", ".join(str(source.route) for role in asked_roles(config).values() for source in role.sources)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in singular or plural."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def usd(microusd: int) -> str:
    """Return an amount in dollars and cents, with up to four more digits if it has them."""
    whole, _, digits = f"{microusd / 1e6:,.6f}".rstrip("0").partition(".")
    return f"${whole}.{digits:0<2}"
