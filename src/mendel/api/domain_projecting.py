"""A domain's own tables, which readers bring up to date with the log, and its telemetry."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, cast

from mendel.contracts.errors import DomainFailed, RunNotFound
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.run import RunConfigured
from mendel.contracts.ids import parse_run_id
from mendel.ports.domain_tables import DomainTables, RowChange, TableRow, TableStore
from mendel.ports.event_log import EventLog
from mendel.ports.registration import blaming, owner_of

AT_ONCE: Final = 500
"""Maximum number of events per store."""


@dataclass(frozen=True)
class TablesOf:
    """The tables of one domain, for its routes and services."""

    domain: str
    tables: DomainTables
    store: TableStore
    log: EventLog

    async def declare(self) -> None:
        """Create the tables if they do not exist."""
        await self.store.declare(self.domain, self.tables)

    async def fresh(self, run_id: str) -> int:
        """Fold the new events of a run; return the last event in the tables. Runs of other domains are ignored.

        Raises:
            RunNotFound: ``run_id`` is not a run's id.
            DomainFailed: the fold raises, or yields something other than row changes.
            InvalidRow: the fold yields a row that does not fit its table.
        """
        try:
            parse_run_id(run_id)
        except ValueError:
            raise RunNotFound(f"{run_id[:60]!r} is not a run's id; GET /api/runs lists all") from None
        through = await self.store.watermark(self.domain, run_id)
        if (await self.log.tip(run_id)).next - 1 <= through or await domain_of(self.log, run_id) != self.domain:
            return through
        changes: list[RowChange] = []
        waiting = 0
        async with aclosing(self.log.read(run_id, through + 1)) as events:
            async for event in events:
                changes += self._folded(event)
                through, waiting = event.sequence, waiting + 1
                if waiting >= AT_ONCE:
                    await self.store.store(self.domain, run_id, through, changes)
                    changes, waiting = [], 0
        if waiting:
            await self.store.store(self.domain, run_id, through, changes)
        return through

    def _folded(self, event: Event) -> list[RowChange]:
        with blaming(self.domain, "the fold of the tables"):
            changes = list(self.tables.fold(event))
        wrong = next((each for each in changes if not isinstance(cast("object", each), RowChange)), None)
        if wrong is not None:
            raise DomainFailed(
                f"the fold of the tables of {owner_of(self.domain)} yields {wrong!r:.60}, not a RowChange"
            )
        return changes

    async def rebuilt(self, run_id: str) -> int:
        """Drop the folded rows of a run and fold it again; telemetry is kept, since it is not in the log."""
        await self.store.drop_run(self.domain, run_id)
        return await self.fresh(run_id)

    async def put(self, table: str, rows: Sequence[TableRow]) -> None:
        """Write telemetry."""
        await self.store.put(self.domain, table, rows)

    async def rows(
        self,
        table: str,
        where: TableRow = MappingProxyType({}),
        *,
        by: str | None = None,
        descending: bool = False,
        limit: int | None = None,
    ) -> Sequence[TableRow]:
        """Return rows as stored; call ``fresh`` first for folded tables."""
        return await self.store.rows(self.domain, table, where, by=by, descending=descending, limit=limit)


async def domain_of(log: EventLog, run_id: str) -> str | None:
    """Return the domain of a run, from its first event."""
    async with aclosing(log.read(run_id)) as events:
        async for event in events:
            return event.payload.config.domain if isinstance(event.payload, RunConfigured) else None
    return None
