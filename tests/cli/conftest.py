"""A command line in a folder of its own, on the file log unless a test asks for PostgreSQL."""

import asyncio
import json
import os
import sys
from functools import cache

import pytest
import structlog
import typer

from mendel.adapters.file.event_log import FileEventLog
from mendel.cli.main import _run, app
from mendel.conformance import samples
from mendel.contracts.times import utc_now


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    for name in list(os.environ):
        if name.startswith("MENDEL_") and not name.startswith("MENDEL_TEST_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    yield
    structlog.reset_defaults()


WORKERS = "MENDEL_FABRIC__WORKERS"


@pytest.fixture
def one_worker(alone, monkeypatch):
    """Handlers run in one process: another for every core takes longer to start than most tests let it work."""
    monkeypatch.setenv(WORKERS, "1")


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def json(self):
        return json.loads(self.out)


make_commands = typer.main.get_command


@cache
def own_commands(_path):
    """All of Mendel's, with those of the domains on the path: to make them takes longer than most commands do."""
    return make_commands(app)


def get_command(asked):
    return own_commands(tuple(sys.path)) if asked is app else make_commands(asked)


@pytest.fixture
def mendel(capsys, monkeypatch):
    """Runs `mendel ARGUMENTS…` in this process."""
    monkeypatch.setattr(typer.main, "get_command", get_command)

    def mendel(*arguments):
        capsys.readouterr()
        code = _run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return mendel


@pytest.fixture
def file_log(monkeypatch):
    monkeypatch.setenv("MENDEL_LOG__BACKEND", "file")


@pytest.fixture
def make_run(tmp_path, file_log):
    """Writes a run with the given drafts into the file log of this folder."""

    def make_run(*drafts, home=".mendel", clock=utc_now, begins=None):
        async def write():
            async with FileEventLog(tmp_path / home / "runs", payloads=samples.sample_payloads(), clock=clock) as log:
                return await samples.new_run(log, drafts, begins)

        return asyncio.run(write())

    return make_run
