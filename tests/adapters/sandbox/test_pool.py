"""The pool of warm workers, with workers that are none: who is served when, and that nobody is forgotten."""

import asyncio
import gc

import pytest

from mendel.adapters.sandbox.pool import Pool
from mendel.contracts.errors import SandboxFailed


class Worker:
    def __init__(self, kind, number):
        self.kind, self.number = kind, number
        self.broken = False
        self.evaluations = 0
        self.closed = 0
        self.killed = asyncio.Event()

    def kill(self):
        self.broken = True
        self.killed.set()

    def close(self):
        self.broken = True
        self.closed += 1


class Starter:
    """Starts workers when it is told to, and remembers every one."""

    def __init__(self):
        self.made = []
        self.starting = 0
        self.held = asyncio.Event()
        self.held.set()
        self.failures = []

    async def __call__(self, kind):
        self.starting += 1
        try:
            await asyncio.sleep(0)
            await self.held.wait()
            if self.failures:
                raise self.failures.pop(0)
        finally:
            self.starting -= 1
        worker = Worker(kind, len(self.made))
        self.made.append(worker)
        return worker

    @property
    def alive(self):
        return [worker for worker in self.made if not worker.closed]


@pytest.fixture
def starter():
    return Starter()


def pool_of(starter, size=2, recycle_after=1_000):
    return Pool(starter, size, recycle_after)


async def settled():
    for _ in range(20):
        await asyncio.sleep(0)


async def until(holds):
    """Workers end in threads beside everything else."""
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.001)


async def use(pool, kind="a", *, breaks=False):
    async with pool.lease(kind) as worker:
        worker.evaluations += 1
        worker.broken |= breaks
        return worker


async def closed(pool, starter):
    """Close the pool, and fail unless every worker was closed."""
    starter.held.set()
    async with asyncio.timeout(60):
        await pool.aclose()
        await settled()
    assert starter.alive == []
    assert starter.starting == 0


async def test_a_worker_is_used_again(starter):
    pool = pool_of(starter)
    first = await use(pool)
    await settled()
    used = {await use(pool) for _ in range(10)}
    assert all(not worker.closed for worker in used | {first})
    assert len(starter.made) <= 2, "one, and a spare"
    await closed(pool, starter)


async def test_a_worker_serves_one_caller_at_a_time(starter):
    pool, working, most = pool_of(starter, size=3), set(), []

    async def call():
        async with pool.lease("a") as worker:
            assert worker not in working
            working.add(worker)
            most.append(len(working))
            await asyncio.sleep(0.001)
            working.remove(worker)

    await asyncio.gather(*(call() for _ in range(30)))
    assert max(most) == 3
    await closed(pool, starter)


async def test_first_come_first_served(starter):
    pool, served, going = pool_of(starter, size=1), [], asyncio.Event()

    async def call(number):
        async with pool.lease("a" if number % 2 else "b"):
            served.append(number)
            await going.wait()

    calls = []
    for number in range(10):
        calls.append(asyncio.create_task(call(number)))
        await settled()
    going.set()
    await asyncio.gather(*calls)
    assert served == list(range(10))
    await closed(pool, starter)


async def test_a_worker_of_another_kind_is_not_given(starter):
    pool = pool_of(starter)
    for kind in "abcabc":
        assert (await use(pool, kind)).kind == kind
    await closed(pool, starter)


async def test_a_spare_is_started_beside_a_worker(starter):
    pool = pool_of(starter)
    async with pool.lease("a"):
        await settled()
        assert len(starter.made) == 1, "many kinds are asked for only once"
    async with pool.lease("a"):
        await settled()
        assert len(starter.made) == 2
        starter.held.clear()
        async with pool.lease("a") as other:
            assert other.number == 1, "nobody had to wait"
    await closed(pool, starter)


async def test_a_worker_is_replaced_after_its_share_of_work(starter):
    pool = pool_of(starter, size=1, recycle_after=3)
    used = []
    for _ in range(9):
        used.append(await use(pool))
        await settled()
    assert max(worker.evaluations for worker in starter.made) == 3
    assert all(worker.evaluations <= 3 for worker in used)
    await closed(pool, starter)
    assert [worker.closed for worker in starter.made] == [1] * len(starter.made)


async def test_a_broken_worker_is_replaced(starter):
    pool = pool_of(starter)
    broken = await use(pool, breaks=True)
    assert await use(pool) is not broken
    await closed(pool, starter)
    assert broken.closed == 1


async def test_a_worker_that_broke_while_idle_is_not_given(starter):
    pool = pool_of(starter)
    idle = await use(pool)
    await settled()
    idle.broken = True
    for _ in range(5):
        assert await use(pool) is not idle
    await closed(pool, starter)


async def test_a_caller_that_fails_gives_its_worker_back(starter):
    pool = pool_of(starter, size=1)
    for _ in range(5):
        with pytest.raises(KeyError):
            async with pool.lease("a"):
                raise KeyError
    await use(pool)
    await closed(pool, starter)


