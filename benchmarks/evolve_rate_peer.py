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
    """One evolution; ``done_s`` are the times of the children's entry into its database, since the first iteration.

    ``all_cpu_s`` is the processor time of all its processes, including setup and the server.
    """

    iterations: int
    wall_s: float
    done_s: tuple[float, ...]
    all_cpu_s: float
    version: str

    def rate(self, first: int, last: int) -> float:
        """Return iterations per second from iteration ``first`` up to ``last``."""
        began = self.done_s[first - 1] if first else 0.0
        return (last - first) / (self.done_s[last - 1] - began)

    def curve(self, step: int) -> list[float]:
        """Return the rate of every ``step`` iterations."""
        starts = range(0, len(self.done_s) - step + 1, step)
        return [round(self.rate(start, start + step), 1) for start in starts]


class EvolvingPeer:
    """The installed package; call it once per round."""

    def __init__(self, peer: throwaway.Peer) -> None:
        self._peer = peer

    def evolve(self, iterations: int, workers: int) -> PeerEvolution:
        """Run one evolution; the peer measures the time itself.

        Raises:
            throwaway.PeerFailed: it gave no answer.
            AssertionError: iterations produced no child, so the rate means nothing.
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
    """Open the peer in a temporary environment, with the server at ``url``."""
    progress.say(f"installing {PEER} into a throw-away environment")
    with ExitStack() as stack:
        python = stack.enter_context(throwaway.environment([PEER]))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="mendel-openevolve-"))
        arguments = [folder, str(files.program), str(files.evaluator), url]
        yield EvolvingPeer(stack.enter_context(throwaway.peer(python, PROGRAM, arguments)))
