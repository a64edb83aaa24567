"""Conversion of settings to a plan of models and prices by role; this makes no calls."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from mendel.contracts.embeddings import EmbeddingLimits
from mendel.contracts.errors import ConfigError
from mendel.contracts.model_calls import CallLimits, Sampling
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import HELD_OUT_ROLES, Capabilities, ModelRole, ModelRoute
from mendel.ports.offline_roles import PROVIDER as OFFLINE
from mendel.ports.offline_roles import players
from mendel.settings.lookups import PROVIDER
from mendel.settings.model_defaults import BREEDING, MODELS, ONLY_BY_ROUTE, default_model
from mendel.settings.model_providers import Prices, Provider, provider_of
from mendel.settings.models import ROLES, LlmBackend, LlmSettings, RouteSettings
from mendel.settings.sections import Settings

_LONGEST_NAME: Final = 64  # the limit of mendel.contracts.base.Name
_RETRIES: Final = 2  # default of a route
_NO_ROUTE: Final = RouteSettings()


@dataclass(frozen=True, slots=True)
class WorstCase:
    """Worst case of questions to a role: each is repaired, each call is retried, and each limit is reached."""

    role: ModelRole
    questions: int
    calls: int
    tokens_in: int
    tokens_out: int
    cost_microusd: int


def plan_of(settings: Settings, prices: Prices, roles: Collection[ModelRole] = ROLES) -> ModelPlan:
    """Return the models of ``roles`` that are configured; no role if the profile is offline.

    Other roles are not checked: they may lack a price or a model.

    Raises:
        ConfigError: a provider is unknown, or a model has no name.
        NoPrice: ``prices`` raises it for a model without a price.
    """
    return ModelPlan() if settings.llm.profile == "offline" else configured_plan(settings, prices, roles)


def configured_plan(settings: Settings, prices: Prices, roles: Collection[ModelRole] = ROLES) -> ModelPlan:
    """Return the plan as :func:`plan_of` does, regardless of the profile."""
    plans = _Plans(settings.llm, prices)
    found = ((role, plans.of(role)) for role in ROLES if role in roles and _asked(settings, role))
    overridable = {
        role: tuple(plans.allowed(role, routes)) for role, routes in plans.overrides().items() if role in roles
    }
    return ModelPlan(roles={role: plan for role, plan in found if plan is not None}, overridable=overridable)


def _asked(settings: Settings, role: ModelRole) -> bool:
    """Return whether the role can be called at all: the worst case of every role in a plan is reserved."""
    if role == "embedding":
        return settings.embeddings.backend == PROVIDER
    return role != "retrieval"  # passages come from [retrieval], never from a model


def worst_case(plan: ModelPlan, role: ModelRole, questions: int) -> WorstCase:
    """Return the worst case of this many questions to a role; zero if no model plays it."""
    role_plan = plan.roles.get(role)
    if role_plan is None:
        return WorstCase(role, questions, 0, 0, 0, 0)
    one = role_plan.worst()
    totals = (role_plan.attempts, one.tokens_in, one.tokens_out, one.cost_microusd)
    return WorstCase(role, questions, *(questions * each for each in totals))


# --- one role ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Choice:
    """A model for a role, before its price is determined."""

    provider: Provider
    model: str
    weight: float = 1.0
    timeout_ms: int | None = None


@dataclass(frozen=True, slots=True)
class _Plans:
    """Plans of roles from the settings."""

    llm: LlmSettings
    prices: Prices

    def of(self, role: ModelRole) -> RolePlan | None:
        """Return the plan of a role; None if no model plays it."""
        route = self.llm.routes.get(role, _NO_ROUTE)
        choices = list(self._choices(role, route))
        if not choices:
            self._nobody(role)
            return None
        limits = _limits(role, route)
        return RolePlan(
            sources=tuple(self._named(role, route, choices, limits)),
            fallback=self._fallback(role, route, limits),
            limits=limits,
            sampling=Sampling(temperature=route.temperature),
            retries=_RETRIES if route.retries is None else route.retries,
            fan_out=self.llm.fan_out if role in BREEDING else 1,
            chooser=self.llm.chooser,
        )

    def allowed(self, role: ModelRole, routes: tuple[str, ...]) -> Iterator[Source]:
        """Yield the sources that a run may choose for a role."""
        route = self.llm.routes.get(role, _NO_ROUTE)
        limits = _limits(role, route)
        for text in routes:
            name, _, model = text.partition("/")
            provider = provider_of(self.llm, name, f"llm.overrides.{role}")
            yield self._source(role, route, _Choice(provider, model), limits)

    def overrides(self) -> dict[ModelRole, tuple[str, ...]]:
        """Return the routes that a run may choose, by role: the configured ones, and the free offline procedures."""
        allowed = {role: tuple(routes) for role, routes in self.llm.overrides.items()}
        if provider_of(self.llm, OFFLINE).kind != OFFLINE:  # the user has given this name to another provider
            return allowed
        for role, names in players().items():
            if role not in HELD_OUT_ROLES:
                offline = (f"{OFFLINE}/{name}" for name in names)
                allowed[role] = tuple(dict.fromkeys([*allowed.get(role, ()), *offline]))
        return allowed

    # --- models -------------------------------------------------------------------------------------------------

    def _choices(self, role: ModelRole, route: RouteSettings) -> Iterator[_Choice]:
        if route.provider is not None or route.model is not None:
            yield self._routed(role, route)
        elif role in BREEDING and any(self._ensemble()):
            yield from self._of_ensemble(role)
        elif role not in ONLY_BY_ROUTE:
            yield from self._by_default(role)

    def _routed(self, role: ModelRole, route: RouteSettings) -> _Choice:
        place = f"llm.routes.{role}"
        name = route.provider or next(self._names(), None)
        if name is None:
            raise ConfigError(f"{place}.provider: it is required, because [llm.providers] is empty")
        provider = provider_of(self.llm, name, f"{place}.provider")
        model = route.model or provider.model or default_model(provider.kind, role)
        if model is None:
            raise ConfigError(f"{place}.model: it is required, because {name} has no default model for {role}")
        return _Choice(provider, model)

    def _of_ensemble(self, role: ModelRole) -> Iterator[_Choice]:
        for backend, weight in self._ensemble():
            provider = provider_of(self.llm, backend.name, "llm.backends")
            model = backend.model or provider.model or default_model(provider.kind, role)
            if provider.kind == OFFLINE and not _plays(model, role):
                continue  # offline procedures play a few roles only; the other sources play this one
            if model is None:
                raise ConfigError(
                    f"llm.backends: {backend.name} has no default model for {role}; add a table [[llm.backends]] with"
                    f' name = "{backend.name}" and a model'
                )
            yield _Choice(provider, model, weight, backend.timeout_ms)

    def _ensemble(self) -> Iterator[tuple[LlmBackend, float]]:
        """Yield backends with their weights: the backend's own, else the one for its name; 0 excludes a backend."""
        weights = self.llm.backend_weights
        for backend in self.llm.backends:
            own = "weight" in backend.model_fields_set  # a default must not override the weight by name
            weight = backend.weight if own else weights.get(backend.name, backend.weight)
            if weight > 0:
                yield backend, weight
        listed = {backend.name for backend in self.llm.backends}
        for name, weight in weights.items():
            if name not in listed and weight > 0:
                yield LlmBackend(name=name), weight

    def _by_default(self, role: ModelRole) -> Iterator[_Choice]:
        for name in self._weightless() if role in BREEDING else self._names():
            provider = provider_of(self.llm, name, "llm.providers")
            model = provider.model or self._only_model(name) or default_model(provider.kind, role)
            if model is not None and (provider.kind != OFFLINE or _plays(model, role)):
                yield _Choice(provider, model)
                return

    def _weightless(self) -> list[str]:
        """Return the providers for breeding roles if the ensemble is empty; a weight of 0 excludes a provider."""
        left_out = dict.fromkeys([*(backend.name for backend in self.llm.backends), *self.llm.backend_weights])
        names = [name for name in self._names() if name not in left_out]
        if left_out and not names:
            place = "llm.backend_weights" if self.llm.backend_weights else "llm.backends"
            raise ConfigError(
                f"{place}: {', '.join(left_out)} has the weight 0, which excludes it, and there is no other source for"
                " the breeding roles; give a source a weight above 0, or remove the weight"
            )
        return names

    def _names(self) -> Iterator[str]:
        """Yield all configured providers: first those with tables, then those of the ensemble."""
        yield from self.llm.providers
        yield from (backend.name for backend, _ in self._ensemble() if backend.name not in self.llm.providers)

    def _only_model(self, name: str) -> str | None:
        """Return the only named model of a provider without default models, if there is one."""
        named = {backend.model for backend in self.llm.backends if backend.name == name}
        return named.pop() if len(named) == 1 and name not in MODELS else None

    def _nobody(self, role: ModelRole) -> None:
        if role in self.llm.routes:
            raise ConfigError(
                f"llm.routes.{role}: no model plays it; give it a provider and a model, or remove the table"
            )

    # --- prices ---------------------------------------------------------------------------------------

    def _named(
        self, role: ModelRole, route: RouteSettings, choices: list[_Choice], limits: CallLimits
    ) -> Iterator[Source]:
        """Yield the sources, each with a unique name."""
        names: set[str] = set()
        routes: set[ModelRoute] = set()
        for choice in choices:
            source = self._source(role, route, choice, limits)
            if source.route in routes:
                raise ConfigError(f"llm.backends: {source.route} is listed twice; give it one table and one weight")
            if source.name in names:
                # Different routes can have the same identifier, such as a/b-c and a/b.c.
                source = source.model_copy(update={"name": _told_apart(source)})
            routes.add(source.route)
            names.add(source.name)
            yield source

    def _fallback(self, role: ModelRole, route: RouteSettings, limits: CallLimits) -> Source | None:
        if route.fallback is None:
            return None
        provider = provider_of(self.llm, route.fallback.provider, f"llm.routes.{role}.fallback.provider")
        return self._source(role, route, _Choice(provider, route.fallback.model), limits)

    def _source(self, role: ModelRole, route: RouteSettings, choice: _Choice, limits: CallLimits) -> Source:
        offline = choice.provider.kind == OFFLINE
        if offline:
            _refuse_unplayed(role, choice)
        capabilities = Capabilities(
            structured=route.structured or ("prompt" if offline else "json_schema"),
            tools=choice.provider.kind in MODELS,
            embeddings=role == "embedding",
        )
        return Source(
            name=source_name(choice.provider.name, choice.model),
            route=ModelRoute(provider=choice.provider.name, model_id=choice.model),
            capabilities=capabilities,
            price=self.prices(choice.provider, choice.model, limits.prompt_bytes),
            weight=choice.weight,
            timeout_ms=choice.timeout_ms,
        )


