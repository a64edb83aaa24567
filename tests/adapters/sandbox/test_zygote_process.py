"""How a zygote is ended, whatever it was about to do."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from mendel.adapters.sandbox.zygote_process import ZygoteProcess


def setup_that_runs(*command):
    """A setup whose walls are built by another program, as bubblewrap would."""
    return {
        "bubblewrap": list(command),
        "commands": False,
        "group_files": [],
        "hash_seed": 0,
        "layers": [],
        "memory_bytes": 1 << 28,
        "outside_id": None,
    }


def written(file):
    """What was written there, once it was."""
    deadline = time.monotonic() + 60
    while not file.exists() or not file.read_text().endswith("\n"):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return file.read_text()


def is_running(pid):
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


@pytest.mark.parametrize("end", [ZygoteProcess.kill, ZygoteProcess.close])
def test_what_builds_the_walls_is_ended_with_the_child_that_waits_for_it(tmp_path, end):
    """Bubblewrap's child waits until its parent has written its ids; nobody tells it that this parent was killed."""
    told = tmp_path / "child"
    script = f"sleep 600 & echo $! > {told}.part; mv {told}.part {told}; wait"
    zygote = ZygoteProcess(setup_that_runs("/bin/sh", "-c", script))
    child = int(written(told))
    assert is_running(child)
    end(zygote)
    deadline = time.monotonic() + 60
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    left = is_running(child)
    zygote.close()
    if left:
        os.kill(child, 9)
    assert not left


def test_one_that_has_ended_can_be_killed_and_closed_again():
    zygote = ZygoteProcess(setup_that_runs("/bin/true"))
    zygote._process.wait()
    zygote.kill()
    zygote.close()
    zygote.close()
    assert zygote.broken
