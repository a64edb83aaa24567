"""The short version of the kernel's part of `make chaos`, through the same code, from a fixed seed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.chaos import full_disk
from tests.chaos.homes import Home
from tests.chaos.scene import REPOSITORY
from tests.support import skip_or_fail

HANG_S = 300.0

pytestmark = [pytest.mark.chaos, pytest.mark.xdist_group("kernel chaos")]

NOTHING = {"seed": 1, "kills": 0, "file-kills": 0, "restarts": 0, "rounds": 0, "births": 80, "at-least": 1}


def chaos(folder: Path, **figures: int) -> str:
    """What the suite said; its processes end with it, however it ends."""
    named = {name.replace("_", "-"): figure for name, figure in figures.items()}
    options = [f"--{name}={figure}" for name, figure in (NOTHING | named).items()]
    command = [sys.executable, "-m", "tests.chaos.kernel", f"--folder={folder}", *options]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as suite:
        try:
            said = suite.communicate(timeout=HANG_S)[0].decode()
        finally:
            if suite.poll() is None:
                suite.terminate()
    assert suite.returncode == 0, said
    return said


def require_nothing_left(folder: Path, *homes: str) -> None:
    assert not folder.exists()
    for home in homes:
        assert Home("postgres", folder / home).processes() == []


@pytest.mark.slow
def test_runs_whose_conductors_are_killed_keep_every_promise(tmp_path: Path) -> None:
    folder = tmp_path / "evidence"
    said = chaos(folder, kills=2, file_kills=1, runs=1, at_least=0)
    assert "every promise held" in said
    require_nothing_left(folder, "postgres-kills/home")


@pytest.mark.long
def test_a_run_pauses_while_postgres_restarts_and_finishes(tmp_path: Path) -> None:
    folder = tmp_path / "evidence"
    said = chaos(folder, restarts=1)
    assert "PostgreSQL restarted: fast shutdown" in said
    assert "every promise held" in said
    require_nothing_left(folder, "restarts/home")


@pytest.mark.long
def test_a_run_pauses_while_the_disk_is_full_and_finishes(tmp_path: Path) -> None:
    if full_disk.namespace() is None:
        skip_or_fail("a full disk needs a mount namespace, and none can be had here")
    folder = tmp_path / "evidence"
    said = chaos(folder, rounds=1, births=240)  # it must not be over before the disk is full for the second time
    assert "disk full" in said
    assert "every promise held" in said
    require_nothing_left(folder, "disk/disk/home")
