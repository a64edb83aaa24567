"""The peers of our sandbox: another package's sandbox, and a Python that starts and does nothing."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks import throwaway
from benchmarks.progress import Progress

PEER: Final = "metamorphic-guard==3.6.0"
PROGRAM: Final = "metamorphic_guard_evaluator.py"
WORKERS: Final = (1, 2)
FULL_EVALUATIONS: Final = 80
QUICK_EVALUATIONS: Final = 20
FULL_STARTS: Final = 60
QUICK_STARTS: Final = 20


@dataclass(frozen=True)
class Evaluations:
    """A number of one-case evaluations of a trivial candidate, and their times.

    Unless every answer was ``right`` the rates mean nothing, because a failing sandbox is faster.
    """

    evaluations: int
    workers: int
    wall_s: float
    cpu_s: float
    p50_s: float
    right: bool
    version: str

    @property
    def per_s(self) -> float:
        """Return evaluations per second."""
        return self.evaluations / self.wall_s

    @property
    def per_cpu_s(self) -> float:
        """Return evaluations per second of processor time of all processes together."""
        return self.evaluations / self.cpu_s


class GuardPeer:
    """The ``metamorphic-guard`` package, installed and warm; call it once per round."""

    def __init__(self, peer: throwaway.Peer) -> None:
        self._peer = peer

    def evaluate(self, workers: int, evaluations: int) -> Evaluations:
        """Run a sample; the peer measures the time, without its start, its import and the communication.

        Raises:
            throwaway.PeerFailed: it gave no answer.
        """
        answer = self._peer.ask({"workers": workers, "evaluations": evaluations})
        return Evaluations(
            evaluations=evaluations,
            workers=workers,
            wall_s=answer["wall_s"],
            cpu_s=answer["cpu_s"],
            p50_s=answer["p50_s"],
            right=bool(answer["right"]),
            version=str(answer["version"]),
        )


@contextmanager
def guard_peer(progress: Progress) -> Iterator[GuardPeer]:
    """Open the peer in a temporary environment."""
    progress.say(f"installing {PEER} into a throw-away environment")
    with ExitStack() as stack:
        python = stack.enter_context(throwaway.environment([PEER]))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="mendel-guard-"))
        yield GuardPeer(stack.enter_context(throwaway.peer(python, PROGRAM, [folder])))


def measure_guard(progress: Progress, *, quick: bool) -> dict[int, Evaluations]:
    """Install the peer and measure it once with each number of workers."""
    evaluations = QUICK_EVALUATIONS if quick else FULL_EVALUATIONS
    found = {}
    with guard_peer(progress) as peer:
        for workers in WORKERS:
            progress.say(f"{PEER}: {evaluations} evaluations, {workers} at once")
            found[workers] = peer.evaluate(workers, evaluations)
    return found


# --- a Python that does nothing --------------------------------------------------------------------------------


@dataclass(frozen=True)
class ColdStart:
    """The median time of ``python -I -c pass``, from the call to its end.

    ``p50_s`` is for the interpreter in an environment without packages, ``base_p50_s`` for the same interpreter as
    installed. Only the second includes imports by the ``.pth`` files of the installation.
    """

    starts: int
    p50_s: float
    base_p50_s: float
    base_pth: tuple[str, ...]


def measure_cold_start(progress: Progress, *, quick: bool) -> ColdStart:
    """Start both in turn, with one additional warm-up round."""
    starts = QUICK_STARTS if quick else FULL_STARTS
    base = Path(sys._base_executable)  # type: ignore[attr-defined]  # the interpreter from which ``venv`` creates environments
    progress.say(f"python -I -c pass: {starts} starts")
    with tempfile.TemporaryDirectory(prefix="mendel-bare-") as folder:
        venv.create(folder, symlinks=True, with_pip=False)
        bare = Path(folder) / "bin" / "python"
        pairs = [(_start_s(bare), _start_s(base)) for _ in range(starts + 1)][1:]
    bare_s, base_s = zip(*pairs, strict=True)
    return ColdStart(starts, statistics.median(bare_s), statistics.median(base_s), _pth_files(base))


def _start_s(python: Path) -> float:
    began = time.perf_counter()
    subprocess.run([str(python), "-I", "-c", "pass"], check=True)
    return time.perf_counter() - began


def _pth_files(python: Path) -> tuple[str, ...]:
    """Return the ``.pth`` files that ``python`` reads at every start."""
    program = "import site; print(*site.getsitepackages(), sep='\\n')"
    answer = subprocess.run([str(python), "-I", "-c", program], check=True, stdout=subprocess.PIPE, text=True)
    return tuple(sorted(file.name for folder in answer.stdout.splitlines() for file in Path(folder).glob("*.pth")))
