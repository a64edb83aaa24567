"""The soak of the sandbox: `python -m tests.soak.sandbox [--evaluations 100000] [--callers 64] [--seed N]`.

Many callers use one sandbox for long: honest and hostile programs of several kinds, some calls cancelled half-way.
Every answer is checked. Ends with 0 only if all were right, nothing is left behind, and this process's memory stayed
flat.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.chaos.ledger import PromiseBroken, require
from tests.chaos.tally import say
from tests.soak.programs import Temper, drawn
from tests.soak.traces import Traces, adopt_orphans

from mendel.adapters.sandbox.native import RECYCLE_AFTER, NativeSandbox
from mendel.contracts.evaluations import Case, Program

EVERY_S = 1.5
FLAT = 0.05
WARM_UP = 0.2
PARTS, SAMPLES = 8, 3
CANCELLED = 0.01
GRACE_S = 5.0
FILE_SYSTEMS_OF_OTHERS = 60
OTHERS_END_S = 150.0
"""Other tests make sandboxes, too: so many more file systems are theirs, or after so long there are fewer of them."""

SCRATCH_DEVICE = Program.of("import os\ndef device():\n    return os.stat('/tmp').st_dev\n", "device")


class Sample(NamedTuple):
    """A moment of the soak, in numbers alone: what is kept of it must not be what grows."""

    done: int
    processes: int
    descriptors: int
    groups: int
    memory_mb: float

    @classmethod
    def after(cls, done: int) -> Sample:
        seen = Traces.here()
        return cls(done, seen.processes, seen.descriptors, len(seen.groups), seen.memory_bytes / 1e6)


@dataclass
class Soak:
    """The state of one soak."""

    sandbox: NativeSandbox
    draws: random.Random
    wanted: int
    done: int = 0
    cancelled: int = 0
    tempers: Counter[str] = field(default_factory=Counter)
    samples: list[Sample] = field(default_factory=list)

    async def run(self, callers: int) -> None:
        """Keep so many callers busy until all evaluations are made."""
        watcher = asyncio.create_task(self._watch())
        numbers = iter(range(self.wanted))
        at_work = [asyncio.create_task(self._call(numbers)) for _ in range(callers)]
        try:
            await asyncio.gather(*at_work)
        finally:
            for task in (watcher, *at_work):
                task.cancel()
            await asyncio.gather(watcher, *at_work, return_exceptions=True)

    async def _call(self, numbers: Iterator[int]) -> None:
        for number in numbers:
            temper = drawn(self.draws)
            if self.draws.random() < CANCELLED:
                await self._cancelled_half_way(temper, number)
            else:
                await self._checked(temper, number)
            self.tempers[temper.name] += 1
            self.done += 1

    async def _checked(self, temper: Temper, number: int) -> None:
        evaluation = await self.sandbox.evaluate(temper.program, temper.arguments(number), limits=temper.limits)
        require(
            temper.holds(evaluation, number), f"{temper.name!r}, given {number}, was answered {str(evaluation)[:2_000]}"
        )

    async def _cancelled_half_way(self, temper: Temper, number: int) -> None:
        call = asyncio.create_task(self._checked(temper, number))
        await asyncio.sleep(self.draws.random() * 0.2)
        call.cancel()
        with_error = await asyncio.gather(call, return_exceptions=True)
        self.cancelled += isinstance(with_error[0], asyncio.CancelledError)
        require(not isinstance(with_error[0], Exception), f"a cancelled call ended with {with_error[0]!r}")

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(min(EVERY_S, self.wanted / 10_000))
            gc.collect()
            self.samples.append(Sample.after(self.done))
            self._say(self.samples[-1])

    def _say(self, now: Sample) -> None:
        counts = f"{now.processes} processes, {now.descriptors} descriptors, {now.groups} control groups"
        say(f"{now.done:,} of {self.wanted:,}: {counts}, {now.memory_mb:.1f} MB")

    # --- what must hold --------------------------------------------------------------------------------------------

    def require_bounded(self, workers: int) -> None:
        """However long it goes on, there are no more zygotes than the pool may have, and nothing without a zygote."""
        # At work, idle, spare of each kind, and those that end: each is a launcher, a zygote and perhaps a fork.
        zygotes = workers + (2 * workers + 2) + 3 + 3 * workers
        for seen in self.samples:
            require(seen.processes <= 3 * zygotes, f"too many processes: {seen}")
            require(seen.groups <= 2 * zygotes, f"too many control groups: {seen}")
            require(seen.descriptors <= 20 + 10 * zygotes, f"too many descriptors: {seen}")

    def memory(self) -> list[float]:
        """The least memory of each part after the warm-up, in megabytes: what is in flight comes and goes."""
        warm = [seen.memory_mb for seen in self.samples if seen.done >= WARM_UP * self.wanted]
        return [min(part) for part in _parts(warm, min(PARTS, len(warm) // SAMPLES))]

    def require_flat(self) -> None:
        """Each part's memory is that of the first, give or take five percent; what is given back later is no leak."""
        parts = self.memory() or [0.0]
        first, *others = [min(parts[place:]) for place in range(len(parts))]
        require(bool(others), "the soak was too short to say anything about memory")
        require(all(abs(part / first - 1) <= FLAT for part in others), "this process's memory did not stay flat")


