"""The models of a run, and their worst-case cost. Recorded with the run, which executes the recorded plan."""

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
"""Questions per question at most: the original one, and one repair."""


class Source(Contract):
    """A model that serves a role. ``name`` identifies it in an ensemble; without a ``price`` it is free."""

    name: Name
    route: ModelRoute
    capabilities: Capabilities = Capabilities()
    price: Price = Price(input_microusd=0, output_microusd=0)
    weight: Annotated[float, Field(gt=0.0, le=1e6)] = 1.0
    timeout_ms: Milliseconds | None = None


class RolePlan(Contract):
    """The models of a role. Several ``sources`` form an ensemble; the ``fallback`` is called once, after a failure.

    ``sampling`` applies to parameters that a question does not set. ``fan_out`` sources are called concurrently, and
    the ``chooser`` selects the answer: the first accepted one in the order of the sources, or the most frequent one.
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
            raise ValueError(f"the sources of a role must have different names, not {', '.join(names)}")
        return self

    @property
    def embeds(self) -> bool:
        """Whether the role makes embeddings: there is no repair, no other model, and no output tokens."""
        return all(source.capabilities.embeddings for source in self.sources)

    @property
    def attempts(self) -> int:
        """Worst-case number of HTTP calls per question, without those that refuse its schema, which are free."""
        if self.embeds:
            return 1 + self.retries
        # Each source may need the question and its repair; each of these the first call, retries and the fallback.
        return self.asked_at_once * _QUESTIONS * (1 + self.retries + (self.fallback is not None))

    @property
    def asked_at_once(self) -> int:
        """Number of sources called per question: ``fan_out``, limited to the number of sources."""
        return min(self.fan_out, len(self.sources))

    def worst(self) -> Usage:
        """Return the worst case of one question; amounts are limited to ``MAX_USAGE``, which is above every cap."""
        # A token has at least one byte, so the limit in bytes bounds the tokens of the prompt.
        prompt, answer = self.limits.prompt_bytes, 0 if self.embeds else self.limits.tokens_out
        sources = (*self.sources, self.fallback) if self.fallback is not None else self.sources
        cost = max(source.price.of(prompt, answer) for source in sources)
        return Usage(
            tokens_in=_at_most(self.attempts * prompt),
            tokens_out=_at_most(self.attempts * answer),
            cost_microusd=_at_most(self.attempts * cost),
        )

    def source(self, route: ModelRoute | None) -> Source | None:
        """Return the source with this route; without a route, the first source."""
        if route is None:
            return self.sources[0]
        return next((source for source in self.sources if source.route == route), None)


class ModelPlan(Contract):
    """The roles that a run may call, with their models. ``overridable`` lists the sources that a run may choose."""

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
        """Return this plan with the routes chosen by a run.

        Raises:
            ValueError: the run may not choose one of the routes.
        """
        chosen = {role: self._chosen(role, route) for role, route in routes.items()}
        return self.model_copy(update={"roles": {**self.roles, **chosen}})

    def only(self, roles: Collection[ModelRole]) -> ModelPlan:
        """Return this plan restricted to the given roles."""
        kept = {role: plan for role, plan in self.roles.items() if role in roles}
        overridable = {role: sources for role, sources in self.overridable.items() if role in roles}
        return self.model_copy(update={"roles": kept, "overridable": overridable})

    def _chosen(self, role: ModelRole, route: ModelRoute) -> RolePlan:
        allowed = self.overridable.get(role, ())
        source = next((each for each in allowed if each.route == route), None)
        if source is None or role in HELD_OUT_ROLES:  # judges: even if overridable was not validated
            listed = ", ".join(str(each.route) for each in allowed) or "none"
            raise ValueError(f"a run may not choose {route} for {role}; it may choose {listed}")
        return self.roles.get(role, RolePlan(sources=(source,))).model_copy(update={"sources": (source,)})

    def knows(self, role: ModelRole, source: Source) -> bool:
        """Return whether a source may serve the role, by this plan or by a run's choice."""
        plan = self.roles.get(role)
        known = (*plan.sources, *((plan.fallback,) if plan.fallback else ())) if plan is not None else ()
        return any(each.route == source.route for each in (*known, *self.overridable.get(role, ())))

    def worst(self, role: ModelRole, questions: Count = 1) -> Usage:
        """Return the worst case of this many questions to a role; zero if no model serves it."""
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
