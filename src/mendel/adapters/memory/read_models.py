"""Read models in memory: for logs without a database; lost when the process ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mendel.contracts.read_models import TABLES, Row, TableName
from mendel.ports.read_models import NOTHING, ReadModels, Step


@dataclass
class _Run:
    watermark: int = NOTHING
    tables: dict[TableName, dict[str, Row]] = field(default_factory=lambda: {name: {} for name in TABLES})


class MemoryReadModels(ReadModels):
    """Stores rows in dictionaries, in the order of their creation."""

    def __init__(self) -> None:
        self._runs: defaultdict[str, _Run] = defaultdict(_Run)

    async def watermarks(self, run_id: str) -> Mapping[TableName, int]:
        """Return the watermark, which is the same for every table."""
        known = self._runs.get(run_id)
        return dict.fromkeys(TABLES, known.watermark if known is not None else NOTHING)

    async def store(self, run_id: str, steps: Sequence[Step]) -> None:
        """Apply the steps above the watermark."""
        run = self._runs[run_id]
        for step in steps:
            if step.sequence <= run.watermark:
                continue
            for table, key, values in step.changes:
                rows = run.tables[table]
                before = rows.get(key)
                first = before.first if before is not None else step.sequence
                rows[key] = Row(key, first, step.sequence, {**(before.values if before is not None else {}), **values})
            run.watermark = step.sequence

    async def row(self, run_id: str, table: TableName, key: str) -> Row | None:
        """Return one row."""
        known = self._runs.get(run_id)
        return known.tables[table].get(key) if known is not None else None

    async def rows(
        self, run_id: str, table: TableName, *, after: int = NOTHING, limit: int | None = None
    ) -> Sequence[Row]:
        """Return the rows created after a sequence."""
        known = self._runs.get(run_id)
        found = [row for row in known.tables[table].values() if row.first > after] if known is not None else []
        return found[:limit]

    async def matching(self, run_id: str, table: TableName, name: str, values: Sequence[str]) -> Sequence[Row]:
        """Return matching rows by a scan."""
        wanted = frozenset(values)
        return [row for row in await self.rows(run_id, table) if not wanted.isdisjoint(_texts(row, name))]

    async def in_flight(self, run_id: str) -> Sequence[Row]:
        """Return the operations that have not ended."""
        return [row for row in await self.rows(run_id, "operations") if row.values.get("ended", row) is None]

    async def runs(self) -> Mapping[str, Row]:
        """Return the row of each run."""
        return {run_id: row for run_id, run in self._runs.items() for row in run.tables["runs"].values()}

    async def drop(self, run_id: str) -> None:
        """Forget the run."""
        self._runs.pop(run_id, None)

    async def aclose(self) -> None:
        """Do nothing: no resources are held."""


def _texts(row: Row, name: str) -> list[str]:
    value = row.key if name == "key" else row.values.get(name)
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str)]
