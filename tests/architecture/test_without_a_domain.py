"""The wheel without one of its domains: everything else works as before."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

import pytest
from tests.plugins import install

pytestmark = pytest.mark.xdist_group("without a domain")  # the wheel is built once
ROOT = Path(__file__).parents[2]
DOMAINS = ("programs", "texts")
ROOMS = ("contracts", "ports", "guard", "selection", "breeding", "conformance", "kernel", "bench", "domains")
ROOMS += ("projections", "api", "settings", "wiring", "console", "cli")
CALLED = """
import importlib, io, json, pkgutil, sys
from contextlib import redirect_stderr, redirect_stdout
from mendel.cli.main import main

def call(arguments):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as leaving:
            return leaving.code, out.getvalue(), err.getvalue()

rooms, commands = map(json.loads, sys.argv[1:])
said = [call(arguments) for arguments in commands]  # first: what they need they import themselves
for room in rooms:
    package = importlib.import_module(f"mendel.{room}")
    for found in pkgutil.walk_packages(package.__path__, f"mendel.{room}.", onerror=lambda name: 1 / 0):
        if "hostile_corpus" not in found.name and not found.name.startswith("mendel.guard.tasks.programs"):
            importlib.import_module(found.name)
print(json.dumps({"place": package.__file__, "said": said}))
"""


class Said(NamedTuple):
    """What came of a command."""

    code: int
    out: str
    err: str


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
    """The name of a domain, and a caller of commands where the wheel is installed without it.

    One process runs all of them: each of its own would import everything anew.
    """
    site = tmp_path / "site"
    with ZipFile(wheel) as packed:
        packed.extractall(site)
    shutil.rmtree(site / "mendel" / "domains" / request.param)
    install(site)

    def call(*commands: tuple[str, ...]) -> tuple[str, list[Said]]:
        environ = {**os.environ, "PYTHONPATH": str(site), "COLUMNS": "200", "MENDEL_HOME": str(tmp_path / "home")}
        environ["MENDEL_LOG__BACKEND"] = "file"
        command = [sys.executable, "-c", CALLED, json.dumps(ROOMS), json.dumps(commands)]
        done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        answer = json.loads(done.stdout)
        return answer["place"], [Said(*each) for each in answer["said"]]

    return request.param, call


@pytest.mark.slow
def test_all_else_is_imported_listed_run_and_replayed(without):
    name, call = without
    (other,) = set(DOMAINS) - {name}
    place, said = call(
        ("--help",),
        ("evolve", "--help"),
        ("plugin", "info", name, "--json"),
        ("plugin", "info", other, "--json"),
        ("run", "--domain", "noop", "--seed", "3", "--population", "4", "--generations", "2"),
        ("show", "latest"),
        ("replay", "latest"),
        ("run", "--domain", name),
    )
    assert "/site/mendel/" in place
    *good, refused = said
    assert [each.code for each in good] == [0] * len(good), good
    commands, options, info, other_info, _, shown, _ = [each.out for each in good]

    assert (" mutate " in commands) is (name != "programs")
    assert ("--task" in options, "--held-run" in options) == (name != "programs", name != "texts")
    listed = {each["name"]: each for each in json.loads(info)["plugins"]}
    assert listed[name]["loads"].startswith("no: ")
    assert json.loads(other_info)["plugins"][0]["loads"] == "yes"
    assert "completed" in shown

    assert refused.code == 4
    assert f'"{name}"' in refused.err
