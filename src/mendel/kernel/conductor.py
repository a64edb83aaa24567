"""The conductor of one run: calls ``decide``, performs operations, appends events and folds what the log returns."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from mendel.contracts.commands import Command, CommandKind
from mendel.contracts.errors import ContractError, DomainFailed
from mendel.contracts.events.envelope import Event, EventDraft
from mendel.contracts.events.operation import Operation, OperationStarted
from mendel.contracts.events.run import RunCompleted, RunFailed, RunHeartbeat, RunStopped
from mendel.contracts.statuses import RunStatus
from mendel.contracts.tasks import Result
from mendel.contracts.work import Answer, ChildAnswered, ChildAsked, Failure
from mendel.kernel import performing
from mendel.kernel.asking import Asked
from mendel.kernel.commanding import heed, refuse
from mendel.kernel.decide import decide, failure, with_digests
from mendel.kernel.domain import Domain
from mendel.kernel.domain_thread import DomainThread
from mendel.kernel.fold import check_batch, fold
from mendel.kernel.inheriting import candidates_before
from mendel.kernel.mind import Mind, SelectorFactory
from mendel.kernel.performing import NO_CONTENTS, EarlierContents, Nursery, outcome_of, task_of
from mendel.kernel.settling import Beside, kept_attempts, settle, subject_of
from mendel.kernel.state import InFlight, RunState
from mendel.ports.clock import Clock
from mendel.ports.event_log import EventLog, RunWriter
from mendel.ports.task_fabric import TaskLane

T = TypeVar("T")

Listener = Callable[[Event], object]


def ignore_event(event: Event) -> None:
    """Ignore ``event``; the default listener."""


@dataclass(frozen=True)
class Options:
    """Options for conducting a run; none of them changes its results.

    ``only_answer`` answers the waiting commands, drains a run that is ending, and leaves any other run as it is.
    """

    conductor: str = "conductor"
    heartbeat_s: float = 5.0
    domain_patience_s: float = 30.0
    listen: Listener = ignore_event
    only_answer: bool = False


class Conductor:
    """The conductor of a run that this process holds; an instance is for one call of ``run``."""

    def __init__(
        self,
        log: EventLog,
        writer: RunWriter,
        lane: TaskLane,
        clock: Clock,
        state: RunState,
        domain: Domain,
        selector: SelectorFactory,
        options: Options,
    ) -> None:
        self._log = log
        self._writer = writer
        self._lane = lane
        self._clock = clock
        self._options = options
        self.state = state
        self._domain = domain
        self._asked = Asked(domain)
        self._recall = partial(Mind.rebuilt, state, domain, selector)
        self._earlier: EarlierContents = NO_CONTENTS
        self._mind: Mind | None = None
        self._thread = DomainThread(domain.name, self._doing, options.domain_patience_s)
        self._began = clock.now()
        self._queued: deque[str] = deque()  # operations with a marker that wait for a slot
        self._tasks: dict[str, str] = {}  # task id to operation id
        self._nursery = Nursery(lane)
        self._due: dict[str, datetime] = {}  # ends of operations that only wait
        self._lost: dict[str, int] = {}  # deliveries without a result, by operation
        self._commands: deque[Command] = deque()
        self._command_came = asyncio.Event()
        self._kill_came = asyncio.Event()
        self._killing: asyncio.Task[bool] | None = None
        self._results: asyncio.Task[Sequence[Result]] | None = None
        self._wishes: asyncio.Task[Sequence[ChildAsked]] | None = None

    async def run(self) -> RunState:
        """Conduct the run until it is over.

        Raises:
            MendelError: the log cannot be written any more; the run is interrupted, not ended.
        """
        # Kills and commands come first, without the domain: the kill switch must work even if its code hangs (rule 1).
        async with AsyncExitStack() as stack:
            stack.callback(self._thread.close)
            watching = asyncio.create_task(self._watch_commands())
            stack.push_async_callback(_stopped, watching)
            stack.push_async_callback(self._stop_waiting)
            try:
                await self._meet_doom()
                await self._heed_waiting()
                if self._stays():
                    await self._read_earlier()
                    await self._take_up()
                    while not self.state.terminal:
                        await self._step(watching)
            except DomainFailed as error:
                await self._record_plan([EventDraft.of(failure(self.state, str(error)))])
            await self._let_go()
            if self.state.terminal:
                await self._refuse_rest()
        return self.state

    def _stays(self) -> bool:
        ending = self.state.status in (RunStatus.COMPLETING, RunStatus.STOPPING)
        return not self.state.terminal and (ending or not self._options.only_answer)

    async def _step(self, watching: asyncio.Task[None]) -> None:
        drafts = await self._think()
        if drafts:
            await self._record_plan(drafts)
        elif not self.state.terminal:
            if watching.done():  # it ends only with an error: without commands there is no kill switch
                watching.result()
            await self._wait()

    # --- deciding --------------------------------------------------------------------------------------------

    async def _think(self) -> list[EventDraft]:
        """Return the events of ``decide``; none if a command waits or the run is killed in the meantime."""
        if self._commands:
            return []
        if self._mind is None:
            self._mind = await self._unless_killed(self._recall)
        if self._mind is None:
            return []
        return await self._unless_killed(partial(decide, self.state, self._mind)) or []

    def _doing(self) -> str:
        """Return the domain's method that is probably running, for messages."""
        asked = self._mind.asked if self._mind is not None else self._asked
        return f"domain {self._domain.name}: {asked.doing or self._asked.doing or 'its selector'}"

    async def _unless_killed(self, work: Callable[[], T]) -> T | None:
        """Run the domain's code in its thread; return None if the run is killed first."""
        begun = self._thread.begin(work)
        if begun.done():
            return begun.result()
        thinking = asyncio.create_task(self._thread.finish(begun))
        if self._killing is None:
            self._killing = asyncio.create_task(self._kill_came.wait())
        try:
            await asyncio.wait((thinking, self._killing), return_when=asyncio.FIRST_COMPLETED)
            return thinking.result() if thinking.done() else None
        finally:
            await _stopped(thinking)

    # --- recording -------------------------------------------------------------------------------------------

    async def _record(self, drafts: Sequence[EventDraft]) -> None:
        """Append a batch, fold the stored events, and start the operations of its markers."""
        check_batch(self.state, drafts)
        for event in await self._writer.append(drafts):
            fold(self.state, event)
            self._options.listen(event)
            if isinstance(event.payload, OperationStarted) and event.payload.operation.parent is None:
                self._launch(self.state.in_flight[event.payload.operation.id])
        await self._submit()

    async def _record_plan(self, drafts: list[EventDraft]) -> None:
        try:
            ends = RunCompleted | RunStopped | RunFailed
            closed = [
                await self._closed(each, each.payload) if isinstance(each.payload, ends) else each for each in drafts
            ]
            await self._record(closed)
        except ContractError as error:
            raise DomainFailed(f"domain {self._domain.name}: its data cannot be stored in an event: {error}") from error

    async def _closed(self, draft: EventDraft, payload: RunCompleted | RunStopped | RunFailed) -> EventDraft:
        """Return a draft that ends the run, with the digests of everything before it.

        Not in ``decide``: a digest takes time in proportion to the run, and must not use up the domain's time limit.
        """
        summary = await asyncio.to_thread(with_digests, self.state, payload.summary)
        return draft.model_copy(update={"payload": payload.model_copy(update={"summary": summary})})

    async def _record_outcomes(self, outcomes: Sequence[tuple[str, Answer | Failure]]) -> None:
        """Record the outcomes of operations in one batch, or one by one if any of them cannot be stored."""
        beside = Beside()
        batches = [self._settled(operation_id, outcome, beside) for operation_id, outcome in outcomes]
        try:
            await self._record([draft for batch in batches for draft in batch])
        except ContractError:
            for operation_id, outcome in outcomes:
                await self._record_one(operation_id, outcome)

    async def _record_one(self, operation_id: str, outcome: Answer | Failure) -> None:
        try:
            await self._record(self._settled(operation_id, outcome, Beside()))
        except ContractError as error:
            refused = Failure(error_type="bad_answer", error_code=error.code, message=str(error)[:2_000])
            await self._record(self._settled(operation_id, refused, Beside()))

    def _settled(self, operation_id: str, outcome: Answer | Failure, beside: Beside) -> list[EventDraft]:
        flown = self.state.flown(operation_id)
        if flown is None:  # a result may be delivered twice
            return []
        lost = self._lost.pop(operation_id, 0)
        family = self.state.families.get(operation_id)
        orphans = [child.operation for child in family.open.values()] if family is not None else []
        return [
            *(
                draft
                for child in orphans
                for draft in settle(
                    self.state, child, performing.orphan_failure(operation_id), self._domain, beside=beside
                )
            ),
            *settle(self.state, flown.operation, outcome, self._domain, beside=beside, lost=lost),
        ]

    async def _read_earlier(self) -> None:
        """Read the candidates of earlier runs if any step may receive them; after the commands, which need none."""
        if any(step.neighbours and step.earlier for step in self._domain.steps.values()):
            earlier = await candidates_before(self._log, self.state)
            self._recall = partial(self._recall, earlier=earlier)
            self._earlier = {(each.run_id, each.candidate_id): each.content for each in earlier}

    # --- performing ------------------------------------------------------------------------------------------

    async def _take_up(self) -> None:
        """Resume the operations that an earlier conductor left in flight: keep running tasks, and retry lost ones."""
        held = {_operation_of(task.payload): task_id for task_id, task in (await self._lane.outstanding()).items()}
        again: list[EventDraft] = []
        for flown in list(self.state.in_flight.values()):
            if flown.operation.kind == "wait":
                self._launch(flown)
            elif flown.operation.id in held:
                self._tasks[held[flown.operation.id]] = flown.operation.id
            else:
                again.append(self._another_attempt(flown))
        self._nursery.recall({task_id: child for child, task_id in held.items() if child in self.state.parent_of})
        for draft in again:
            await self._record_again(draft)

    def _another_attempt(self, flown: InFlight) -> EventDraft:
        return self._attempt(flown.operation, flown.attempt + 1)

    def _attempt(self, operation: Operation, attempt: int) -> EventDraft:
        generation, genome, candidate = subject_of(self.state, operation)
        return EventDraft.of(
            OperationStarted(operation=operation, attempt=attempt),
            generation_id=generation,
            genome_id=genome,
            candidate_id=candidate,
            operation_id=operation.id,
        )

    async def _record_again(self, draft: EventDraft) -> None:
        """Start a retry if the caps cover its worst case in addition to that of the lost attempt, else fail it."""
        marker = draft.payload
        if not isinstance(marker, OperationStarted):
            raise TypeError(draft.type)
        cap = self.state.ledger.lacking_again(self.state.caps, marker.operation)
        if cap is None:
            await self._record([draft])
        else:
            lost = Failure(
                error_type="cap_reached",
                error_code="cap_reached",
                message=f"{cap} forbids another attempt",
                usage=marker.operation.allowance,
            )
            await self._record_outcomes([(marker.operation.id, lost)])

    def _launch(self, flown: InFlight) -> None:
        operation = flown.operation
        if operation.kind == "wait":
            self._due[operation.id] = after(flown.started_at, operation.deadline_ms or 0)
        else:
            self._queued.append(operation.id)

    async def _submit(self) -> None:
        """Submit queued operations to the fabric while slots are free; only markers may be ahead of their slots."""
        while self._queued and len(self._tasks) < max(1, self.state.slots) and not self.state.terminal:
            flown = self.state.in_flight.get(self._queued.popleft())
            if flown is not None:
                task = task_of(self.state, flown, self._domain, self._earlier)
                self._tasks[task.id] = flown.operation.id
                await self._lane.submit(task, deadline_ms=flown.operation.deadline_ms)

    # --- waiting ---------------------------------------------------------------------------------------------

    async def _wait(self) -> None:
        """Wait for a result, a child request, a command or a timer, and handle it; commands have priority."""
        if not self._commands and not _has_come(self._results) and not _has_come(self._wishes):
            await self._sleep()
        if self._commands:
            await self._heed_next()
        elif _has_come(self._results):
            await self._take_results()
        elif _has_come(self._wishes):
            await self._take_wishes()
        else:
            await self._tell_time()

    async def _sleep(self) -> None:
        if self._results is None and self._tasks:
            self._results = asyncio.create_task(self._lane.results())  # kept over several waits
        if self._wishes is None and self._tasks and any(step.children for step in self._domain.steps.values()):
            self._wishes = asyncio.create_task(self._lane.asked())
        moment = next_moment(self.state, self._due, self._options.heartbeat_s, self._clock.now())
        timer = asyncio.create_task(self._clock.until(moment))
        command = asyncio.create_task(self._command_came.wait())
        waiting = {timer, command, *(each for each in (self._results, self._wishes) if each is not None)}
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()
            command.cancel()

    async def _take_results(self) -> None:
        task, self._results = self._results, None
        if task is None:
            return
        results = task.result()
        born = [(child, result) for result in results if (child := self._nursery.take(result.task_id)) is not None]
        if born:
            await self._take_known(born)
        known = [(self._tasks.pop(result.task_id), result) for result in results if result.task_id in self._tasks]
        await self._take_known(known)
        await self._nursery.tell(self.state)
        # Only once they are recorded: a result that is not acknowledged is delivered again after a crash.
        await self._lane.acknowledge([result.task_id for result in results])
        await self._submit()

    async def _take_known(self, known: Sequence[tuple[str, Result]]) -> None:
        self._lost.update({operation_id: result.attempts - 1 for operation_id, result in known})
        outcomes = [
            (operation_id, await kept_attempts(outcome_of(result), self._log.blobs)) for operation_id, result in known
        ]
        await self._record_outcomes(outcomes)

    # --- children --------------------------------------------------------------------------------------------

    async def _take_wishes(self) -> None:
        """Start the children that handlers request, each after its marker, or answer the requests from the log."""
        task, self._wishes = self._wishes, None
        for asked in task.result() if task is not None else ():
            parent = self.state.in_flight.get(self._tasks.get(asked.task_id, ""))
            if parent is not None and not self.state.terminal:
                await self._take_wish(asked, parent.operation)

    async def _take_wish(self, asked: ChildAsked, parent: Operation) -> None:
        found = performing.wanted_child(self.state, self._domain, parent, asked)
        if isinstance(found, Answer | Failure):
            await self._lane.answer(ChildAnswered(task_id=asked.task_id, index=asked.index, outcome=found))
            return
        child = found if isinstance(found, Operation) else found.operation
        if not self._nursery.cares_for(child.id):
            try:
                await self._record([self._attempt(child, found.attempt + 1 if isinstance(found, InFlight) else 1)])
            except ContractError as error:
                refused = performing.refused_child("bad_inputs", str(error)[:2_000])
                await self._lane.answer(ChildAnswered(task_id=asked.task_id, index=asked.index, outcome=refused))
                return
            flown = self.state.flown(child.id)
            if flown is not None:
                await self._nursery.begin(task_of(self.state, flown, self._domain, self._earlier), flown)
        self._nursery.expect(child.id, asked)

    async def _tell_time(self) -> None:
        """Record due timers, or else a heartbeat, so that recorded time advances and deadlines are noticed."""
        now = self._clock.now()
        due = [operation_id for operation_id, moment in self._due.items() if moment <= now]
        if due:
            for operation_id in due:
                del self._due[operation_id]
            await self._record_outcomes([(operation_id, Answer()) for operation_id in due])
            return
        uptime = max(0, int((now - self._began).total_seconds() * 1_000))
        beat = RunHeartbeat(epoch=self._writer.epoch, in_flight=len(self.state.in_flight), uptime_ms=uptime)
        await self._record([EventDraft.of(beat)])

    async def _heed_waiting(self) -> None:
        """Answer the commands that arrived while the run had no conductor, before anything is performed again."""
        waiting = await self._log.commands(self.state.run_id, self.state.commands_through)
        if any(command.kind is CommandKind.KILL for command in waiting):
            self._kill_came.set()
        for command in waiting:
            await self._heed(command)

    async def _heed_next(self) -> None:
        command = self._commands.popleft()
        if not self._commands:
            self._command_came.clear()
        await self._heed(command)

    async def _refuse_rest(self) -> None:
        """Refuse the commands that arrived too late: every command gets an answer."""
        for command in await self._log.commands(self.state.run_id, self.state.commands_through):
            await self._record(refuse(self.state, command, f"the run is {self.state.status} already"))

    async def _heed(self, command: Command) -> None:
        if command.kind in (CommandKind.PROPOSE, CommandKind.SET_PARAMETERS):  # these run the domain's code
            ask = partial(heed, self.state, command, self._asked)
            drafts = await self._unless_killed(ask)
            drafts = drafts if drafts is not None else refuse(self.state, command, "the run is being killed")
        else:
            drafts = heed(self.state, command, self._asked)
        if drafts:
            await self._record(drafts)
        await self._meet_doom()

    async def _meet_doom(self) -> None:
        """End a run that was killed, even with operations in flight and running domain code."""
        if self.state.doom is not None and not self.state.terminal:
            await self._record_plan([EventDraft.of(failure(self.state, self.state.doom))])

    async def _watch_commands(self) -> None:
        source = self._log.follow_commands(self.state.run_id, self.state.commands_through)
        async with aclosing(source):
            async for command in source:
                self._commands.append(command)
                self._command_came.set()
                if command.kind is CommandKind.KILL:
                    self._kill_came.set()

    # --- leaving ---------------------------------------------------------------------------------------------

    async def _stop_waiting(self) -> None:
        for waiting in (self._results, self._wishes, self._killing):
            if waiting is not None:
                await _stopped(waiting)

    async def _let_go(self) -> None:
        for task_id in [*self._tasks, *self._nursery.tasks]:
            await self._lane.cancel(task_id)


