"""Port ``Checkpoints``: the head of each run, kept outside the log that it vouches for."""

from __future__ import annotations

from abc import ABC, abstractmethod

from mendel.contracts.log_views import Head


class Checkpoints(ABC):
    """Remembers how far each run was seen.

    A hash chain shows that nothing inside it was changed, but not that its end was cut off. A checkpoint does, if
    whoever can cut the log cannot also reach the checkpoint.

    Obligations of an implementation: ``put`` replaces atomically (a reader sees the old or the new head, never half
    of one) and is called after every commit, so it should take microseconds; it need not be durable against power
    loss, because a checkpoint that is behind only vouches for less. ``get`` never raises for damaged content: it
    answers ``None``, as if nothing were kept.
    """

    @abstractmethod
    async def put(self, run_id: str, head: Head) -> None:
        """Remember ``head`` as the end of the run."""

    @abstractmethod
    async def get(self, run_id: str) -> Head | None:
        """The last head that was remembered here."""

    @abstractmethod
    async def run_ids(self) -> frozenset[str]:
        """The runs of which something is remembered; one that the log does not know any more was removed whole."""
