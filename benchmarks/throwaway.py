"""Peers in environments that are made for one benchmark and removed after it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

_PEERS = Path(__file__).parent / "peers"


class Peer:
    """A program in its own process that answers one JSON line with one JSON line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, order: dict[str, object]) -> dict[str, float]:
        """Send ``order`` and wait for the answer.

        Raises:
            RuntimeError: the peer ended; its own words stand on stderr.
        """
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the peer has no pipes")
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the peer ended with status {self._process.wait()}")
        answer: dict[str, float] = json.loads(line)
        return answer


@contextmanager
def environment(requirements: Sequence[str]) -> Iterator[Path]:
    """The Python of a fresh virtual environment that has ``requirements``."""
    with tempfile.TemporaryDirectory(prefix="mendel-peer-") as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = Path(folder) / "bin" / "python"
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements]
        subprocess.run(install, check=True, stdout=sys.stderr)
        yield python


@contextmanager
def peer(python: Path, program: str, arguments: Sequence[str]) -> Iterator[Peer]:
    """``peers/PROGRAM`` started by ``python``."""
    command = [str(python), str(_PEERS / program), *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield Peer(process)
    finally:
        if process.stdin is not None:
            process.stdin.close()
        process.wait(timeout=30)
