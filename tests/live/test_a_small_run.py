"""`make live`: a small run with real models. What they answer is theirs; what holds whatever they answer is tested.

Collected only with MENDEL_TEST_LIVE=1. MENDEL_TEST_LIVE_CONFIG names the mendel.toml whose models are asked; without
it, ./mendel.toml.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mendel.settings import PROVIDER_VARIABLES

CANDIDATES = 12
SOURCE = '''def total(items: list[int]) -> int:
    """The sum of all items."""
    result = 0
    for place in range(len(items)):
        result = result + items[place]
    return result
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    given = Path(os.environ.get("MENDEL_TEST_LIVE_CONFIG", "mendel.toml"))
    if not given.is_file():
        pytest.fail(f"{given} is not there; set MENDEL_TEST_LIVE_CONFIG to a mendel.toml that names models below [llm]")
    folder = tmp_path_factory.mktemp("live")
    shutil.copy(given, folder / "mendel.toml")
    (folder / "total.py").write_text(SOURCE)
    return folder


def mendel(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mendel", "--log", "file", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_every_route_answers(folder: Path) -> None:
    done = mendel(folder, "models", "check", "--json")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_run_ends_within_its_caps_and_replays_and_no_key_is_left(folder: Path) -> None:
    options = ("--models", "--objective", "opcodes", "--candidates", str(CANDIDATES), "--no-best-of-n", "--json")
    done = mendel(folder, "evolve", "total.py:total", *options)
    assert done.returncode in (0, 3), done.stdout + done.stderr
    events = json.loads(mendel(folder, "events", "latest", "--json").stdout)["events"]
    assert events[-1]["type"] == "run.completed"
    caps = events[0]["payload"]["config"]["caps"]
    asked = [each["payload"]["provider"] for each in events if each["type"] == "llm_call_telemetry"]
    assert sum(each["tokens_in"] + each["tokens_out"] for each in asked) <= caps["max_tokens"]
    assert sum(each["cost_microusd"] or 0 for each in asked) <= caps["max_cost_microusd"]
    adopted = [each for each in events if each["type"] == "adoption.made"]
    assert all(each["payload"]["verdict"]["decision"] == "adopt" for each in adopted)
    assert mendel(folder, "replay", "latest").returncode == 0
    keys = [
        os.environ[name].encode()
        for name in PROVIDER_VARIABLES
        if name.endswith(("KEY", "TOKEN")) and name in os.environ
    ]
    for path in folder.rglob("*"):
        if path.is_file():
            assert not [key for key in keys if key in path.read_bytes()], path
