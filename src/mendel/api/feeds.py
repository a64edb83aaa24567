"""One feed per run: its log is read once, folded once and spelled once, however many watch.

A watcher has a cursor into the latest frames, so a slow one delays no other: one that falls behind reads the log
itself, or has to load the rows anew.
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

KEPT: Final = 4_096
HEARTBEAT_S: Final = 15.0
LINGER_S: Final = 30.0
PATIENCE_S: Final = 10.0
_AGAIN_S: Final = 0.5
_CHUNK: Final = 256


class Feed:
    """The rows of one run, kept as fresh as its log, and a stream of what changes them."""

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
        """Whether it has no watcher, and nothing is followed."""
        return not self._watchers and self._following is None

    @property
    def watchers(self) -> int:
        """How many watch."""
        return self._watchers

    async def fresh(self) -> int:
        """Bring the rows up to date; the last event that they know."""
        async with self._catching_up:
            if self._following is None:
                return await self._projector.catch_up()
            tip = await self._log.tip(self.run_id)
            while self._projector.through < tip.next - 1:
                self._stored.clear()
                self._projector.hurry()
                if not await _within(self._stored, PATIENCE_S):
                    raise DatabaseUnavailable("the read models do not come up to date; `mendel doctor` says why")
            return self._projector.through

    async def begun(self) -> Feed:
        """Follow, so that a watcher that begins soon finds in memory what has come since now."""
        async with self._catching_up:
            if self._following is None and not self._over:
                await self._start()
        self._linger()
        return self

    async def watch(self, form: Form, after: int) -> AsyncGenerator[bytes, None]:
        """Frames of everything after the event ``after``, for ever or until the run is over; joined as they come."""
        self._watchers += 1
        try:
            await self._begin()
            async with aclosing(self._frames_after(form, after)) as found:
                async for chunk in found:
                    yield chunk
        finally:
            self._end()

    async def aclose(self) -> None:
        """Stop following; watchers get nothing more."""
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
            changed = self._changed
            kept_from = self._next - len(self._frames)
            if after + 1 < kept_from:
                if form == "changes":
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
        """All frames after an event; most watchers are at the same one."""
        known = self._joined.get((form, after))
        if known is None:
            frames = self._frames[after + 1 - self._next :]
            known = b"".join([getattr(frame, form) for frame in frames])
            self._joined[form, after] = known
        return known

    async def _from_log(self, after: int, stop: int) -> AsyncGenerator[bytes, None]:
        """What is not kept here any more, as events."""
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
        """Follow from where the rows are; what was before is not kept as frames."""
        self._frames.clear()
        self._next = await self._projector.catch_up() + 1
        row = await self._models.row(self.run_id, "runs", self.run_id)
        self._over = row is not None and row.values.get("ended") is not None
        if not self._over:
            self._following = asyncio.create_task(self._follow(), name=f"feed of {self.run_id}")

    async def _follow(self) -> None:
        while True:
            with suppress(*self._log.outages):
                await self._projector.follow(stored=self._stored.set)
            await asyncio.sleep(_AGAIN_S)

    def _publish(self, event: Event, step: Step) -> None:
        if event.sequence < self._next:
            return  # after an outage it is read again
        self._frames.append(Frame.of(aliased(self._wording, event), step.changes))
        if len(self._frames) >= 2 * self._kept:
            del self._frames[: self._kept]
        self._joined.clear()
        self._next = event.sequence + 1
        status = RUN_STATUS_AFTER.get(event.type)
        self._over = self._over or (status is not None and status.terminal)
        self._wake()

    def _wake(self) -> None:
        before, self._changed = self._changed, asyncio.Event()
        before.set()

    def _beat(self) -> None:
        """Wake all who watch: one timer for all of them, since theirs would be set anew with every event."""
        self._pulse = asyncio.get_running_loop().call_later(HEARTBEAT_S, self._beat) if self._watchers else None
        self._wake()

    def _end(self) -> None:
        self._watchers -= 1
        self._linger()

    def _linger(self) -> None:
        """Without a watcher, follow for a while: one may come, or come back."""
        if not self._watchers and self._following is not None and self._letting_go is None:
            self._letting_go = asyncio.get_running_loop().call_later(LINGER_S, self._let_go)

    def _let_go(self) -> None:
        """There was no watcher for a while: the next one begins anew."""
        task, self._following, self._letting_go = self._following, None, None
        if task is not None:
            task.cancel()


async def _within(changed: asyncio.Event, seconds: float) -> bool:
    """Whether it happened in that time."""
    try:
        async with asyncio.timeout(seconds):
            return await changed.wait()
    except TimeoutError:
        return False
