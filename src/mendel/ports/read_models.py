"""Port ``ReadModels``: rows derived from events. Each table of a run has a watermark, the last event included in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mendel.contracts.read_models import Change, Row, TableName
from mendel.ports.closing import Closing

NOTHING = -1
"""The watermark of a run of which nothing was read yet."""


class Step(NamedTuple):
    """The changes of the event ``sequence``."""

    sequence: int
    changes: Sequence[Change]


class ReadModels(Closing, ABC):
    """Stores rows by run, table and key.

    Obligations of an implementation:

    - ``store`` is atomic and includes the watermark; stored rows are visible to every later call. If the storage
      crashes, the last ``store`` may be lost as a whole: its watermark is lost with it, and the rows are read from the
      log again.
    - Rows of one table are ordered by their first event; rows of the same event keep the order in which they were
      stored.
    - Steps up to a watermark are no-ops, so two readers of the same log may both store them.
    - Dropping is always allowed: everything can be rebuilt from the log.
    """

    @abstractmethod
    async def watermarks(self, run_id: str) -> Mapping[TableName, int]:
        """Return the last event that each table of the run includes, or ``NOTHING``."""

    @abstractmethod
    async def store(self, run_id: str, steps: Sequence[Step]) -> None:
        """Apply the steps in the order of their sequences; afterwards every table has the last one's watermark."""

    @abstractmethod
    async def row(self, run_id: str, table: TableName, key: str) -> Row | None:
        """Return one row, or None."""

    @abstractmethod
    async def rows(
        self, run_id: str, table: TableName, *, after: int = NOTHING, limit: int | None = None
    ) -> Sequence[Row]:
        """Return at most ``limit`` rows whose first event comes after the event ``after``."""

    @abstractmethod
    async def matching(self, run_id: str, table: TableName, name: str, values: Sequence[str]) -> Sequence[Row]:
        """Return the rows in which ``name`` (or ``key``) is one of these texts, or a list with one of them."""

    @abstractmethod
    async def in_flight(self, run_id: str) -> Sequence[Row]:
        """Return the rows of operations that have begun and not ended. Its cost does not grow with the run."""

    @abstractmethod
    async def runs(self) -> Mapping[str, Row]:
        """Return the row of each run in the store, by run."""

    @abstractmethod
    async def drop(self, run_id: str) -> None:
        """Delete all rows of the run."""
