"""The kernel without a log, a fabric or a clock: a test decides, completes and passes the time by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from mendel.contracts.actors import Actor
from mendel.contracts.commands import Command, CommandKind
from mendel.contracts.errors import DomainFailed
from mendel.contracts.events.envelope import GENESIS, Event, EventDraft
from mendel.contracts.events.operation import OperationStarted
from mendel.contracts.events.registry import SCHEMA_VERSION
from mendel.contracts.events.run import ConductorTookOver, RunConfigured, RunHeartbeat
from mendel.contracts.ids import new_event_id, new_run_id
from mendel.contracts.run_config import RunConfig
from mendel.contracts.work import Answer, Failure, Work
from mendel.kernel.commanding import heed
from mendel.kernel.decide import decide, failure
from mendel.kernel.domain import Domain
from mendel.kernel.fold import check_batch, fold
from mendel.kernel.mind import Mind
from mendel.kernel.performing import material
from mendel.kernel.settling import Beside, settle
from mendel.kernel.state import InFlight, RunState
from mendel.selection.selectors import Tournament

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)

Performer = Callable[[Work], Answer | Failure]


class Track:
    """One run: its events, the state that they fold to, and the mind that decides."""

    def __init__(self, config: RunConfig, domain: Domain) -> None:
        self.domain = domain
        self.events: list[Event] = []
        self.now = BEGAN
        self.state = RunState(new_run_id())
        self.commands = 0
        self.append([EventDraft.of(RunConfigured(config=config, mendel_version="0"), actor=Actor.OPERATOR)])
        self.mind = Mind.rebuilt(self.state, domain, Tournament)
        self.take_over()

    # --- what a conductor does -------------------------------------------------------------------------------

    def append(self, drafts: Sequence[EventDraft]) -> None:
        check_batch(self.state, drafts)
        for draft in drafts:
            event = self._stored(draft)
            self.events.append(event)
            fold(self.state, event)

    def _stored(self, draft: EventDraft) -> Event:
        fields = {name: getattr(draft, name) for name in EventDraft.model_fields}
        return Event(
            **fields,
            run_id=self.state.run_id,
            sequence=len(self.events),
            schema_version=SCHEMA_VERSION,
            occurred_at=self.now,
            prev_hash=GENESIS,
            hash=GENESIS,
        )

    def decide(self) -> list[EventDraft]:
        """Decide and record; what was decided."""
        try:
            drafts = decide(self.state, self.mind)
        except DomainFailed as error:
            drafts = [EventDraft.of(failure(self.state, str(error)))]
        self.append(drafts)
        return drafts

    def decide_all(self) -> None:
        """Until there is nothing to decide."""
        while not self.state.terminal and self.decide():
            pass

    def complete(self, *outcomes: tuple[str, Answer | Failure]) -> None:
        """Record how operations ended, as one batch."""
        beside = Beside()
        batches = [
            settle(self.state, self.state.in_flight[operation_id].operation, outcome, self.domain, beside=beside)
            for operation_id, outcome in outcomes
        ]
        self.append([draft for batch in batches for draft in batch])

    def work(self, operation_id: str) -> Work:
        flown = self.state.in_flight[operation_id]
        spec = self.domain.steps.get(flown.operation.step)
        given = material(self.state, flown.operation, spec)
        return Work(operation=flown.operation, material=given, attempt=flown.attempt)

    def command(self, kind: CommandKind, **payload: Any) -> list[EventDraft]:
        self.commands += 1
        command = Command(
            id=new_event_id(),
            run_id=self.state.run_id,
            kind=kind,
            payload=payload,
            position=self.commands,
            issued_at=self.now,
        )
        drafts = heed(self.state, command, self.mind.asked)
        self.append(drafts)
        if self.state.doom is not None and not self.state.terminal:
            self.append([EventDraft.of(failure(self.state, self.state.doom))])
        return drafts

    def take_over(self) -> None:
        """Another conductor: a new mind, and another attempt of whatever was in flight."""
        self.append([EventDraft.of(ConductorTookOver(epoch=len(self.events), conductor="another"))])
        self.mind = Mind.rebuilt(self.state, self.domain, Tournament)
        for flown in list(self.state.in_flight.values()):
            if flown.operation.kind != "wait":
                self._try_again(flown)

    def _try_again(self, flown: InFlight) -> None:
        operation = flown.operation
        cap = self.state.ledger.lacking_again(self.state.caps, operation)
        if cap is not None:
            lost = Failure(
                error_type="cap_reached",
                error_code="cap_reached",
                message=f"{cap} forbids another attempt",
                usage=operation.allowance,
            )
            self.complete((operation.id, lost))
            return
        marker = OperationStarted(operation=operation, attempt=flown.attempt + 1)
        self.append([EventDraft.of(marker, operation_id=operation.id)])

    def pass_time(self, ms: int) -> None:
        """Time passes, and somebody notes it."""
        self.now += timedelta(milliseconds=ms)
        beat = RunHeartbeat(epoch=0, in_flight=len(self.state.in_flight), uptime_ms=0)
        self.append([EventDraft.of(beat)])

    # --- runs ------------------------------------------------------------------------------------------------

    def in_flight(self, *kinds: str) -> list[str]:
        return [each for each, flown in self.state.in_flight.items() if not kinds or flown.operation.kind in kinds]

    def finish(self, perform: Performer, most: int = 10_000) -> int:
        """Complete one operation after the other until the run is over; how many steps that took."""
        for step in range(most):
            if self.state.terminal:
                return step
            if not self.decide() and not self.state.terminal:
                flying = self.in_flight()
                assert flying, f"the run waits for nothing: {self.state.status}"
                self.complete((flying[0], perform(self.work(flying[0]))))
        raise AssertionError(f"the run is {self.state.status} after {most} steps")

    def refolded(self) -> RunState:
        """The state that the events fold to, read back from their JSON."""
        state = RunState(self.state.run_id)
        for event in self.events:
            fold(state, Event.model_validate_json(event.model_dump_json()))
        return state
