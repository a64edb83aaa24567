"""A domain's own tables beside a run: what is folded comes again from the log, and nothing rests on telemetry."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio
from tests.api.served import SMALL, serving
from tests.kernel.scripted import ScriptedDomain, Stage, ambitious, config_of

from mendel.adapters.memory.domain_tables import MemoryTableStore
from mendel.adapters.postgres.domain_tables import PostgresTableStore
from mendel.api.domain_projecting import TablesOf
from mendel.contracts.errors import RunNotFound
from mendel.contracts.events.candidate import FitnessScored
from mendel.contracts.run_config import Pace
from mendel.kernel.conduct import folded
from mendel.kernel.digest import outcome_digest
from mendel.ports.domain_tables import NOTHING, Column, DomainTables, RowChange, Table

pytestmark = pytest.mark.usefixtures("plugins")


def fold(event):
    if isinstance(event.payload, FitnessScored):
        score = event.payload.score
        yield RowChange("scores", {"candidate": score.candidate_id, "total": score.total})


SCORES = Table(name="scores", columns=(Column("candidate", "text"), Column("total", "real")), key=("candidate",))
HEARD = Table(
    name="heard", columns=(Column("sequence", "integer"), Column("at", "time")), key=("sequence",), telemetry=True
)
TABLES = DomainTables(tables=(SCORES, HEARD), fold=fold)


@pytest_asyncio.fixture(params=["memory", "postgres"])
async def store(request):
    if request.param == "memory":
        yield MemoryTableStore()
        return
    server, database = request.getfixturevalue("server"), request.getfixturevalue("fresh_database")
    async with PostgresTableStore.beside(server.conninfo(user="mendel_projector", dbname=database)) as store:
        yield store


async def conducted(*beside):
    """A run that is the same whenever it is conducted, and whoever stands beside it."""
    stage = Stage(ScriptedDomain(route=ambitious))
    pace = Pace(kind="steady", order="birth", window=4)
    await stage.configure(config_of(caps={"max_generations": 6}, pace=pace, slots=3))
    await asyncio.gather(stage.conduct(), *(each(stage) for each in beside))
    return stage


async def test_a_run_comes_out_the_same_when_all_its_tables_are_dropped_in_the_middle(store):
    dropped = []

    async def meddle(stage):
        """Fold and write telemetry with every event, and drop all of it once in the middle of the run."""
        tables = TablesOf("scripted", TABLES, store, stage.log)
        await tables.declare()
        async for event in stage.log.follow(stage.run_id):
            await tables.put("heard", [{"sequence": event.sequence, "at": _time(event.sequence)}])
            await tables.fresh(stage.run_id)
            if event.sequence == 40:
                dropped.append(len(await tables.rows("heard")))
                await store.drop_telemetry("scripted")
                await store.drop_run("scripted", stage.run_id)
                assert await store.watermark("scripted", stage.run_id) == NOTHING
            if event.type == "run.completed":
                return

    undisturbed, meddled = await conducted(), await conducted(meddle)
    assert dropped == [41]
    digests = {outcome_digest(await folded(stage.log, stage.run_id)) for stage in (undisturbed, meddled)}
    assert len(digests) == 1
    tables = TablesOf("scripted", TABLES, store, meddled.log)
    events = await meddled.events()
    scores = [event.payload.score for event in events if isinstance(event.payload, FitnessScored)]
    rows = await tables.rows("scores", {"run_id": meddled.run_id})
    assert {row["candidate"]: row["total"] for row in rows} == {each.candidate_id: each.total for each in scores}
    heard = await tables.rows("heard")
    assert await tables.rebuilt(meddled.run_id) == len(events) - 1
    assert await tables.rows("scores", {"run_id": meddled.run_id}) == rows
    assert await tables.rows("heard") == heard  # no log has it, and rebuilding leaves it as it is


def _time(sequence):
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=sequence)


async def test_a_run_of_another_domain_has_no_rows():
    stage = await conducted()
    store = MemoryTableStore()
    tables = TablesOf("another", TABLES, store, stage.log)
    await tables.declare()
    assert await tables.fresh(stage.run_id) == NOTHING
    assert list(await tables.rows("scores")) == []


@pytest.mark.parametrize("run_id", ["nope", "", "01a1\x00"])
async def test_what_is_no_id_of_a_run_is_no_run(run_id):
    tables = TablesOf("scripted", TABLES, MemoryTableStore(), (await conducted()).log)
    await tables.declare()
    with pytest.raises(RunNotFound, match="is not a run's id"):
        await tables.fresh(run_id)


@pytest.mark.slow
@pytest.mark.smoke
def test_a_domain_from_a_wheel_has_tables_of_its_own(tmp_path):
    with serving(tmp_path) as served:
        run_id = served.launch(SMALL)
        served.until(run_id, "completed")
        closest = served.get(f"/api/domains/reference/runs/{run_id}/closest").json()
        told = [served.get(f"/api/runs/{run_id}/candidates/{each}").json()["fitness"]["total"] for each in closest]
        best = served.get(f"/api/runs/{run_id}/candidates?sort=fitness").json()["candidates"]
        assert told == [row["fitness"] for row in best[:3]]
        assert served.get("/api/domains/reference/looks").json() == 1
        text = served.get(f"/api/runs/{run_id}/candidates/{closest[0]}").json()["text"]
        assert re.fullmatch(r"\((-?\d\.\d{3}, ){2}-?\d\.\d{3}\)", text["source"])