def _has_come(task: asyncio.Task[T] | None) -> bool:
    return task is not None and task.done()


def _operation_of(payload: object) -> str:
    match payload:
        case {"work": {"operation": {"id": str(operation_id)}}}:
            return operation_id
    return ""


async def _stopped(task: asyncio.Task[T]) -> None:
    """Cancel a task and wait for its end; its exception was raised to its waiter before, or does not matter."""
    if not task.done():
        task.cancel()
        await asyncio.wait((task,))
    if not task.cancelled():
        task.exception()  # marks it as retrieved, else asyncio logs it


# The moments at which a conductor must act, even if nothing happens.


_FAR_MS = 100 * 366 * 24 * 3_600_000


def next_moment(state: RunState, due: Mapping[str, datetime], heartbeat_s: float, now: datetime) -> datetime:
    """Return the earliest of: the next heartbeat, all timers, the generations' deadlines, the run's wall-clock cap."""
    last = state.times.now or now
    moments = [after(last, int(heartbeat_s * 1_000)), *due.values(), *_deadlines(state)]
    if state.times.epoch_began is not None:
        left = state.caps.wall_clock_ms - state.times.conducted_ms()
        moments.append(after(last, left + 1))  # + 1 ms: certainly beyond the limit by then
    return min(moments)


def after(moment: datetime, for_ms: int) -> datetime:
    """Return the time ``for_ms`` milliseconds later; at most about 100 years, since datetime would overflow."""
    return moment + timedelta(milliseconds=min(max(0, for_ms), _FAR_MS))


def _deadlines(state: RunState) -> list[datetime]:
    limit = state.config.state_deadline_ms
    if limit is None:
        return []
    entered = [generation.entered_at for generation in state.lives()]
    return [after(moment, limit + 1) for moment in entered if moment is not None]
