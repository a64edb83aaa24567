"""One feed per run, which reads, folds and serialises its log once for any number of watchers.

Each watcher has a cursor into the latest frames, so a slow watcher does not delay others. A watcher that falls behind
reads the log itself, or must reload the rows.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Final

from mendel.api.frames import HEARTBEAT, Form, Frame, end_frame, event_frame, reset_frame
from mendel.api.projecting import Projector
from mendel.contracts.errors import DatabaseUnavailable
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.run import RUN_STATUS_AFTER
from mendel.contracts.step_words import NO_WORDS, Wording, aliased
from mendel.ports.event_log import EventLog
from mendel.ports.read_models import ReadModels, Step

KEPT: Final = 4_096  # frames
HEARTBEAT_S: Final = 15.0
LINGER_S: Final = 30.0  # following without watchers
PATIENCE_S: Final = 10.0
_AGAIN_S: Final = 0.5  # after an outage of the log
_CHUNK: Final = 256


class Feed:
    """Keeps the rows of one run up to date with its log, and streams its events and changes."""

    def __init__(
        self, log: EventLog, models: ReadModels, run_id: str, wording: Wording = NO_WORDS, *, kept: int = KEPT
    ) -> None:
        self.run_id = run_id
        self._log = log
        self._wording = wording
        self._models = models
        self._projector = Projector(log, models, run_id, self._publish, wording)
        self._catching_up = asyncio.Lock()
        self._kept = kept
        self._frames: list[Frame] = []
        self._joined: dict[tuple[Form, int], bytes] = {}
        self._next = 0
        self._over = False
        self._closed = False
        self._changed = asyncio.Event()
        self._stored = asyncio.Event()
        self._watchers = 0
        self._pulse: asyncio.TimerHandle | None = None
        self._following: asyncio.Task[None] | None = None
        self._letting_go: asyncio.TimerHandle | None = None

    @property
    def idle(self) -> bool:
        """Whether there is no watcher and the run is not followed."""
        return not self._watchers and self._following is None

    @property
    def watchers(self) -> int:
        """The number of watchers."""
        return self._watchers

    async def fresh(self) -> int:
        """Bring the rows up to date; return their last event."""
        async with self._catching_up:
            if self._following is None:
                return await self._projector.catch_up()
            tip = await self._log.tip(self.run_id)
            while self._projector.through < tip.next - 1:
                self._stored.clear()
                self._projector.hurry()
                if not await _within(self._stored, PATIENCE_S):
                    raise DatabaseUnavailable("the read models are not updating; `mendel doctor` shows why")
            return self._projector.through

    async def begun(self) -> Feed:
        """Start following, so that a watcher that starts soon finds the frames since now in memory."""
        async with self._catching_up:
            if self._following is None and not self._over:
                await self._start()
        self._linger()
        return self

    async def watch(self, form: Form, after: int) -> AsyncGenerator[bytes, None]:
        """Yield the frames of all events after ``after``, until the run is over; frames that are ready are joined."""
        self._watchers += 1
        try:
            await self._begin()
            async with aclosing(self._frames_after(form, after)) as found:
                async for chunk in found:
                    yield chunk
        finally:
            self._end()

    async def aclose(self) -> None:
        """Stop following, and end all watchers."""
        self._closed = True
        self._wake()
        for timer in (self._letting_go, self._pulse):
            if timer is not None:
                timer.cancel()
        task, self._following = self._following, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    # --- watching --------------------------------------------------------------------------------------------

    async def _frames_after(self, form: Form, after: int) -> AsyncGenerator[bytes, None]:
        while not self._closed:
            changed = self._changed  # taken before the check, so that no wake-up is missed
            kept_from = self._next - len(self._frames)
            if after + 1 < kept_from:
                if form == "changes":  # these are not in the log, so the client must reload the rows
                    yield reset_frame(self._next - 1)
                    return
                async with aclosing(self._from_log(after, kept_from)) as chunks:
                    async for chunk in chunks:
                        yield chunk
                after = kept_from - 1
                continue
            if after + 1 < self._next:
                chunk, after = self._joined_after(form, after), self._next - 1
                yield chunk
            elif self._over:
                yield end_frame(self._next - 1)
                return
            else:
                await changed.wait()
                if self._quiet_since(after):
                    yield HEARTBEAT

    def _quiet_since(self, after: int) -> bool:
        return after + 1 >= self._next and not (self._over or self._closed)

    def _joined_after(self, form: Form, after: int) -> bytes:
        """Join all frames after an event; cached, because most watchers are at the same event."""
        known = self._joined.get((form, after))
        if known is None:
            frames = self._frames[after + 1 - self._next :]
            known = b"".join([getattr(frame, form) for frame in frames])
            self._joined[form, after] = known
        return known

    async def _from_log(self, after: int, stop: int) -> AsyncGenerator[bytes, None]:
        """Yield frames of events that are no longer kept in memory."""
        spelled: list[bytes] = []
        async with aclosing(self._log.read(self.run_id, after + 1)) as events:
            async for event in events:
                if event.sequence >= stop:
                    break
                spelled.append(event_frame(aliased(self._wording, event)))
                if len(spelled) >= _CHUNK:
                    yield b"".join(spelled)
                    spelled = []
        yield b"".join(spelled)

    # --- following -------------------------------------------------------------------------------------------

    async def _begin(self) -> None:
        if self._pulse is None:
            self._pulse = asyncio.get_running_loop().call_later(HEARTBEAT_S, self._beat)
        if self._letting_go is not None:
            self._letting_go.cancel()
            self._letting_go = None
        await self.begun()

    async def _start(self) -> None:
        """Follow from the last event of the rows; earlier events have no frames."""
        self._frames.clear()
        self._next = await self._projector.catch_up() + 1
        row = await self._models.row(self.run_id, "runs", self.run_id)
        self._over = row is not None and row.values.get("ended") is not None  # a finished run needs no following
        if not self._over:
            self._following = asyncio.create_task(self._follow(), name=f"feed of {self.run_id}")

    async def _follow(self) -> None:
        while True:  # a feed survives outages of the log
            with suppress(*self._log.outages):
                await self._projector.follow(stored=self._stored.set)
            await asyncio.sleep(_AGAIN_S)

    def _publish(self, event: Event, step: Step) -> None:
        if event.sequence < self._next:
            return  # read again after an outage
        self._frames.append(Frame.of(aliased(self._wording, event), step.changes))
        if len(self._frames) >= 2 * self._kept:  # seldom, because it moves the whole list
            del self._frames[: self._kept]
        self._joined.clear()
        self._next = event.sequence + 1
        status = RUN_STATUS_AFTER.get(event.type)
        self._over = self._over or (status is not None and status.terminal)
        self._wake()

    def _wake(self) -> None:
        before, self._changed = self._changed, asyncio.Event()  # one event object per wake-up, never cleared
        before.set()  # waiters hold the old object, so none can miss it

    def _beat(self) -> None:
        """Wake all watchers. They share a timer, because timers of their own would be reset by every event."""
        self._pulse = asyncio.get_running_loop().call_later(HEARTBEAT_S, self._beat) if self._watchers else None
        self._wake()

    def _end(self) -> None:
        self._watchers -= 1
        self._linger()

    def _linger(self) -> None:
        """Without watchers, follow for a while longer, in case one reconnects."""
        if not self._watchers and self._following is not None and self._letting_go is None:
            self._letting_go = asyncio.get_running_loop().call_later(LINGER_S, self._let_go)

    def _let_go(self) -> None:
        """Stop following after a while without watchers; the next watcher starts again."""
        task, self._following, self._letting_go = self._following, None, None
        if task is not None:
            task.cancel()


async def _within(changed: asyncio.Event, seconds: float) -> bool:
    """Wait for the event; return whether it happened in time."""
    try:
        async with asyncio.timeout(seconds):
            return await changed.wait()
    except TimeoutError:
        return False
