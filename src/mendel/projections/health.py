"""The health of a run: its caps and operations in flight, the figures shown while it runs, failures, and a summary."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, Self

from pydantic import AwareDatetime, Field, JsonValue

from mendel.contracts.base import Contract, Count
from mendel.contracts.events.candidate import ENDLESS_ROUTE, CandidateCreated, CandidateRejected, FitnessScored
from mendel.contracts.events.energy import EnergySpent
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import GateVerdict
from mendel.contracts.events.operation import (
    Operation,
    OperationCompleted,
    OperationFailed,
    OperationKind,
    OperationStarted,
)
from mendel.contracts.events.run import (
    RUN_STATUS_AFTER,
    CapName,
    CommandAccepted,
    ConductorTookOver,
    RunConfigured,
)
from mendel.contracts.log_views import Head
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.read_models import Change, Row, TableName, Values
from mendel.contracts.run_config import RunConfig
from mendel.contracts.statuses import RunStatus
from mendel.contracts.step_words import NO_WORDS, StepRole, Wording, role_of, word_of
from mendel.contracts.verdicts import MOST_FAILED_CHALLENGES, Challenge
from mendel.projections.current_state import Champions, first_champion
from mendel.projections.tables import TableFold, amounts_in, conducted_ms, epochs_of, in_flight, limits_of, whole

HEARTBEAT_MS: Final = 5_000
"""Milliseconds between the heartbeats of a run's conductor."""

STALLED_AFTER: Final = timedelta(milliseconds=3 * HEARTBEAT_MS)

_TOLD_OF_FLIGHTS: Final = ("step", "kind", "subject_ids", "attempt", "started_at")
_CONDUCTED: Final = frozenset({RunStatus.RUNNING, RunStatus.COMPLETING, RunStatus.STOPPING})


class OperationInFlight(Contract):
    """An operation in flight: its latest marker has no completion yet.

    ``word`` is its domain's word for the step; ``role`` distinguishes reviews from checks.
    """

    id: str
    step: str
    word: str
    role: StepRole | None
    kind: OperationKind
    subject_ids: tuple[str, ...]
    attempt: Count
    started_at: AwareDatetime


class LastEvent(Contract):
    """The last event that the view covers."""

    type: str
    sequence: Count
    occurred_at: AwareDatetime


class CapUse(Contract):
    """The used amount of a cap. The limit is None before the run is configured."""

    limit: Count | None
    used: Count


class EnergyUse(Contract):
    """Energy charged, and energy reserved for operations in flight."""

    budget: Count | None
    spent: Count
    reserved: Count


class HealthView(Contract):
    """The health of a run after the event ``sequence_through``; ``epochs`` is the number of takeovers."""

    run_id: str
    sequence_through: Count
    status: RunStatus | None
    generation: Count | None
    in_flight: tuple[OperationInFlight, ...]
    last_event: LastEvent
    last_event_at: AwareDatetime
    caps: Mapping[CapName, CapUse]
    energy: EnergyUse
    conductor: str | None
    epoch: Count | None
    epochs: Count


def stalled(view: HealthView, now: datetime) -> bool:
    """Return whether the run in ``view`` has stalled, see ``unheard_of``."""
    return unheard_of(view.status, view.last_event_at, now)


def unheard_of(status: RunStatus | None, last_event_at: datetime | None, now: datetime) -> bool:
    """Return whether a run should have a conductor, but recorded no event for more than three heartbeats."""
    return status in _CONDUCTED and last_event_at is not None and now - last_event_at > STALLED_AFTER


def health_of(
    run: Row, generations: Iterable[Row], in_flight: Iterable[Row], wording: Wording = NO_WORDS
) -> HealthView:
    """Return a run's health from its own row, the rows of its generations, and those of operations in flight.

    An attempt counts at its allowance from its marker on, and at its measured usage from its completion on. An attempt
    that was lost and retried after a takeover was never measured, and stays counted at its allowance. Energy is charged
    for success only, so a retried operation has one reservation.
    """
    values, flying = run.values, tuple(in_flight)
    limits = limits_of(values)
    at = datetime.fromisoformat(str(values["last_event_at"]))
    energy = EnergyUse(
        budget=limits["energy_budget"] if limits else None,
        spent=whole(values["energy_spent"]),
        reserved=sum(whole(row.values["reserved"]) for row in flying),
    )
    used = _used(values, generations, flying, energy)
    return HealthView.model_validate(
        {
            "run_id": run.key,
            "sequence_through": run.last,
            "status": values.get("status"),
            "generation": values.get("generation"),
            "in_flight": tuple(_flying(row, wording) for row in flying),
            "last_event": LastEvent(type=str(values["last_type"]), sequence=run.last, occurred_at=at),
            "last_event_at": at,
            "caps": {name: CapUse(limit=limits[name] if limits else None, used=use) for name, use in used.items()},
            "energy": energy,
            "conductor": values.get("conductor"),
            "epoch": values.get("epoch"),
            "epochs": epochs_of(values),
        }
    )


