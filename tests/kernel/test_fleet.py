"""Several runs at once: one that fails does not touch the others."""

import asyncio

from tests.rules.attackers import (
    NEVER_HEARD_OF,
    PATIENCE_S,
    AttackDomain,
    Scene,
    fleet_of,
    look,
    statuses,
)
from tests.support.rows import check_rows

from mendel.adapters.memory.clock import SystemClock
from mendel.contracts.errors import (
    RunNotFound,
)
from mendel.contracts.ids import new_run_id
from mendel.kernel.conduct import Fleet
from mendel.kernel.conductor import Options
from mendel.kernel.domain import Expression
from mendel.kernel.moves import Examine

HARMFUL = {
    "raises": {"route": lambda *_: 1 / 0},
    "nonsense": {"route": lambda *_: 5},
    "no founders": {"founders": lambda *_: []},
    "unstorable": {"express": lambda *_: Expression(contents=(NEVER_HEARD_OF,))},
    "undeclared": {"route": lambda *_: [Examine(step="attack.nobody")]},
}


@check_rows("methods", HARMFUL.values())
async def test_one_that_fails_does_not_touch_the_others(methods):
    assert statuses(await fleet_of(AttackDomain(**methods))) == ["completed", "failed", "completed"]


async def test_one_that_is_not_there_does_not_touch_the_others():
    scene = Scene()
    ids = [await scene.begin(), new_run_id(), await scene.begin()]
    async with scene.fabric() as fabric:
        fleet = Fleet(log=scene.log, clock=SystemClock(), most=3, domains=scene.domains)
        found = await asyncio.wait_for(asyncio.gather(*(fleet.conduct(each, fabric) for each in ids)), PATIENCE_S)
        ends = dict(zip(ids, found, strict=True))
    assert isinstance(ends[ids[1]], RunNotFound)
    assert [ends[ids[0]].status, ends[ids[2]].status] == ["completed", "completed"]


@check_rows("most", [1, 2, 5])
async def test_no_more_are_conducted_at_once_than_there_is_room_for(most):
    living, seen = set(), []

    async def look_on(work):
        await asyncio.sleep(0.001)
        return await look(work)

    scene = Scene(AttackDomain(), {"attack.look": look_on})
    ids = [await scene.begin(rng_seed=seed, caps={"max_generations": 1}) for seed in range(8)]

    def listening(run_id):
        def listen(event):
            living.add(run_id)
            seen.append(len(living))
            if event.type in ("run.completed", "run.failed"):
                living.discard(run_id)

        return Options(listen=listen)

    async with scene.fabric() as fabric:
        fleet = Fleet(log=scene.log, clock=SystemClock(), most=most, domains=scene.domains)
        ends = await asyncio.gather(*(fleet.conduct(run_id, fabric, listening(run_id)) for run_id in ids))
    assert {end.status for end in ends} == {"completed"}
    assert max(seen) == most
