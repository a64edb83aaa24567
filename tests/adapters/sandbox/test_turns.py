"""Whose turn it is: first come, first served, never more than one above the size, and nothing lost by cancelling."""

import asyncio
import random

import pytest

from mendel.adapters.sandbox import turns as turns_module
from mendel.adapters.sandbox.turns import Turns


@pytest.fixture
def nobody_is_young(monkeypatch):
    monkeypatch.setattr(turns_module, "YOUNG_S", 0.0)


async def test_as_many_as_there_are_places_run_at_once(nobody_is_young):
    turns = Turns(2)
    first, _second = await turns.take(), await turns.take()
    third = asyncio.create_task(turns.take())
    await asyncio.sleep(0)
    assert not third.done()
    turns.give_back(first)
    await third


async def test_one_more_may_begin_while_all_that_run_are_young(monkeypatch):
    monkeypatch.setattr(turns_module, "YOUNG_S", 1_000.0)
    turns = Turns(1)
    await turns.take()
    await turns.take()
    third = asyncio.create_task(turns.take())
    for _ in range(20):
        await asyncio.sleep(0)
    assert not third.done()
    third.cancel()


async def test_first_come_first_served(nobody_is_young):
    turns = Turns(1)
    began = await turns.take()
    order = []

    async def wait(number):
        mine = await turns.take()
        order.append(number)
        turns.give_back(mine)

    waiting = [asyncio.create_task(wait(number)) for number in range(5)]
    await asyncio.sleep(0)
    turns.give_back(began)
    await asyncio.gather(*waiting)
    assert order == list(range(5))


@pytest.mark.parametrize("seed", range(20))
async def test_whatever_is_cancelled_no_turn_is_lost_or_made(nobody_is_young, seed):
    draws, turns, size = random.Random(seed), Turns(2), 2
    running = 0
    most = 0

    async def work():
        nonlocal running, most
        began = await turns.take()
        running += 1
        most = max(most, running)
        try:
            await asyncio.sleep(draws.choice([0, 0.001]))
        finally:
            running -= 1
            turns.give_back(began)

    tasks = [asyncio.create_task(work()) for _ in range(60)]
    for _ in range(100):
        await asyncio.sleep(draws.choice([0, 0, 0.001]))
        draws.choice(tasks).cancel()
    await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 20)
    assert most <= size
    for _ in range(size):
        await asyncio.wait_for(turns.take(), 60)
