"""The contract suite of port ``ReadModels``: subclass it and override the fixture ``open_models``."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio

from mendel.contracts.ids import new_run_id
from mendel.contracts.read_models import TABLES, Change, Row, Values
from mendel.ports.read_models import NOTHING, ReadModels, Step

OpenModels = Callable[[], Awaitable[ReadModels]]


async def _nobody() -> ReadModels:
    raise NotImplementedError("override this fixture with a callable that opens the read models under test")


def step(sequence: int, *changes: Change) -> Step:
    """Return the changes of one event."""
    return Step(sequence, changes)


@pytest.mark.asyncio
class ReadModelsContract:
    """What every store of read models must do. ``open_models`` opens another handle on the same rows."""

    @pytest_asyncio.fixture
    async def open_models(self) -> AsyncIterator[OpenModels]:
        yield _nobody

    async def test_of_a_stranger_nothing_is_known(self, open_models: OpenModels) -> None:
        models, run = await open_models(), new_run_id()
        assert await models.watermarks(run) == dict.fromkeys(TABLES, NOTHING)
        assert await models.row(run, "runs", run) is None
        assert list(await models.rows(run, "candidates")) == []
        assert run not in await models.runs()
        await models.drop(run)

    async def test_every_table_is_as_far_as_the_last_step(self, open_models: OpenModels) -> None:
        models, run = await open_models(), new_run_id()
        await models.store(run, [step(0, Change("runs", run, {"events": 1})), step(1), step(2)])
        assert await (await open_models()).watermarks(run) == dict.fromkeys(TABLES, 2)
        await models.store(run, [])
        assert await models.watermarks(run) == dict.fromkeys(TABLES, 2)

    async def test_values_that_a_change_does_not_name_stay(self, open_models: OpenModels) -> None:
        models, run = await open_models(), new_run_id()
        await models.store(
            run,
            [
                step(3, Change("candidates", "c", {"status": "created", "birth": 1, "deep": {"a": [1, 2.5, None]}})),
                step(5, Change("candidates", "c", {"status": "scored"})),
            ],
        )
        await models.store(run, [step(9, Change("candidates", "c", {"deep": {"b": "ü\N{SNOWMAN}"}}))])
        told = Row("c", 3, 9, {"status": "scored", "birth": 1, "deep": {"b": "ü\N{SNOWMAN}"}})
        assert await (await open_models()).row(run, "candidates", "c") == told
        assert list(await models.rows(run, "candidates")) == [told]

    async def test_rows_stand_in_the_order_in_which_they_came_to_be(self, open_models: OpenModels) -> None:
        models, run = await open_models(), new_run_id()
        await models.store(run, [step(1, *(Change("genomes", key, {"n": 1}) for key in ("z", "a", "m")))])  # not sorted
        await models.store(run, [step(2, Change("genomes", "b", {})), step(3, Change("genomes", "a", {"n": 2}))])
        assert [row.key for row in await models.rows(run, "genomes")] == ["z", "a", "m", "b"]
        assert [row.key for row in await models.rows(run, "genomes", after=1)] == ["b"]
        assert [row.key for row in await models.rows(run, "genomes", limit=2)] == ["z", "a"]

    async def test_rows_are_found_by_key_by_text_and_by_what_is_in_a_list(self, open_models: OpenModels) -> None:
        models, run = await open_models(), new_run_id()
        told: dict[str, Values] = {
            "z": {"of": "x"},
            "a": {"of": ["y", "x"]},
            "k": {"of": 7},
            "n": {"on": "x"},
        }
        await models.store(run, [step(1, *(Change("operations", key, values) for key, values in told.items()))])

        async def found(name: str, *values: str) -> list[str]:
            return [row.key for row in await models.matching(run, "operations", name, values)]

        assert await found("of", "y") == ["a"]
        assert await found("of", "x", "q") == ["z", "a"]
        assert await found("key", "k", "z", "missing") == ["z", "k"]
        assert await found("of") == await found("key") == await found("of", "7") == []

    async def test_operations_are_in_flight_until_they_end(self, open_models: OpenModels) -> None:
        models, run = await open_models(), new_run_id()
        begun = [Change("operations", key, {"started": 1, "ended": None}) for key in ("z", "a")]
        await models.store(run, [step(1, *begun, Change("operations", "charged only", {"energy": 3}))])
        assert [row.key for row in await models.in_flight(run)] == ["z", "a"]
        await models.store(run, [step(2, Change("operations", "z", {"ended": 2}))])
        assert list(await models.in_flight(run)) == [Row("a", 1, 1, {"started": 1, "ended": None})]
        assert list(await models.in_flight(new_run_id())) == []

    async def test_what_was_taken_before_changes_nothing(self, open_models: OpenModels) -> None:
        one, other, run = await open_models(), await open_models(), new_run_id()
        steps = [step(number, Change("runs", run, {"events": number})) for number in range(4)]
        await one.store(run, steps)
        await other.store(run, [step(1, Change("runs", run, {"events": -1})), *steps[2:]])
        assert await other.row(run, "runs", run) == Row(run, 0, 3, {"events": 3})
        assert await one.watermarks(run) == dict.fromkeys(TABLES, 3)

    async def test_runs_do_not_touch_each_other(self, open_models: OpenModels) -> None:
        models, first, second = await open_models(), new_run_id(), new_run_id()
        for run in (first, second):
            await models.store(
                run, [step(0, Change("runs", run, {"domain": run}), Change("genomes", "g", {"of": run}))]
            )
        await models.drop(first)
        assert await models.row(second, "genomes", "g") == Row("g", 0, 0, {"of": second})
        known = await models.runs()
        assert known[second] == Row(second, 0, 0, {"domain": second})
        assert first not in known
        assert await models.watermarks(first) == dict.fromkeys(TABLES, NOTHING)

    async def test_what_was_dropped_can_be_made_again(self, open_models: OpenModels) -> None:
        models, run = await open_models(), new_run_id()
        steps = [step(number, Change("operations", f"o{number % 3}", {"at": number})) for number in range(10)]
        await models.store(run, steps)
        before = list(await models.rows(run, "operations"))
        await models.drop(run)
        assert list(await models.rows(run, "operations")) == []
        await models.store(run, steps)
        assert list(await models.rows(run, "operations")) == before
