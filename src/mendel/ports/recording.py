"""What one operation did through its ports, noted by whoever carries it: no handler can forget or hide any of it."""

from __future__ import annotations

from mendel.contracts.base import JsonObject
from mendel.contracts.energy import Usage
from mendel.contracts.work import Answer, Failure, Work
from mendel.ports.handlers import Ports
from mendel.ports.model_gateway import Budget, RecordingModels, usage_of
from mendel.ports.recording_sandbox import RecordingSandbox


class Recording:
    """The ports of one operation, its sandbox and its models watched, and what is added to its answer."""

    def __init__(self, work: Work, ports: Ports) -> None:
        self._sandbox = RecordingSandbox(ports.sandbox) if ports.sandbox is not None else None
        budget = Budget.of(work.operation.allowance)
        models = ports.models
        self._models = RecordingModels(models, plan=work.models, budget=budget) if models is not None else None
        self.ports = Ports(self._sandbox, self._models)

    def completed(self, answer: Answer) -> Answer:
        """The answer with what the walls and the models say of it."""
        weakest = self._sandbox.weakest if self._sandbox is not None else None
        if self._models is None or not self._models.records:
            return answer.model_copy(update={"isolation": weakest, "calls": ()})
        usage = metered(answer.usage, usage_of(self._models.records))
        return answer.model_copy(update={"isolation": weakest, "calls": tuple(self._models.records), "usage": usage})

    def failed(self, data: JsonObject) -> JsonObject:
        """The failure with every attempt at a model."""
        if self._models is None or not self._models.records:
            return data
        failure = Failure.model_validate(data["failure"])
        usage = metered(failure.usage, usage_of(self._models.records)) if failure.usage is not None else None
        noted = failure.model_copy(update={"calls": tuple(self._models.records), "usage": usage})
        return {"failure": noted.model_dump(mode="json")}


def metered(own: Usage, asked: Usage) -> Usage:
    """What a handler says it used, with the tokens and the money that its models took."""
    names = ("tokens_in", "tokens_out", "cost_microusd")
    return own.model_copy(update={name: getattr(asked, name) for name in names})