def _parts(samples: Sequence[float], parts: int) -> Iterator[Sequence[float]]:
    for number in range(parts):
        yield samples[number * len(samples) // parts : (number + 1) * len(samples) // parts]


async def scratch_device(sandbox: NativeSandbox) -> int:
    """The number of a scratch file system. The kernel gives out the lowest that is free; a leaked one never is."""
    outcome = (await sandbox.evaluate(SCRATCH_DEVICE, [Case()])).outcomes[0]
    require(type(outcome.value) is int, f"no scratch folder: {outcome}")
    return os.minor(int(str(outcome.value)))


async def newest_device() -> int:
    """The number of the file system of a sandbox that starts now and ends again."""
    async with NativeSandbox(workers=1) as sandbox:
        return await scratch_device(sandbox)


async def more_devices_than(first: int) -> int:
    """How far the numbers have risen since; what others have mounted is waited for, since only a leak stays."""
    deadline = time.monotonic() + OTHERS_END_S
    grown = await newest_device() - first
    while grown > FILE_SYSTEMS_OF_OTHERS and time.monotonic() < deadline:
        await asyncio.sleep(1.0)
        grown = min(grown, await newest_device() - first)
    return grown


async def soak(given: argparse.Namespace) -> None:
    """Raises PromiseBroken."""
    first_device = await newest_device()
    before = await settled(None)
    began = time.monotonic()
    async with NativeSandbox(recycle_after=given.recycle_after) as sandbox:
        state = Soak(sandbox, random.Random(given.seed), given.evaluations)
        told = f"{given.callers} callers, seed {given.seed}, {await sandbox.isolation()}"
        say(f"{given.evaluations:,} evaluations, {told}")
        await state.run(given.callers)
    closed = time.monotonic()
    leaked = (await settled(before)).leaked_since(before)
    require(not leaked, f"left behind: {'; '.join(leaked)}")
    say(f"nothing was left {time.monotonic() - closed:.2f} s after the end")
    grown = await more_devices_than(first_device)
    require(grown <= FILE_SYSTEMS_OF_OTHERS, f"{grown} file systems are mounted that were not before")
    state.require_bounded(len(os.sched_getaffinity(0)))
    seconds = time.monotonic() - began
    say(f"memory in MB after warm-up: {', '.join(f'{part:.1f}' for part in state.memory())}")
    say(f"file systems more than before: {grown}; {state.cancelled} calls were cancelled half-way")
    say(f"{state.done:,} evaluations in {seconds:.0f} s: {dict(state.tempers.most_common())}")
    state.require_flat()


async def settled(before: Traces | None) -> Traces:
    """What there is once what is ending has ended; waits for that a little."""
    deadline = time.monotonic() + GRACE_S
    while True:
        gc.collect()
        seen = Traces.here()
        gone = seen.processes == 0 if before is None else not seen.leaked_since(before)
        if gone or time.monotonic() > deadline:
            return seen
        await asyncio.sleep(0.02)


def arguments() -> argparse.Namespace:
    given = argparse.ArgumentParser(prog="python -m tests.soak.sandbox", description=(__doc__ or "").splitlines()[0])
    given.add_argument("--evaluations", type=int, default=100_000)
    given.add_argument("--callers", type=int, default=64)
    given.add_argument("--recycle-after", type=int, default=RECYCLE_AFTER, help="evaluations of one zygote")
    given.add_argument("--seed", type=int, default=None, help="repeats the draws of a soak")
    found = given.parse_args()
    found.seed = random.SystemRandom().randrange(2**32) if found.seed is None else found.seed
    return found


def main() -> int:
    given = arguments()
    adopt_orphans()
    try:
        asyncio.run(soak(given))
    except PromiseBroken as broken:
        say(f"BROKEN: {broken}")
        return 1
    say("every promise held")
    return 0


if __name__ == "__main__":
    sys.exit(main())
