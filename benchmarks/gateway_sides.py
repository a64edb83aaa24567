"""The sides of ``gateway``, each a separate process: ours, packages in temporary environments, the plain round trip.

No side sees the caller's environment, because it may contain keys; third-party packages must not see them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, NamedTuple

from benchmarks import throwaway
from benchmarks.progress import Progress

PEERS: Final[Mapping[str, str]] = {
    "openai": "openai==3.49.0",
    "litellm": "litellm==1.106.2",  # later versions require a certifi that is not available everywhere
    "instructor": "instructor==1.17.0",
}
_ROOT: Final = Path(__file__).parent.parent
_CALLERS: Final = str(Path(__file__).parent / "peers" / "gateway_callers.py")
_SERVER: Final = ("-m", "tests.support.model_server", "--brain", "schema")
_WHEELS_ONLY: Final = "--only-binary=:all:"
_PATIENCE_S: Final = 10
_TICKS_S: Final = os.sysconf("SC_CLK_TCK")


class Way(NamedTuple):
    """How questions are asked: the side, and one of its ways of asking."""

    side: str
    way: str


WAYS: Final[Mapping[str, Way]] = {
    "ours": Way("ours", "ask"),
    "sdk_parse": Way("openai", "parse"),
    "sdk_create": Way("openai", "create"),
    "litellm": Way("litellm", "acompletion"),
    "instructor_schema": Way("instructor", "schema"),
    "instructor_tools": Way("instructor", "tools"),
    "httpx2": Way("httpx2", "post"),
    "httpx": Way("httpx", "post"),
}


@dataclass(frozen=True)
class Taken:
    """Accepted questions and their times; ``server_cpu_s`` is the server's processor time for them."""

    calls: int
    at_once: int
    wall_s: float
    cpu_s: float
    server_cpu_s: float
    p50_s: float
    p95_s: float

    @property
    def per_s(self) -> float:
        """Return accepted calls per second."""
        return self.calls / self.wall_s

    @property
    def cpu_ms(self) -> float:
        """Return the side's processor time per call, in milliseconds."""
        return 1e3 * self.cpu_s / self.calls

    @property
    def server_busy(self) -> float:
        """Return the share of one core that the server used."""
        return self.server_cpu_s / self.wall_s


class Sides:
    """All sides, started, and their server."""

    def __init__(self, peers: Mapping[str, throwaway.Peer], versions: Mapping[str, object], server: int) -> None:
        self._peers = peers
        self._server = server
        self.versions = versions

    def ask(self, name: str, calls: int, at_once: int) -> Taken:
        """Let a side ask the questions in the way with that name; the side measures the time itself.

        Raises:
            throwaway.PeerFailed: it gave no answer.
            AssertionError: a question was not accepted, so the rate means nothing.
        """
        side, way = WAYS[name]
        before = cpu_s_of(self._server)
        answer = self._peers[side].ask({"way": way, "calls": calls, "at_once": at_once})
        server_cpu_s = cpu_s_of(self._server) - before
        if answer["accepted"] != calls:
            raise AssertionError(f"{name}: {answer['accepted']} of {calls} questions were accepted")
        return Taken(calls, at_once, answer["wall_s"], answer["cpu_s"], server_cpu_s, answer["p50_s"], answer["p95_s"])


def cpu_s_of(pid: int) -> float:
    """Return the processor time of a live process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_S


@contextmanager
def started_sides(progress: Progress) -> Iterator[Sides]:
    """Start every side with one server; all of it is removed afterwards."""
    progress.say(f"installing {', '.join(PEERS.values())} into throw-away environments")
    with ExitStack() as stack:
        yield stack.enter_context(sides_of(_environments(stack), progress.say))


@contextmanager
def sides_of(pythons: Mapping[str, str], say: Callable[[str], None]) -> Iterator[Sides]:
    """Start one server, our side, the plain round trip, and the peers for which a Python is given."""
    with ExitStack() as stack:
        home = stack.enter_context(tempfile.TemporaryDirectory(prefix="mendel-gateway-"))
        server, line = stack.enter_context(_started([sys.executable, *_SERVER], home))
        peers, versions = {}, {}
        for name, command in _commands(pythons, f"{line.strip()}/v1").items():
            say(f"starting {name}")
            process, ready = stack.enter_context(_started(command, home))
            peers[name] = throwaway.Peer(*_pipes(process))
            versions[name] = json.loads(ready)["versions"]
        yield Sides(peers, versions, server.pid)


def _environments(stack: ExitStack) -> dict[str, str]:
    """Create all peers' environments at the same time; return the Python of each."""

    def made(requirement: str) -> str:
        return str(stack.enter_context(throwaway.environment([_WHEELS_ONLY, requirement])))

    with ThreadPoolExecutor() as pool:
        return dict(zip(PEERS, pool.map(made, PEERS.values()), strict=True))


def _commands(pythons: Mapping[str, str], url: str) -> dict[str, list[str]]:
    """Return the command that starts each side."""
    commands = {
        "ours": [sys.executable, "-m", "benchmarks.gateway_ours", url],
        "httpx2": [sys.executable, _CALLERS, "httpx2", url],
        **{name: [python, _CALLERS, name, url] for name, python in pythons.items()},
    }
    # httpx comes with litellm's environment, so it is measured only together with it
    below_litellm = {"httpx": [pythons["litellm"], _CALLERS, "httpx", url]} if "litellm" in pythons else {}
    return commands | below_litellm


@contextmanager
def _started(command: Sequence[str], home: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a process and return it with its first line; it ends when its stdin is closed.

    Raises:
        throwaway.PeerFailed: it ended without a line.
    """
    environment = {"PATH": os.defpath, "HOME": home, "LANG": "C.UTF-8"}
    environment["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # otherwise its import downloads prices
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_ROOT, env=environment
    )
    orders, answers = _pipes(process)
    try:
        line = answers.readline()
        if not line:
            raise throwaway.PeerFailed(f"{' '.join(command[1:3])} did not start")
        yield process, line
    finally:
        orders.close()  # the end of its stdin tells the side to stop
        _end(process)
        answers.close()


def _pipes(process: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    if process.stdin is None or process.stdout is None:
        raise throwaway.PeerFailed("a side has no pipes")
    return process.stdin, process.stdout


def _end(process: subprocess.Popen[str]) -> None:
    try:
        process.wait(_PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
