"""The short version of `make chaos`, through the same code, from a fixed seed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.chaos import full_disk
from tests.chaos.homes import Backend, Home
from tests.chaos.scene import REPOSITORY
from tests.support import skip_or_fail

HANG_S = 300.0
SEED = 1


def chaos(folder: Path, *arguments: str) -> str:
    """What the suite said; its processes end with it, however it ends."""
    command = [sys.executable, "-m", "tests.chaos.log", f"--folder={folder}", f"--seed={SEED}", *arguments]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as suite:
        try:
            said = suite.communicate(timeout=HANG_S)[0].decode()
        finally:
            if suite.poll() is None:
                suite.terminate()
    assert suite.returncode == 0, said
    return said


def require_nothing_left(backend: Backend, folder: Path) -> None:
    assert not folder.exists()
    for place in (folder / f"{backend}-kills" / "home", folder / f"{backend}-disk" / "disk" / "home"):
        assert Home(backend, place).processes() == []


@pytest.mark.chaos
@pytest.mark.parametrize(("backend", "kills"), [pytest.param("postgres", 3, marks=pytest.mark.slow), ("file", 3)])
def test_writers_and_servers_that_are_killed_lose_and_double_nothing(
    backend: Backend, kills: int, tmp_path: Path
) -> None:
    folder = tmp_path / "evidence"
    # Where so few kills land is chance, whatever the seed: how many hit a commit is counted by the long version.
    made = (f"--kills={kills}", f"--file-kills={kills}", "--inside=0")
    said = chaos(folder, f"--backend={backend}", *made, "--rounds=0")
    assert f"{kills} (" in said
    assert "every promise held" in said
    require_nothing_left(backend, folder)


@pytest.mark.chaos
@pytest.mark.long
@pytest.mark.parametrize("backend", ["postgres", "file"])
def test_a_full_disk_is_waited_for(backend: Backend, tmp_path: Path) -> None:
    if full_disk.namespace() is None:
        skip_or_fail("a full disk needs a mount namespace, and none can be had here")
    folder = tmp_path / "evidence"
    said = chaos(folder, f"--backend={backend}", "--kills=0", "--rounds=1")
    assert "every promise held" in said
    require_nothing_left(backend, folder)
