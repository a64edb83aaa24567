"""The peer of the gate: the ``metamorphic-guard`` package with its own task ``top_k``."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks import throwaway
from benchmarks.progress import Progress
from benchmarks.sandbox_peers import PEER
from mendel.guard.spec import Args

PROGRAM: Final = "metamorphic_guard_gate.py"


@dataclass(frozen=True)
class PeerRun:
    """One evaluation by the peer: its times and its result."""

    n: int
    seed: int
    workers: int
    wall_s: float
    cpu_s: float
    adopt: bool
    reason: str
    passes: int
    baseline_passes: int
    version: str

    @property
    def cases_s(self) -> float:
        """Return cases per second."""
        return self.n / self.wall_s


class GatePeer:
    """The installed package; call it once per round."""

    def __init__(self, peer: throwaway.Peer, folder: Path) -> None:
        self._peer = peer
        self._folder = folder

    def inputs(self, n: int, seed: int) -> list[Args]:
        """Return the inputs that the peer draws; those of a smaller ``n`` are the first of them."""
        path = self._folder / f"inputs-{n}-{seed}.json"
        self._peer.ask({"write": str(path), "n": n, "seed": seed})
        return [(numbers, k) for numbers, k in json.loads(path.read_text())]

    def judge(self, baseline: Path, candidate: Path, *, n: int, seed: int, parallel: int | None) -> PeerRun:
        """Run one evaluation; the peer measures the time, without its start, its import and the communication.

        Raises:
            throwaway.PeerFailed: it gave no answer.
        """
        order: dict[str, object] = {"baseline": str(baseline), "candidate": str(candidate), "n": n, "seed": seed}
        answer = self._peer.ask(order | {"parallel": parallel})
        return PeerRun(
            n=n,
            seed=seed,
            workers=int(answer["workers"]),
            wall_s=answer["wall_s"],
            cpu_s=answer["cpu_s"],
            adopt=bool(answer["adopt"]),
            reason=str(answer["reason"]),
            passes=int(answer["passes"]),
            baseline_passes=int(answer["baseline_passes"]),
            version=str(answer["version"]),
        )


@contextmanager
def gate_peer(progress: Progress) -> Iterator[GatePeer]:
    """Open the peer in a temporary environment."""
    progress.say(f"installing {PEER} into a throw-away environment")
    with ExitStack() as stack:
        python = stack.enter_context(throwaway.environment([PEER]))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="mendel-gate-"))
        yield GatePeer(stack.enter_context(throwaway.peer(python, PROGRAM, [folder])), Path(folder))