async def test_idle_workers_are_bounded_and_the_longest_unused_kind_goes_first(starter):
    pool = pool_of(starter, size=2)
    for number in range(30):
        await use(pool, number)
        await settled()
    await until(lambda: sum(worker.evaluations > 0 for worker in starter.alive) <= 6)
    idle = [worker for worker in starter.alive if worker.evaluations]
    assert {worker.kind for worker in idle} == set(range(30 - len(idle), 30))
    await closed(pool, starter)


async def test_spares_of_many_kinds_are_bounded(starter):
    pool = pool_of(starter, size=2)
    for number in range(50):
        await use(pool, number)
        await settled()
    await until(lambda: len(starter.alive) <= 20)  # or every kind that ever came has kept a spare
    await closed(pool, starter)


async def test_a_start_that_fails_is_the_callers_to_hear(starter):
    pool = pool_of(starter, size=1)
    starter.failures = [OSError("no")]
    with pytest.raises(OSError, match="no"):
        await use(pool)
    await use(pool)
    await closed(pool, starter)


async def test_a_spare_that_fails_costs_one_caller_at_most(starter):
    pool = pool_of(starter, size=2)
    async with pool.lease("a"):
        starter.failures = [OSError("no")]
        await settled()
    failed = 0
    for _ in range(5):
        try:
            async with pool.lease("a"), pool.lease("a"):
                pass
        except OSError:
            failed += 1
    assert failed <= 1
    await closed(pool, starter)
    gc.collect()


async def test_whoever_stops_waiting_takes_no_place(starter):
    pool = pool_of(starter, size=1)
    async with pool.lease("a"):
        waiting = [asyncio.create_task(use(pool)) for _ in range(5)]
        await settled()
        for task in waiting[:4]:
            task.cancel()
    await waiting[4]
    assert all(task.cancelled() for task in waiting[:4])
    await use(pool)
    await closed(pool, starter)


@pytest.mark.parametrize("steps", range(12))
async def test_a_caller_cancelled_at_any_step_leaves_nothing_behind(starter, steps):
    pool = pool_of(starter, size=2)
    for _ in range(3):
        call = asyncio.create_task(use(pool))
        for _ in range(steps):
            await asyncio.sleep(0)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
    await use(pool)
    await closed(pool, starter)


@pytest.mark.parametrize("steps", range(8))
async def test_a_caller_cancelled_as_its_spare_gets_ready_leaves_nothing_behind(starter, steps):
    pool = pool_of(starter, size=2)
    async with pool.lease("a"):
        starter.held.clear()
        await settled()
        call = asyncio.create_task(use(pool))
        await settled()
        starter.held.set()
        for _ in range(steps):
            await asyncio.sleep(0)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        await settled()
    await closed(pool, starter)


async def test_closing_ends_every_worker_once(starter):
    pool = pool_of(starter, size=3)
    await asyncio.gather(*(use(pool, kind) for kind in "aabbcc"))
    await closed(pool, starter)
    assert [worker.closed for worker in starter.made] == [1] * len(starter.made)
    await closed(pool, starter)


async def test_closing_ends_a_worker_at_work(starter):
    pool = pool_of(starter, size=1)

    async def call():
        async with pool.lease("a") as worker:
            await worker.killed.wait()
            assert not worker.closed, "it is closed when its caller has let it go"

    task = asyncio.create_task(call())
    await settled()
    await closed(pool, starter)
    await task


async def test_closing_ends_a_worker_that_is_starting(starter):
    pool = pool_of(starter, size=1)
    starter.held.clear()
    call = asyncio.create_task(use(pool))
    await settled()
    closing = asyncio.create_task(pool.aclose())
    await settled()
    starter.held.set()
    await asyncio.gather(call, closing, return_exceptions=True)
    await until(lambda: starter.alive == [])


async def test_closing_ends_callers_that_wait(starter):
    pool = pool_of(starter, size=1)

    async def call():
        async with pool.lease("a") as worker:
            await worker.killed.wait()

    calls = [asyncio.create_task(call()) for _ in range(3)]
    await settled()
    await closed(pool, starter)
    ended = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(error) for error in ended] == [type(None), SandboxFailed, SandboxFailed]


async def test_a_closed_pool_starts_nothing(starter):
    pool = pool_of(starter)
    await closed(pool, starter)
    with pytest.raises(SandboxFailed, match="closed"):
        await use(pool)
    assert starter.made == []


async def test_a_kind_whose_workers_all_work_is_not_taken_for_idle(starter):
    """What is put aside first is a worker, not the empty place of one that is leased again."""
    pool = pool_of(starter, size=2)
    await use(pool, "first")
    async with pool.lease("first"):
        for number in range(20):
            await use(pool, number)
    await closed(pool, starter)


async def test_old_spares_do_not_push_out_what_is_in_use(starter):
    pool = pool_of(starter, size=2)
    for number in range(30):
        await use(pool, number)
        await settled()
    before = len(starter.made)
    for _ in range(50):
        await use(pool, "again")
        await settled()
    assert len(starter.made) - before <= 3, "a worker, and a spare"
    await closed(pool, starter)
