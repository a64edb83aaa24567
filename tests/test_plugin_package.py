"""Plug-ins are tested through the door that everybody uses: a real distribution, really installed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent / "plugin_package"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the package installed in it, to be put on the path."""
    target = tmp_path_factory.mktemp("site")
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"),
            *("--no-build-isolation", "--no-index", "--target", str(target), str(PACKAGE)),
        ],
        check=True,
        capture_output=True,
    )
    return target


@pytest.fixture
def mendel(installed, tmp_path):
    def mendel(*arguments):
        environment = {**os.environ, "PYTHONPATH": str(installed), "MENDEL_HOME": str(tmp_path / "home")}
        command = [sys.executable, "-m", "mendel.cli.main", *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)

    return mendel


def test_it_is_listed_with_its_package(mendel):
    found = json.loads(mendel("plugin", "list", "--json").stdout)["plugins"]
    example = next(plugin for plugin in found if plugin["name"] == "example")
    assert (example["distribution"], example["version"]) == ("mendel-example-plugins", "1.2.3")
    assert example["summary"] == "A log and two domains from another package"


def test_it_is_used_by_its_name(mendel, tmp_path):
    assert json.loads(mendel("--log", "example", "runs", "--json").stdout) == {"runs": []}


def test_one_that_does_not_load_says_whose_fault_it_is(mendel):
    broken = mendel("--log", "broken", "runs")
    assert broken.returncode == 4
    assert "mendel-example-plugins" in broken.stderr
    assert "mendel_example_log.missing" in broken.stderr
    info = json.loads(mendel("plugin", "info", "broken", "--json").stdout)["plugins"][0]
    assert info["loads"].startswith("no: ")


def test_an_unknown_one_is_answered_with_the_known_ones(mendel):
    unknown = mendel("--log", "exampel", "runs")
    assert unknown.returncode == 2
    for name in ("example", "file", "memory", "postgres"):
        assert name in unknown.stderr