def _flying(row: Row, wording: Wording) -> dict[str, JsonValue]:
    told = {name: row.values[name] for name in _TOLD_OF_FLIGHTS}
    step, kind = str(told["step"]), str(told["kind"])
    return {"id": row.key, "word": word_of(wording, step), "role": role_of(wording, step, kind), **told}


def _used(values: Values, generations: Iterable[Row], flying: Sequence[Row], energy: EnergyUse) -> dict[CapName, int]:
    held = [row.values["allowance"] for row in flying]
    amounts = Counter[str]()
    for each in (values["settled"], *held):
        amounts.update(amounts_in(each))
    return {
        "max_population": whole(values["living"]) + sum(row.values["kind"] == "vary" for row in flying),
        "max_generations": len({row.values["index"] for row in generations if "index" in row.values}),
        "max_candidates": whole(values["candidates"]),
        "energy_budget": energy.spent + energy.reserved,
        "max_spawn_depth": whole(values.get("deepest", 0)),
        "max_tool_calls": amounts["tool_calls"],
        "max_tokens": amounts["tokens"],
        "max_cost_microusd": amounts["cost_microusd"],
        "wall_clock_ms": conducted_ms(values),
        "max_evaluations": amounts["evaluations"],
    }


class HealthFold:
    """Folds events into a ``HealthView``; takes every event of one run in order.

    It keeps the rows that the view is built from, in the same form as the read models.
    """

    def __init__(self, wording: Wording = NO_WORDS) -> None:
        self._wording = wording
        self._fold = TableFold(wording)
        self._rows: dict[str, dict[str, Row]] = {"runs": {}, "generations": {}, "operations": {}}

    def take(self, event: Event) -> Self:
        """Fold one event."""
        for change in self._fold.take(event):
            self._note(change, event.sequence)
        return self

    def _note(self, change: Change, sequence: int) -> None:
        table, key, values = change
        if table in self._rows:
            self._change(table, key, values, sequence)

    def _change(self, table: TableName, key: str, values: Values, sequence: int) -> None:
        rows = self._rows[table]
        before = rows.get(key) or Row(key, sequence, sequence, {})
        rows[key] = Row(key, before.first, sequence, {**before.values, **values})
        if table == "operations" and not in_flight(rows[key].values):
            del rows[key]  # else memory would grow with the run

    @property
    def run(self) -> Row | None:
        """The row of the run itself; None before the first event."""
        return next(iter(self._rows["runs"].values()), None)

    def view(self) -> HealthView | None:
        """Return the view; None before the first event."""
        if self.run is None:
            return None
        generations, flying = self._rows["generations"].values(), self._rows["operations"].values()
        return health_of(self.run, generations, flying, self._wording)


# The display of a run in progress: its health, and the figures of the run's page, from the same rows.


LAST_SCORES: Final = 20
"""The number of latest scores in the mean, here and on the page: a mean of all scores would hardly change."""


class WatchFold(HealthFold):
    """Folds events into the figures that a terminal shows; takes every event of one run in order."""

    def __init__(self, wording: Wording = NO_WORDS) -> None:
        super().__init__(wording)
        self._latest: deque[float] = deque(maxlen=LAST_SCORES)
        self._failed = FailedSteps()
        self.config: RunConfig | None = None

    def take(self, event: Event) -> Self:
        """Fold one event."""
        super().take(event)
        self._failed.take(event)
        if isinstance(event.payload, RunConfigured):
            self.config = event.payload.config
        return self

    def _note(self, change: Change, sequence: int) -> None:
        super()._note(change, sequence)
        total = change.values.get("total") if change.table == "fitness_scores" else None
        if isinstance(total, int | float):
            self._latest.append(float(total))

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self.run is not None and self.run.values.get("ended") is not None

    @property
    def setbacks(self) -> Setbacks:
        """The failures of the run: steps with failed operations, and their consequences."""
        return self._failed.setbacks()

    @property
    def scored(self) -> int:
        """Number of scored candidates."""
        return whole(self.run.values["scored"]) if self.run is not None else 0

    @property
    def mean(self) -> float | None:
        """The mean fitness of the latest scores."""
        return sum(self._latest) / len(self._latest) if self._latest else None

    @property
    def best(self) -> tuple[float, str] | None:
        """The best fitness, with its candidate's id."""
        values = self.run.values if self.run is not None else {}
        fitness, who = values.get("best_fitness"), values.get("best_candidate_id")
        return (float(fitness), str(who)) if isinstance(fitness, int | float) else None

    @property
    def champion(self) -> str | None:
        """The champion of the first niche that has one."""
        found = self.run.values.get("champion_id") if self.run is not None else None
        return found if isinstance(found, str) else None


