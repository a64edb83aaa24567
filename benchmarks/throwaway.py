"""Peers in environments that are created for one benchmark and removed after it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

_PEERS = Path(__file__).parent / "peers"


class PeerFailed(RuntimeError):
    """The peer ended too early; its own message is on stderr."""


class Peer:
    """A program in a separate process that reports when it is ready, and answers each JSON line with one JSON line."""

    def __init__(self, orders: IO[str], answers: IO[str]) -> None:
        self._orders = orders
        self._answers = answers

    def ask(self, order: dict[str, object]) -> dict[str, float]:
        """Send ``order`` and wait for the answer.

        Raises:
            PeerFailed: there is none.
        """
        self._orders.write(json.dumps(order) + "\n")
        self._orders.flush()
        return self.answer()

    def answer(self) -> dict[str, float]:
        """Return the peer's next line; raises like ``ask``."""
        line = self._answers.readline()
        if not line:
            raise PeerFailed("the peer ended without an answer")
        answer: dict[str, float] = json.loads(line)
        return answer


@contextmanager
def environment(requirements: Sequence[str]) -> Iterator[Path]:
    """Create a temporary virtual environment with ``requirements``; yields its Python."""
    with tempfile.TemporaryDirectory(prefix="mendel-peer-") as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = Path(folder) / "bin" / "python"
        install = [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check", *requirements]
        subprocess.run(install, check=True, stdout=sys.stderr)
        yield python


@contextmanager
def peer(python: Path, program: str, arguments: Sequence[str]) -> Iterator[Peer]:
    """Start ``peers/PROGRAM`` with ``python``."""
    command = [str(python), str(_PEERS / program), *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        if process.stdin is None or process.stdout is None:
            raise PeerFailed("the peer has no pipes")
        started = Peer(process.stdin, process.stdout)
        started.answer()
        yield started
