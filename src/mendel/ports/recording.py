"""Recording of an operation's port usage by the worker that performs it: no handler can omit or hide any of it."""

from __future__ import annotations

from mendel.contracts.base import JsonObject
from mendel.contracts.energy import Usage
from mendel.contracts.errors import AllowanceSpent
from mendel.contracts.lookups import Lookups
from mendel.contracts.model_calls import AttemptRecord
from mendel.contracts.work import Answer, Failure, Work
from mendel.ports.account import Account
from mendel.ports.children import ChildLine, ChildOperations, Purse
from mendel.ports.handlers import Ports
from mendel.ports.model_gateway import Budget, ModelGateway, RecordingModels, usage_of
from mendel.ports.recording_sandbox import EvaluationBudget, RecordingSandbox
from mendel.ports.research import RecordingTools, ToolCounter
from mendel.ports.retriever import RecordingRetriever


def _children(work: Work, line: ChildLine | None, purse: Purse) -> ChildOperations | None:
    return ChildOperations(work.operation, work.children, line, purse) if work.children and line is not None else None


class Recording:
    """The ports that one operation's step names, wrapped in recorders, and the records that are added to its answer.

    Models and embedder share one budget, the operation's allowance; tools share one counter.
    """

    def __init__(self, work: Work, ports: Ports, line: ChildLine | None = None) -> None:
        allowed, named = work.operation.allowance, ports.only(work.ports, work.operation.step)
        self._account = Account(Budget.of(allowed))
        tools, programs = ToolCounter(allowed.tool_calls), EvaluationBudget(allowed.evaluations)
        self._sandbox = RecordingSandbox(named.sandbox, programs) if named.has("sandbox") else None
        self._models = self._asking(named.models, work) if named.has("models") else None
        self._retriever = RecordingRetriever(named.retriever) if named.has("retriever") else None
        self._tools = RecordingTools(named.tools, tools) if named.has("tools") else None
        purse = _Purse(self._account.budget or Budget(0, 0), tools, programs)
        watched = {
            "sandbox": self._sandbox,
            "models": self._models,
            "retriever": self._retriever,
            "tools": self._tools,
            "embedder": named.embedder.on_account(self._account) if named.has("embedder") else None,
            "children": _children(work, line, purse),
        }
        self.ports = named.replaced(**{name: port for name, port in watched.items() if port is not None})

    def _asking(self, models: ModelGateway, work: Work) -> RecordingModels:
        return RecordingModels(models, plan=work.models, budget=self._account.budget)

    def completed(self, answer: Answer) -> Answer:
        """Return the answer with the recorded isolation, model calls and lookups."""
        weakest = self._sandbox.weakest if self._sandbox is not None else None
        noted = {"isolation": weakest, "calls": self._calls(), "lookups": self._lookups()}
        return answer.model_copy(update={**noted, "usage": self._metered(answer.usage)})

    def failed(self, data: JsonObject) -> JsonObject:
        """Return the failure with the recorded usage, model calls and lookups."""
        calls, lookups = self._calls(), self._lookups()
        failure = Failure.model_validate(data["failure"])
        usage = self._metered(failure.usage) if failure.usage is not None else None
        noted = failure.model_copy(update={"calls": calls, "lookups": lookups, "usage": usage})
        return {"failure": noted.model_dump(mode="json")}

    def _calls(self) -> tuple[AttemptRecord, ...]:
        """Return every model attempt; attempts for embeddings follow as separate questions."""
        asked = self._models.records if self._models is not None else []
        after = 1 + max((each.call for each in asked), default=-1)  # numbered behind the questions
        embedded = (each.model_copy(update={"call": after + each.call}) for each in self._account.records)
        return (*asked, *embedded)

    def _lookups(self) -> Lookups | None:
        retrievals = tuple(self._retriever.records) if self._retriever is not None else ()
        tools = tuple(self._tools.records) if self._tools is not None else ()
        degraded = tuple(self._account.degraded)
        if not (retrievals or tools or degraded):
            return None
        return Lookups(retrievals=retrievals, tools=tools, degraded=degraded)

    def _metered(self, own: Usage) -> Usage:
        """Return the handler's reported usage with the recorded evaluations, tokens, cost and tool calls."""
        calls, lookups = self._calls(), self._lookups()
        ran = self._sandbox.evaluations if self._sandbox is not None else 0
        own = own.model_copy(update={"evaluations": ran})
        if calls:
            own = metered(own, usage_of(calls))
        if lookups is not None and lookups.tools:
            own = own.model_copy(update={"tool_calls": lookups.counted_calls})
        return own


def metered(own: Usage, asked: Usage) -> Usage:
    """Return the handler's reported usage with the recorded tokens and cost of its models."""
    names = ("tokens_in", "tokens_out", "cost_microusd")
    return own.model_copy(update={name: getattr(asked, name) for name in names})


class _Purse(Purse):
    """The remaining models, tools and programs of one operation, shared with its children."""

    def __init__(self, models: Budget, tools: ToolCounter, programs: EvaluationBudget) -> None:
        self._models = models
        self._tools = tools
        self._programs = programs

    def take(self, worst: Usage) -> None:
        if worst.tool_calls > self._tools.left:
            raise AllowanceSpent(f"{worst.tool_calls} tool calls are needed, but {self._tools.left} are left")
        self._programs.take(worst.evaluations)
        tokens = worst.tokens_in + worst.tokens_out
        # All or nothing: evaluations that were deducted above are returned if the models' budget is too small.
        if not self._models.take(tokens, worst.cost_microusd):
            self._programs.give_back(worst.evaluations)
            left = f"{self._models.tokens} tokens and {self._models.cost_microusd} millionths of a dollar are left"
            raise AllowanceSpent(f"{tokens} tokens and {worst.cost_microusd} are needed, but {left}")
        self._tools.used += worst.tool_calls

    def give_back(self, worst: Usage, used: Usage) -> None:
        tokens = worst.tokens_in + worst.tokens_out - used.tokens_in - used.tokens_out
        self._models.give_back(max(0, tokens), max(0, worst.cost_microusd - used.cost_microusd))
        self._tools.used -= max(0, worst.tool_calls - used.tool_calls)
        self._programs.give_back(worst.evaluations - used.evaluations)
