"""Which models a run asks, and what that can cost at worst. Recorded with the run and executed as recorded."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mendel.contracts.base import Contract, Count, Name
from mendel.contracts.energy import MAX_USAGE, Usage
from mendel.contracts.model_calls import CallLimits, Milliseconds, Sampling
from mendel.contracts.providers import HELD_OUT_ROLES, Capabilities, ModelRole, ModelRoute, Price

ChooserName = Literal["first", "most_agreed"]
_QUESTIONS = 2
"""The question itself, and one repair."""


class Source(Contract):
    """A model that serves a role. ``name`` is what an ensemble knows it by; without a ``price`` it costs nothing."""

    name: Name
    route: ModelRoute
    capabilities: Capabilities = Capabilities()
    price: Price = Price(input_microusd=0, output_microusd=0)
    weight: Annotated[float, Field(gt=0.0, le=1e6)] = 1.0
    timeout_ms: Milliseconds | None = None


class RolePlan(Contract):
    """Who plays a role. Several ``sources`` are an ensemble; the ``fallback`` is asked once, when one has failed.

    ``sampling`` holds where a question leaves it open. With ``fan_out`` so many of the sources are asked at once, and
    the ``chooser`` says whose answer counts: the first one's in their order that is accepted, or what most agree on.
    """

    sources: Annotated[tuple[Source, ...], Field(min_length=1, max_length=32)]
    fallback: Source | None = None
    limits: CallLimits = CallLimits()
    sampling: Sampling = Sampling()
    retries: Annotated[int, Field(ge=0, le=10)] = 2
    fan_out: Annotated[int, Field(ge=1, le=8)] = 1
    chooser: ChooserName = "first"

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = [source.name for source in self.sources]
        if len(set(names)) < len(names):
            raise ValueError(f"the sources of a role have different names, not {', '.join(names)}")
        return self

    @property
    def embeds(self) -> bool:
        """Whether vectors are asked for: these are never repaired, and never another model's; they have no tokens."""
        return all(source.capabilities.embeddings for source in self.sources)

    @property
    def attempts(self) -> int:
        """How many HTTP calls one question takes at worst, beside those that refuse its schema, which cost nothing."""
        if self.embeds:
            return 1 + self.retries
        return self.asked_at_once * _QUESTIONS * (1 + self.retries + (self.fallback is not None))

    @property
    def asked_at_once(self) -> int:
        """How many sources answer one question: as many as ``fan_out`` says, if there are so many."""
        return min(self.fan_out, len(self.sources))

    def worst(self) -> Usage:
        """What one question takes at worst; above what can be reported it is that, which no cap allows."""
        prompt, answer = self.limits.prompt_bytes, 0 if self.embeds else self.limits.tokens_out
        sources = (*self.sources, self.fallback) if self.fallback is not None else self.sources
        cost = max(source.price.of(prompt, answer) for source in sources)
        return Usage(
            tokens_in=_at_most(self.attempts * prompt),
            tokens_out=_at_most(self.attempts * answer),
            cost_microusd=_at_most(self.attempts * cost),
        )

    def source(self, route: ModelRoute | None) -> Source | None:
        """The source with that route; without one, the first."""
        if route is None:
            return self.sources[0]
        return next((source for source in self.sources if source.route == route), None)


class ModelPlan(Contract):
    """Every role that a run may ask, and who plays it. ``overridable`` are the sources that a run may choose."""

    roles: dict[ModelRole, RolePlan] = Field(default_factory=dict)
    overridable: dict[ModelRole, tuple[Source, ...]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _judges_are_held_out(self) -> Self:
        touched = sorted(HELD_OUT_ROLES.intersection(self.overridable))
        if touched:
            named = " or ".join(touched)
            raise ValueError(f"a run may not choose the model of {named}: what breeds never chooses its judge")
        return self

    def overridden(self, routes: Mapping[ModelRole, ModelRoute]) -> ModelPlan:
        """This plan with the routes that a run chose.

        Raises:
            ValueError: one of them is not among those that may be chosen.
        """
        chosen = {role: self._chosen(role, route) for role, route in routes.items()}
        return self.model_copy(update={"roles": {**self.roles, **chosen}})

    def only(self, roles: Collection[ModelRole]) -> ModelPlan:
        """What this plan says of these roles."""
        kept = {role: plan for role, plan in self.roles.items() if role in roles}
        overridable = {role: sources for role, sources in self.overridable.items() if role in roles}
        return self.model_copy(update={"roles": kept, "overridable": overridable})

    def _chosen(self, role: ModelRole, route: ModelRoute) -> RolePlan:
        allowed = self.overridable.get(role, ())
        source = next((each for each in allowed if each.route == route), None)
        if source is None or role in HELD_OUT_ROLES:
            listed = ", ".join(str(each.route) for each in allowed) or "none"
            raise ValueError(f"a run may not choose {route} for {role}; it may choose {listed}")
        return self.roles.get(role, RolePlan(sources=(source,))).model_copy(update={"sources": (source,)})

    def knows(self, role: ModelRole, source: Source) -> bool:
        """Whether that source may play the role by this plan, as it stands or by a run's choice."""
        plan = self.roles.get(role)
        known = (*plan.sources, *((plan.fallback,) if plan.fallback else ())) if plan is not None else ()
        return any(each.route == source.route for each in (*known, *self.overridable.get(role, ())))

    def worst(self, role: ModelRole, questions: Count = 1) -> Usage:
        """What that many questions to a role take at worst; nothing where nobody plays it."""
        plan = self.roles.get(role)
        if plan is None:
            return Usage()
        one = plan.worst()
        return Usage(
            tokens_in=_at_most(one.tokens_in * questions),
            tokens_out=_at_most(one.tokens_out * questions),
            cost_microusd=_at_most(one.cost_microusd * questions),
        )


def _at_most(amount: int) -> int:
    return min(MAX_USAGE, amount)
