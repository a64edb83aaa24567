"""Plug-ins are tested through the door that everybody uses: a real distribution, really installed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import alone, mendel
from tests.plugins import installed_plugins, path_without_plugins

__all__ = ["alone", "mendel"]


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory):
    """A folder with the package installed in it, on the path of this process and of those it starts."""
    with installed_plugins(tmp_path_factory.mktemp("site")) as folder:
        yield folder


def test_it_is_listed_with_its_package(mendel):
    found = mendel("plugin", "list", "--json").json["plugins"]
    example = next(plugin for plugin in found if plugin["name"] == "example")
    assert (example["distribution"], example["version"]) == ("mendel-example-plugins", "1.2.3")
    assert example["summary"] == "A log and two domains from another package"


def test_it_is_used_by_its_name(tmp_path):
    command = [sys.executable, "-m", "mendel.cli.main", "--log", "example", "runs", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert json.loads(done.stdout) == {"runs": []}


def test_one_that_does_not_load_says_whose_fault_it_is(mendel):
    broken = mendel("--log", "broken", "runs")
    assert broken.code == 4
    assert "mendel-example-plugins" in broken.err
    assert "mendel_example_log.missing" in broken.err
    info = mendel("plugin", "info", "broken", "--json").json["plugins"][0]
    assert info["loads"].startswith("no: ")


def test_an_unknown_one_is_answered_with_the_known_ones(mendel):
    unknown = mendel("--log", "exampel", "runs")
    assert unknown.code == 2
    for name in ("example", "file", "memory", "postgres"):
        assert name in unknown.err


def test_foreign_steps_get_the_ports_that_they_name_and_ask_for_operations_of_their_own(mendel):
    run = ("--seed", "7", "--population", "12", "--generations", "4", "--set", "probes=true", "--set", "ponders=true")
    assert mendel("run", "--domain", "reference", *run, "--json").code == 0
    assert mendel("events", "latest", "--type", "operation.failed", "--json").json["events"] == []
    begun = mendel("events", "latest", "--type", "operation.started", "--json").json["events"]
    steps = {each["payload"]["operation"]["id"]: each["payload"]["operation"] for each in begun}
    ended = mendel("events", "latest", "--type", "operation.completed", "--json").json["events"]
    used = [(steps[each["operation_id"]], each["payload"]["usage"]) for each in ended]
    assert {use["evaluations"] for step, use in used if step["step"] == "reference.probe"} == {3}
    assert {use["tool_calls"] for step, use in used if step["step"] == "reference.ponder"} == {3}
    parents = {steps[step["parent"]]["step"] for step, _ in used if step["step"] == "reference.advise"}
    assert parents == {"reference.ponder"}
    assert mendel("replay", "latest").code == 0


def test_its_command_stands_beside_those_of_the_house_and_replaces_none(mendel):
    assert mendel("distance", "3", "4", "--json").json == {"distance": 5.0}
    listed = mendel("--help").out
    assert "How far a point is from the origin." in listed
    assert "RUN" in mendel("replay", "--help").out


def test_runs_are_read_and_replayed_without_the_settings_of_their_domain(mendel, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mendel.toml").write_text("[reference]\nbegins = 3\n")
    assert mendel("run", "--domain", "reference", "--population", 4, "--generations", 1, "--json").code == 0
    Path("mendel.toml").write_text("[reference]\nbegins = -3\n")
    assert "mendel.toml:2: reference.begins: " in mendel("runs").err
    monkeypatch.setattr(sys, "path", path_without_plugins())
    for command in (("runs",), ("show", "latest"), ("events", "latest"), ("replay", "latest")):
        done = mendel(*command)
        assert done.code == 0, done.err
        assert "mendel.toml:1: reference: ignored: " in done.err
