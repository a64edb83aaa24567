"""A home with a database of its own, the command line over it, and the server that shows it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from uuid import uuid4

REPOSITORY = Path(__file__).parents[2]
READY_S = 60

Event = Mapping[str, Any]


@dataclass
class Stage:
    """One folder; whatever is started from it is ended with it."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)
    _started: list[subprocess.Popen[str]] = field(default_factory=list)

    @classmethod
    def at(cls, folder: Path, plugins: Path) -> Stage:
        """A stage whose processes see the plug-ins installed there, and no setting of whoever runs the tests."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("MENDEL_")}
        paths = os.pathsep.join(filter(None, (str(plugins), kept.get("PYTHONPATH"))))
        own = {"MENDEL_HOME": str(folder / "home"), "MENDEL_FABRIC__WORKERS": "1", "PYTHONPATH": paths}
        return cls(folder, {**kept, **own})

    def mendel(self, *arguments: str | Path, may_end_with: Sequence[int] = (0,)) -> str:
        """What a command says on standard output."""
        done = subprocess.run(
            _command(*arguments), cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=300
        )
        if done.returncode not in may_end_with:
            raise AssertionError(f"mendel {arguments} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def start(self, *arguments: str | Path) -> subprocess.Popen[str]:
        """A command that goes on while the test does."""
        log = (self.folder / f"command-{len(self._started)}.log").open("w")
        with log:
            process = subprocess.Popen(
                _command(*arguments), cwd=self.folder, env=self.env, stdout=log, stderr=subprocess.STDOUT, text=True
            )
        self._started.append(process)
        return process

    def run(self, *arguments: str | Path) -> str:
        """Conduct a run of the reference domain to its end; its id."""
        said = json.loads(self.mendel("run", "--domain", "reference", *arguments, "--json"))
        return str(said["runs"][0]["run_id"])

    def events(self, run_id: str) -> list[Event]:
        """The run's log, exported by the command line."""
        return read_export(self.export(run_id))

    def export(self, run_id: str) -> Path:
        """A file with the run's log as it is now."""
        path = self.folder / f"{run_id}.jsonl"
        self.mendel("log", "export", run_id, path, "--force")
        return path

    def end(self) -> None:
        """End what was started here, and the database last."""
        for process in reversed(self._started):
            ended(process)
        self.mendel("db", "down", may_end_with=range(256))


def _command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "mendel.cli.main", *map(str, arguments)]


def read_export(path: Path) -> list[Event]:
    """The events of an exported run, in order."""
    lines = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    return [line["event"] for line in lines if "event" in line]


def ended(process: subprocess.Popen[str]) -> None:
    """Ask a process to end, and see that it does."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
    process.wait()


def free_port() -> int:
    """A port that nobody listened on a moment ago; a server that is started again needs the same one."""
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        return int(asking.getsockname()[1])


@dataclass
class Served:
    """`mendel serve` on a stage; it can be killed and started again at the same address."""

    stage: Stage
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Served:
        """Serve, and wait until it answers."""
        process = self.process = self.stage.start("serve", "--port", str(self.port))
        for _ in range(READY_S * 20):
            if process.poll() is not None or answers(self.port):
                break
            time.sleep(0.05)
        else:
            raise AssertionError(f"the server does not answer: {self.said()}")
        if process.poll() is not None:
            raise AssertionError(f"the server ended with {process.returncode}: {self.said()}")
        return self

    def kill(self) -> None:
        """Let it die as if the power were cut."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def said(self) -> str:
        """What the processes of the stage wrote last."""
        logs = sorted(self.stage.folder.glob("command-*.log"))
        return "\n".join(log.read_text("utf-8")[-2_000:] for log in logs[-2:])

    def get(self, path: str) -> Any:
        """What the API answers."""
        return self._asked("GET", path, None)

    def launch(self, **request: Any) -> str:
        """Begin a run of the reference domain on the server; its id."""
        return str(self._asked("POST", "/api/runs", {"domain": "reference", **request})["run_id"])

    def _asked(self, method: str, path: str, body: object) -> Any:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Accept": "application/json"}
        if method == "POST":
            headers |= {"Content-Type": "application/json", "Idempotency-Key": uuid4().hex}
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            said = answer.read()
        finally:
            connection.close()
        if not 200 <= answer.status < 300:
            raise AssertionError(f"{method} {path} is answered with {answer.status}: {said[:500]!r}")
        return json.loads(said)


def answers(port: int) -> bool:
    """Whether somebody there is ready."""
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


@contextmanager
def staged(folder: Path, plugins: Path) -> Iterator[Stage]:
    """A stage that is cleared when nobody needs it any more."""
    stage = Stage.at(folder, plugins)
    try:
        yield stage
    finally:
        stage.end()