# The failures of a run: steps with failed operations, niches without further challenges, routes without an end.


RAISED: Final = "handler_raised"
"""The error code of an unexpected exception in a step: its message is unclear without the exception's name."""
_MOST_MESSAGES: Final = 1_000
"""Maximum number of different messages counted: messages that contain a value differ each time."""
_LONGEST: Final = 300


class FailedStep(Contract):
    """A step with failed operations: ``failed`` of ``ended`` ones, ``times`` of them with ``message``."""

    step: str
    kind: OperationKind | None = Field(description="how the kernel uses the results of its operations")
    failed: Count
    ended: Count
    message: str = Field(description="the most frequent message")
    times: Count

    def words(self) -> str:
        """Describe it, such as "3 of 9 operations of teas.taste failed, 2 of them with: key_error: 'cup'"."""
        told = f"{self.failed:,} of {self.ended:,} operations of {self.step} failed"
        if not self.message:
            return told
        return f"{told}{'' if self.times == self.failed else f', {self.times:,} of them with'}: {self.message}"


class ClosedNiche(Contract):
    """A niche without further challenges because the last ones failed. Their error budget stays spent."""

    niche: str
    step: str
    challenges: Count = Field(description="number of consecutive challenges without a verdict")
    message: str = Field(description="the message of the first of them")

    def words(self) -> str:
        """Describe it, such as "3 challenges in a row failed in peas, which makes no more (peas.duel): too slow"."""
        failed = f"{self.challenges:,} challenges in a row failed in {self.niche}, which makes no more"
        return f"{failed} ({self.step}): {self.message}"


class EndlessRoutes(Contract):
    """Candidates that were dropped because their route did not end."""

    dropped: Count
    scored: Count = Field(description="number of scored candidates in the run")
    message: str

    def words(self) -> str:
        """Describe it: "6 candidates were dropped, since their route had no end, and none was scored: still not …"."""
        several = f"{self.dropped:,} candidates were dropped, since their"
        many = "1 candidate was dropped, since its" if self.dropped == 1 else several
        none = ", and none was scored" if not self.scored else ""
        return f"{many} route had no end{none}: {self.message}"


class Setbacks(Contract):
    """The failures of a run, as shown at its end."""

    failed_steps: tuple[FailedStep, ...] = ()
    closed_niches: tuple[ClosedNiche, ...] = ()
    endless_routes: EndlessRoutes | None = None


class FailedSteps:
    """Counts ended and failed operations by step; takes every event of one run in order."""

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
                self._closing.pop(verdict.challenge.niche, None)  # only failures in a row close a niche
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
        """Return the most frequent messages with their counts, each prefixed with its step."""
        return {f"{step}: {message}": times for (step, message), times in self._messages.most_common(most)}

    def setbacks(self) -> Setbacks:
        """Return all failures."""
        return Setbacks(
            failed_steps=self.rows(), closed_niches=self.closed_niches(), endless_routes=self.endless_routes()
        )

    def closed_niches(self) -> tuple[ClosedNiche, ...]:
        """Return the niches without further challenges."""
        return tuple(each for each in self._closing.values() if each.challenges >= MOST_FAILED_CHALLENGES)

    def endless_routes(self) -> EndlessRoutes | None:
        """Return the candidates dropped because of a route without an end; None if there are none."""
        if not self._endless:
            return None
        return EndlessRoutes(dropped=len(self._endless), scored=len(self._scored), message=self._endless[0])

    def rows(self) -> tuple[FailedStep, ...]:
        """Return the steps with failed operations, the most failures first."""
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
    """Return a failed operation's message as one line of limited length, with the name of an unexpected exception."""
    message = " ".join(failure.message.split())
    if failure.error_code == RAISED and not _is_named(message, failure.error_type):  # older logs lack it
        message = f"{failure.error_type}: {message}"
    return message[:_LONGEST]


def _is_named(message: str, error_type: str) -> bool:
    """Return whether a message starts with the exception's name; ``error_type`` is that name in snake case."""
    name = message.partition(":")[0].partition(" ")[0]
    return name.lower() == error_type.replace("_", "")


