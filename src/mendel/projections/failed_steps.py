"""What went wrong in a run: steps whose operations failed, niches that challenge no more, routes without an end."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Final, Self

from pydantic import Field

from mendel.contracts.base import Contract, Count
from mendel.contracts.events.candidate import ENDLESS_ROUTE, CandidateRejected, FitnessScored
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import GateVerdict
from mendel.contracts.events.operation import (
    Operation,
    OperationCompleted,
    OperationFailed,
    OperationKind,
    OperationStarted,
)
from mendel.contracts.verdicts import MOST_FAILED_CHALLENGES, Challenge

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


class ClosedNiche(Contract):
    """A niche that makes no more challenges, since the last ones failed. What they spent of the budget is spent."""

    niche: str
    step: str
    challenges: Count = Field(description="how many failed in a row, without a verdict between them")
    message: str = Field(description="that of the first of them")

    def words(self) -> str:
        """In words: "3 challenges in a row failed in peas, which makes no more (peas.duel): key_error: 'pod'"."""
        failed = f"{self.challenges:,} challenges in a row failed in {self.niche}, which makes no more"
        return f"{failed} ({self.step}): {self.message}"


class EndlessRoutes(Contract):
    """Candidates that were dropped because their route never came to an end."""

    dropped: Count
    scored: Count = Field(description="how many candidates of the run were scored")
    message: str

    def words(self) -> str:
        """In words: "6 candidates were dropped, since their route had no end, and none was scored: still not …"."""
        several = f"{self.dropped:,} candidates were dropped, since their"
        many = "1 candidate was dropped, since its" if self.dropped == 1 else several
        none = ", and none was scored" if not self.scored else ""
        return f"{many} route had no end{none}: {self.message}"


class Setbacks(Contract):
    """What went wrong in a run, as its end says it."""

    failed_steps: tuple[FailedStep, ...] = ()
    closed_niches: tuple[ClosedNiche, ...] = ()
    endless_routes: EndlessRoutes | None = None


class FailedSteps:
    """Counts operations that ended; feed it every event of one run in order."""

    def __init__(self) -> None:
        self._kinds: dict[str, OperationKind] = {}
        self._ended: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._messages: Counter[tuple[str, str]] = Counter()
        self._challenging: dict[str, str] = {}
        self._closing: dict[str, ClosedNiche] = {}
        self._endless: list[str] = []
        self._scored: set[str] = set()

    def take(self, event: Event) -> Self:
        """Fold one event."""
        match event.payload:
            case OperationStarted(operation=operation):
                self._kinds.setdefault(operation.step, operation.kind)
                self._begin(operation)
            case OperationCompleted(step=step):
                self._ended[step] += 1
            case OperationFailed(step=step) as failure:
                self._ended[step] += 1
                self._failed[step] += 1
                self._count(step, failure_message(failure))
                self._close_in(failure)
            case GateVerdict(verdict=verdict):
                self._closing.pop(verdict.challenge.niche, None)
            case CandidateRejected(reasons=(reason, *_)) if reason.code == ENDLESS_ROUTE:
                self._endless.append(reason.message)
            case FitnessScored(score=score):
                self._scored.add(score.candidate_id)
        return self

    def _begin(self, operation: Operation) -> None:
        if operation.kind == "challenge" and isinstance(operation.challenge, Challenge):
            self._challenging[operation.id] = operation.challenge.niche

    def _close_in(self, failure: OperationFailed) -> None:
        niche = self._challenging.pop(failure.operation_id, None)
        if niche is None:
            return
        first = ClosedNiche(niche=niche, step=failure.step, challenges=0, message=failure_message(failure))
        before = self._closing.get(niche, first)
        self._closing[niche] = before.model_copy(update={"challenges": before.challenges + 1})

    def _count(self, step: str, message: str) -> None:
        if (step, message) in self._messages or len(self._messages) < _MOST_MESSAGES:
            self._messages[step, message] += 1

    def messages(self, most: int) -> dict[str, int]:
        """The most frequent messages with their counts, each after its step."""
        return {f"{step}: {message}": times for (step, message), times in self._messages.most_common(most)}

    def setbacks(self) -> Setbacks:
        """Everything that went wrong."""
        return Setbacks(
            failed_steps=self.rows(), closed_niches=self.closed_niches(), endless_routes=self.endless_routes()
        )

    def closed_niches(self) -> tuple[ClosedNiche, ...]:
        """The niches that make no more challenges."""
        return tuple(each for each in self._closing.values() if each.challenges >= MOST_FAILED_CHALLENGES)

    def endless_routes(self) -> EndlessRoutes | None:
        """The candidates whose route had no end; None where there is none."""
        if not self._endless:
            return None
        return EndlessRoutes(dropped=len(self._endless), scored=len(self._scored), message=self._endless[0])

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
