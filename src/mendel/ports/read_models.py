"""Port ``ReadModels``: rows that are made from events, each table of a run with the event it was made up to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mendel.contracts.read_models import Change, Row, TableName
from mendel.ports.closing import Closing

NOTHING = -1
"""The watermark of a run of which nothing has been read."""


class Step(NamedTuple):
    """What the event ``sequence`` changes."""

    sequence: int
    changes: Sequence[Change]


class ReadModels(Closing, ABC):
    """Keeps rows by run, table and key.

    Obligations of an implementation:

    - ``store`` is whole or nothing, with the watermark; what was stored is there for whoever asks afterwards. Where the
      storage itself crashes the last may be lost, whole: the watermark goes with it, and it comes again from the log.
    - Rows of one table come in the order of their first event, those of one event in the order they were stored in.
    - Steps that a watermark has passed change nothing: two who read the same log may store it twice.
    - Dropping is always allowed: everything can be made again from the log.
    """

    @abstractmethod
    async def watermarks(self, run_id: str) -> Mapping[TableName, int]:
        """Up to which event each table of the run was made; ``NOTHING`` where it was not."""

    @abstractmethod
    async def store(self, run_id: str, steps: Sequence[Step]) -> None:
        """Take the steps, in the order of their sequences; afterwards every table has the last one's watermark."""

    @abstractmethod
    async def row(self, run_id: str, table: TableName, key: str) -> Row | None:
        """One row."""

    @abstractmethod
    async def rows(
        self, run_id: str, table: TableName, *, after: int = NOTHING, limit: int | None = None
    ) -> Sequence[Row]:
        """The rows that began after the event ``after``, at most ``limit`` of them."""

    @abstractmethod
    async def matching(self, run_id: str, table: TableName, name: str, values: Sequence[str]) -> Sequence[Row]:
        """The rows whose value of that name is one of these texts, or a list that has one; ``key`` is the row's own."""

    @abstractmethod
    async def in_flight(self, run_id: str) -> Sequence[Row]:
        """The rows of the operations that were begun and have not ended, which costs no more in a long run."""

    @abstractmethod
    async def runs(self) -> Mapping[str, Row]:
        """The row of each run that is known here, by run."""

    @abstractmethod
    async def drop(self, run_id: str) -> None:
        """Forget everything about the run."""