# The summary of a run, as the command line shows it.


class RunView(Contract):
    """The summary of a run after the event ``sequence_through``."""

    run_id: str
    sequence_through: Count
    status: RunStatus | None
    config: RunConfig | None
    started_at: AwareDatetime
    last_event_at: AwareDatetime
    head: Head
    conductor: str | None
    epoch: int | None
    events_by_type: Mapping[str, int]
    operations_in_flight: tuple[str, ...]
    energy_spent: Count
    best_candidate_id: str | None
    best_fitness: float | None
    champion_id: str | None = Field(description="the champion of the first niche in which the run has adopted one")
    parameters: DomainPayload | None = Field(default=None, description="the domain's current parameters")
    parameters_since: Count | None = Field(default=None, description="the event that set the parameters")
    champions: Mapping[str, str] = Field(default={}, description="the champions that this run adopted, by niche")
    failures: Mapping[str, int] = Field(
        default={}, description="numbers of failed operations by step and message, the most frequent first; at most 5"
    )
    closed_niches: tuple[ClosedNiche, ...] = Field(
        default=(), description="niches without further challenges because the last ones failed"
    )
    endless_routes: EndlessRoutes | None = Field(default=None, description="candidates with a route without an end")


class RunFold:
    """Folds events into a ``RunView``; takes every event of one run in order."""

    def __init__(self) -> None:
        self._first: Event | None = None
        self._last: Event | None = None
        self._status: RunStatus | None = None
        self._config: RunConfig | None = None
        self._took_over: ConductorTookOver | None = None
        self._counts: Counter[str] = Counter()
        self._in_flight: dict[str, None] = {}
        self._energy = 0
        self._births: dict[str, tuple[int, int]] = {}
        self._best: tuple[tuple[float, int, int], str] | None = None
        self._champions = Champions()
        self._parameters: tuple[DomainPayload | None, int | None] = None, None
        self._failed = FailedSteps()

    def take(self, event: Event) -> Self:
        """Fold one event."""
        self._first = self._first or event
        self._last = event
        self._counts[event.type] += 1
        self._status = RUN_STATUS_AFTER.get(event.type, self._status)
        self._champions.take(event.payload)
        self._failed.take(event)
        match event.payload:
            case RunConfigured(config=config):
                self._config = config
                self._hold(config.parameters, event)
            case CommandAccepted(parameters=parameters):
                self._hold(parameters, event)
            case ConductorTookOver() as took_over:
                self._took_over = took_over
            case OperationStarted(operation=operation):
                self._in_flight[operation.id] = None
            case OperationCompleted(operation_id=ended) | OperationFailed(operation_id=ended):
                self._in_flight.pop(ended, None)
            case EnergySpent(actual=actual):
                self._energy += actual
            case CandidateCreated(candidate=candidate):
                self._births[candidate.id] = len(self._births), candidate.birth
            case FitnessScored(score=score):
                self._score(score.total, score.candidate_id)
        return self

    def _hold(self, parameters: DomainPayload | None, event: Event) -> None:
        if parameters is not None:
            self._parameters = parameters, event.sequence

    def _score(self, total: float, candidate_id: str) -> None:
        """Note the best score: higher is better; of equals the older birth, then the candidate created first."""
        order, birth = self._births.get(candidate_id, (0, 0))
        rank = (-total, birth, order)
        if self._best is None or rank < self._best[0]:
            self._best = rank, candidate_id

    def view(self) -> RunView | None:
        """Return the view; None before the first event."""
        if self._first is None or self._last is None:
            return None
        return RunView(
            run_id=self._last.run_id,
            sequence_through=self._last.sequence,
            status=self._status,
            config=self._config,
            started_at=self._first.occurred_at,
            last_event_at=self._last.occurred_at,
            head=Head(sequence=self._last.sequence, hash=self._last.hash),
            conductor=self._took_over.conductor if self._took_over else None,
            epoch=self._took_over.epoch if self._took_over else None,
            events_by_type=dict(self._counts.most_common()),
            operations_in_flight=tuple(self._in_flight),
            energy_spent=self._energy,
            best_candidate_id=self._best[1] if self._best else None,
            best_fitness=-self._best[0][0] if self._best else None,
            champion_id=first_champion(self._champions.by_niche, self._config.all_niches if self._config else ()),
            parameters=self._parameters[0],
            parameters_since=self._parameters[1],
            champions=dict(self._champions.by_niche),
            failures=self._failed.messages(5),
            closed_niches=self._failed.closed_niches(),
            endless_routes=self._failed.endless_routes(),
        )
