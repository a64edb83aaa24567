"""Port ``Checkpoints``: the head of each run, kept outside the log so that it can vouch for the log."""

from __future__ import annotations

from abc import ABC, abstractmethod

from mendel.contracts.log_views import Head


class Checkpoints(ABC):
    """Remembers the last known head of each run.

    A hash chain shows that its content was not changed, but not that its end was cut off. A checkpoint shows that too,
    unless whatever can cut the log can also change the checkpoint.

    Obligations of an implementation: ``put`` replaces atomically (a reader sees the old or the new head). It is called
    after every commit, so it should take microseconds. It need not survive power loss: a checkpoint that lags only
    vouches for fewer events. ``get`` never raises for damaged content: it returns ``None``, as if nothing were stored.
    """

    @abstractmethod
    async def put(self, run_id: str, head: Head) -> None:
        """Remember ``head`` as the end of the run."""

    @abstractmethod
    async def get(self, run_id: str) -> Head | None:
        """Return the last head that was remembered."""

    @abstractmethod
    async def run_ids(self) -> frozenset[str]:
        """Return the runs that have a checkpoint. A run that is missing from the log was removed as a whole."""
