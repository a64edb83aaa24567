"""The other side of ``evolve_rate``: OpenEvolve."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final, cast

from benchmarks import sandbox_processes, throwaway
from benchmarks.evolve_rate_task import TaskFiles
from benchmarks.progress import Progress

PEER: Final = "openevolve==0.4.0"
PROGRAM: Final = "openevolve_rate.py"


@dataclass(frozen=True)
class PeerEvolution:
    """One evolution; ``done_s`` is when each child was in the peer's database, from the first iteration's start on.

    ``all_cpu_s`` is the processor time of every process of it, the server's too; setting it up is in that.
    """

    iterations: int
    wall_s: float
    done_s: tuple[float, ...]
    all_cpu_s: float
    version: str

    def rate(self, first: int, last: int) -> float:
        """Iterations per second from iteration ``first`` up to ``last``."""
        began = self.done_s[first - 1] if first else 0.0
        return (last - first) / (self.done_s[last - 1] - began)

    def curve(self, step: int) -> list[float]:
        """The rate of every ``step`` iterations."""
        starts = range(0, len(self.done_s) - step + 1, step)
        return [round(self.rate(start, start + step), 1) for start in starts]


class EvolvingPeer:
    """The package, installed; ask it as often as there are rounds."""

    def __init__(self, peer: throwaway.Peer) -> None:
        self._peer = peer

    def evolve(self, iterations: int, workers: int) -> PeerEvolution:
        """The peer holds the clock.

        Raises:
            throwaway.PeerFailed: it gave no answer.
            AssertionError: iterations came to nothing, so that its rate says nothing.
        """
        cpu_before = sandbox_processes.cpu_s()
        answer = cast("dict[str, Any]", self._peer.ask({"iterations": iterations, "workers": workers}))
        cpu_s = sandbox_processes.cpu_s() - cpu_before
        done_s = tuple(answer["done_s"])
        if len(done_s) != iterations:
            raise AssertionError(f"the peer made {len(done_s)} programs in {iterations} iterations")
        return PeerEvolution(iterations, answer["wall_s"], done_s, cpu_s, str(answer["version"]))


@contextmanager
def evolving_peer(progress: Progress, files: TaskFiles, url: str) -> Iterator[EvolvingPeer]:
    """The peer in an environment of its own, asking the server at ``url``; nothing of it is left afterwards."""
    progress.say(f"installing {PEER} into a throw-away environment")
    with ExitStack() as stack:
        python = stack.enter_context(throwaway.environment([PEER]))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="mendel-openevolve-"))
        arguments = [folder, str(files.program), str(files.evaluator), url]
        yield EvolvingPeer(stack.enter_context(throwaway.peer(python, PROGRAM, arguments)))
