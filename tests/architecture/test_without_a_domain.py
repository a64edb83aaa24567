"""The wheel without one of its domains: everything else works as before."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.plugins import install

ROOT = Path(__file__).parents[2]
DOMAINS = ("programs", "texts")
ROOMS = ("contracts", "ports", "guard", "selection", "breeding", "conformance", "kernel", "bench", "domains")
ROOMS += ("projections", "api", "settings", "wiring", "console", "cli")
IMPORTED = """
import importlib, pkgutil, sys
for room in sys.argv[1:]:
    package = importlib.import_module(f"mendel.{room}")
    for found in pkgutil.walk_packages(package.__path__, f"mendel.{room}.", onerror=lambda name: 1 / 0):
        if "hostile_corpus" not in found.name and not found.name.startswith("mendel.guard.tasks.programs"):
            importlib.import_module(found.name)
print(package.__file__)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, but for the page, which takes its time."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    environ = {**os.environ, "HATCH_BUILD_NO_HOOKS": "true"}
    subprocess.run(command, cwd=ROOT, env=environ, check=True, capture_output=True)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(params=DOMAINS)
def without(request, wheel, tmp_path):
    """The name of a domain, and a caller of programs where the wheel is installed without it."""
    site = tmp_path / "site"
    with ZipFile(wheel) as packed:
        packed.extractall(site)
    shutil.rmtree(site / "mendel" / "domains" / request.param)
    install(site)

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        environ = {**os.environ, "PYTHONPATH": str(site), "COLUMNS": "200", "MENDEL_HOME": str(tmp_path / "home")}
        return subprocess.run(
            [sys.executable, *arguments], cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=120
        )

    return request.param, call


def answer(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_all_else_is_imported_listed_run_and_replayed(without):
    name, call = without
    (other,) = set(DOMAINS) - {name}

    def mendel(*arguments: str) -> str:
        return answer(call("-m", "mendel", "--log", "file", *arguments))

    assert "/site/mendel/" in answer(call("-c", IMPORTED, *ROOMS))

    assert (" mutate " in mendel("--help")) is (name != "programs")
    options = mendel("evolve", "--help")
    assert ("--task" in options, "--held-run" in options) == (name != "programs", name != "texts")
    listed = {each["name"]: each for each in json.loads(mendel("plugin", "info", name, "--json"))["plugins"]}
    assert listed[name]["loads"].startswith("no: ")
    assert json.loads(mendel("plugin", "info", other, "--json"))["plugins"][0]["loads"] == "yes"

    mendel("run", "--domain", "noop", "--seed", "3", "--population", "4", "--generations", "2")
    assert "completed" in mendel("show", "latest")
    mendel("replay", "latest")

    refused = call("-m", "mendel", "--log", "file", "run", "--domain", name)
    assert refused.returncode == 4
    assert f'"{name}"' in refused.stderr
