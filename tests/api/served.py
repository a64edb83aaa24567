"""`mendel serve` as a process of its own, on a real socket and a real log, asked as a client asks it."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import pytest
import structlog
import uvicorn
from tests.api.openapi import refuse_undeclared

from mendel.cli.main import main

PATIENCE_S = 90
SMALL = {"domain": "reference", "rng_seed": 7, "caps": {"max_population": 6, "max_generations": 2}}
LONG = {
    "domain": "reference",
    "rng_seed": 7,
    "caps": {"max_population": 6, "max_generations": 5_000},
    "config": {"pause_ms": 20, "challenge": False},
}
_keys = count()


def environment(folder: Path, **more: str) -> dict[str, str]:
    """That of a server on the file log of a folder, with none of the settings of whoever runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MENDEL_", "PYTEST_"))}
    own = {
        "MENDEL_HOME": str(folder / "home"),
        "MENDEL_LOG__BACKEND": "file",
        "MENDEL_FABRIC__WORKERS": "1",
        "MENDEL_TELEMETRY__LOG_LEVEL": "info",
        "MENDEL_TELEMETRY__LOG_JSON": "true",
        "MENDEL_SERVE__WRITES_PER_MINUTE": "0",
        "MENDEL_SERVE__READS_PER_SECOND": "0",
    }
    return {**kept, **own, **more}


class Server:
    """One `mendel serve`, and a client of it."""

    def __init__(self, folder: Path, *arguments: str, **settings: str) -> None:
        self.folder, self.env = folder, environment(folder, **settings)
        self.errors = folder / f"serve-{next(_keys)}.log"
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "mendel", "serve", "--port", "0", "--json", *arguments],
                cwd=folder,
                env=self.env,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "url" in line, line + self.said()
        self.url = json.loads(line)["url"]
        self.client = httpx.Client(base_url=self.url, timeout=PATIENCE_S, event_hooks={"response": [refuse_undeclared]})

    def said(self) -> str:
        """What it wrote to standard error."""
        return self.errors.read_text()

    def told(self, event: str) -> list[Mapping[str, Any]]:
        """Its structured log lines of one kind."""
        lines = (json.loads(line) for line in self.said().splitlines() if line.startswith("{"))
        return [line for line in lines if line["event"] == event]

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.client.get(path, **options)

    def post(self, path: str, body: object = None, key: str | None = None, **headers: str) -> httpx.Response:
        """A change; with a key of its own if the test names none."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {"Idempotency-Key": key or f"key-{next(_keys)}", **named}
        return self.client.post(path, json=body, headers=sent)

    def launch(self, body: object = SMALL, key: str | None = None) -> str:
        """A run; in a niche of its own, if the test names neither key nor problem: several may go at once."""
        if isinstance(body, dict) and body.get("domain") == "reference" and key is None:
            body = {"problem": f"run {next(_keys)}", **body}
        answer = self.post("/api/runs", body, key)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["run_id"])

    def run(self, run_id: str) -> dict[str, Any]:
        answer = self.get(f"/api/runs/{run_id}")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def until(self, run_id: str, *statuses: str, scored: int = 0) -> dict[str, Any]:
        """The run, once it has come so far."""
        for _ in range(PATIENCE_S * 10):
            run = self.run(run_id)
            if run["status"] in statuses and run["scored"] >= scored:
                return run
            time.sleep(0.1)
        raise AssertionError(f"{run_id} is {run['status']} with {run['scored']} scored:\n{self.said()}")

    def runs(self) -> list[dict[str, Any]]:
        return list(self.get("/api/runs").json()["runs"])

    def events(self, run_id: str) -> list[dict[str, Any]]:
        """The run's log."""
        return list(self.get(f"/api/runs/{run_id}/events", params={"limit": 5_000}).json()["events"])

    def mendel(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A command of somebody else on the same log."""
        command = [sys.executable, "-m", "mendel", *arguments]
        return subprocess.run(command, cwd=self.folder, env=self.env, capture_output=True, text=True, check=False)

    def conductors(self) -> list[int]:
        """The processes that this server has started for runs and that live."""
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        found = [int(pid) for pid in path.read_text().split()]
        return [pid for pid in found if b"tethered" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End it; its exit code."""
        self.client.close()
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(PATIENCE_S)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@contextmanager
def serving(folder: Path, *arguments: str, **settings: str) -> Iterator[Server]:
    """A server that is gone afterwards, whatever happens."""
    server = Server(folder, *arguments, **settings)
    try:
        yield server
    finally:
        server.end()


def one_server(*arguments: str, **settings: str) -> Any:
    """A fixture: one server for all tests of a module."""

    @pytest.fixture(scope="module")
    def server(tmp_path_factory: pytest.TempPathFactory, plugins: Path) -> Iterator[Server]:
        with serving(tmp_path_factory.mktemp("served"), *arguments, **settings) as server:
            yield server

    return server


def refuses_to_start(folder: Path, *arguments: str, **settings: str) -> str:
    """What a server says that does not start. It is asked in this process, and may not get as far as to listen."""
    out, err = io.StringIO(), io.StringIO()
    env = environment(folder, **settings)
    path = [*filter(None, env.get("PYTHONPATH", "").split(os.pathsep)), *sys.path]
    listens = AssertionError("it starts")
    try:
        with (
            patch.dict(os.environ, env, clear=True),
            patch.object(sys, "path", path),
            patch.object(uvicorn.Server, "startup", side_effect=listens),
            chdir(folder),
            redirect_stdout(out),
            redirect_stderr(err),
            pytest.raises(SystemExit) as left,
        ):
            main(["serve", "--port", "0", *arguments])
    finally:
        structlog.reset_defaults()
    assert left.value.code != 0
    assert out.getvalue() == ""
    return err.getvalue()


def alive(pid: int) -> bool:
    """Whether there is such a process, and it is not just waiting to be taken note of."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def wait_until(holds: Any, what: str) -> None:
    for _ in range(PATIENCE_S * 10):
        if holds():
            return
        time.sleep(0.1)
    raise AssertionError(f"{what} did not happen")