def _plays(procedure: str | None, role: ModelRole) -> bool:
    return procedure in players().get(role, ())


def _refuse_unplayed(role: ModelRole, choice: _Choice) -> None:
    """Raise unless the offline procedure is made for the role."""
    known = players()
    if not _plays(choice.model, role):
        played = "; ".join(f"{each} by {', '.join(names)}" for each, names in known.items()) or "none"
        raise ConfigError(
            f"llm: {choice.provider.name}/{choice.model} does not play {role}; roles that are played offline: {played}"
        )


def source_name(provider: str, model: str) -> str:
    """Return the name of a model in an ensemble: a lower-case identifier of provider and model."""
    plain = re.sub(r"[^a-z0-9]+", "_", f"{provider}_{model}".lower()).strip("_")
    name = plain if plain[:1].isalpha() else f"m_{plain}"
    return name if len(name) <= _LONGEST_NAME else _shortened(name, f"{provider}/{model}")


def _told_apart(source: Source) -> str:
    return _shortened(source.name, str(source.route))


def _shortened(name: str, whole: str) -> str:
    digest = blake2b(whole.encode(), digest_size=4).hexdigest()
    return f"{name[: _LONGEST_NAME - len(digest) - 1]}_{digest}"


def _limits(role: ModelRole, route: RouteSettings) -> CallLimits:
    given = {"prompt_bytes": route.prompt_bytes, "tokens_out": route.max_tokens, "timeout_ms": route.timeout_ms}
    usual = {"prompt_bytes": EmbeddingLimits().bytes_per_text} if role == "embedding" else {}
    return CallLimits(**{**usual, **{name: value for name, value in given.items() if value is not None}})
