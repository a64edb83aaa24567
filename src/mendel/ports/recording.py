"""What one operation did through its ports, noted by whoever carries it: no handler can forget or hide any of it."""

from __future__ import annotations

from mendel.contracts.base import JsonObject
from mendel.contracts.energy import Usage
from mendel.contracts.lookups import Lookups
from mendel.contracts.model_calls import AttemptRecord
from mendel.contracts.work import Answer, Failure, Work
from mendel.ports.account import Account
from mendel.ports.handlers import Ports
from mendel.ports.model_gateway import Budget, RecordingModels, usage_of
from mendel.ports.recording_sandbox import RecordingSandbox
from mendel.ports.research import RecordingTools, ToolCounter
from mendel.ports.retriever import RecordingRetriever


class Recording:
    """The ports of one operation, each of them watched, and what is added to its answer.

    Models and embedder spend the same budget, which is what the operation was allowed; so do the tools their calls.
    """

    def __init__(self, work: Work, ports: Ports) -> None:
        allowed = work.operation.allowance
        self._account = Account(Budget.of(allowed))
        self._sandbox = RecordingSandbox(ports.sandbox, allowed.evaluations) if ports.sandbox is not None else None
        models, tools = ports.models, ports.tools
        budget = self._account.budget
        self._models = RecordingModels(models, plan=work.models, budget=budget) if models is not None else None
        self._retriever = RecordingRetriever(ports.retriever) if ports.retriever is not None else None
        self._tools = RecordingTools(tools, ToolCounter(allowed.tool_calls)) if tools is not None else None
        embedder = ports.embedder.on_account(self._account) if ports.embedder is not None else None
        self.ports = Ports(self._sandbox, self._models, embedder, self._retriever, self._tools)

    def completed(self, answer: Answer) -> Answer:
        """The answer with what the walls, the models and everybody else say of it."""
        weakest = self._sandbox.weakest if self._sandbox is not None else None
        noted = {"isolation": weakest, "calls": self._calls(), "lookups": self._lookups()}
        return answer.model_copy(update={**noted, "usage": self._metered(answer.usage)})

    def failed(self, data: JsonObject) -> JsonObject:
        """The failure with what was run, every attempt at a model, and what was looked up before it."""
        calls, lookups = self._calls(), self._lookups()
        failure = Failure.model_validate(data["failure"])
        usage = self._metered(failure.usage) if failure.usage is not None else None
        noted = failure.model_copy(update={"calls": calls, "lookups": lookups, "usage": usage})
        return {"failure": noted.model_dump(mode="json")}

    def _calls(self) -> tuple[AttemptRecord, ...]:
        """Every attempt, those for embeddings as questions of their own behind the others."""
        asked = self._models.records if self._models is not None else []
        after = 1 + max((each.call for each in asked), default=-1)
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
        """What a handler says it used, with what ran in its sandbox, and what its models and tools took instead."""
        calls, lookups = self._calls(), self._lookups()
        ran = self._sandbox.evaluations if self._sandbox is not None else 0
        own = own.model_copy(update={"evaluations": ran})
        if calls:
            own = metered(own, usage_of(calls))
        if lookups is not None and lookups.tools:
            own = own.model_copy(update={"tool_calls": lookups.counted_calls})
        return own


def metered(own: Usage, asked: Usage) -> Usage:
    """What a handler says it used, with the tokens and the money that its models took."""
    names = ("tokens_in", "tokens_out", "cost_microusd")
    return own.model_copy(update={name: getattr(asked, name) for name in names})
