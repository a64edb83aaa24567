"""The steps of a run whose operations failed: how many, and with which message most often."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Final, Self

from pydantic import Field

from mendel.contracts.base import Contract, Count
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.operation import OperationCompleted, OperationFailed, OperationKind, OperationStarted

RAISED: Final = "handler_raised"
"""The code of a step that raised an unexpected exception: its message says little without the exception's name."""
_MOST_MESSAGES: Final = 1_000
"""Different messages that are counted; some name a value, and differ each time."""
_LONGEST: Final = 300


class FailedStep(Contract):
    """Of the operations of a step that ended, ``failed`` of ``ended`` failed, ``times`` of them with ``message``."""

    step: str
    kind: OperationKind | None = Field(description="what the kernel does with its answers")
    failed: Count
    ended: Count
    message: str = Field(description="the most frequent one")
    times: Count

    def words(self) -> str:
        """In words: "3 of 9 operations of teas.taste failed, 2 of them with: key_error: 'cup'"."""
        told = f"{self.failed:,} of {self.ended:,} operations of {self.step} failed"
        if not self.message:
            return told
        return f"{told}{'' if self.times == self.failed else f', {self.times:,} of them with'}: {self.message}"


class FailedSteps:
    """Counts operations that ended; feed it every event of one run in order."""

    def __init__(self) -> None:
        self._kinds: dict[str, OperationKind] = {}
        self._ended: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._messages: Counter[tuple[str, str]] = Counter()

    def take(self, event: Event) -> Self:
        """Fold one event."""
        match event.payload:
            case OperationStarted(operation=operation):
                self._kinds.setdefault(operation.step, operation.kind)
            case OperationCompleted(step=step):
                self._ended[step] += 1
            case OperationFailed(step=step) as failure:
                self._ended[step] += 1
                self._failed[step] += 1
                self._count(step, failure_message(failure))
        return self

    def _count(self, step: str, message: str) -> None:
        if (step, message) in self._messages or len(self._messages) < _MOST_MESSAGES:
            self._messages[step, message] += 1

    def messages(self, most: int) -> dict[str, int]:
        """The most frequent messages with their counts, each after its step."""
        return {f"{step}: {message}": times for (step, message), times in self._messages.most_common(most)}

    def rows(self) -> tuple[FailedStep, ...]:
        """The steps of which an operation failed, that with the most failures first."""
        said: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for (step, message), times in self._messages.items():
            said[step][message] = times
        ranked = sorted(self._failed, key=lambda step: (-self._failed[step], step))
        return tuple(self._row(step, said[step]) for step in ranked)

    def _row(self, step: str, said: Counter[str]) -> FailedStep:
        message, times = min(said.items(), key=lambda each: (-each[1], each[0]), default=("", 0))
        return FailedStep(
            step=step,
            kind=self._kinds.get(step),
            failed=self._failed[step],
            ended=self._ended[step],
            message=message,
            times=times,
        )


def failure_message(failure: OperationFailed) -> str:
    """What a failed operation says, as one line that is not too long, with the exception's name if one was raised."""
    message = " ".join(failure.message.split())
    if failure.error_code == RAISED and not _is_named(message, failure.error_type):  # as older logs have it
        message = f"{failure.error_type}: {message}"
    return message[:_LONGEST]


def _is_named(message: str, error_type: str) -> bool:
    """Whether a message begins with the exception's name, which ``error_type`` is in lower case."""
    name = message.partition(":")[0].partition(" ")[0]
    return name.lower() == error_type.replace("_", "")
