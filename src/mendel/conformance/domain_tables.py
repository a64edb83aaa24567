"""The contract suite of port ``TableStore``: subclass it and override the fixture ``open_store``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio

from mendel.contracts.errors import InvalidRow
from mendel.contracts.ids import new_run_id
from mendel.ports.domain_tables import NOTHING, Column, DomainTables, Retention, RowChange, Table, TableRow, TableStore

OpenStore = Callable[[], Awaitable[TableStore]]
START = datetime(2026, 1, 1, tzinfo=UTC)

PEAS = Table(
    name="peas",
    columns=(
        Column("pea", "text"),
        Column("weight", "real", at_least=0, at_most=10),
        Column("pod", "integer", nullable=True),
        Column("smooth", "boolean", nullable=True),
        Column("notes", "json", nullable=True),
    ),
    key=("pea",),
    unique=(("pod", "weight"),),
    indexes=(("weight",),),
    retention=Retention(by="weight", rows=3),
)
READINGS = Table(
    name="readings",
    columns=(Column("at", "time"), Column("degrees", "real")),
    key=("at",),
    retention=Retention(by="at", age_s=10),
    telemetry=True,
)
TABLES = DomainTables(tables=(PEAS, READINGS))


async def _nobody() -> TableStore:
    raise NotImplementedError("override this fixture with a callable that opens the store under test")


def pea(name: str, weight: float, **more: object) -> RowChange:
    """Return a change of the folded table."""
    row: TableRow = {"pea": name, "weight": weight, **more}  # type: ignore[dict-item]
    return RowChange("peas", row)


def reading(seconds: float, degrees: float = 20.0) -> TableRow:
    """Return a row of telemetry."""
    return {"at": START + timedelta(seconds=seconds), "degrees": degrees}


@pytest.mark.asyncio
class TableStoreContract:
    """What every store of domain tables must do. ``open_store`` opens another handle on the same tables."""

    @pytest_asyncio.fixture
    async def open_store(self) -> AsyncIterator[OpenStore]:
        yield _nobody

    async def test_of_a_stranger_nothing_is_known(self, open_store: OpenStore) -> None:
        store, run = await open_store(), new_run_id()
        await store.declare("garden", TABLES)
        assert await store.watermark("garden", run) == NOTHING
        assert list(await store.rows("garden", "peas")) == []
        await store.drop_run("garden", run)
        await store.drop_telemetry("garden")

    async def test_rows_have_their_types_and_are_replaced_whole(self, open_store: OpenStore) -> None:
        store, run = await open_store(), new_run_id()
        await store.declare("garden", TABLES)
        first = pea("a", 1, pod=2**40, smooth=True, notes={"deep": [1, None, "ü"]})
        await store.store("garden", run, 4, [first, pea("b", 2.5)])
        await store.store("garden", run, 7, [pea("a", 3.5, smooth=False), RowChange("peas", {"pea": "b"}, gone=True)])
        (row,) = await store.rows("garden", "peas")
        assert row == {"run_id": run, "pea": "a", "weight": 3.5, "pod": None, "smooth": False, "notes": None}
        assert await store.watermark("garden", run) == 7

    async def test_what_the_watermark_has_passed_changes_nothing(self, open_store: OpenStore) -> None:
        store, run = await open_store(), new_run_id()
        await store.declare("garden", TABLES)
        # Several readers of the same log.
        await asyncio.gather(*(store.store("garden", run, 3, [pea("a", 1)]) for _ in range(3)))
        await store.store("garden", run, 2, [pea("late", 1)])
        assert [row["pea"] for row in await store.rows("garden", "peas")] == ["a"]
        assert await store.watermark("garden", run) == 3

    async def test_a_row_that_does_not_fit_leaves_nothing_of_its_batch(self, open_store: OpenStore) -> None:
        store, run = await open_store(), new_run_id()
        await store.declare("garden", TABLES)
        bad: list[RowChange] = [
            *(pea("b", weight) for weight in (-1, 11)),
            *(pea("b", 1, **more) for more in ({"pod": "x"}, {"pod": 2**63}, {"smooth": 1}, {"colour": "green"})),
            RowChange("peas", {"pea": "b"}),
            RowChange("peas", {"pod": 1}, gone=True),
            RowChange("peas", {"pea": None, "weight": 1}),
            RowChange("no_such", {"pea": "b"}),
            RowChange("readings", reading(0)),
        ]
        for each in bad:
            with pytest.raises(InvalidRow):
                await store.store("garden", run, 5, [pea("a", 1), each])
        with pytest.raises(InvalidRow):
            await store.store("garden", run, 5, [pea("a", 1, pod=1), pea("b", 1, pod=1)])
        assert list(await store.rows("garden", "peas")) == []
        assert await store.watermark("garden", run) == NOTHING
        await store.store(
            "garden", run, 5, [pea("a", 1), pea("b", 1)]
        )  # null is not equal to null, so ``unique`` holds

    async def test_runs_are_strangers_to_each_other(self, open_store: OpenStore) -> None:
        store, one, other = await open_store(), new_run_id(), new_run_id()
        await store.declare("garden", TABLES)
        for run in (one, other):
            await store.store("garden", run, 1, [pea("a", 1, pod=1)])
        await store.drop_run("garden", one)
        assert [row["run_id"] for row in await store.rows("garden", "peas")] == [other]
        assert (await store.watermark("garden", one), await store.watermark("garden", other)) == (NOTHING, 1)

    async def test_rows_are_asked_for_by_their_values_and_in_an_order(self, open_store: OpenStore) -> None:
        store, run = await open_store(), new_run_id()
        await store.declare("garden", TABLES)
        await store.store("garden", run, 1, [pea("a", 3, pod=1), pea("b", 2), pea("c", 1, pod=1)])

        async def told(**options: object) -> list[object]:
            return [row["pea"] for row in await store.rows("garden", "peas", **options)]  # type: ignore[arg-type]

        assert await told() == ["a", "b", "c"]
        assert await told(by="weight") == ["c", "b", "a"]
        assert await told(by="weight", descending=True, limit=2) == ["a", "b"]
        assert await told(where={"pod": 1, "run_id": run}) == ["a", "c"]
        assert await told(where={"pod": None}) == ["b"]
        assert await told(where={"run_id": new_run_id()}) == []
        assert await told(by="pod") == ["a", "c", "b"]
        for unknown in ({"by": "colour"}, {"where": {"colour": "green"}}):
            with pytest.raises(InvalidRow, match="the table peas has no column 'colour'; there are run_id, pea, "):
                await told(**unknown)

    async def test_retention_keeps_the_newest_of_each_run_and_of_telemetry(self, open_store: OpenStore) -> None:
        store, one, other = await open_store(), new_run_id(), new_run_id()
        await store.declare("garden", TABLES)
        for run in (one, other):
            # Stored out of order: the newest by weight must stay.
            await store.store("garden", run, 1, [pea(str(weight), weight) for weight in (5, 1, 4, 2, 3)])
        assert [row["pea"] for row in await store.rows("garden", "peas", {"run_id": one})] == ["3", "4", "5"]
        assert len(await store.rows("garden", "peas")) == 6
        await store.put("garden", "readings", [reading(0), reading(5), reading(10)])
        assert len(await store.rows("garden", "readings")) == 3
        await store.put("garden", "readings", [reading(12), reading(12, 21.0)])
        rows = await store.rows("garden", "readings", by="at")
        assert [(row["at"], row["degrees"]) for row in rows] == [
            (START + timedelta(seconds=seconds), degrees) for seconds, degrees in ((5, 20.0), (10, 20.0), (12, 21.0))
        ]

    async def test_telemetry_is_written_by_itself_and_dropped_alone(self, open_store: OpenStore) -> None:
        store, run = await open_store(), new_run_id()
        await store.declare("garden", TABLES)
        await store.store("garden", run, 1, [pea("a", 1)])
        with pytest.raises(InvalidRow):
            await store.put("garden", "peas", [{"pea": "b", "weight": 1}])
        with pytest.raises(InvalidRow):
            await store.put("garden", "readings", [reading(0), {"at": "noon", "degrees": 1.0}])
        assert list(await store.rows("garden", "readings")) == []
        await store.put("garden", "readings", [reading(0)])
        await store.drop_run("garden", run)
        assert len(await store.rows("garden", "readings")) == 1
        await store.drop_telemetry("garden")
        assert list(await store.rows("garden", "readings")) == []

    async def test_names_that_are_too_long_are_refused(self, open_store: OpenStore) -> None:
        with pytest.raises(InvalidRow, match="too long together"):
            await (await open_store()).declare("g" * 55, TABLES)

    async def test_tables_that_are_declared_otherwise_begin_anew(self, open_store: OpenStore) -> None:
        store, run = await open_store(), new_run_id()
        await store.declare("garden", TABLES)
        await store.declare("field", TABLES)
        for domain in ("garden", "field"):
            await store.store(domain, run, 1, [pea("a", 1)])
        await store.declare("garden", TABLES)
        assert await store.watermark("garden", run) == 1
        for other in (replace(TABLES, version=2), DomainTables(tables=(READINGS,)), TABLES):
            await store.declare("garden", other)
            assert await store.watermark("garden", run) == NOTHING
            await store.store("garden", run, 1, [])
        assert list(await store.rows("garden", "peas")) == []
        assert await store.watermark("field", run) == 1

    async def test_telemetry_that_is_declared_as_it_was_stays_whatever_becomes_of_the_others(
        self, open_store: OpenStore
    ) -> None:
        store, run = await open_store(), new_run_id()
        await store.declare("garden", TABLES)
        await store.put("garden", "readings", [reading(0)])
        for other in (replace(TABLES, version=2), DomainTables(tables=(READINGS,)), TABLES):
            await store.declare("garden", other)
            assert len(await store.rows("garden", "readings")) == 1
        await store.store("garden", run, 1, [pea("a", 1)])
        await store.declare("garden", replace(TABLES, tables=(PEAS, replace(READINGS, key=("at", "degrees")))))
        assert list(await store.rows("garden", "readings")) == []
        assert [row["pea"] for row in await store.rows("garden", "peas")] == ["a"]
        assert await store.watermark("garden", run) == 1
