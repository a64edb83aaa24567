"""Port ``ModelGateway``: a question by role, never by vendor; an answer that was validated, metered and recorded."""

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
"""Roles that are routes too, but are called through ports of their own."""


@dataclass(frozen=True, slots=True)
class Check:
    """What an answer without a schema is held to: complaints about its text, none if it will do; pure."""

    name: str
    complaints: Callable[[str], Sequence[str]]


@dataclass(slots=True)
class Budget:
    """What an operation may still spend on models: every attempt is taken off at its worst before it is made."""

    tokens: int
    cost_microusd: int

    @classmethod
    def of(cls, allowance: Usage) -> Budget:
        """What an operation was allowed."""
        return cls(allowance.tokens_in + allowance.tokens_out, allowance.cost_microusd)

    def take(self, tokens: int, cost_microusd: int) -> bool:
        """Take that much off, if there is so much left."""
        if tokens > self.tokens or cost_microusd > self.cost_microusd:
            return False
        self.tokens -= tokens
        self.cost_microusd -= cost_microusd
        return True

    def give_back(self, tokens: int, cost_microusd: int) -> None:
        """Less was used than was taken; or more, if negative."""
        self.tokens += tokens
        self.cost_microusd += cost_microusd


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """What is wanted of a model. ``output`` is the model that its answer must fit; without one any text is an answer.

    ``check`` says what is wrong with a text that has to be more than any (a patch that must apply): it is repaired and
    rejected as what does not fit a schema is.
    ``route`` chooses among the sources that the role has, for ensembles; it cannot name another. ``plan`` and
    ``budget`` are those of the run and the operation that it is asked for; whoever carries the operation sets them.
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
        """A question of one message."""
        return cls(role=role, messages=(Message(role="user", content=text),), output=output)


@dataclass(frozen=True, slots=True)
class ModelResponse:
    """What became of a question. ``output`` fits the schema, or is the text where there was none; rejected, it is None.

    ``records`` are all the calls that it took, the failed ones too.
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
        """What all its calls used together."""
        return usage_of(self.records)


@dataclass(frozen=True, slots=True)
class RolePlayed:
    """Whether a gateway can play a role: by whom, or else why not."""

    route: ModelRoute | None = None
    fallback: ModelRoute | None = None
    why_not: str = ""


class ModelGateway(Closing, ABC):
    """Answers by role.

    Obligations of an implementation:

    - An output is handed out only if it fits its schema; one repair carries the complaint back, then it is rejected.
      Never is half an answer accepted (rule 5).
    - Every HTTP call is one :class:`~mendel.contracts.model_calls.AttemptRecord` of the response, or of the error.
    - Retries are bounded, as are time and size; nothing is retried that would end the same way.
    - Nobody answers in another's place: a role without a route, a provider without a key, an answer that was not
      recorded is an error with its reason. A fallback is a route that was configured as one, and recorded as who it is.
    - No key is in a request, a response, a record or an error (rule 4).
    - ``_ask`` may be called by many at once.

    ``ask`` is the only door.
    """

    @abstractmethod
    def roles(self) -> Mapping[ModelRole, RolePlayed]:
        """Every role, and who plays it."""

    async def ask(self, request: ModelRequest) -> ModelResponse:
        """The answer to ``request``, validated.

        Raises:
            ModelRequestRefused: it is no request: a role that has its own port, no message, tools for the wrong role.
            ModelCallFailed: nobody answered; the error has its reason and every attempt.
        """
        _look_at(request)
        return await self._ask(request)

    @abstractmethod
    async def _ask(self, request: ModelRequest) -> ModelResponse:
        """As ``ask``; the request has been looked at."""


class RecordingModels(ModelGateway):
    """Another gateway for one operation, and every attempt made through it so far: no handler can forget one.

    Closing is left to the other's owner.
    """

    def __init__(self, inner: ModelGateway, *, plan: ModelPlan | None = None, budget: Budget | None = None) -> None:
        self._inner = inner
        self._plan = plan
        self._budget = budget
        self._calls = 0
        self.records: list[AttemptRecord] = []

    def roles(self) -> Mapping[ModelRole, RolePlayed]:
        """As the other one says."""
        return self._inner.roles()

    async def _ask(self, request: ModelRequest) -> ModelResponse:
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
    """What the attempts used together."""
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
        raise ModelRequestRefused(f"the role {request.role} is not asked here: it has a port of its own")
    if not request.messages:
        raise ModelRequestRefused("a request has at least one message")
    if request.tools and request.role != TOOL_ROLE:
        raise ModelRequestRefused(f"research tools are for {TOOL_ROLE} alone, not for {request.role}")
