"""Port ``ModelGateway``: questions to models by role, never by vendor; answers are validated, metered and recorded."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, get_args

from pydantic import BaseModel

from mendel.contracts.energy import MAX_USAGE, Usage
from mendel.contracts.errors import ModelCallFailed, ModelRequestRefused
from mendel.contracts.model_calls import (
    TOOL_ROLE,
    AttemptRecord,
    CallLimits,
    Message,
    Sampling,
    ToolCall,
    ToolDescriptor,
    Verdict,
)
from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.providers import ModelRole, ModelRoute, ProviderMeta
from mendel.ports.closing import Closing

ROLES: Final[tuple[ModelRole, ...]] = get_args(ModelRole)
DEFAULTS: Final = Sampling()
OTHER_PORTS: Final[frozenset[ModelRole]] = frozenset({"embedding", "retrieval"})
"""Roles that have routes but are called through ports of their own."""


@dataclass(frozen=True, slots=True)
class Check:
    """A pure check of an answer without a schema: returns complaints about the text, none if it is accepted."""

    name: str
    complaints: Callable[[str], Sequence[str]]


@dataclass(slots=True)
class Budget:
    """The remaining model budget of an operation. Every attempt is deducted at its worst case before it is made."""

    tokens: int
    cost_microusd: int

    @classmethod
    def of(cls, allowance: Usage) -> Budget:
        """Return the budget of an operation with this allowance."""
        return cls(allowance.tokens_in + allowance.tokens_out, allowance.cost_microusd)

    def take(self, tokens: int, cost_microusd: int) -> bool:
        """Deduct this much and return True, or return False if less is left."""
        if tokens > self.tokens or cost_microusd > self.cost_microusd:
            return False
        self.tokens -= tokens
        self.cost_microusd -= cost_microusd
        return True

    def give_back(self, tokens: int, cost_microusd: int) -> None:
        """Return the unused part of a deduction; a negative value deducts more."""
        self.tokens += tokens
        self.cost_microusd += cost_microusd


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """A question to a model. ``output`` is the model that the answer must fit; without it any text is an answer.

    ``check`` is for texts with further requirements (a patch that must apply). A text with complaints is repaired or
    rejected in the same way as one that does not fit a schema. ``route`` selects one of the role's sources, for
    ensembles; it cannot name any other. ``plan`` and ``budget`` are those of the run and the operation, set by the code
    that performs the operation.
    """

    role: ModelRole
    messages: tuple[Message, ...]
    output: type[BaseModel] | None = None
    check: Check | None = None
    limits: CallLimits | None = None
    sampling: Sampling = DEFAULTS
    tools: tuple[ToolDescriptor, ...] = ()
    route: ModelRoute | None = None
    plan: ModelPlan | None = None
    budget: Budget | None = None

    @classmethod
    def prompt(cls, role: ModelRole, text: str, *, output: type[BaseModel] | None = None) -> ModelRequest:
        """Create a question of one message."""
        return cls(role=role, messages=(Message(role="user", content=text),), output=output)


@dataclass(frozen=True, slots=True)
class ModelResponse:
    """The result of a question. ``output`` fits the schema, or is the text if there was none; it is None if rejected.

    ``records`` contains all calls that were needed, including the failed ones.
    """

    outcome: Verdict
    provider: ProviderMeta
    output: BaseModel | str | None = None
    text: str = ""
    complaints: tuple[str, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    records: tuple[AttemptRecord, ...] = ()
    trace_id: str | None = None

    @property
    def accepted(self) -> bool:
        """Whether there is an output."""
        return self.outcome != "rejected"

    @property
    def usage(self) -> Usage:
        """The total usage of all its calls."""
        return usage_of(self.records)


@dataclass(frozen=True, slots=True)
class RolePlayed:
    """Whether a gateway can play a role: the route that does, or the reason why not."""

    route: ModelRoute | None = None
    fallback: ModelRoute | None = None
    why_not: str = ""


class ModelGateway(Closing, ABC):
    """Answers questions by role.

    Obligations of an implementation:

    - An output is returned only if it fits its schema. One repair sends the complaint back; after that the answer is
      rejected. Half an answer is never accepted (rule 5).
    - Every HTTP call is one :class:`~mendel.contracts.model_calls.AttemptRecord` of the response, or of the error.
    - Retries are bounded, as are time and size; a failure that would repeat itself is not retried.
    - Nothing is substituted silently: a role without a route, a provider without a key, or an answer that was not
      recorded is an error with its reason. A fallback is a route that was configured as one, and is recorded under its
      own name.
    - No request, response, record or error contains a key (rule 4).
    - ``_ask`` may be called concurrently.

    ``ask`` is the only entry point.
    """

    @abstractmethod
    def roles(self) -> Mapping[ModelRole, RolePlayed]:
        """Return every role with the route that plays it."""

    async def ask(self, request: ModelRequest) -> ModelResponse:
        """Return the validated answer to ``request``.

        Raises:
            ModelRequestRefused: it is not a valid request: a role with its own port, no message, or tools for the wrong
                role.
            ModelCallFailed: there is no answer; the error has the reason and every attempt.
        """
        _look_at(request)
        return await self._ask(request)

    @abstractmethod
    async def _ask(self, request: ModelRequest) -> ModelResponse:
        """Like ``ask``; the request has been checked."""


class RecordingModels(ModelGateway):
    """Wraps a gateway for one operation and records every attempt, so that no handler can omit one.

    The owner of the wrapped gateway closes it.
    """

    def __init__(self, inner: ModelGateway, *, plan: ModelPlan | None = None, budget: Budget | None = None) -> None:
        self._inner = inner
        self._plan = plan
        self._budget = budget
        self._calls = 0
        self.records: list[AttemptRecord] = []

    def roles(self) -> Mapping[ModelRole, RolePlayed]:
        """Return the roles of the wrapped gateway."""
        return self._inner.roles()

    async def _ask(self, request: ModelRequest) -> ModelResponse:
        # Numbered before the await, so that concurrent questions get different numbers.
        call, self._calls = self._calls, self._calls + 1
        try:
            response = await self._inner.ask(replace(request, plan=self._plan, budget=self._budget))
        except ModelCallFailed as error:
            self._note(call, error.records)
            raise
        self._note(call, response.records)
        return response

    def _note(self, call: int, records: tuple[AttemptRecord, ...]) -> None:
        self.records.extend(record.model_copy(update={"call": call}) for record in records)


def usage_of(records: tuple[AttemptRecord, ...] | list[AttemptRecord]) -> Usage:
    """Return the total usage of the attempts."""
    metas = [record.provider for record in records]
    return Usage(
        tokens_in=min(MAX_USAGE, sum(meta.tokens_in for meta in metas)),
        tokens_out=min(MAX_USAGE, sum(meta.tokens_out for meta in metas)),
        cost_microusd=min(MAX_USAGE, sum(meta.cost_microusd or 0 for meta in metas)),
    )


def _look_at(request: ModelRequest) -> None:
    if request.role not in ROLES:
        raise ModelRequestRefused(f"there is no role {request.role!r}; known are {', '.join(ROLES)}")
    if request.role in OTHER_PORTS:
        raise ModelRequestRefused(f"the role {request.role} is not called through this port: it has a port of its own")
    if not request.messages:
        raise ModelRequestRefused("a request needs at least one message")
    if request.tools and request.role != TOOL_ROLE:
        raise ModelRequestRefused(f"research tools are only for {TOOL_ROLE}, not for {request.role}")
